// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ActSequence.h"

#include "analysis/waitfor/TokenHash.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace laggard {
namespace {

constexpr std::size_t mostNeighbours = 2; ///< a call that receives from more takes what comes
constexpr double mostlyReplies = 0.9;     ///< the first of a conversation are none

/// Of the messages of one call path: what changes, and how.
class Manner {
  public:
    void addSend(const Envelope &envelope, Rank heardLast) {
        insert(m_sentTags, envelope.tag);
        insert(m_receivers, envelope.peer);
        insert(m_steps, step(envelope.tag));
        ++m_sends;
        m_replies += envelope.peer == heardLast ? 1 : 0;
    }
    void addReceive(const Envelope &envelope) {
        insert(m_receivedTags, envelope.tag);
        insert(m_senders, envelope.peer);
    }
    /// To be called before the sends are gone through again.
    void rewind() { m_lastTag = none; }

    [[nodiscard]] bool hasTag() const { return m_sentTags.size() <= mostTagsOfKinds; }
    [[nodiscard]] bool replies() const { return m_receivers.size() > mostNeighbours && m_replies >= mostlyReplies * m_sends; }

    /// Of the sends in order.
    std::uint64_t tokenOfSend(const Envelope &envelope) {
        std::uint64_t token = mixedWith(1, replies() ? none : envelope.peer);
        const std::uint32_t since = step(envelope.tag);
        if (hasTag())
            token = mixedWith(token, envelope.tag);
        else if (m_steps.size() <= mostTagsOfKinds)
            token = mixedWith(token, since);
        return mixedWith(token, envelope.communicator);
    }
    [[nodiscard]] std::uint64_t tokenOfReceive(const Envelope &envelope) const {
        const std::uint64_t token = mixedWith(3, m_senders.size() <= mostNeighbours ? envelope.peer : none);
        return m_receivedTags.size() <= mostTagsOfKinds ? mixedWith(token, envelope.tag) : token;
    }

  private:
    /// No more are kept than it takes to know that there are many.
    static void insert(std::set<std::uint32_t> &values, std::uint32_t value) {
        if (values.size() <= mostTagsOfKinds)
            values.insert(value);
    }
    std::uint32_t step(std::uint32_t tag) {
        const std::uint32_t since = m_lastTag == none ? 0 : tag - m_lastTag;
        m_lastTag = tag;
        return since;
    }

    std::set<std::uint32_t> m_sentTags, m_receivedTags, m_senders, m_receivers, m_steps;
    std::uint32_t m_lastTag = none;
    double m_sends = 0;
    double m_replies = 0;
};

class Sequence {
  public:
    Sequence(const JobView &job, const LocationEvents &events, const CallHistory &history)
        : m_job(job), m_events(events), m_history(history) {
        findAsked();
        findBegun();
        Rank heardLast = none;
        for (const Step &step : history.steps()) {
            if (!isAct(step))
                continue;
            Manner &manner = m_manners[step.path];
            for (std::uint32_t i = step.records.sends.begin; i < step.records.sends.end; ++i)
                manner.addSend(sent(i), heardLast);
            for (const Asked &each : askedBy(step))
                m_askingManners[step.path].addSend(each.envelope, heardLast);
            for (std::uint32_t i = step.records.receives.begin; i < step.records.receives.end; ++i) {
                manner.addReceive(received(i));
                heardLast = received(i).peer;
            }
        }
        for (auto &[path, manner] : m_manners)
            manner.rewind();
        for (auto &[path, manner] : m_askingManners)
            manner.rewind();
    }

    std::vector<Act> acts() {
        std::vector<Act> acts;
        for (const Step &step : m_history.steps())
            if (isAct(step))
                acts.push_back(actOf(step));
        return acts;
    }

  private:
    /// A message of a certain sender that a call has asked for.
    struct Asked {
        std::uint32_t row = none;
        Envelope envelope; ///< `peer` is the sender; of any tag `tag` is the same each time
    };

