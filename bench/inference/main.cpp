// SPDX-License-Identifier: GPL-3.0-or-later
// What is inferred of open calls from a plain OTF2 archive, against what the recorder knew. See bench/README.md.
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <set>

using namespace laggard;

namespace {

/// Takes from an archive that Laggard wrote what other tools do not write: what open calls and posted requests wait for, from
/// which line a call was made, where a thread was seen and how a process ended.
void forgetAttributes(Trace &trace) {
    trace.tellsOpenCalls = false;
    CallPathTable withoutSites;
    std::vector<CallPathId> renumbering;
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
        const CallPath &old = trace.callPaths[path];
        renumbering.push_back(withoutSites.intern(old.parent == none ? CallPathId{none} : renumbering[old.parent], old.region));
    }
    trace.callPaths = std::move(withoutSites);
    for (Location &location : trace.locations) {
        LocationEvents &events = location.events;
        for (CallPathId &path : events.track.callPath)
            path = renumbering[path];
        events.openParts.reset();
        events.stoppedAt = none;
        events.polls.clear();
        std::erase_if(events.pending, [](const PendingRequest &r) { return r.kind == PendingRequest::Kind::Collective; });
        for (PendingRequest &request : events.pending)
            if (request.kind == PendingRequest::Kind::Receive) {
                request.envelope = none;
                request.anySource = request.anyTag = false;
            }
    }
    for (Process &process : trace.processes)
        process.end = {};
}

/// How many things the recorder knew, how many of them were told, and how many of those told are true.
struct Score {
    std::size_t known = 0;
    std::size_t told = 0;
    std::size_t right = 0;
    Score &operator+=(const Score &other) {
        known += other.known;
        told += other.told;
        right += other.right;
        return *this;
    }
};

struct Scores {
    Score peers;         ///< senders that an open receive waits for
    Score surePeers;     ///< those peers that were told with a confidence of at least 0.9
    Score wildcards;     ///< open receives from any source: told as waits for any
    Score communicators; ///< communicators of open collectives
    Score missing;       ///< runs with a send that was never made: sender and receiver
    Score verdicts;      ///< runs: the same ranks named
    void add(const Scores &other) {
        for (const auto part : {&Scores::peers, &Scores::surePeers, &Scores::wildcards, &Scores::communicators, &Scores::missing,
                                &Scores::verdicts})
            this->*part += other.*part;
    }
};

std::set<Rank> sendersOf(const OpenCall &open) {
    std::set<Rank> senders;
    for (const ExpectedReceive &receive : open.receives)
        if (receive.from != none)
            senders.insert(receive.from);
    return senders;
}

Score compare(const std::set<Rank> &known, const std::set<Rank> &told) {
    std::vector<Rank> both;
    std::set_intersection(known.begin(), known.end(), told.begin(), told.end(), std::back_inserter(both));
    return {known.size(), told.size(), both.size()};
}

/// Members in their order: what makes a communicator the same in two traces.
std::vector<Rank> membersOf(const Trace &trace, const OpenCall &open) {
    const Communicator &communicator = trace.communicators[open.collective.communicator];
    std::vector<Rank> members = communicator.members;
    if (members.empty())
        for (Rank rank = 0; rank < trace.processes.size(); ++rank)
            members.push_back(rank);
    return members;
}

std::string listed(const std::set<Rank> &ranks) { return describeRanges(RankSet(ranks.begin(), ranks.end())); }

/// On stderr: the open call of a rank of which not all was told right.
void listMiss(const Trace &recorded, Rank rank, CallPathId path, const OpenCall &known, const OpenCall &told) {
    const auto anySource = [](const OpenCall &open) { return open.anyReceive ? " (any)" : ""; };
    std::fprintf(stderr, "  rank %u in %s: waits for %s%s%s, told: %s%s%s, confidence %.2f, precedent %u steps, %u of %u right\n",
                 rank, recorded.region(path).name.c_str(), listed(sendersOf(known)).c_str(), anySource(known),
                 known.isCollective ? " (collective)" : "", listed(sendersOf(told)).c_str(), anySource(told),
                 told.isCollective ? " (collective)" : "", told.confidence, told.precedent.run, told.precedent.right,
                 told.precedent.tested);
}

