// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/Explorer.h"

#include "analysis/answer/Analyse.h"
#include "analysis/races/Races.h"
#include "app/replay/ReplayOutcome.h"
#include "ingest/Format.h"
#include "trace/recording/ReplayPlan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

namespace laggard::explore {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// A run may take so many times what the first one took, and at least so long: after that, it hangs.
constexpr double slower = 5;
constexpr double leastLimit = 10;
constexpr double limitOfFirst = 600;

std::string fileName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

std::vector<std::string> sortedLines(const std::string &path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    std::ranges::sort(lines); // ranks write in any order
    return lines;
}

/// The first line that is in `lines` and not in `others`, both sorted.
std::string firstOf(const std::vector<std::string> &lines, const std::vector<std::string> &others) {
    std::vector<std::string> more;
    std::ranges::set_difference(lines, others, std::back_inserter(more));
    return more.empty() ? "less" : '"' + more.front() + '"';
}

std::string verdictOf(const std::string &recording) {
    AnalysisOptions options;
    options.choice = AnalysisChoice::progressOnly();
    const ReportPtr report = analyse(openTrace(recording, {}, {}), options, {});
    return report->verdict.summary;
}

std::string describe(const Trace &trace, const Race &race, const RacingMessage &message) {
    std::string text = "rank " + std::to_string(race.rank);
    if (race.callPath != none)
        text += ", " + trace.region(race.callPath).name;
    return text + ", call " + std::to_string(race.call) + ": the message of rank " + std::to_string(message.from) + " (tag " +
           std::to_string(message.tag) + ") first";
}

} // namespace

std::string_view name(Ending ending) {
    switch (ending) {
    case Ending::Same:
        return "finished";
    case Ending::OtherOutput:
        return "other output";
    case Ending::Hung:
        return "hung";
    case Ending::Crashed:
        return "crashed";
    case Ending::NotCome:
        return "no message";
    case Ending::Left:
        break;
    }
    return "another path";
}

Explorer::Explorer(ExploreOptions options, Report report, std::stop_token stop)
    : m_options(std::move(options)), m_report(std::move(report)), m_stop(std::move(stop)) {
    const auto found =
        std::ranges::find_if(m_options.command, [](const std::string &word) { return fileName(word) == "laggard-record"; });
    m_recordAt = static_cast<std::size_t>(found - m_options.command.begin());
    if (found == m_options.command.end())
        throw replay::ReplayError("there is no laggard-record in the command: write it before the program, as in mpiexec -n 4 "
                                  "laggard-record -- ./app");
    for (auto word = found + 1; word != m_options.command.end() && *word != "--"; ++word)
        for (const char *own : {"-o", "--output", "--replay", "--exchange"})
            if (*word == own || word->rfind(std::string(own) + '=', 0) == 0)
                throw replay::ReplayError(std::string(own) + " is what laggard-explore gives to laggard-record itself.");
}

std::vector<std::string> Explorer::commandWith(const std::vector<std::string> &words) const {
    std::vector<std::string> command = m_options.command;
    command.insert(command.begin() + static_cast<std::ptrdiff_t>(m_recordAt) + 1, words.begin(), words.end());
    return command;
}

std::string Explorer::placeOf(std::size_t number, const char *suffix) const {
    return (fs::path(m_options.folder) / ("run-" + std::to_string(number) + suffix)).string();
}

void Explorer::judge(const replay::JobEnd &end, ExploredRun &run) const {
    const std::string waited = replay::outcomeOf(run.folder, recording::replay::waited);
    const std::string left = replay::outcomeOf(run.folder, recording::replay::left);
    if (!waited.empty()) {
        run.ending = Ending::NotCome;
        run.detail = waited;
    } else if (end.isOverdue) {
        run.ending = Ending::Hung;
        run.detail = verdictOf(run.folder);
    } else if (end.status != 0) {
        run.ending = Ending::Crashed;
        run.detail = verdictOf(run.folder);
    } else if (!left.empty()) {
        run.ending = Ending::Left;
        run.detail = left;
    } else if (const auto printed = sortedLines(placeOf(run.number, ".out")); run.number != 0 && printed != m_printed) {
        run.ending = Ending::OtherOutput;
        run.detail = "It printed " + firstOf(printed, m_printed) + ", and the first run " + firstOf(m_printed, printed) + '.';
    }
}

/// The order in which everything was taken: what a replay of it would follow. How often it was asked in vain is left out.
bool Explorer::isNewOrder(const std::string &recording) {
    std::string order;
    for (const std::string &plan :
         replay::makePlans({.recording = recording, .exchange = {}, .ranks = {}, .program = {}, .waitSeconds = {}}, {})) {
        std::istringstream lines(plan);
        for (std::string line; std::getline(lines, line);)
            if (line.front() != 'P' && line.front() != 'T' && line.rfind("wait", 0) != 0)
                order += line + '\n';
    }
    return m_orders.insert(std::move(order)).second;
}

/// Up to its own exchange a run takes what the run before it took: there, what that one was tried with is nothing new.
bool Explorer::isNew(const ExploredRun &run, const Race &race, const RacingMessage &message) const {
    if (race.call == 0 || message.call == 0)
        return false;
    const bool isBefore = run.exchange && race.rank == run.exchange->rank && race.call <= run.exchange->call;
    return !isBefore || !m_known.contains(toText(replay::Exchange{race.rank, race.call, message.from, message.call}));
}

