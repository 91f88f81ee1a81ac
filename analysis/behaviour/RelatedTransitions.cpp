// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/RelatedTransitions.h"

#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace laggard {
namespace {

using Role = RelatedTransition::Role;

constexpr std::size_t mostExpected = 2;

/// How often a rank of a run left `state`, by transition.
void countExits(const Histories &histories, std::size_t run, std::size_t rank, std::uint32_t state,
                std::map<std::uint32_t, double> &counts) {
    const RankHistory &history = histories.runs[run].ranks[rank];
    for (std::size_t row = 0; row < history.size(); ++row) {
        const std::uint32_t t = history.transition[row];
        if (histories.table.transitions[t].from == state && !histories.table.isCensored(t))
            counts[t] += history.countOf(row);
    }
}

std::uint64_t rounded(double count) { return static_cast<std::uint64_t>(std::llround(count)); }

} // namespace

std::vector<RelatedTransition> expectedTransitions(const Histories &histories, const Occurrence &open) {
    const std::uint32_t state = histories.table.transitions[open.transition].from;
    std::map<std::uint32_t, double> counts;
    for (std::size_t run = 0; run < histories.runs.size(); ++run)
        if (open.rank < histories.runs[run].ranks.size())
            countExits(histories, run, open.rank, state, counts);
    const bool isOwn = !counts.empty();
    for (std::size_t run = 0; run < histories.runs.size() && !isOwn; ++run)
        for (std::size_t rank = 0; rank < histories.runs[run].ranks.size(); ++rank)
            countExits(histories, run, rank, state, counts);
    double all = 0;
    std::vector<std::pair<double, std::uint32_t>> order;
    for (const auto &[transition, count] : counts) {
        order.emplace_back(-count, transition);
        all += count;
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), mostExpected));
    std::vector<RelatedTransition> result;
    for (const auto &[count, transition] : order)
        result.push_back({Role::Expected,
                          transition,
                          {open.rank},
                          open.phase,
                          open.time.begin,
                          -count / all,
                          (isOwn ? "rank " + std::to_string(open.rank) + " went on so " : std::string("others went on so ")) +
                              describeCount(rounded(-count)) + " of " + plural(rounded(all), "time") +
                              (histories.references() > 0 ? ", here and in the references" : " before")});
    return result;
}

std::vector<RelatedTransition> sendingTransitions(const Histories &histories, const PhaseTable &phases,
                                                  const std::vector<AwaitedMessage> &messages) {
    std::vector<RelatedTransition> result;
    const auto add = [&](const AwaitedMessage &message, std::uint32_t row) {
        const RankHistory &history = histories.runs[0].ranks[message.from];
        const std::uint32_t transition = history.transition[row];
        auto place = std::find_if(result.begin(), result.end(), [&](const auto &one) { return one.transition == transition; });
        if (place == result.end())
            place = result.insert(
                result.end(), {Role::Sending, transition, {}, phaseOfRow(phases, message.from, row), history.start[row], 0, {}});
        RankSet &senders = place->ranks;
        const auto at = std::lower_bound(senders.begin(), senders.end(), message.from);
        if (at == senders.end() || *at != message.from)
            senders.insert(at, message.from);
        place->why =
            describeRankSet(senders) + " sent what rank " + std::to_string(message.to) + " waits for, and that was not received";
    };
    for (const bool out : {true, false})
        for (const AwaitedMessage &message : messages) {
            const RankHistory &history = histories.runs[0].ranks.at(message.from);
            if (history.isSummary() || history.size() == 0 || message.sent < history.start[0])
                continue;
            std::uint32_t row = history.rowAt(message.sent + 1) - 1; // the last of the states that begin together
            while (row > 0 && histories.table.isComputation(history.transition[row]) && history.start[row] == message.sent)
                --row; // behind a call of no length
            if (histories.table.isComputation(history.transition[row]) || (!out && row == 0))
                continue;
            add(message, out ? row : row - 1);
        }
    result.resize(std::min(result.size(), SemiMarkovVerdict::mostRelated));
    return result;
}

} // namespace laggard
