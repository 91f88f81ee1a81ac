// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveMismatch.h"
#include "analysis/waitfor/CollectiveOpinion.h"
#include "analysis/waitfor/CollectiveTree.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "analysis/waitfor/OpenCall.h"
#include "analysis/waitfor/Waits.h"
#include "trace/Phrases.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace laggard {
namespace {

using Kind = Activity::Kind;
using Need = Activity::Need;

class CollectiveFinder {
  public:
    CollectiveFinder(const JobView &job, std::vector<Wait> &waits) : m_job(job), m_waits(waits) {}

    void find() {
        std::map<std::pair<CommunicatorId, std::uint32_t>, RankSet> instances; // those in (communicator, number)
        for (Rank rank = 0; rank < m_job.size(); ++rank) {
            Activity &activity = m_job.activity(rank);
            const OpenCall &open = m_job.open(rank);
            if (activity.kind != Kind::Collective && !open.isCollective)
                continue;
            if (m_job.isInMpi(rank) && m_job.mpiCall(rank).kind == MpiCall::Kind::Init)
                continue;
            if (!open.isCollective || m_job.trace.communicators[open.collective.communicator].isSelf) {
                settle(activity, open.isCollective ? Need::Met : Need::Unclear, open.confidence);
                continue;
            }
            chooseAwaited(rank);
            instances[{open.collective.communicator, m_job.openNumber(rank)}].push_back(rank);
        }
        for (const auto &[instance, inside] : instances)
            addInstance(instance.first, instance.second, inside);
        addOtherGroups(instances);
        addPostedMismatches(instances);
        addBoundary(MpiCall::Kind::Init);
        addBoundary(MpiCall::Kind::Finalize);
    }

  private:
    static constexpr double inTree = 0.7; ///< 10 of 10 were right (bench/README.md, stuck inside MPI); so few do not prove more

    static constexpr std::uint32_t mostPosted =
        64; ///< collectives of one rank and communicator that are looked at: each costs its members

    [[nodiscard]] bool isOfNeighbours(Rank rank) const { return m_job.isInMpi(rank) && m_job.mpiCall(rank).neighbours; }

    static void settle(Activity &activity, Need need, double confidence) {
        activity.need = need;
        activity.confidence = need == Need::Unclear ? 0 : confidence;
    }

    /// True if every member that was read has begun the instance.
    [[nodiscard]] bool haveAllBegun(CommunicatorId communicator, std::uint32_t number) {
        const auto [known, isNew] = m_haveAllBegun.try_emplace({communicator, number}, true);
        if (isNew)
            known->second = std::ranges::all_of(m_job.membersOf(communicator), [&](Rank member) {
                return !m_job.trace.isRead(member) || m_job.begun(member, communicator) > number;
            });
        return known->second;
    }

    /// A member that has begun it, and is outside MPI, may hold it up.
    [[nodiscard]] bool isAnyAway(CommunicatorId communicator, std::uint32_t number) const {
        return std::ranges::any_of(m_job.membersOf(communicator), [&](Rank member) {
            return m_job.activity(member).kind == Kind::Computing && m_job.completed(member, communicator) <= number;
        });
    }

    /// That the call waits for all that the rank has begun, and not for some of them: what its latest one at this place did.
    [[nodiscard]] double takesAll(Rank rank) const {
        constexpr double notKnown = 0.6;          // assumed: most programs wait for all
        constexpr double leavesSome = 0.4;        // assumed: less than even, as it has waited for some of them before
        constexpr std::uint32_t mostRows = 65536; // as far as for other habits (InterceptedMessages): an older round tells little
        const LocationEvents &events = m_job.events(rank);
        const std::uint32_t open = m_job.openRow(rank);
        if (open == none)
            return notKnown;
        for (std::uint32_t row = open, seen = 0; row-- > 0 && seen < mostRows; ++seen) {
            if (events.track.callPath[row] != events.track.callPath[open])
                continue;
            const Tick end = events.track.end[row];
            for (std::size_t i = events.collectives.size(); i-- > 0 && events.collectives.end[i] > end;)
                if (const std::uint32_t begun = events.collectives.row[i]; begun != none && events.track.start[begun] < end)
                    return leavesSome;
            return 1;
        }
        return notKnown;
    }