    void findAsked() {
        const ReceivePostings &postings = m_events.postings;
        const auto first = std::ranges::lower_bound(m_events.receives.time, begin()) - m_events.receives.time.begin();
        const auto posted = std::ranges::lower_bound(postings.receive, first) - postings.receive.begin();
        for (auto i = static_cast<std::size_t>(posted); i < postings.size(); ++i)
            if (postings.row[i] != none && postings.threadOf(i) == none && !postings.is(i, ReceivePostings::AnySource) &&
                !postings.is(i, ReceivePostings::MatchedProbe))
                add(postings.row[i], received(postings.receive[i]), postings.is(i, ReceivePostings::AnyTag));
        for (const PendingRequest &each : m_events.pending)
            if (each.kind == PendingRequest::Kind::Receive && each.row != none && each.envelope != none && !each.anySource &&
                !each.matchedProbe)
                add(each.row, m_events.envelopes[each.envelope], each.anyTag);
        // By the call itself; what a matched probe or an earlier call asked for has an entry.
        for (const Step &step : m_history.steps())
            for (std::uint32_t i = step.records.receives.begin; i < step.records.receives.end; ++i)
                if (postings.find(i) == none)
                    add(step.row, received(i), false);
        std::ranges::stable_sort(m_asked, {}, &Asked::row);
    }

    /// A collective that a call has begun, and another one completes.
    struct Begun {
        std::uint32_t row = none;
        CollectiveKind kind;
    };

    void findBegun() {
        const CollectiveCalls &calls = m_events.collectives;
        for (std::size_t i = calls.size(); i-- > 0 && calls.end[i] >= begin();)
            if (calls.row[i] != none && m_events.track.end[calls.row[i]] < calls.end[i])
                m_begun.push_back({calls.row[i], m_events.collectiveKinds[calls.kind[i]]});
        for (const PendingRequest &each : m_events.pending)
            if (each.kind == PendingRequest::Kind::Collective && each.row != none && each.collectiveKind != none)
                m_begun.push_back({each.row, m_events.collectiveKinds[each.collectiveKind]});
        std::ranges::stable_sort(m_begun, {}, &Begun::row);
    }

    [[nodiscard]] std::span<const Begun> begunBy(std::uint32_t row) const {
        const auto first = std::ranges::lower_bound(m_begun, row, {}, &Begun::row);
        return {first, std::ranges::upper_bound(m_begun, row, {}, &Begun::row)};
    }

    /// One that an earlier call has begun says nothing more when it is complete.
    [[nodiscard]] bool isBegunBy(std::uint32_t row, std::uint32_t collective) const {
        const std::uint32_t begun = m_events.collectives.row[collective];
        return begun == none || begun >= row;
    }

    void add(std::uint32_t row, const Envelope &envelope, bool isAnyTag) {
        m_asked.push_back({row, {envelope.peer, envelope.communicator, isAnyTag ? 0 : envelope.tag}});
    }

    /// Of the first call that is looked at.
    [[nodiscard]] Tick begin() const {
        const std::vector<Step> &steps = m_history.steps();
        return steps.empty() || steps.front().row == none ? 0 : m_events.track.start[steps.front().row];
    }

    [[nodiscard]] std::span<const Asked> askedBy(const Step &step) const {
        const auto first = std::ranges::lower_bound(m_asked, step.row, {}, &Asked::row);
        const auto last = std::ranges::upper_bound(m_asked, step.row, {}, &Asked::row);
        return {first, last};
    }

    [[nodiscard]] bool isAct(const Step &step) const { return step.isCall && !m_job.calls[step.path].asks; }
    [[nodiscard]] const Envelope &sent(std::uint32_t i) const { return m_events.envelopes[m_events.sends.envelope[i]]; }
    [[nodiscard]] const Envelope &received(std::uint32_t i) const { return m_events.envelopes[m_events.receives.envelope[i]]; }

