// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/divergence/Divergence.h"

#include "analysis/divergence/CommonPaths.h"
#include "analysis/divergence/LogicalTime.h"
#include "trace/Parallel.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard {
namespace {

/// A run and what is looked up in it again and again.
struct Run {
    explicit Run(const Trace &all) : trace(all), calls(all), communicators(communicatorKeys(all)) {}
    const Trace &trace;
    MpiCallTable calls;
    std::vector<std::uint64_t> communicators;
};

/// How two parts of a kind differ; nothing if they do not, or if MPI leaves open what they differ in.
struct PartDifference {
    std::optional<Departure> departure;
    bool isOutcome = false; ///< a receive for any message had another outcome
};

PartDifference differenceOf(const ActPart &a, const ActPart &b, const DivergenceReport &rules) {
    const bool anySource = a.anySource || b.anySource;
    const bool anyTag = a.anyTag || b.anyTag;
    if (a.kind == ActPart::Kind::Collective && a.operation != b.operation)
        return {Departure::Operation, false};
    if (!rules.comparesPartners)
        return {!anyTag && a.tag != b.tag ? std::optional(Departure::Tag) : std::nullopt, false};
    if (a.communicator != b.communicator)
        return {Departure::Communicator, false};
    if (a.peer != b.peer && !anySource)
        return {Departure::Partner, false};
    if (a.tag != b.tag && !anyTag)
        return {Departure::Tag, false};
    // The size of a message is its sender's doing: where that is compared it shows there, and before it was received.
    const bool comparesBytes = a.kind == ActPart::Kind::Collective ? rules.comparesSizes
                               : a.kind == ActPart::Kind::Send     ? true
                                                                   : !contains(rules.compared, a.peer);
    const bool isOther = a.peer != b.peer || a.tag != b.tag;
    if (a.bytes != b.bytes && comparesBytes && !isOther)
        return {anySource || anyTag ? std::nullopt : std::optional(Departure::Size), anySource || anyTag};
    return {std::nullopt, isOther};
}

/// Compares what one rank did.
class RankComparison {
  public:
    RankComparison(const Run &here, const Run &there, const CommonPaths &paths, const DivergenceReport &rules, Rank rank,
                   const Work &work)
        : m_paths(paths),
          m_rules(rules),
          m_rank(rank),
          m_a(actsOf(here.trace, here.calls, here.communicators, rank, work)),
          m_b(actsOf(there.trace, there.calls, there.communicators, rank, work)),
          m_trackA(here.trace.mainEvents(rank)->track),
          m_trackB(there.trace.mainEvents(rank)->track) {}

    void compare() {
        const std::size_t both = std::min(m_a.size(), m_b.size());
        for (std::size_t act = 0; act < both; ++act)
            if (!isAlike(act))
                return;
        if (m_a.size() == m_b.size() || (both > 0 && isStanding(both - 1)))
            return;
        depart(both, m_a.size() > both ? Departure::MoreCalls : Departure::NoMoreCalls);
    }

    std::optional<RankDivergence> divergence;
    std::optional<WildcardOutcome> outcome;

  private:
    [[nodiscard]] CallPathId pathA(std::size_t act) const { return m_trackA.callPath[m_a.row[act]]; }
    [[nodiscard]] CallPathId pathB(std::size_t act) const { return m_trackB.callPath[m_b.row[act]]; }
    /// Neither run returned from it.
    [[nodiscard]] bool isStanding(std::size_t act) const {
        return m_trackA.isOpen(m_a.row[act]) && m_trackB.isOpen(m_b.row[act]);
    }