    /// A wait for several collectives names the earliest. If all have begun that one, it waits for the first of those posted
    /// behind it that some have not begun.
    void chooseAwaited(Rank rank) {
        OpenCall &open = m_job.state.tasks[rank].open;
        const std::uint32_t first = m_job.openNumber(rank);
        if (!m_job.isInMpi(rank) || m_job.mpiCall(rank).kind != MpiCall::Kind::WaitAll || open.anyReceive ||
            !haveAllBegun(open.collective.communicator, first) || isAnyAway(open.collective.communicator, first))
            return;
        for (const CollectiveCount &count : m_job.state.tasks[rank].collectives) {
            const CommunicatorId communicator = count.communicator;
            if (communicator >= m_job.trace.communicators.size() || m_job.trace.communicators[communicator].isSelf)
                continue;
            const std::uint32_t from = communicator == open.collective.communicator ? first + 1 : count.completed;
            for (std::uint32_t number = from; number < count.begun && number - from < mostPosted; ++number) {
                if (haveAllBegun(communicator, number))
                    continue;
                const auto part = partOf(m_job.trace, rank, communicator, number, count.completed, m_job.state.at);
                if (!part)
                    return;
                open.collective = part->kind;
                open.collective.communicator = communicator;
                open.collectiveNumber = number;
                open.collectiveStartedBy = part->callPath;
                open.confidence *= takesAll(rank);
                return;
            }
        }
    }

    using Instances = std::map<std::pair<CommunicatorId, std::uint32_t>, RankSet>;

    /// MPI_Intercomm_create is a collective of each group, and neither returns without the other one: where all of a group have
    /// come, and of just one other group some have not, it waits for these. Which group that is the call does not tell, so that
    /// without such a one it is not known for whom it waits.
    void addOtherGroups(const Instances &instances) {
        std::vector<std::pair<Instances::const_iterator, RankSet>> incomplete; // those missing
        std::vector<Instances::const_iterator> complete;
        for (auto instance = instances.begin(); instance != instances.end(); ++instance) {
            const auto &[communicator, number] = instance->first;
            if (!isIntercommCreate(instance->second))
                continue;
            RankSet missing;
            for (const Rank member : m_job.membersOf(communicator))
                if (m_job.begun(member, communicator) <= number)
                    missing.push_back(member);
            if (missing.empty())
                complete.push_back(instance);
            else
                incomplete.emplace_back(instance, std::move(missing));
        }
        if (complete.size() == 2 && incomplete.empty())
            return; // the two halves of one: both have come
        for (const auto &instance : complete) {
            if (incomplete.size() != 1 || complete.size() != 1) {
                for (const Rank rank : instance->second)
                    settle(m_job.activity(rank), Need::Unclear, 0);
                continue;
            }
            constexpr double onlyOther = 0.8; // assumed: it may be a third group that has not come at all
            const auto &[other, missing] = incomplete.front();
            m_isUnsure = false;
            addWait(other->first.first, other->first.second, instance->second, missing, onlyOther);
        }
    }

    [[nodiscard]] bool isIntercommCreate(const RankSet &inside) const {
        const CollectiveKind &kind = kindOf(inside);
        return kind.call < m_job.trace.names.size() && m_job.trace.names[kind.call] == "Intercomm_create";
    }

    /// Collectives that nobody is in, but that members have posted as different ones: in a wait for several, the order in which
    /// they were posted counts.
    void addPostedMismatches(const Instances &instances) {
        Instances posted;
        for (Rank rank = 0; rank < m_job.size(); ++rank)
            for (const CollectiveCount &count : m_job.state.tasks[rank].collectives)
                for (std::uint32_t number = count.completed; number < count.begun && number - count.completed < mostPosted;
                     ++number)
                    if (!instances.contains({count.communicator, number}))
                        posted[{count.communicator, number}].push_back(rank);
        constexpr std::size_t most = 1024; // instances: each costs its communicator, and the earliest tell most
        std::size_t compared = 0;
        for (const auto &[instance, ranks] : posted)
            if (ranks.size() > 1 && instance.first < m_job.trace.communicators.size() && compared++ < most &&
                !m_job.trace.communicators[instance.first].isSelf)
                addMismatch(instance.first, instance.second, {});
    }

