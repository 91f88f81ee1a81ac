// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OwedAnswers.h"

#include "analysis/waitfor/ActSequence.h"
#include "analysis/waitfor/Passings.h"
#include "trace/Parallel.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <tuple>

namespace laggard {
namespace {

constexpr std::uint32_t fewestOfAll = 10; ///< as for habits that name another rank (Judge)
constexpr std::uint32_t fewestOfOne = 3;  ///< as for other habits

/// Two kinds of messages of a communicator: what is asked, and what is answered.
struct Protocol {
    CommunicatorId communicator = none;
    std::uint32_t ask = none;
    std::uint32_t answer = none;
    auto operator<=>(const Protocol &) const = default;
};

/// What a rank has with one other rank, on one side of a protocol.
struct Exchange {
    bool isOpen = false;           ///< asked, and not answered
    bool isKnown = false;          ///< it has asked, or been asked, before: what is earlier may be lost
    Tick since = 0;                ///< of the last that was asked
    const Passing *last = nullptr; ///< the last answer
    std::uint32_t times = 0;
    Tick longest = 0;
};

/// One rank as one that asks, or as one that answers.
struct Side {
    std::map<Rank, Exchange> with;
    bool isBroken = false; ///< asked twice, or answered without being asked: it is no such protocol
};

/// `isAsker`: the rank sends what is asked, and receives answers.
Side sideOf(const JobView &job, const std::vector<Passing> &passings, const Protocol &protocol, bool isAsker) {
    Side side;
    for (const Passing &each : passings) {
        const Envelope &envelope = envelopeOf(job, each);
        if (envelope.communicator != protocol.communicator)
            continue;
        const bool isAsk = envelope.tag == protocol.ask && each.isReceive != isAsker;
        const bool isAnswer = envelope.tag == protocol.answer && each.isReceive == isAsker;
        if (!isAsk && !isAnswer)
            continue;
        Exchange &exchange = side.with[envelope.peer];
        if (isAsk ? exchange.isOpen : !exchange.isOpen && exchange.isKnown) {
            side.isBroken = true;
            return side;
        }
        if (isAnswer && exchange.isKnown) {
            ++exchange.times;
            exchange.longest = std::max(exchange.longest, each.time - exchange.since);
            exchange.last = &each;
        }
        exchange.isOpen = isAsk;
        exchange.isKnown = true;
        exchange.since = isAsk ? each.time : exchange.since;
    }
    return side;
}

/// All pairs of tags with which messages go both ways. Communicators with many tags number their rounds.
std::set<Protocol> protocolsOf(const JobView &job, const std::vector<std::vector<Passing>> &passings) {
    std::set<Protocol> protocols;
    constexpr std::size_t most = 64; // assumed: five communicators with four tags each; every pair costs all messages
    for (const auto &[communicator, of] : tagsOf(job, passings))
        if (of.size() <= mostTagsOfKinds)
            for (const std::uint32_t ask : of)
                for (const std::uint32_t answer : of)
                    if (ask != answer && protocols.size() < most)
                        protocols.insert({communicator, ask, answer});
    return protocols;
}

/// Who waits for an answer of whom, for far longer than anybody ever did.
class Debts {
  public:
    Debts(const JobView &job, const std::vector<std::vector<Passing>> &passings, const Protocol &protocol, const Work &work)
        : m_job(job), m_protocol(protocol), m_askers(job.size()), m_answerers(job.size()) {
        std::atomic<bool> isBroken = false; // by one rank is enough: the rest need not be looked at
        forEachParallel(job.size(), work, [&](std::size_t rank, unsigned) {
            for (const bool asks : {true, false})
                if (!isBroken) {
                    Side &side = (asks ? m_askers : m_answerers)[rank];
                    side = sideOf(job, passings[rank], protocol, asks);
                    isBroken = isBroken || side.isBroken;
                }
        });
        m_isBroken = isBroken;
    }

    [[nodiscard]] std::optional<MissingSend> only(const std::vector<Wait> &waits) const {
        if (m_isBroken)
            return std::nullopt;
        std::uint32_t times = 0;
        Tick longest = 0;
        for (const Side &side : m_askers)
            for (const auto &[peer, exchange] : side.with) {
                times += exchange.times;
                longest = std::max(longest, exchange.longest);
            }
        std::map<Rank, RankSet> askersOf;
        std::set<Rank> waiting;
        for (Rank rank = 0; rank < m_askers.size(); ++rank)
            for (const auto &[peer, exchange] : m_askers[rank].with)
                if (exchange.isOpen && peer < m_job.size() && isAsking(rank, peer, waits) &&
                    isFarLonger(m_job.trace, m_job.state.at - exchange.since, longest)) {
                    askersOf[peer].push_back(rank);
                    waiting.insert(rank);
                }
        std::erase_if(askersOf, [&](const auto &each) { return waiting.contains(each.first); });
        if (times < fewestOfAll || askersOf.size() != 1)
            return std::nullopt;
        const auto &[rank, askers] = *askersOf.begin();
        return isKeptElsewhere(rank, askers, waits) ? std::nullopt : described(rank, askers, longest);
    }

