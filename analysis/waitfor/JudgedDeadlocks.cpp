// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Judge.h"

#include "analysis/waitfor/Confidence.h"
#include "analysis/waitfor/MisfitMessages.h"
#include "analysis/waitfor/OddTurn.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <optional>

namespace laggard {

bool Judge::nameOutOfTurn(const RankSet &members) {
    const std::optional<LeftOutAct> act = onlyOutOfTurn(m_job, m_waits, members);
    if (!act)
        return false;
    if (act->what == LeftOutAct::What::Send) {
        nameLeftOutSend(*act);
        return true;
    }
    nameTogether(Kind::LeftOut, {act->debtor}, act->confidence);
    m_verdict.leftOut = act;
    m_verdict.why = describeRankSet({act->debtor}) + " is in " + m_job.functionOf(act->debtor) + " without having received of " +
                    describeRankSet({act->creditor}) + " what it had received by then in each of the " +
                    plural(act->rounds, "exchange") + " before";
    return true;
}

bool Judge::nameMisdirected(const MisfitMessage &message, double confidence) {
    const LocationEvents *events = m_job.trace.mainEvents(message.from);
    if (events == nullptr || message.awaitedBy == none || m_job.trace.processes[message.from].eventsFrom != 0)
        return false;
    struct Sent {
        std::uint32_t usual = 0; // to the one that waits, by the same call
        std::uint32_t other = 0; // to the one that got it, by any
    };
    Sent alike;                         // with the message's tag
    Sent all;                           // with any, as tags may tell the round
    CommunicatorId communicator = none; // of the message, which is the last of its kind
    for (auto i = static_cast<std::uint32_t>(events->sends.size()); i-- > 0;) {
        const Envelope &envelope = events->envelopes[events->sends.envelope[i]];
        if (events->sends.time[i] > m_job.state.at)
            continue;
        const bool isAlike = envelope.tag == message.sentTag;
        if (communicator == none && isAlike && envelope.peer == message.to && events->sends.time[i] == message.sent)
            communicator = envelope.communicator;
        if (communicator == none || envelope.communicator != communicator)
            continue;
        const std::uint32_t row = events->track.innermostAt(events->sends.time[i]);
        const bool isSameCall = row != none && events->track.callPath[row] == message.callPath;
        const std::uint32_t usual = envelope.peer == message.awaitedBy && isSameCall ? 1 : 0;
        const std::uint32_t other = envelope.peer == message.to ? 1 : 0;
        all.usual += usual;
        all.other += other;
        alike.usual += isAlike ? usual : 0;
        alike.other += isAlike ? other : 0;
    }
    constexpr std::uint32_t fewest = 3; // as for other habits (LeftOutActs): one round is none, and the last may be another one
    const Sent &sent = alike.usual >= fewest ? alike : all;
    if (sent.usual < fewest || sent.other != 1)
        return false;
    const std::uint32_t usual = sent.usual;
    const auto n = static_cast<double>(usual); // the rule of succession
    // Assumed: it may be due, and the one that waits be wrong; tried on few programs. Where each round has its own tag, its first
    // message to a rank may be for a new neighbour.
    const double most = &sent == &all ? either : rather;
    nameTogether(Kind::Misfit, {message.from}, std::min({confidence, most, (n + 1) / (n + 2)}));
    m_verdict.why = describe(message) + "; " + "its call sent " + plural(usual, "message") + " to rank " +
                    std::to_string(message.awaitedBy) + " before";
    return true;
}

double Judge::mostOfCircle(const RankSet &members) const {
    constexpr double someMayBeRight = either;
    // Assumed: of ranks that all send, or all receive, first, in different lines, the program's author may see one as wrong.
    constexpr double sameKind = 0.7;
    if (isAskedByOthers(members))
        return someMayBeRight;
    const auto atSameCallAs = [&](Rank first) {
        const CallPathId path = m_job.state.tasks[first].mpiPath;
        return std::ranges::count_if(members, [&](Rank rank) {
            const CallPathId own = m_job.state.tasks[rank].mpiPath;
            return own != none && path != none && m_job.trace.isSameCall(own, path);
        });
    };
    const auto all = static_cast<std::ptrdiff_t>(members.size());
    const std::ptrdiff_t alike = std::max(atSameCallAs(members.front()), atSameCallAs(members.back()));
    const bool isOfEpochs = std::ranges::any_of(m_waits, [&](const Wait &wait) {
        return wait.kind == Wait::Kind::OneSided && !wait.isLock && contains(members, wait.waiters.front());
    });
    if (isOfEpochs) // groups do not fit, and one of them is the wrong one
        return someMayBeRight;
    // Where all have sent before they wait, no order of calls closes the circle: one of them sent less, or to another one, than
    // the others expect.
    if (alike == all)
        return std::ranges::all_of(members, [&](Rank rank) { return hasSentInExchange(m_job, rank); }) ? someMayBeRight : 1;
    if (all > 2 && alike == all - 1) // who is the only one elsewhere is special, or wrong
        return someMayBeRight;
    std::size_t sends = 0;
    std::size_t others = 0;
    for (const Wait &wait : m_waits)
        if (std::ranges::any_of(wait.waiters, [&](Rank rank) { return contains(members, rank); }) &&
            std::ranges::any_of(wait.on, [&](Rank rank) { return contains(members, rank); })) {
            if (wait.kind != Wait::Kind::PointToPoint)
                return someMayBeRight;
            ++(wait.isSend ? sends : others);
        }
    // Of several in different places, one has most likely come to its own too early.
    return (sends == 0 || others == 0) && all == 2 ? sameKind : someMayBeRight;
}

bool Judge::isAskedByOthers(const RankSet &members) const {
    return std::ranges::any_of(m_waits, [&](const Wait &wait) {
        const Rank sender = wait.waiters.front();
        return wait.isSend && !contains(members, sender) && std::ranges::any_of(wait.on, [&](Rank receiver) {
                   return contains(members, receiver) && !m_job.open(receiver).receives.empty() &&
                          std::ranges::none_of(m_job.open(receiver).receives, [&](const ExpectedReceive &each) {
                              return each.from == sender || each.from == none;
                          });
               });
    });
}

void Judge::nameCycles(WaitEnd end, double confidence) {
    std::vector<RankSet> cycles;
    for (const WaitEnd &each : m_ends)
        if (each.ranks.size() > 1)
            cycles.push_back(each.ranks);
    for (const RankSet &each : cycles)
        confidence = std::min(confidence, mostOfCircle(each));
    if (cycles.size() > 1) {
        end.ranks.clear();
        for (const RankSet &each : cycles) {
            end.ranks.insert(end.ranks.end(), each.begin(), each.end());
            confidence = std::min(confidence, sureness(each));
        }
        std::sort(end.ranks.begin(), end.ranks.end());
        describeWaiting(m_job.size(), m_waits, end);
    }
    name(Kind::Deadlock, std::move(end), confidence);
    const std::size_t shown = std::min<std::size_t>(cycles.size(), 3);
    m_verdict.why = describeRankSet(cycles.front()) + " wait for each other in " + functionsOf(cycles.front());
    for (std::size_t i = 1; i < shown; ++i)
        m_verdict.why += (i == 1 ? ", and so do " : ", ") + describeRankSet(cycles[i]);
    if (cycles.size() > shown)
        m_verdict.why += " and " + plural(cycles.size() - shown, "further group");
    if (m_verdict.waiting != 0)
        m_verdict.why +=
            "; " + plural(m_verdict.waiting, "further rank") + (m_verdict.waiting == 1 ? " waits" : " wait") + " for them";
    if (m_verdict.misfit)
        m_verdict.why += "; " + describe(*m_verdict.misfit);
    if (cycles.size() > 1)
        m_verdict.cycles = std::move(cycles);
}

} // namespace laggard