    void addInstance(CommunicatorId communicator, std::uint32_t number, RankSet inside) {
        RankSet missing; // have not come to this instance
        RankSet away;    // have posted it, and are outside MPI: nothing moves it on there
        m_isUnsure = false;
        for (const Rank member : m_job.membersOf(communicator)) {
            if (!m_job.trace.isRead(member))
                m_isUnsure = true;
            else if (contains(inside, member) || m_job.completed(member, communicator) > number)
                continue;
            else if (m_job.begun(member, communicator) <= number)
                missing.push_back(member);
            else if (m_job.activity(member).kind == Kind::Computing)
                away.push_back(member);
        }
        if (missing.empty())
            missing = away;
        if (addMismatch(communicator, number, inside))
            return;
        if (missing.empty() && addWaitForHeld(communicator, number, inside))
            return;
        const CollectiveKind kind = kindOf(inside);
        takeOutHeld(inside, missing);
        RankSet waiters = inside;
        switch (kind.operation) {
        case CollectiveOperation::Bcast:
        case CollectiveOperation::Scatter:
        case CollectiveOperation::Scatterv:
            if (addWaitForRoot(communicator, number, kind.root, inside, missing))
                waiters = contains(inside, kind.root) ? RankSet{kind.root} : RankSet();
            else if (missing.empty() && addWaitInTree(communicator, number, kind.root, inside, TreeFlow::FromRoot))
                return;
            break;
        case CollectiveOperation::Scan:
        case CollectiveOperation::Exscan:
            addScan(communicator, number, inside, missing);
            return;
        case CollectiveOperation::Gather:
        case CollectiveOperation::Gatherv:
        case CollectiveOperation::Reduce:
            if (contains(inside, kind.root)) {
                std::erase(waiters, kind.root);
                if (missing.empty() && addWaitForLate(communicator, number, kind.root, waiters))
                    return;
                addWait(communicator, number, {kind.root}, missing, 1);
            }
            break;
        default:
            addWait(communicator, number, waiters, missing, 1);
            return;
        }
        // In rooted operations data may pass through members that are late, and may not: nobody knows the tree.
        addWait(communicator, number, waiters, missing, 0.6);
    }

    /// All have come to a collective whose data go to the root, and most have left it, as one does that has handed over its part:
    /// the root waits for those that have not.
    bool addWaitForLate(CommunicatorId communicator, std::uint32_t number, Rank root, const RankSet &late) {
        std::size_t passed = 0;
        for (const Rank member : m_job.membersOf(communicator))
            passed += m_job.completed(member, communicator) > number ? 1 : 0;
        if (late.empty() || m_isUnsure || passed <= late.size())
            return false;
        if (late.size() > 1 && addWaitInTree(communicator, number, root, late, TreeFlow::ToRoot))
            return true;
        // Assumed and not measured: they keep an answer of a guess from being said with confidence.
        constexpr double theLast = 0.7;   // it may have handed over its part, and the root be stuck
        constexpr double oneOfThem = 0.5; // who passes on the parts of others waits as well
        const double confidence = late.size() == 1 ? theLast : oneOfThem;
        addWait(communicator, number, {root}, late, confidence);
        m_waits.back().evidence = "rank " + std::to_string(root) + ", the root, waits in " + m_job.functionOf(root) +
                                  " (collective " + std::to_string(number + 1) + " on " + nameOf(communicator) +
                                  "); of the others only " + describeRankSet(late) + (late.size() == 1 ? " has" : " have") +
                                  " not left it";
        for (const Rank rank : late)
            settle(m_job.activity(rank), Need::Met, confidence);
        return true;
    }

    /// All have come to a rooted collective, and those that have not left it lie as in a tree of which one member stands still.
    bool addWaitInTree(CommunicatorId communicator, std::uint32_t number, Rank root, const RankSet &late, TreeFlow flow) {
        if (late.size() < 2 || root == none || m_isUnsure)
            return false;
        const std::vector<Rank> &members = m_job.trace.communicators[communicator].members;
        const std::optional<Rank> held = heldInTree(members.empty() ? m_job.membersOf(communicator) : members, root, late, flow);
        if (!held)
            return false;
        RankSet waiters = late;
        std::erase(waiters, *held);
        if (flow == TreeFlow::ToRoot) {
            waiters.push_back(root);
            std::sort(waiters.begin(), waiters.end());
        }
        addWait(communicator, number, waiters, {*held}, inTree);
        m_waits.back().evidence =
            describeRankSet(waiters) + (waiters.size() == 1 ? " is in " : " are in ") + m_job.functionOf(waiters.front()) +
            " (collective " + std::to_string(number + 1) + " on " + nameOf(communicator) + "), to which all have come, and lie " +
            (flow == TreeFlow::ToRoot ? "on the way of rank " : "below rank ") + std::to_string(*held) +
            (flow == TreeFlow::ToRoot ? "'s part to the root" : " on the way from the root") + " where a binomial tree is used";
        settle(m_job.activity(*held), Need::Met, inTree);
        return true;
    }