    bool isAlike(std::size_t act) {
        if (m_paths(0, pathA(act)) != m_paths(1, pathB(act))) {
            const bool same = m_paths.function(0, pathA(act)) == m_paths.function(1, pathB(act));
            return depart(act, same ? Departure::OtherPath : Departure::OtherCall);
        }
        const bool openA = m_trackA.isOpen(m_a.row[act]);
        const bool openB = m_trackB.isOpen(m_b.row[act]);
        for (const auto kind : {ActPart::Kind::Send, ActPart::Kind::Collective, ActPart::Kind::Receive}) {
            const std::span<const ActPart> a = ofKind(m_a, act, kind);
            const std::span<const ActPart> b = ofKind(m_b, act, kind);
            const bool isKnown = !openA && !openB && !(kind == ActPart::Kind::Receive && (m_a.unknown[act] || m_b.unknown[act]));
            if (a.size() != b.size() && !isKnown)
                continue; // what was not completed is not known
            for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
                if (!isPartAlike(act, a[i], b[i]))
                    return false;
            if (a.size() != b.size() && m_rules.comparesPartners)
                return depart(act, Departure::Messages, a.size() > b.size() ? &a[b.size()] : nullptr,
                              b.size() > a.size() ? &b[a.size()] : nullptr);
        }
        if (openA != openB)
            return depart(act, openA ? Departure::NotReturned : Departure::OnlyReturned);
        return true;
    }

    bool isPartAlike(std::size_t act, const ActPart &a, const ActPart &b) {
        const PartDifference difference = differenceOf(a, b, m_rules);
        if (difference.departure)
            return depart(act, *difference.departure, &a, &b);
        if (difference.isOutcome && !outcome)
            outcome = WildcardOutcome{m_rank, act, callOf(m_a, m_trackA, act, &a), callOf(m_b, m_trackB, act, &b)};
        return true;
    }

    static std::span<const ActPart> ofKind(const Acts &acts, std::size_t act, ActPart::Kind kind) {
        const std::span<const ActPart> all = acts.partsOf(act);
        return {std::ranges::lower_bound(all, kind, {}, &ActPart::kind), std::ranges::upper_bound(all, kind, {}, &ActPart::kind)};
    }

    static DivergedCall callOf(const Acts &acts, const Track &track, std::size_t act, const ActPart *part) {
        const std::uint32_t row = acts.row[act];
        DivergedCall call{row, track.callPath[row], track.start[row], track.end[row], std::nullopt};
        const std::span<const ActPart> all = acts.partsOf(act);
        if (part != nullptr)
            call.part = *part;
        else if (!all.empty())
            call.part = all.front();
        return call;
    }

    bool depart(std::size_t act, Departure what, const ActPart *a = nullptr, const ActPart *b = nullptr) {
        divergence.emplace();
        divergence->rank = m_rank;
        divergence->what = what;
        divergence->callsAlike = act;
        divergence->afterWildcard = outcome.has_value();
        if (act < m_a.size())
            divergence->here = callOf(m_a, m_trackA, act, a);
        if (act < m_b.size())
            divergence->there = callOf(m_b, m_trackB, act, b);
        return false;
    }