  private:
    /// It waits for the answer, or looks whether something has come: not all that is asked needs one in the end.
    [[nodiscard]] bool isAsking(Rank rank, Rank peer, const std::vector<Wait> &waits) const {
        if (m_job.isInMpi(rank) && m_job.mpiCall(rank).kind == MpiCall::Kind::ProbeOnce)
            return true;
        return std::ranges::any_of(waits, [&](const Wait &wait) {
            return wait.kind == Wait::Kind::PointToPoint && !wait.isSend && contains(wait.waiters, rank) &&
                   contains(wait.on, peer) && (wait.tag == none || wait.tag == m_protocol.answer);
        });
    }

    /// It waits itself, for none of those who wait for it, or for a message of another kind than what they ask.
    [[nodiscard]] bool isKeptElsewhere(Rank rank, const RankSet &askers, const std::vector<Wait> &waits) const {
        return std::ranges::any_of(waits, [&](const Wait &wait) {
            if (!contains(wait.waiters, rank))
                return false;
            const bool isForOther = wait.kind == Wait::Kind::PointToPoint && !wait.isSend && !wait.anyOf && wait.tag != none &&
                                    wait.tag != m_protocol.ask;
            return isForOther || std::ranges::none_of(wait.on, [&](Rank each) { return contains(askers, each); });
        });
    }

    [[nodiscard]] std::optional<MissingSend> described(Rank rank, const RankSet &askers, Tick longest) const {
        const Passing *last = nullptr;
        std::uint32_t times = 0;
        for (const auto &[peer, exchange] : m_answerers[rank].with) {
            times += exchange.times;
            if (exchange.last != nullptr && (last == nullptr || last->time < exchange.last->time))
                last = exchange.last;
        }
        if (times < fewestOfOne || last == nullptr)
            return std::nullopt;
        const Rank to = *std::ranges::min_element(askers, {}, [&](Rank each) { return m_askers[each].with.at(rank).since; });
        const auto taken = m_answerers[rank].with.find(to);
        const bool isTaken = taken != m_answerers[rank].with.end() && taken->second.isOpen;
        MissingSend owed{.from = rank,
                         .to = to,
                         .due = m_askers[to].with.at(rank).since,
                         .callPath = callOf(m_job.trace, *last),
                         .confidence = (times + 1.0) / (times + 2.0),
                         .evidence = {},
                         .times = times,
                         .communicator = m_protocol.communicator,
                         .tag = m_protocol.answer,
                         .asked = m_protocol.ask,
                         .isAskTaken = isTaken};
        owed.evidence = "rank " + std::to_string(to) + " sent rank " + std::to_string(rank) + " a message (tag " +
                        std::to_string(owed.asked) + ") at " + describeDuration(m_job.trace.seconds(owed.due)) + ", which rank " +
                        std::to_string(rank) + (isTaken ? " has received" : " has not received") + ", and each of " +
                        plural(times, "such message") + " before was answered by one with tag " + std::to_string(owed.tag) +
                        " within " + describeDuration(m_job.trace.seconds(longest) - m_job.trace.seconds(0));
        return owed;
    }

    const JobView &m_job;
    const Protocol m_protocol;
    std::vector<Side> m_askers, m_answerers; ///< by rank
    bool m_isBroken = false;
};

} // namespace

std::optional<MissingSend> onlyOwedAnswer(const JobView &job, const std::vector<Wait> &waits, const Work &work) {
    if (!job.isWhole())
        return std::nullopt;
    const std::vector<std::vector<Passing>> passings = latestPassings(job, work);
    std::optional<MissingSend> found;
    for (const Protocol &protocol : protocolsOf(job, passings)) {
        std::optional<MissingSend> owed = Debts(job, passings, protocol, work).only(waits);
        if (!owed)
            continue;
        if (found && found->from != owed->from)
            return std::nullopt;
        if (!found)
            found = std::move(owed);
    }
    return found;
}

} // namespace laggard