    /// Members that have recorded different operations or roots: the others wait for the odd ones, for ever.
    bool addMismatch(CommunicatorId communicator, std::uint32_t number, const RankSet &inside) {
        const std::optional<CollectiveMismatch> found =
            findMismatch(m_job, communicator, number, m_job.membersOf(communicator), inside);
        if (!found)
            return false;
        for (const Rank rank : inside)
            settle(m_job.activity(rank), Need::Met, found->confidence);
        Wait wait{.kind = Wait::Kind::Collective,
                  .waiters = !found->waiters.empty() ? found->waiters
                             : !inside.empty()       ? inside
                                                     : found->odd,
                  .on = found->odd,
                  .confidence = found->confidence,
                  .evidence = found->evidence,
                  .communicator = communicator,
                  .instance = number,
                  .mismatch = found->isEven ? Wait::Mismatch::Even : Wait::Mismatch::Odd};
        for (const Rank rank : found->waiters)
            settle(m_job.activity(rank), Need::Missing, found->confidence);
        m_waits.push_back(std::move(wait));
        return true;
    }

    /// All have made the call, but some were seen not to have got into the MPI library when they were found hanging: the others
    /// wait for these.
    bool addWaitForHeld(CommunicatorId communicator, std::uint32_t number, const RankSet &inside) {
        RankSet held;
        RankSet waiters;
        for (const Rank rank : inside)
            (m_job.activity(rank).site == none ? waiters : held).push_back(rank);
        if (held.empty() || m_isUnsure)
            return false;
        for (const Rank rank : held)
            settle(m_job.activity(rank), Need::Met, 0.9);
        addWait(communicator, number, waiters, held, 0.9);
        if (!waiters.empty())
            m_waits.back().evidence = describeRankSet(waiters) + (waiters.size() == 1 ? " waits in " : " wait in ") +
                                      m_job.functionOf(waiters.front()) + " (collective " + std::to_string(number + 1) + " on " +
                                      nameOf(communicator) + "); " + describeRankSet(held) +
                                      (held.size() == 1 ? " has" : " have") +
                                      " called it, but had not got into the MPI library when found hanging";
        return true;
    }

    /// Members that were seen not to have got into the MPI library wait for nobody: they have not come either.
    void takeOutHeld(RankSet &inside, RankSet &missing) {
        const auto held =
            std::stable_partition(inside.begin(), inside.end(), [&](Rank rank) { return m_job.activity(rank).site == none; });
        for (auto rank = held; rank != inside.end(); ++rank) {
            settle(m_job.activity(*rank), Need::Met, 0.9);
            missing.push_back(*rank);
        }
        inside.erase(held, inside.end());
        std::sort(missing.begin(), missing.end());
    }

    /// All that is known of the instance: of its most certain member.
    [[nodiscard]] const CollectiveKind &kindOf(const RankSet &inside) const {
        return m_job
            .open(*std::max_element(inside.begin(), inside.end(),
                                    [&](Rank a, Rank b) { return m_job.open(a).confidence < m_job.open(b).confidence; }))
            .collective;
    }

    /// Data comes from the root: until it has left the call, the others wait for it alone.
    bool addWaitForRoot(CommunicatorId communicator, std::uint32_t number, Rank root, const RankSet &inside,
                        const RankSet &missing) {
        if (root != none && !m_job.trace.isRead(root)) { // whether it has left the call is not known
            for (const Rank rank : inside)
                settle(m_job.activity(rank), Need::Unclear, 0);
            return true;
        }
        const bool rootIsInside = contains(inside, root);
        if (root == none || (!rootIsInside && !contains(missing, root)))
            return false;
        RankSet waiters = inside;
        std::erase(waiters, root);
        addWait(communicator, number, waiters, {root}, 1);
        return true;
    }