void compareOpenCalls(const Trace &recorded, const OpenCall &known, const Trace &plain, const OpenCall &told, Scores &scores) {
    constexpr double sure = 0.9;
    const bool isWildcard = known.anyReceive || std::any_of(known.receives.begin(), known.receives.end(),
                                                            [](const ExpectedReceive &r) { return r.from == none; });
    if (isWildcard) {
        ++scores.wildcards.known;
        scores.wildcards.told += told.receives.empty() ? 0 : 1;
        scores.wildcards.right += told.anyReceive ? 1 : 0;
    } else if (!known.receives.empty() || !told.receives.empty()) {
        scores.peers += compare(sendersOf(known), sendersOf(told));
        scores.surePeers += compare(sendersOf(known), told.confidence >= sure ? sendersOf(told) : std::set<Rank>());
    }
    if (known.isCollective || told.isCollective) {
        const bool both = known.isCollective && told.isCollective;
        scores.communicators += {known.isCollective ? 1U : 0U, told.isCollective ? 1U : 0U,
                                 both && membersOf(recorded, known) == membersOf(plain, told) ? 1U : 0U};
    }
}

Scores compareRun(const std::string &recording, const std::string &archive, bool list) {
    const Work work;
    const TracePtr recorded = openTrace(recording, {}, work);
    const auto plain = std::const_pointer_cast<Trace>(openTrace(archive, {}, work)); // nobody else has it yet
    forgetAttributes(*plain);
    Scores scores;
    const JobState known = observeJob(*recorded, openEnd, work);
    const JobState told = observeJob(*plain, openEnd, work);
    for (Rank rank = 0; rank < known.tasks.size() && rank < told.tasks.size(); ++rank)
        if (known.tasks[rank].mpiPath != none && told.tasks[rank].mpiPath != none) {
            const OpenCall &one = known.tasks[rank].open;
            const OpenCall &other = told.tasks[rank].open;
            compareOpenCalls(*recorded, one, *plain, other, scores);
            if (list && (sendersOf(one) != sendersOf(other) || one.isCollective != other.isCollective))
                listMiss(*recorded, rank, known.tasks[rank].mpiPath, one, other);
        }
    const WaitForVerdict first = buildWaitForGraph(*recorded, openEnd, work).verdict;
    const WaitForVerdict second = buildWaitForGraph(*plain, openEnd, work).verdict;
    if (list && first.ranks != second.ranks)
        std::fprintf(stderr, "  verdict: %s\n     told: %s\n", first.why.c_str(), second.why.c_str());
    const bool wasMissing = first.kind == WaitForVerdict::Kind::MissingSend;
    const bool isMissing = second.kind == WaitForVerdict::Kind::MissingSend;
    scores.missing = {wasMissing ? 1U : 0U, isMissing ? 1U : 0U,
                      wasMissing && isMissing && first.missingSends.front().from == second.missingSends.front().from &&
                              first.missingSends.front().to == second.missingSends.front().to
                          ? 1U
                          : 0U};
    scores.verdicts = {1, second.ranks.empty() ? 0U : 1U, first.ranks == second.ranks && !first.ranks.empty() ? 1U : 0U};
    return scores;
}

void print(const std::string &name, const Scores &scores) {
    std::printf("| %s |", name.c_str());
    for (const Score *score :
         {&scores.peers, &scores.surePeers, &scores.wildcards, &scores.communicators, &scores.missing, &scores.verdicts}) {
        const auto share = [](std::size_t part, std::size_t all) {
            return all == 0 ? std::string("–") : std::to_string(part) + "/" + std::to_string(all);
        };
        std::printf(" %s | %s |", share(score->right, score->told).c_str(), share(score->right, score->known).c_str());
    }
    std::printf("\n");
}

} // namespace

int main(int argc, char **argv) {
    std::vector<std::string> runs;
    std::string name = "all";
    CLI::App options("What is inferred of open calls from plain OTF2, against what the recorder knew");
    options.add_option("--name", name, "of the row, default: all");
    options.add_option("RUN", runs, "folders that hold a recording and, as otf2, its conversion")->required();
    bool list = false;
    options.add_flag("--list", list, "also what was not told right");
    CLI11_PARSE(options, argc, argv);
    Scores all;
    for (const std::string &run : runs)
        try {
            all.add(compareRun(run + "/recording", run + "/otf2", list));
        } catch (const std::exception &error) {
            std::fprintf(stderr, "%s: %s\n", run.c_str(), error.what());
            return 1;
        }
    print(name, all);
    return 0;
}
