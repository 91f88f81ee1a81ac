// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/Options.h"

#include "app/analyze/Pictures.h"
#include "trace/NumberText.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

namespace laggard {
namespace {

std::string checkFileName(const std::string &file) { return file.empty() ? "the name of the file is empty" : ""; }

std::string checkRanks(const std::string &text) {
    try {
        if (!parseRanges(text).empty())
            return {};
    } catch (const std::invalid_argument &) {
        // said below
    }
    return "\"" + text + "\" is not a list of ranks (0-99,128)";
}

/// "FROM:TO" in seconds; nothing if it is not.
std::optional<SecondsRange> parseWindow(const std::string &text) {
    const std::size_t colon = text.find(':');
    SecondsRange window;
    if (colon == std::string::npos || !CLI::detail::lexical_cast(text.substr(0, colon), window.begin) ||
        !CLI::detail::lexical_cast(text.substr(colon + 1), window.end) || !std::isfinite(window.end) || !(window.begin >= 0) ||
        !(window.begin < window.end))
        return std::nullopt;
    return window;
}

std::string checkWindow(const std::string &text) {
    return parseWindow(text) ? std::string() : "\"" + text + "\" is not a time FROM:TO in seconds from the start of the trace";
}

std::string checkSeconds(const std::string &text) {
    double seconds = 0;
    if (!CLI::detail::lexical_cast(text, seconds) || !std::isfinite(seconds) || seconds < 0)
        return "\"" + text + "\" is not a time in seconds from the start of the trace";
    return {};
}

std::string checkMapping(const std::string &text) {
    const std::size_t equals = text.find('=');
    return equals != std::string::npos && equals != 0 && equals + 1 != text.size()
               ? std::string()
               : "\"" + text + "\" is not FROM=TO, a folder as recorded and as it is here";
}

const std::vector<std::string> analysisNames{"progress", "phases",   "clusters", "transitions",
                                             "failstop", "outliers", "units",    "races"};

AnalysisChoice chosen(const std::vector<std::string> &names) {
    const auto has = [&names](const char *name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    return {has("progress"),    has("progress"), has("phases"),   has("clusters"),
            has("transitions"), has("failstop"), has("outliers"), has("races")};
}

/// What the analyses that compare ranks, phases and runs need to know.
void addComparisonOptions(CLI::App &app, AnalyzeOptions &options) {
    SemiMarkovOptions &models = options.analyses.semiMarkov;
    OutlierOptions &outliers = options.analyses.outliers;
    app.add_option("--reference", options.references,
                   "Sample runs: other traces or model dumps of the same program, to compare with")
        ->type_name("TRACE");
    app.add_option("--diverges", options.diverges,
                   "Another run of the same program: say where this one first does something else, rank by rank")
        ->type_name("TRACE")
        ->check(checkFileName);
    app.add_option("--phase", models.phase, "The region that delimits phases (default: found)")->type_name("REGION");
    app.add_option("--group", models.group, "Join consecutive iterations into so many phases (default: each is one)")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
    app.add_option("--clusters", models.clusters, "Number of groups of ranks that behave differently when all is well")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
    app.add_option("--distribution", models.distribution, "How times are described: gaussian or histogram (default: gaussian)")
        ->type_name("KIND")
        ->transform(CLI::CheckedTransformer(std::map<std::string, DistributionKind>{{"gaussian", DistributionKind::Gaussian},
                                                                                    {"histogram", DistributionKind::Histogram}})
                        .description(""));
    app.add_option("--model", options.model, "Say what is not as in this model of the program's calls (see --train)")
        ->type_name("MODEL")
        ->check(checkFileName);
    app.add_option(
           "--train", options.train,
           "Add the trace, of a run in which all was well, or another model, to this model of the program's calls, instead "
           "of analysing it")
        ->type_name("MODEL")
        ->check(checkFileName);
    CLI::Option *follow =
        app.add_flag("--follow", options.follow,
                     "With --model: judge while the recording grows, and print a line for each unit that is suspicious")
            ->needs("--model");
    app.add_option("--follow-score", options.followAtLeast, "The suspect score from which --follow prints a unit (default: 0.4)")
        ->type_name("SCORE")
        ->check(CLI::Range(0.0, 1.0))
        ->needs(follow);
    app.add_option_function<double>(
           "--follow-interval",
           [&options](double seconds) { options.followInterval = std::chrono::milliseconds(std::llround(seconds * 1000)); },
           "How often --follow looks, in seconds (default: 2)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.05, 86'400.0))
        ->needs(follow);
    app.add_option("--profile", outliers.by, "What profiles of ranks are made of: callpath or function (default: callpath)")
        ->type_name("KIND")
        ->transform(CLI::CheckedTransformer(std::map<std::string, ProfileOptions::By>{{"callpath", ProfileOptions::By::CallPath},
                                                                                      {"function", ProfileOptions::By::Function}})
                        .description(""));
    app.add_option("--measure", outliers.measure, "What profiles measure: time or coverage (default: time)")
        ->type_name("KIND")
        ->transform(
            CLI::CheckedTransformer(std::map<std::string, ProfileOptions::Measure>{
                                        {"time", ProfileOptions::Measure::Time}, {"coverage", ProfileOptions::Measure::Coverage}})
                .description(""));
    app.add_option_function<double>(
           "--clock-resolution", [&outliers](double seconds) { outliers.clockResolution = seconds; },
           "How far the clocks of different ranks may be off, in seconds (default: what the trace shows, else 1)")
        ->type_name("SECONDS")
        ->check(checkSeconds);
}

/// Work that several processes do together.
void addSharingOptions(CLI::App &app, AnalyzeOptions &options) {
    using Across = AnalyzeOptions::Across;
    app.add_flag("--summary", options.summary,
                 "Judge a trace by its summary, as its model dump would be judged: what processes on several nodes can share");
    app.add_option(
           "--across", options.across,
           "What it means to be started as several processes (mpiexec, srun): auto: they share the work by the launcher's "
           "MPI; mpich, openmpi: by this one; no: nothing (default: auto)")
        ->type_name("MPI")
        ->envname("LAGGARD_ACROSS")
        ->transform(CLI::CheckedTransformer(
                        std::map<std::string, Across>{
                            {"auto", Across::Auto}, {"no", Across::No}, {"mpich", Across::Mpich}, {"openmpi", Across::OpenMpi}})
                        .description(""));
    app.add_flag("--share-counts", options.shareCounts,
                 "Say on standard error what each process has read and sent, with --summary or as several processes");
}

/// What the slice is made of, and how much of it.
void addSliceOptions(CLI::App &app, SliceArguments &slice) {
    app.add_option_function<std::size_t>(
           "--slice", [&slice](std::size_t steps) { slice.steps = steps; },
           "Print the first N lines that made the least progressed stop where it did (default: 8); compiles the sources for it")
        ->type_name("[N]")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
    app.add_option("--slice-depth", slice.depth, "Keep to lines that are so many dependences away (default: any)")
        ->type_name("N")
        ->check(CLI::Range(1U, 1'000'000U))
        ->needs("--slice");
    app.add_flag("--slice-thin", slice.thin, "Follow values only: neither pointers nor conditions")->needs("--slice");
    app.add_option_function<double>(
           "--slice-timeout", [&slice](double seconds) { slice.time = std::chrono::milliseconds(std::llround(seconds * 1000)); },
           "How long compiling and slicing may take, in seconds (default: 10); then what there is")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.001, 86'400.0))
        ->check(notANumber)
        ->needs("--slice");
    app.add_option("--compile-commands", slice.compileCommands, "How the program's sources are compiled: compile_commands.json")
        ->type_name("FILE")
        ->check(CLI::ExistingFile)
        ->needs("--slice");
    app.add_option("--slice-binary", slice.binaries,
                   "Programs and libraries with debug information to slice, in place of those that were recorded")
        ->type_name("FILE")
        ->check(CLI::ExistingFile)
        ->needs("--slice");
    app.add_option_function<std::vector<std::string>>(
           "--path-map",
           [&slice](const std::vector<std::string> &mappings) {
               for (const std::string &mapping : mappings)
                   slice.pathMap.emplace_back(mapping.substr(0, mapping.find('=')), mapping.substr(mapping.find('=') + 1));
           },
           "Sources below the folder FROM, as it was when the program was built, are below TO here")
        ->type_name("FROM=TO")
        ->check(checkMapping)
        ->needs("--slice");
}

/// The arguments, the last first; "--slice" without a number behind it gets one, so that it does not take the trace for it.
std::vector<std::string> argumentsOf(int argc, char **argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto isNumber = [](const std::string &text) {
        return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    };
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i] == "--slice" && (i + 1 == arguments.size() || !isNumber(arguments[i + 1])))
            arguments[i] = "--slice=8";
    std::ranges::reverse(arguments);
    return arguments;
}

} // namespace

ParsedOptions parseAnalyzeOptions(int argc, char **argv) {
    AnalyzeOptions options;
    double atSeconds = 0;
    CLI::App app("Finds out which task of a parallel job made the least progress, from the trace the job left behind.",
                 "laggard-analyze");
    app.set_version_flag("--version", "laggard-analyze " LAGGARD_VERSION);
    app.add_option("trace", options.trace,
                   "Trace: its anchor file (traces.otf2), another of its files, or the folder it lies in; or a folder of dumps "
                   "of PyTorch's "
                   "Flight Recorder")
        ->required()
        ->type_name("TRACE");
    CLI::Option *at =
        app.add_option("--at", atSeconds, "Look at this moment, in seconds from the start of the trace (default: its end)")
            ->type_name("SECONDS")
            ->check(checkSeconds);
    std::string ranks;
    std::string window;
    app.add_option("--ranks", ranks, "Read the events of these ranks only (0-99,128)")->type_name("RANKS")->check(checkRanks);
    app.add_option("--window", window, "Read only what overlaps this time, in seconds from the start of the trace")
        ->type_name("FROM:TO")
        ->check(checkWindow);
    std::vector<std::string> only;
    app.add_option(
           "--only", only,
           "Analyses to run, separated by commas: progress, phases, clusters, transitions, failstop, outliers, races, units "
           "(default: all but races; "
           "units with --model alone)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(CLI::IsMember(analysisNames));
    addComparisonOptions(app, options);
    app.add_option("--json", options.json,
                   "Write the report as JSON; \"-\" writes it to standard output and the text to standard error")
        ->type_name("FILE")
        ->check(checkFileName);
    app.add_option("--pdg", options.pdg, "Draw the progress-dependence graph; .svg, .png, .pdf or .dot, by the name's ending")
        ->type_name("FILE")
        ->check(whyNoPicture);
    app.add_flag("--pdg-full", options.pdgFull, "Draw also the waits that follow from others")->needs("--pdg");
    app.add_option("--smm", options.smm,
                   "Draw the semi-Markov model of the unusual phase by clusters; .svg, .png, .pdf or .dot, by the name's ending")
        ->type_name("FILE")
        ->check(whyNoPicture);
    app.add_option_function<double>(
           "--layout-timeout",
           [&options](double seconds) { options.layoutTime = std::chrono::milliseconds(std::llround(seconds * 1000)); },
           "How long the layout of a graph may take, in seconds (default: 10)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.001, 86'400.0))
        ->check(notANumber);
    app.add_option("--report", options.html, "Write the report as one HTML page with graphs and timeline")
        ->type_name("FILE.html")
        ->check(checkFileName);
    addSliceOptions(app, options.slice);
    addSharingOptions(app, options);
    app.add_flag("--corrected", options.corrected, "Take the recorder's own time out of all times first, and put clocks right");
    app.add_flag("--keep-symbols", options.keepSymbols,
                 "Write names and lines of a recording's code into its folder, for where its programs are not");
    app.add_flag(
        "--debuginfod", options.part.askDebugServers,
        "Ask the servers that DEBUGINFOD_URLS names for names and lines of a recording's code; they learn its build-ids");
    app.add_option("--to-otf2", options.toOtf2, "Write the trace as an OTF2 archive into a new folder, instead of analysing it")
        ->type_name("FOLDER")
        ->check(checkFileName);
    app.add_option("--to-model", options.toModel, "Write a model dump (JSON), instead of analysing the trace")
        ->type_name("FILE")
        ->check(checkFileName);
    app.add_option("--threads", options.threads, "Number of threads (default: as many as the machine has)")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    app.footer("Exit status: 0 analysed, whatever was found; 1 the input is unreadable; 2 wrong usage or output that cannot be "
               "written.");
    try {
        app.parse(argumentsOf(argc, argv));
    } catch (const CLI::Success &wanted) {
        return {std::nullopt, app.exit(wanted)};
    } catch (const CLI::ParseError &mistake) {
        app.exit(mistake);
        return {std::nullopt, exitUsage};
    }
    options.choosesAll = only.empty();
    if (!only.empty())
        options.analyses.choice = chosen(only);
    if (at->count() != 0)
        options.atSeconds = atSeconds;
    if (!ranks.empty())
        options.part.ranks = parseRanges(ranks);
    if (!window.empty())
        options.part.time = parseWindow(window);
    if (std::ranges::find(only, "units") != only.end() && options.model.empty()) {
        std::cerr << "--only units: execution units are judged by a model of the program's calls; --model names it\n";
        return {std::nullopt, exitUsage};
    }
    if (!only.empty() && std::ranges::find(only, "units") == only.end() && !options.model.empty()) {
        std::cerr << "--model: what it is for is not among the analyses to run (--only units)\n";
        return {std::nullopt, exitUsage};
    }
    if (options.follow &&
        (options.isConversion() || !options.train.empty() || !options.references.empty() || !options.diverges.empty() ||
         options.corrected || options.part.ranks || options.part.time || at->count() != 0 || !options.pdg.empty() ||
         !options.smm.empty() || !options.html.empty() || options.slice.steps)) {
        std::cerr << "--follow tells units as they come: beside --model only --json, --threads and its own options go with it\n";
        return {std::nullopt, exitUsage};
    }
    if (!options.train.empty() &&
        (options.wantsReport() || options.isConversion() || !options.model.empty() || options.corrected)) {
        std::cerr << "--train adds the trace to a model and makes no report: it goes with no option that asks for one\n";
        return {std::nullopt, exitUsage};
    }
    if (options.isConversion() && (options.part.ranks || options.part.time)) {
        std::cerr << "--to-otf2 and --to-model write the whole trace: --ranks and --window do not go with them\n";
        return {std::nullopt, exitUsage};
    }
    if (options.atSeconds && options.part.time && (atSeconds < options.part.time->begin || atSeconds > options.part.time->end)) {
        std::cerr << "--at: " << atSeconds << " s is not in the time that is to be read (--window " << window << ")\n";
        return {std::nullopt, exitUsage};
    }
    return {options, exitAnalysed};
}

} // namespace laggard
