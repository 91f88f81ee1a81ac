// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OddTag.h"

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/SendsOfCall.h"

#include <algorithm>
#include <map>
#include <vector>

namespace laggard {
namespace {

constexpr std::uint32_t fewestWithTag = 3; ///< as for other habits (Judge)

struct TagCounts {
    std::uint32_t sent = 0;    ///< with the tag of the misfit
    std::uint32_t awaited = 0; ///< with the tag that its receiver asks for
    std::uint32_t others = 0;
    bool changesBack = false; ///< the awaited one came after that of the misfit
    void add(std::uint32_t tag, const MisfitMessage &misfit) {
        changesBack |= tag == misfit.awaitedTag && sent != 0;
        ++(tag == misfit.sentTag ? sent : tag == misfit.awaitedTag ? awaited : others);
    }
    /// The misfit, and what followed it, is all that differs.
    [[nodiscard]] bool wasAlwaysAwaited() const { return awaited >= fewestWithTag && !changesBack && others == 0; }
    [[nodiscard]] bool isAlwaysSent() const { return sent >= fewestWithTag && awaited == 0 && others == 0; }
};

/// What the call that sent the misfit sent to its receiver, and whether it sent this tag to anybody else, ever.
TagCounts sentTags(const JobView &job, const LocationEvents &events, const MisfitMessage &misfit, bool &isSentToOthers) {
    TagCounts counts;
    for (const std::size_t send : sendsOfCall(job.trace, misfit.from, misfit.callPath, job.state.at)) {
        const Envelope &envelope = events.envelopes[events.sends.envelope[send]];
        if (envelope.peer == misfit.to)
            counts.add(envelope.tag, misfit);
        isSentToOthers |= envelope.peer != misfit.to && envelope.tag == misfit.sentTag;
    }
    return counts;
}

/// Another rank's call of this kind sends the tag as well: then it has changed for all.
bool isSentByOthers(const JobView &job, const MisfitMessage &misfit) {
    for (Rank rank = 0; rank < std::min<std::size_t>(job.trace.processes.size(), mostPeers); ++rank) {
        const LocationEvents *events = rank == misfit.from ? nullptr : job.trace.mainEvents(rank);
        for (std::size_t i = 0; events != nullptr && i < events->sends.size(); ++i) {
            const std::uint32_t row = events->envelopes[events->sends.envelope[i]].tag == misfit.sentTag
                                          ? events->track.innermostAt(events->sends.time[i])
                                          : none;
            if (row != none && job.trace.isSameCall(events->track.callPath[row], misfit.callPath))
                return true;
        }
    }
    return false;
}

TagCounts receivedTags(const JobView &job, const LocationEvents &events, const MisfitMessage &misfit) {
    TagCounts counts;
    for (std::size_t i = 0; i < events.receives.size() && events.receives.time[i] <= job.state.at; ++i)
        if (const Envelope &envelope = events.envelopes[events.receives.envelope[i]]; envelope.peer == misfit.from)
            counts.add(envelope.tag, misfit);
    return counts;
}

enum class Row : std::uint8_t { Regular, OneOdd, Other };

/// Whether tags rise (or fall) by the same number each time, or each time but one.
Row rowOf(const std::vector<std::uint32_t> &tags) {
    std::map<std::uint32_t, std::uint32_t> times; // of steps; differences of unsigned numbers
    for (std::size_t i = 1; i < tags.size(); ++i)
        ++times[tags[i] - tags[i - 1]];
    std::uint32_t most = 0;
    std::uint32_t all = 0;
    for (const auto &[step, number] : times) {
        most = step == 0 ? most : std::max(most, number);
        all += number;
    }
    return most < fewestWithTag ? Row::Other : most == all ? Row::Regular : most + 1 == all ? Row::OneOdd : Row::Other;
}

/// How the tag that a rank asks for follows those that it received of the other one.
struct LastStep {
    std::uint32_t times = 0; ///< the most usual step came
    bool isNew = false;      ///< none before was like it
    bool isUsual = false;
    std::uint32_t usual = none; ///< the tag that the most usual step leads to
};

LastStep lastStepOf(const JobView &job, const LocationEvents &events, const Wait &wait) {
    std::map<std::uint32_t, std::uint32_t> times; // of steps; differences of unsigned numbers
    std::uint32_t before = none;
    for (std::size_t i = 0; i < events.receives.size() && events.receives.time[i] <= job.state.at; ++i) {
        const Envelope &envelope = events.envelopes[events.receives.envelope[i]];
        if (envelope.peer != wait.on.front())
            continue;
        if (before != none)
            ++times[envelope.tag - before];
        before = envelope.tag;
    }
    LastStep last;
    for (const auto &[step, number] : times)
        if (step != 0 && number > last.times) {
            last.times = number;
            last.usual = before + step;
        }
    const auto same = before == none ? times.end() : times.find(wait.tag - before);
    last.isNew = same == times.end();
    last.isUsual = same != times.end() && same->first != 0 && same->second == last.times;
    return last;
}

/// Both ends are known from their first events on, and a tag is all that does not fit.
bool mayCompare(const JobView &job, const MisfitMessage &misfit) {
    return job.trace.mainEvents(misfit.from) != nullptr && job.trace.mainEvents(misfit.to) != nullptr &&
           !misfit.otherCommunicator && misfit.awaitedTag != none && misfit.sentTag != misfit.awaitedTag &&
           misfit.awaitedBy == none && misfit.callPath != none && misfit.sent != openEnd && !job.trace.isSummary &&
           job.trace.processes[misfit.from].eventsFrom == 0 && job.trace.processes[misfit.to].eventsFrom == 0;
}

} // namespace

std::optional<Rank> oddEndByTag(const JobView &job, const MisfitMessage &misfit) {
    if (!mayCompare(job, misfit))
        return std::nullopt;
    bool isSentToOthers = false;
    const TagCounts sent = sentTags(job, *job.trace.mainEvents(misfit.from), misfit, isSentToOthers);
    const TagCounts received = receivedTags(job, *job.trace.mainEvents(misfit.to), misfit);
    // Other calls of the sender may send other tags: what the receiver takes of it is not of one call alone.
    if (sent.wasAlwaysAwaited() && !isSentToOthers && received.awaited >= fewestWithTag && received.sent == 0 &&
        !isSentByOthers(job, misfit))
        return misfit.from;
    if (sent.isAlwaysSent() && received.sent >= fewestWithTag && received.awaited == 0)
        return misfit.to;
    return std::nullopt;
}

std::optional<Rank> oddEndByTagStep(const JobView &job, const MisfitMessage &misfit) {
    if (!mayCompare(job, misfit))
        return std::nullopt;
    const LocationEvents &sender = *job.trace.mainEvents(misfit.from);
    const LocationEvents &receiver = *job.trace.mainEvents(misfit.to);
    std::vector<std::uint32_t> sent;
    for (const std::size_t send : sendsOfCall(job.trace, misfit.from, misfit.callPath, job.state.at))
        if (const Envelope &envelope = sender.envelopes[sender.sends.envelope[send]]; envelope.peer == misfit.to)
            sent.push_back(envelope.tag);
    std::vector<std::uint32_t> received;
    for (std::size_t i = 0; i < receiver.receives.size() && receiver.receives.time[i] <= job.state.at; ++i)
        if (const Envelope &envelope = receiver.envelopes[receiver.receives.envelope[i]]; envelope.peer == misfit.from)
            received.push_back(envelope.tag);
    received.push_back(misfit.awaitedTag);
    const Row ofSender = rowOf(sent);
    const Row ofReceiver = rowOf(received);
    if (ofSender == Row::OneOdd && ofReceiver == Row::Regular)
        return misfit.from;
    if (ofSender == Row::Regular && ofReceiver == Row::OneOdd)
        return misfit.to;
    return std::nullopt;
}

std::optional<HabitBreak> oddOfTwoByTagStep(const JobView &job, const std::vector<Wait> &waits, const RankSet &two) {
    constexpr std::uint32_t striking = 10; // as for others of two (Judge)
    std::optional<HabitBreak> odd;
    std::uint32_t usual = 0;
    for (const Wait &wait : waits) {
        if (!contains(two, wait.waiters.front()) || wait.kind != Wait::Kind::PointToPoint)
            continue;
        const Rank rank = wait.waiters.front();
        // Its own message is not taken for the same reason.
        if (wait.isSend && wait.on.size() == 1 && contains(two, wait.on.front()))
            continue;
        const bool isOfOne =
            !wait.isSend && !wait.anyOf && wait.on.size() == 1 && contains(two, wait.on.front()) && wait.tag != none;
        if (!isOfOne || job.trace.isSummary || job.trace.processes[rank].eventsFrom != 0)
            return std::nullopt;
        const LocationEvents &events = job.events(rank);
        const LastStep last = lastStepOf(job, events, wait);
        if (last.times < striking || (!last.isNew && !last.isUsual) || (last.isNew && odd))
            return std::nullopt;
        usual += last.isUsual ? 1 : 0;
        if (!last.isNew)
            continue;
        odd = HabitBreak{};
        odd->rank = rank;
        odd->after = odd->expected = odd->made = wait.startedBy != none ? wait.startedBy : job.state.tasks[rank].mpiPath;
        odd->times = last.times;
        odd->time = job.activity(rank).since;
        odd->isSharedCall = true;
        odd->did.tag = wait.tag;
        odd->usual.tag = last.usual;
    }
    return usual == 1 ? odd : std::nullopt;
}

} // namespace laggard
