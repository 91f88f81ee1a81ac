// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"
#include "ingest/OpenOptions.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace laggard {

/// What --slice and its options say.
struct SliceArguments {
    std::optional<std::size_t> steps; ///< to print; none: no slice is asked for
    unsigned depth = 0;               ///< greatest distance; 0: any
    bool thin = false;
    std::chrono::milliseconds time{10'000};
    std::string compileCommands; ///< file, empty for none
    std::vector<std::string> binaries;
    std::vector<std::pair<std::string, std::string>> pathMap; ///< folders as recorded, and as found here
};

/// What the user asked laggard-analyze to do.
struct AnalyzeOptions {
    std::string trace;
    OpenOptions part;                          ///< which part of it to read
    std::optional<double> atSeconds;           ///< from the start of the trace; none: its end
    std::vector<std::string> references;       ///< sample runs
    std::string diverges;                      ///< another run, to compare with call by call; empty for none
    AnalysisOptions analyses;                  ///< `at`, `references` and `other` are filled in once traces are open
    std::string json;                          ///< file, "-" for standard output, empty for none
    std::string pdg;                           ///< picture file, empty for none
    bool pdgFull = false;                      ///< waits that follow from others are drawn as well
    std::string smm;                           ///< picture file, empty for none
    std::string html;                          ///< HTML report, empty for none
    bool corrected = false;                    ///< the report is about times without the recorder's
    bool keepSymbols = false;                  ///< write names and lines of a recording's code beside it
    std::string toOtf2;                        ///< new folder for an OTF2 archive, empty for none
    std::string train;                         ///< call model that the trace is to be added to, empty for none
    std::string model;                         ///< call model to judge by, empty for none
    bool follow = false;                       ///< judge units while the recording grows
    double followAtLeast = usualUnitThreshold; ///< suspect score from which a unit is told
    std::chrono::milliseconds followInterval{2'000};
    std::string toModel;                          ///< file for a model dump, empty for none
    std::chrono::milliseconds layoutTime{10'000}; ///< that a graph's layout may take
    SliceArguments slice;
    unsigned threads = 0; ///< 0: as many as the machine has

    /// What it means that several processes were started together.
    enum class Across : std::uint8_t {
        Auto,   ///< they share the work by the launcher's MPI
        No,     ///< nothing: each works for itself
        Mpich,  ///< they share the work by this MPI
        OpenMpi ///< … by this
    };
    Across across = Across::Auto;
    bool summary = false;     ///< a trace is judged by its summary
    bool shareCounts = false; ///< say what each process read and sent
    bool choosesAll = true;   ///< --only was not given

    [[nodiscard]] bool isConversion() const { return !toOtf2.empty() || !toModel.empty(); }
    [[nodiscard]] bool wantsReport() const {
        return !json.empty() || !pdg.empty() || !smm.empty() || !html.empty() || slice.steps;
    }
};

/// Exit statuses of the command line (docs/man/laggard-analyze.1).
enum ExitStatus : int { exitAnalysed = 0, exitUnreadable = 1, exitUsage = 2, exitInterrupted = 130 };

/// Options, or the exit status with which to leave at once (after --help or a mistake, which has been explained).
struct ParsedOptions {
    std::optional<AnalyzeOptions> options;
    int status = exitAnalysed;
};

[[nodiscard]] ParsedOptions parseAnalyzeOptions(int argc, char **argv);

} // namespace laggard