    /// A rank waits for those before it in the communicator; the first missing one is enough to say.
    void addScan(CommunicatorId communicator, std::uint32_t number, const RankSet &inside, const RankSet &missing) {
        const std::vector<Rank> &order = m_job.trace.communicators[communicator].members;
        const auto place = [&](Rank rank) {
            return order.empty() ? static_cast<std::ptrdiff_t>(rank)
                                 : std::find(order.begin(), order.end(), rank) - order.begin();
        };
        std::map<std::ptrdiff_t, Rank> byPlace;
        for (const Rank rank : missing)
            byPlace[place(rank)] = rank;
        RankSet before;
        RankSet after;
        for (const Rank rank : inside)
            (byPlace.empty() || place(rank) < byPlace.begin()->first ? before : after).push_back(rank);
        // Those before the missing one would have got all they need from a chain. That they are inside shows another way of
        // passing on, in which they need it as well, or that they have only just come.
        constexpr double noChain = 0.6; // assumed, as for other operations whose way is not known
        if (byPlace.empty())
            addWait(communicator, number, before, {}, 1);
        else
            addWait(communicator, number, before, {byPlace.begin()->second}, noChain);
        if (!after.empty())
            addWait(communicator, number, after, {byPlace.begin()->second}, 1);
    }

    void addWait(CommunicatorId communicator, std::uint32_t number, const RankSet &waiters, const RankSet &on, double factor) {
        if (waiters.empty())
            return;
        double sum = 0;
        for (const Rank rank : waiters) {
            const OpenCall &open = m_job.open(rank);
            const double confidence = open.confidence * factor * (isOfNeighbours(rank) ? 0.5 : 1);
            settle(m_job.activity(rank), !on.empty() ? Need::Missing : m_isUnsure ? Need::Unclear : Need::Met, confidence);
            sum += confidence;
        }
        if (on.empty())
            return;
        m_waits.push_back({.kind = Wait::Kind::Collective,
                           .waiters = waiters,
                           .on = on,
                           .confidence = sum / static_cast<double>(waiters.size()),
                           .evidence = describe(communicator, number, waiters, on),
                           .communicator = communicator,
                           .instance = number});
    }

    [[nodiscard]] std::string nameOf(CommunicatorId communicator) const {
        return describeCommunicator(m_job.trace, communicator);
    }

    [[nodiscard]] std::string describe(CommunicatorId communicator, std::uint32_t number, const RankSet &waiters,
                                       const RankSet &on) const {
        const OpenCall &open = m_job.open(waiters.front());
        std::string text =
            describeRankSet(waiters) + (waiters.size() == 1 ? " waits in " : " wait in ") + m_job.functionOf(waiters.front());
        text += " (collective " + std::to_string(number + 1) + " on " + nameOf(communicator) + "): ";
        text += groundOf(open) + "; ";
        text += describeRankSet(on);
        const bool inside = m_job.activity(on.front()).kind == Kind::Collective &&
                            m_job.completed(on.front(), communicator) == number && m_job.open(on.front()).isCollective &&
                            m_job.open(on.front()).collective.communicator == communicator;
        return text + (inside ? ", the root, has not left it" : on.size() == 1 ? " has not come to it" : " have not come to it");
    }

    /// MPI_Init and MPI_Finalize: all ranks that are inside wait for those that have not come.
    void addBoundary(MpiCall::Kind kind) {
        const bool init = kind == MpiCall::Kind::Init;
        RankSet inside;
        RankSet missing;
        for (Rank rank = 0; rank < m_job.size(); ++rank) {
            const Activity &activity = m_job.activity(rank);
            if (m_job.isInMpi(rank) && m_job.mpiCall(rank).kind == kind)
                inside.push_back(rank);
            else if (init ? activity.kind == Kind::NotStarted : activity.kind != Kind::Finished && activity.kind != Kind::Unknown)
                missing.push_back(rank);
        }
        m_isUnsure = m_job.trace.part.ranks.has_value();
        for (const Rank rank : inside)
            settle(m_job.activity(rank), !missing.empty() ? Need::Missing : m_isUnsure ? Need::Unclear : Need::Met, 0.9);
        if (inside.empty() || missing.empty())
            return;
        std::string text = describeRankSet(inside) + (inside.size() == 1 ? " is" : " are") + " in " +
                           m_job.functionOf(inside.front()) + ", to which " + describeRankSet(missing) +
                           (missing.size() == 1 ? " has" : " have") + " not come";
        m_waits.push_back(
            {.kind = Wait::Kind::Collective, .waiters = inside, .on = missing, .confidence = 0.9, .evidence = std::move(text)});
    }

    const JobView &m_job;
    std::vector<Wait> &m_waits;
    std::map<std::pair<CommunicatorId, std::uint32_t>, bool> m_haveAllBegun;
    bool m_isUnsure = false; ///< members of the instance at hand were not read
};

} // namespace

void findCollectiveWaits(const JobView &job, std::vector<Wait> &waits) { CollectiveFinder(job, waits).find(); }

} // namespace laggard