void Explorer::addRaces(const ExploredRun &run) {
    if (!isNewOrder(run.folder))
        return;
    const TracePtr trace = openTrace(run.folder, {}, {});
    const RaceReport races = findRaces(*trace, {});
    std::size_t mostMessages = 0;
    for (const Race &race : races.races)
        mostMessages = std::max(mostMessages, race.messages.size());
    // One message of every race before the second one of any.
    for (std::size_t place = 0; place < mostMessages; ++place)
        for (const Race &race : races.races) {
            std::size_t others = 0;
            for (const RacingMessage &message : race.messages)
                if (!message.isTaken && others++ == place && isNew(run, race, message))
                    m_candidates.push_back(
                        {run.number, {race.rank, race.call, message.from, message.call}, describe(*trace, race, message)});
        }
    for (const Race &race : races.races)
        for (const RacingMessage &message : race.messages)
            m_known.insert(toText(replay::Exchange{race.rank, race.call, message.from, message.call}));
}

void Explorer::runFirst(Exploration &exploration) {
    ExploredRun run;
    run.what = "the first run";
    run.folder = m_options.recording.empty() ? placeOf(0, "") : m_options.recording;
    replay::JobEnd end;
    end.status = 0;
    // If a recording is there already, nobody knows what its run printed: the first run follows it.
    std::vector<std::string> words{"-o", placeOf(0, "")};
    if (!m_options.recording.empty())
        words.insert(words.end(), {"--replay", m_options.recording});
    run.folder = placeOf(0, "");
    end = replay::runJob(commandWith(words), placeOf(0, ".out"), placeOf(0, ".err"),
                         milliseconds(static_cast<std::int64_t>(m_options.limit.value_or(limitOfFirst) * 1000)), m_stop);
    exploration.isCancelled = end.isCancelled;
    if (end.isCancelled)
        return;
    m_printed = sortedLines(placeOf(0, ".out"));
    m_limit =
        milliseconds(static_cast<std::int64_t>(m_options.limit.value_or(std::max(leastLimit, slower * end.seconds)) * 1000));
    std::error_code error;
    if (!fs::exists(run.folder, error) || fs::is_empty(run.folder, error)) {
        const fs::space_info room = fs::space(m_options.folder, error);
        exploration.problem = "the command has recorded nothing" +
                              (!error && room.available == 0 ? ": no space left on the device of " + m_options.folder + '.'
                                                             : "; what it said is in " + placeOf(0, ".err") + '.');
        return;
    }
    judge(end, run);
    exploration.runs.push_back(run);
    if (run.ending == Ending::Same || run.ending == Ending::Left)
        addRaces(run);
    else
        exploration.problem = "the first run did not end well (" + std::string(name(run.ending)) + "): " + run.detail;
}

void Explorer::tryOut(const Candidate &candidate, Exploration &exploration) {
    ExploredRun run{.number = exploration.runs.size(),
                    .parent = candidate.parent,
                    .exchange = candidate.exchange,
                    .what = candidate.what,
                    .ending = Ending::Same,
                    .detail = {},
                    .folder = {}};
    run.folder = placeOf(run.number, "");
    m_report(run.number, m_options.runs, run.what);
    const auto patience = static_cast<std::uint64_t>(std::max<std::int64_t>(2, m_limit.count() / 2000));
    const replay::JobEnd end =
        replay::runJob(commandWith({"-o", run.folder, "--replay", placeOf(candidate.parent, ""), "--exchange",
                                    toText(candidate.exchange), "--replay-wait", std::to_string(patience)}),
                       placeOf(run.number, ".out"), placeOf(run.number, ".err"), m_limit, m_stop);
    exploration.isCancelled = end.isCancelled;
    if (end.isCancelled)
        return;
    judge(end, run);
    exploration.runs.push_back(run);
    if (run.ending == Ending::Same || run.ending == Ending::OtherOutput)
        addRaces(run);
}

Exploration Explorer::explore() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(m_options.seconds);
    std::error_code error;
    fs::create_directories(m_options.folder, error);
    if (error)
        throw replay::ReplayError('"' + m_options.folder + "\" cannot be made: " + error.message() + '.');
    if (!fs::is_directory(m_options.folder) || !fs::is_empty(m_options.folder))
        throw replay::ReplayError('"' + m_options.folder + "\" is not a new or empty folder.");
    Exploration exploration;
    m_report(0, m_options.runs, "the first run");
    runFirst(exploration);
    while (!m_candidates.empty() && !exploration.isCancelled && exploration.runs.size() <= m_options.runs &&
           std::chrono::steady_clock::now() < until) {
        const Candidate candidate = std::move(m_candidates.front());
        m_candidates.pop_front();
        try {
            tryOut(candidate, exploration);
        } catch (const ReadError &failure) {
            exploration.runs.push_back({exploration.runs.size(),
                                        candidate.parent,
                                        candidate.exchange,
                                        candidate.what,
                                        Ending::Crashed,
                                        std::string("Its recording cannot be read: ") + failure.what(),
                                        {}});
        }
    }
    exploration.left = m_candidates.size();
    return exploration;
}

} // namespace laggard::explore