    const CommonPaths &m_paths;
    const DivergenceReport &m_rules;
    Rank m_rank;
    Acts m_a;
    Acts m_b;
    const Track &m_trackA;
    const Track &m_trackB;
};

bool hasBeginning(const Trace &trace, Rank rank) {
    const LocationEvents *events = trace.mainEvents(rank);
    return events != nullptr && trace.isRead(rank) && !trace.part.time && trace.processes[rank].eventsFrom == 0;
}

/// Ranks of which both traces have all calls from the first one on.
void chooseRanks(const Trace &here, const Trace &there, DivergenceReport &report) {
    for (Rank rank = 0; rank < std::min(report.ranks, report.otherRanks); ++rank) {
        if (!hasBeginning(here, rank) || !hasBeginning(there, rank))
            report.notCompared.push_back(rank);
        else
            report.compared.push_back(rank);
        if (here.isDamaged(rank) || there.isDamaged(rank))
            report.damaged.push_back(rank);
    }
    report.comparesPartners = report.ranks == report.otherRanks;
}

void setRules(const Trace &here, const Trace &there, const CommonPaths &paths, DivergenceReport &report) {
    report.comparesPaths = paths.comparesPaths();
    report.comparesSizes = here.format == there.format;
    report.format = here.format;
    report.otherFormat = there.format;
}

/// Logical times of all departures, and their order.
void sortByLogicalTime(const Trace &here, const Trace &there, DivergenceReport &report, const Work &work) {
    std::vector<LogicalQuestion> ofHere(here.processes.size());
    std::vector<LogicalQuestion> ofThere(there.processes.size());
    const auto isEffect = [](Departure what) { return what == Departure::NotReturned || what == Departure::OnlyReturned; };
    for (const RankDivergence &departure : report.departures) {
        const bool returned = departure.there && departure.there->end != openEnd;
        if (departure.there)
            ofThere[departure.rank] = isEffect(departure.what) && returned ? LogicalQuestion{departure.there->end, true}
                                                                           : LogicalQuestion{departure.there->start, false};
        if (departure.here)
            ofHere[departure.rank] = isEffect(departure.what) && departure.here->end != openEnd
                                         ? LogicalQuestion{departure.here->end, true}
                                         : LogicalQuestion{departure.here->start, false};
    }
    const std::vector<std::uint64_t> timesThere = logicalTimes(there, ofThere, work);
    const bool asksHere =
        std::ranges::any_of(report.departures, [&](const RankDivergence &d) { return !d.there || isEffect(d.what); });
    const std::vector<std::uint64_t> timesHere = asksHere ? logicalTimes(here, ofHere, work) : timesThere;
    for (RankDivergence &departure : report.departures) {
        const bool fromHere = !departure.there || departure.what == Departure::OnlyReturned;
        departure.logicalTime = fromHere ? timesHere[departure.rank] : timesThere[departure.rank];
    }
    const auto secondsOf = [&](const RankDivergence &departure) {
        return departure.there ? there.seconds(departure.there->start) : here.seconds(departure.here->start);
    };
    std::ranges::sort(report.departures, {}, [&](const RankDivergence &departure) {
        return std::tuple(departure.logicalTime, isEffect(departure.what), secondsOf(departure), departure.rank);
    });
}

} // namespace

const char *name(Departure departure) {
    constexpr const char *names[] = {"other_call", "other_path", "operation",    "partner",       "tag",           "communicator",
                                     "size",       "messages",   "not_returned", "only_returned", "no_more_calls", "more_calls"};
    return names[static_cast<std::size_t>(departure)];
}

DivergenceReport findDivergence(const Trace &here, const Trace &there, const Work &work) {
    DivergenceReport report;
    report.otherPath = there.path;
    report.otherClock = there.clock;
    report.otherBegin = there.range.begin;
    report.ranks = here.processes.size();
    report.otherRanks = there.processes.size();
    const Run runHere(here);
    const Run runThere(there);
    const CommonPaths paths(here, there);
    chooseRanks(here, there, report);
    setRules(here, there, paths, report);
    std::vector<std::optional<RankDivergence>> departures(report.compared.size());
    std::vector<std::optional<WildcardOutcome>> outcomes(report.compared.size());
    forEachParallel(report.compared.size(), work, [&](std::size_t i, unsigned) {
        RankComparison comparison(runHere, runThere, paths, report, report.compared[i], work);
        comparison.compare();
        departures[i] = std::move(comparison.divergence);
        outcomes[i] = std::move(comparison.outcome);
    });
    for (std::optional<RankDivergence> &departure : departures)
        if (departure)
            report.departures.push_back(std::move(*departure));
    for (std::optional<WildcardOutcome> &outcome : outcomes)
        if (outcome)
            report.wildcards.push_back(std::move(*outcome));
    if (!report.departures.empty())
        sortByLogicalTime(here, there, report, work);
    return report;
}

} // namespace laggard