    Act actOf(const Step &step) {
        Manner &manner = m_manners[step.path];
        const MpiCall &call = m_job.calls[step.path];
        const CallRecords &records = step.records;
        m_tokens.clear();
        for (std::uint32_t i = records.sends.begin; i < records.sends.end; ++i)
            m_tokens.push_back(manner.tokenOfSend(sent(i)));
        bool takesPart = false;
        for (std::uint32_t i = records.collectives.begin; i < records.collectives.end; ++i) {
            const CollectiveKind &kind = m_events.collectiveKinds[m_events.collectives.kind[i]];
            m_tokens.push_back(mixedWith(mixedWith(2, kind.communicator), kind.root));
            takesPart |= isBegunBy(step.row, i);
        }
        for (const Begun &each : begunBy(step.row)) {
            m_tokens.push_back(mixedWith(mixedWith(6, each.kind.communicator), each.kind.root));
            takesPart = true;
        }
        for (const Asked &each : askedBy(step))
            m_tokens.push_back(mixedWith(m_askingManners[step.path].tokenOfSend(each.envelope), 5));
        addEpochs(step.row);
        Act act{.path = step.path, .row = step.row, .records = records};
        act.deed = joined(mixedWith(step.path, 7));
        act.isReply = !records.sends.empty() && manner.replies();
        act.hasTag = manner.hasTag();
        act.reaches = !records.sends.empty() || takesPart || call.startsRequest || call.marksPartitions;
        m_tokens.clear();
        for (std::uint32_t i = records.receives.begin; i < records.receives.end; ++i)
            m_tokens.push_back(manner.tokenOfReceive(received(i)));
        act.whole = joined(act.deed);
        return act;
    }

    /// Messages of one call have no order: it depends on timing.
    std::uint64_t joined(std::uint64_t token) {
        std::ranges::sort(m_tokens);
        for (const std::uint64_t each : m_tokens)
            token = mixedWith(token, each);
        return token;
    }

    void addEpochs(std::uint32_t row) {
        for (auto each = std::ranges::lower_bound(m_events.epochs, row, {}, &EpochCall::row);
             each != m_events.epochs.end() && each->row == row; ++each) {
            std::uint64_t token = mixedWith(4 + static_cast<std::uint64_t>(each->kind), each->exclusive ? 1 : 0);
            const bool isOfGroup = each->kind == EpochCall::Kind::Post || each->kind == EpochCall::Kind::Start;
            if (isOfGroup && each->group < m_events.groups.size())
                for (const Rank member : m_events.groups[each->group])
                    token = mixedWith(token, member);
            m_tokens.push_back(token);
        }
    }

    const JobView &m_job;
    const LocationEvents &m_events;
    const CallHistory &m_history;
    std::map<CallPathId, Manner> m_manners;
    std::map<CallPathId, Manner> m_askingManners; ///< of what is asked for
    std::vector<Asked> m_asked;                   ///< by row
    std::vector<Begun> m_begun;                   ///< by row
    std::vector<std::uint64_t> m_tokens;
};

/// Row of the first of the latest `most` calls up to a moment, which no MPI call made.
std::uint32_t firstOfLatest(const JobView &job, const Track &track, std::size_t most) {
    const auto rows = static_cast<std::size_t>(std::ranges::upper_bound(track.start, job.state.at) - track.start.begin());
    auto first = static_cast<std::uint32_t>(rows - std::min(rows, most));
    const auto isInside = [&](std::uint32_t row) {
        return track.parent[row] != none && job.calls[track.callPath[track.parent[row]]].isMpi();
    };
    while (first < rows && isInside(first))
        ++first;
    return first;
}

} // namespace

std::size_t latestOfEach(std::size_t ranks) {
    constexpr std::size_t ofAll = 200000;
    constexpr std::size_t fewest = 128;
    constexpr std::size_t most = 16384;
    return std::clamp(ofAll / std::max<std::size_t>(ranks, 1), fewest, most);
}

bool isFarLonger(const Trace &trace, Tick now, Tick longestBefore) {
    constexpr double shortest = 1; // seconds
    constexpr double times = 10;
    const double seconds = trace.seconds(now) - trace.seconds(0);
    return seconds > shortest && seconds > times * (trace.seconds(longestBefore) - trace.seconds(0));
}

std::vector<Act> actsOf(const JobView &job, Rank rank, std::size_t most) {
    const LocationIndex location = job.location(rank);
    if (location >= job.trace.locations.size())
        return {};
    const LocationEvents &events = job.trace.locations[location].events;
    constexpr std::size_t callsOfAct = 4; // functions and polls between them; assumed
    const std::uint32_t first = firstOfLatest(job, events.track, callsOfAct * most);
    const CallHistory history(job.trace, job.calls, events, job.state.at, job.openRow(rank), first);
    std::vector<Act> acts = Sequence(job, events, history).acts();
    if (acts.size() > most)
        acts.erase(acts.begin(), acts.end() - static_cast<std::ptrdiff_t>(most));
    return acts;
}

} // namespace laggard
