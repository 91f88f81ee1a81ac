// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/races/Races.h"
#include "app/replay/JobRun.h"
#include "app/replay/ReplayPlans.h"
#include "trace/Trace.h"

#include <deque>
#include <functional>
#include <iosfwd>
#include <set>
#include <string>
#include <vector>

namespace laggard::explore {

struct ExploreOptions {
    std::string folder;               ///< for all recordings; made
    std::string recording;            ///< to begin with; empty: the command is recorded first
    std::size_t runs = 50;            ///< at most, the first one not counted
    double seconds = 600;             ///< no run is begun later
    std::optional<double> limit;      ///< time limit of one run; nothing: chosen by the first run
    std::vector<std::string> command; ///< that starts the job, with laggard-record in it
};

enum class Ending : std::uint8_t {
    Same,        ///< finished, and printed what the first run printed
    OtherOutput, ///< finished, and printed something else
    Hung,
    Crashed, ///< or ended with an error
    NotCome, ///< a message of the recorded path did not come
    Left,    ///< left the recorded path before the exchange
};
[[nodiscard]] std::string_view name(Ending ending);

/// One run, and what became of it.
struct ExploredRun {
    std::size_t number = 0; ///< 0: the first one, as it comes
    std::size_t parent = 0; ///< whose order it takes, up to the exchange
    std::optional<replay::Exchange> exchange;
    std::string what; ///< "rank 0, MPI_Recv (serve.c:14): the message of rank 2 first"
    Ending ending = Ending::Same;
    std::string detail; ///< a sentence or more; may be empty
    std::string folder; ///< its recording
};

struct Exploration {
    std::vector<ExploredRun> runs; ///< the first one first
    std::size_t left = 0;          ///< exchanges that are known and were not tried
    bool isCancelled = false;
    std::string problem; ///< why nothing could be explored: a sentence; empty: it could
};

/// Runs a job again and again, each time with one race of an earlier run decided otherwise (Kranzlmüller et al. 2000, §3: one at
/// a time, iteratively): breadth first, runs whose order is that of an earlier one are not gone on from.
class Explorer {
  public:
    using Report = std::function<void(std::size_t run, std::size_t most, const std::string &what)>;
    Explorer(ExploreOptions options, Report report, std::stop_token stop);
    /// Throws ReadError, ReplayError and std::system_error where it cannot go on at all.
    [[nodiscard]] Exploration explore();

  private:
    struct Candidate {
        std::size_t parent = 0;
        replay::Exchange exchange;
        std::string what;
    };
    [[nodiscard]] std::vector<std::string> commandWith(const std::vector<std::string> &words) const;
    [[nodiscard]] std::string placeOf(std::size_t number, const char *suffix) const;
    void runFirst(Exploration &exploration);
    void tryOut(const Candidate &candidate, Exploration &exploration);
    void judge(const replay::JobEnd &end, ExploredRun &run) const;
    void addRaces(const ExploredRun &run);
    [[nodiscard]] bool isNew(const ExploredRun &run, const Race &race, const RacingMessage &message) const;
    [[nodiscard]] bool isNewOrder(const std::string &recording);

    ExploreOptions m_options;
    Report m_report;
    std::stop_token m_stop;
    std::size_t m_recordAt = 0; ///< laggard-record in the command
    std::chrono::milliseconds m_limit{};
    std::vector<std::string> m_printed; ///< by the first run: lines, sorted
    std::deque<Candidate> m_candidates;
    std::set<std::string> m_orders;
    std::set<std::string> m_known; ///< messages of all races so far, as exchanges
};

/// The table of what was found, for people.
void writeTable(std::ostream &out, const Exploration &exploration);

} // namespace laggard::explore
