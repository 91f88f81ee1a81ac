// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/PhaseKinds.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace laggard {
namespace {

constexpr double apart = 1.5;           // levels of grids differ by 2 or more, message counts of like steps by a few in a hundred
constexpr std::size_t fewestOfKind = 5; // as many entries make phases (PhaseMarker)
constexpr std::size_t context = 2;      // kinds before a phase that foretell its own

/// Logarithms of: messages, their bytes, pairs of ranks, bytes that collectives move.
using Signature = std::array<double, 4>;
using Kind = std::array<std::uint32_t, 4>;

/// What the ranks exchange in a phase; nothing where a rank was cut off in it, or does not have it while others do.
std::optional<Signature> signatureOf(const Trace &trace, const PhaseTable &phases, std::size_t run, std::uint32_t phase) {
    std::array<double, 4> sums{};
    std::set<std::pair<Rank, Rank>> pairs;
    for (Rank rank = 0; rank < phases.ranks(); ++rank) {
        const PhaseSpan &span = phases.span(run, phase, rank);
        const LocationEvents *events = trace.mainEvents(rank);
        if (!span.present() || span.cut || events == nullptr)
            return {};
        const auto within = [&span](const Column<Tick> &times) {
            const auto begin = std::lower_bound(times.begin(), times.end(), span.begin) - times.begin();
            const auto end = std::lower_bound(times.begin(), times.end(), span.end) - times.begin();
            return std::pair(static_cast<std::size_t>(begin), static_cast<std::size_t>(std::max(begin, end)));
        };
        for (auto [i, end] = within(events->sends.time); i < end; ++i) {
            const Envelope &envelope = events->envelopes[events->sends.envelope[i]];
            sums[0] += 1;
            sums[1] += static_cast<double>(envelope.bytes);
            pairs.emplace(rank, envelope.peer);
        }
        for (auto [i, end] = within(events->collectives.end); i < end; ++i)
            sums[3] += static_cast<double>(events->collectiveKinds[events->collectives.kind[i]].bytesSent);
    }
    sums[2] = static_cast<double>(pairs.size());
    Signature result;
    std::transform(sums.begin(), sums.end(), result.begin(), [](double sum) { return std::log(1 + sum); });
    return result;
}

/// Numbers each value by the group it is in: groups are apart by a gap.
std::vector<std::uint32_t> groupsOf(const std::vector<double> &values) {
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<std::uint32_t> groups(values.size());
    std::uint32_t group = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        group += values[order[i]] - values[order[i - 1]] > std::log(apart) ? 1 : 0;
        groups[order[i]] = group;
    }
    return groups;
}

/// The kinds of the phases of one set, in order; nothing where the signature is not known.
std::vector<std::optional<Kind>> kindsOf(const std::vector<std::optional<Signature>> &signatures) {
    std::vector<std::size_t> known;
    for (std::size_t i = 0; i < signatures.size(); ++i)
        if (signatures[i])
            known.push_back(i);
    std::vector<std::optional<Kind>> kinds(signatures.size());
    for (std::size_t part = 0; part < Signature{}.size(); ++part) {
        std::vector<double> values;
        for (const std::size_t i : known)
            values.push_back((*signatures[i])[part]);
        const std::vector<std::uint32_t> groups = groupsOf(values);
        for (std::size_t k = 0; k < known.size(); ++k) {
            std::optional<Kind> &kind = kinds[known[k]];
            kind = kind.value_or(Kind{});
            (*kind)[part] = groups[k];
        }
    }
    return kinds;
}

/// Number of the kind of each phase of a set; all 0 if they are not divided.
std::vector<std::uint32_t> numbersOf(const std::vector<std::optional<Kind>> &kinds) {
    std::map<Kind, std::size_t> count;
    for (const auto &kind : kinds)
        if (kind)
            ++count[*kind];
    std::erase_if(count, [](const auto &one) { return one.second < fewestOfKind; });
    std::vector<std::uint32_t> numbers(kinds.size());
    if (count.size() < 2)
        return numbers;
    const auto largest =
        std::max_element(count.begin(), count.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    const auto numberOf = [&](auto found) { return static_cast<std::uint32_t>(std::distance(count.begin(), found)); };
    std::map<std::array<std::uint32_t, context>, std::uint32_t> after; // what followed last time
    std::array<std::uint32_t, context> before{none, none};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const auto found = kinds[i] ? count.find(*kinds[i]) : count.end();
        const auto foretold = after.find(before);
        numbers[i] = found != count.end() ? numberOf(found) : foretold != after.end() ? foretold->second : numberOf(largest);
        after[before] = numbers[i];
        before = {before[1], numbers[i]};
    }
    return numbers;
}

} // namespace

void separateKinds(PhaseTable &phases, std::span<const Trace *const> traces, const Work &work) {
    if (phases.source == PhaseSource::WholeRun || phases.beforeFirst ||
        std::any_of(traces.begin(), traces.end(), [](const Trace *trace) { return trace->isSummary; }))
        return;
    std::vector<std::vector<std::uint32_t>> ofSet(phases.sets.size());
    for (std::uint32_t p = 0; p < phases.size(); ++p)
        ofSet[phases.phases[p].set].push_back(p);
    for (std::uint32_t set = 0; set < ofSet.size(); ++set) {
        std::vector<std::optional<Signature>> signatures(ofSet[set].size());
        forEachParallel(signatures.size(), work, [&](std::size_t i, unsigned) {
            for (std::size_t run = 0; run < traces.size() && !signatures[i]; ++run)
                signatures[i] = signatureOf(*traces[run], phases, run, ofSet[set][i]);
        });
        const std::vector<std::uint32_t> numbers = numbersOf(kindsOf(signatures));
        const PhaseSet whole = phases.sets[set];
        std::map<std::uint32_t, std::uint32_t> setOf; // by kind: the first one keeps the set's number
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto [entry, isNew] =
                setOf.try_emplace(numbers[i], setOf.empty() ? set : static_cast<std::uint32_t>(phases.sets.size()));
            if (isNew && entry->second != set)
                phases.sets.push_back(whole);
            PhaseSet &own = phases.sets[entry->second];
            if (isNew) {
                own.phases = own.iterations = 0;
                own.kind = static_cast<std::uint32_t>(setOf.size()) - 1;
            }
            Phase &phase = phases.phases[ofSet[set][i]];
            phase.set = entry->second;
            phase.index = own.phases++;
            own.iterations += phase.endIteration - phase.firstIteration;
        }
    }
}

} // namespace laggard
