// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/LoopNest.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace laggard {
namespace {

using Flow = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

bool containsNumber(const std::vector<std::uint32_t> &sorted, std::uint32_t value) {
    return std::binary_search(sorted.begin(), sorted.end(), value);
}

std::uint32_t stateCount(const ModelSet &models) {
    auto states = static_cast<std::uint32_t>(models.states.size());
    for (const MarkovModel &model : models.models)
        for (const Transition &t : model.transitions)
            states = std::max({states, t.from + 1, t.to + 1});
    return states;
}

/// The strongly connected component of each vertex.
std::vector<std::uint32_t> componentsOf(const Flow &flow) {
    std::vector<std::uint32_t> component(boost::num_vertices(flow));
    if (!component.empty())
        boost::strong_components(flow,
                                 boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, flow)));
    return component;
}

/// How many states the steps go round in, without those that lead to `without`. Steps are sorted by target.
template <typename Step> std::size_t cyclicStates(const std::vector<Step> &steps, std::uint32_t without) {
    std::vector<std::uint32_t> states;
    for (const Step &step : steps)
        states.insert(states.end(), {step.from, step.to});
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    const auto local = [&states](std::uint32_t state) {
        return static_cast<std::size_t>(std::lower_bound(states.begin(), states.end(), state) - states.begin());
    };
    Flow flow(states.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].to != without && (i == 0 || steps[i].to != steps[i - 1].to || steps[i].from != steps[i - 1].from))
            boost::add_edge(local(steps[i].from), local(steps[i].to), flow);
    const std::vector<std::uint32_t> component = componentsOf(flow);
    std::vector<bool> isCyclic(states.size(), false);
    for (const Step &step : steps)
        if (step.to != without && component[local(step.from)] == component[local(step.to)])
            isCyclic[local(step.from)] = true;
    return static_cast<std::size_t>(std::count(isCyclic.begin(), isCyclic.end(), true));
}

} // namespace

std::vector<std::uint32_t> structuresOf(const std::vector<MarkovModel> &models) {
    const auto hash = [&models](std::uint32_t m) {
        std::uint64_t value = 0;
        for (const Transition &t : models[m].transitions) {
            value = (value ^ (std::uint64_t{t.from} << 32U | t.to)) * 0x9E3779B97F4A7C15U;
            value ^= value >> 32U;
        }
        return static_cast<std::size_t>(value);
    };
    const auto equal = [&models](std::uint32_t a, std::uint32_t b) {
        return std::equal(models[a].transitions.begin(), models[a].transitions.end(), models[b].transitions.begin(),
                          models[b].transitions.end(),
                          [](const Transition &x, const Transition &y) { return x.from == y.from && x.to == y.to; });
    };
    std::unordered_map<std::uint32_t, std::uint32_t, decltype(hash), decltype(equal)> known(16, hash, equal);
    std::vector<std::uint32_t> structures;
    for (std::uint32_t m = 0; m < models.size(); ++m)
        structures.push_back(known.try_emplace(m, static_cast<std::uint32_t>(known.size())).first->second);
    return structures;
}

LoopNest::LoopNest(const ModelSet &models) : m_models(models), m_structureOfModel(structuresOf(models.models)) {
    const std::uint32_t states = stateCount(models);
    m_innermost.assign(states, none);
    for (const std::uint32_t structure : m_structureOfModel)
        m_structures = std::max(m_structures, structure + 1);
    addStructures(states);
    findDominators(states);
    divide(m_steps, none);
}

void LoopNest::addStructures(std::uint32_t states) {
    std::vector<std::uint32_t> first(m_structures, none); // position in m_steps of a structure's first step
    std::vector<std::vector<std::int64_t>> left(m_structures);
    for (std::uint32_t m = 0; m < m_models.models.size(); ++m) {
        const std::uint32_t structure = m_structureOfModel[m];
        const std::vector<Transition> &transitions = m_models.models[m].transitions;
        if (first[structure] == none) {
            first[structure] = static_cast<std::uint32_t>(m_steps.size());
            for (const Transition &t : transitions)
                m_steps.push_back({t.from, t.to, structure, 0});
        }
        for (std::size_t t = 0; t < transitions.size(); ++t)
            m_steps[first[structure] + t].count += transitions[t].count;
    }
    // A walk leaves its first state once more often than it comes there, unless it ends there.
    m_starts.resize(m_structures);
    std::vector<std::int64_t> excess(states, 0);
    for (std::uint32_t s = 0, i = 0; s < m_structures; ++s) {
        const std::uint32_t begin = i;
        for (; i < m_steps.size() && m_steps[i].structure == s; ++i) {
            excess[m_steps[i].from] += static_cast<std::int64_t>(m_steps[i].count);
            excess[m_steps[i].to] -= static_cast<std::int64_t>(m_steps[i].count);
        }
        for (std::uint32_t j = begin; j < i; ++j)
            if (excess[m_steps[j].from] > 0 && (m_starts[s].empty() || m_starts[s].back() != m_steps[j].from))
                m_starts[s].push_back(m_steps[j].from);
        for (std::uint32_t j = begin; j < i; ++j)
            excess[m_steps[j].from] = excess[m_steps[j].to] = 0;
    }
    for (std::size_t rank = 0; rank < m_models.stateOfRank.size() && rank < m_models.modelOfRank.size(); ++rank) {
        const std::uint32_t model = m_models.modelOfRank[rank];
        const std::uint32_t state = m_models.stateOfRank[rank];
        if (model < m_structureOfModel.size() && state < states && m_starts[m_structureOfModel[model]].empty())
            m_starts[m_structureOfModel[model]].push_back(state);
    }
    std::sort(m_steps.begin(), m_steps.end(), [](const Step &a, const Step &b) {
        return std::tuple(a.to, a.from, a.structure) < std::tuple(b.to, b.from, b.structure);
    });
}

void LoopNest::findDominators(std::uint32_t states) {
    Flow flow(states + 1); // the last vertex comes before all
    std::vector<bool> hasEntry(states, false);
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        if (i == 0 || m_steps[i].to != m_steps[i - 1].to || m_steps[i].from != m_steps[i - 1].from) {
            boost::add_edge(m_steps[i].from, m_steps[i].to, flow);
            hasEntry[m_steps[i].to] = hasEntry[m_steps[i].to] || m_steps[i].from != m_steps[i].to;
        }
    std::vector<bool> begins(states, false);
    for (std::uint32_t s = 0; s < states; ++s)
        begins[s] = !hasEntry[s] || (s < m_models.states.size() && m_models.states[s].kind == ModelState::Kind::Start);
    for (const std::vector<std::uint32_t> &starts : m_starts)
        for (const std::uint32_t s : starts)
            begins[s] = true;
    for (std::uint32_t s = 0; s < states; ++s)
        if (begins[s])
            boost::add_edge(states, s, flow);
    const auto index = boost::get(boost::vertex_index, flow);
    std::vector<Flow::vertex_descriptor> above(states + 1, Flow::null_vertex());
    boost::lengauer_tarjan_dominator_tree(flow, Flow::vertex_descriptor{states},
                                          boost::make_iterator_property_map(above.begin(), index));
    m_dominator.assign(states, none);
    m_level.assign(states, 0);
    for (std::uint32_t s = 0; s < states; ++s)
        if (above[s] != Flow::null_vertex() && above[s] != states)
            m_dominator[s] = static_cast<std::uint32_t>(above[s]);
    for (std::uint32_t s = 0; s < states; ++s)
        for (std::uint32_t d = m_dominator[s]; d != none; d = m_dominator[d])
            ++m_level[s];
}

/// The strongly connected components of `steps` become regions.
void LoopNest::divide(const Steps &steps, std::uint32_t parent) {
    std::vector<std::uint32_t> states;
    for (const Step &step : steps)
        states.insert(states.end(), {step.from, step.to});
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    const auto local = [&states](std::uint32_t state) {
        return static_cast<std::size_t>(std::lower_bound(states.begin(), states.end(), state) - states.begin());
    };
    Flow flow(states.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (i == 0 || steps[i].to != steps[i - 1].to || steps[i].from != steps[i - 1].from)
            boost::add_edge(local(steps[i].from), local(steps[i].to), flow);
    const std::vector<std::uint32_t> component = componentsOf(flow);
    std::map<std::uint32_t, std::pair<std::vector<std::uint32_t>, Steps>> parts;
    for (const Step &step : steps)
        if (component[local(step.from)] == component[local(step.to)])
            parts[component[local(step.from)]].second.push_back(step);
    for (std::size_t s = 0; s < states.size(); ++s)
        if (const auto part = parts.find(component[s]); part != parts.end())
            part->second.first.push_back(states[s]);
    for (auto &[number, part] : parts)
        addRegion(std::move(part.first), part.second, parent);
}

void LoopNest::addRegion(std::vector<std::uint32_t> states, const Steps &within, std::uint32_t parent) {
    const auto number = static_cast<std::uint32_t>(m_regions.size());
    LoopRegion region;
    region.parent = parent;
    region.depth = parent == none ? 0 : m_regions[parent].depth + 1;
    region.header = dominating(states);
    region.isNatural = region.header != none;
    if (!region.isNatural)
        region.header = inStep(states, within);
    std::vector<std::uint32_t> own;
    if (region.header == none)
        own = ownHeaders(states);
    for (const std::uint32_t state : states)
        m_innermost[state] = number;
    Steps remaining;
    for (const Step &step : within)
        if (step.to != (region.header == none ? own[step.structure] : region.header))
            remaining.push_back(step);
    for (const Step &step : remaining)
        if (region.forward.empty() || region.forward.back() != std::pair(step.from, step.to))
            region.forward.emplace_back(step.from, step.to);
    std::sort(region.forward.begin(), region.forward.end());
    region.states = std::move(states);
    m_regions.push_back(std::move(region));
    m_ownHeaders.push_back(std::move(own));
    m_regions.back().unevenness = unevenness(number);
    // Without a step that begins a round nothing within it can be put in order.
    if (remaining.size() != within.size())
        divide(remaining, number);
}

/// The state that dominates the others, or `none`.
std::uint32_t LoopNest::dominating(const std::vector<std::uint32_t> &states) const {
    const std::uint32_t top = *std::min_element(states.begin(), states.end(), [this](std::uint32_t a, std::uint32_t b) {
        return std::pair(m_level[a], a) < std::pair(m_level[b], b);
    });
    for (const std::uint32_t state : states) {
        std::uint32_t above = state;
        while (above != none && m_level[above] > m_level[top])
            above = m_dominator[above];
        if (above != top)
            return none;
    }
    return top;
}

/// A state that all tasks which go round go through, and as equally often as any; of several the one without which the least goes
/// round. `none`: there is none.
std::uint32_t LoopNest::inStep(const std::vector<std::uint32_t> &states, const Steps &within) const {
    struct Visits {
        std::uint64_t least = ~std::uint64_t{0};
        std::uint64_t most = 0;
        [[nodiscard]] std::uint64_t spread() const { return most - least; }
    };
    std::vector<bool> goesRound(m_structures, false);
    std::vector<Steps> own(m_structures);
    for (const Step &step : within)
        own[step.structure].push_back(step);
    for (std::uint32_t s = 0; s < m_structures; ++s)
        goesRound[s] = cyclicStates(own[s], none) != 0;
    std::vector<Visits> visits(states.size());
    std::vector<std::uint64_t> count(states.size());
    for (std::uint32_t m = 0; m < m_models.models.size(); ++m) {
        if (!goesRound[m_structureOfModel[m]])
            continue;
        std::fill(count.begin(), count.end(), 0);
        for (const Transition &t : m_models.models[m].transitions)
            if (const auto place = std::lower_bound(states.begin(), states.end(), t.to); place != states.end() && *place == t.to)
                count[static_cast<std::size_t>(place - states.begin())] += t.count;
        for (std::size_t i = 0; i < states.size(); ++i) {
            visits[i].least = std::min(visits[i].least, count[i]);
            visits[i].most = std::max(visits[i].most, count[i]);
        }
    }
    const auto isCommon = [](const Visits &v) { return v.least > 0 && v.least <= v.most; };
    std::uint64_t spread = ~std::uint64_t{0};
    for (const Visits &v : visits)
        spread = isCommon(v) ? std::min(spread, v.spread()) : spread;
    using Merit = std::tuple<std::size_t, std::uint64_t, std::uint32_t>; // what still goes round, visits, number
    std::optional<Merit> best;
    for (std::size_t i = 0; i < states.size(); ++i)
        if (isCommon(visits[i]) && visits[i].spread() <= spread + 1) { // those who are one round behind
            const Merit merit{cyclicStates(within, states[i]), visits[i].most, states[i]};
            best = best ? std::min(*best, merit) : merit;
        }
    return best ? std::get<2>(*best) : none;
}

/// By structure, the state of the region at which its tasks came in most often; `none` if they never did.
std::vector<std::uint32_t> LoopNest::ownHeaders(const std::vector<std::uint32_t> &states) const {
    std::vector<std::uint32_t> headers(m_structures, none);
    std::vector<std::uint64_t> most(m_structures, 0);
    for (const std::uint32_t state : states) {
        std::map<std::uint32_t, std::uint64_t> entries;
        auto step =
            std::lower_bound(m_steps.begin(), m_steps.end(), state, [](const Step &s, std::uint32_t to) { return s.to < to; });
        for (; step != m_steps.end() && step->to == state; ++step)
            if (!containsNumber(states, step->from))
                entries[step->structure] += step->count;
        for (const auto &[structure, count] : entries)
            if (headers[structure] == none || count > most[structure]) {
                headers[structure] = state;
                most[structure] = count;
            }
    }
    for (std::uint32_t s = 0; s < m_structures; ++s)
        for (const std::uint32_t start : m_starts[s])
            if (headers[s] == none && containsNumber(states, start))
                headers[s] = start;
    return headers;
}

/// How far apart the tasks that go round are in rounds of a region.
double LoopNest::unevenness(std::uint32_t region) const {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    for (std::uint32_t m = 0; m < m_models.models.size(); ++m) {
        const std::optional<std::uint64_t> count = rounds(region, m);
        if (!count || *count == 0)
            continue;
        least = std::min(least, *count);
        most = std::max(most, *count);
    }
    return least > most ? 0 : static_cast<double>(most - least) / static_cast<double>(most);
}

bool LoopNest::isWithin(std::uint32_t state, std::uint32_t region) const {
    std::uint32_t inner = innermost(state);
    while (inner != none && m_regions[inner].depth > m_regions[region].depth)
        inner = m_regions[inner].parent;
    return inner == region;
}

std::uint32_t LoopNest::common(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t region = innermost(a);
    while (region != none && !isWithin(b, region))
        region = m_regions[region].parent;
    return region;
}

std::vector<std::uint32_t> LoopNest::chain(std::uint32_t state) const {
    std::vector<std::uint32_t> regions;
    for (std::uint32_t region = innermost(state); region != none; region = m_regions[region].parent)
        regions.push_back(region);
    std::reverse(regions.begin(), regions.end());
    return regions;
}

std::uint32_t LoopNest::header(std::uint32_t region, std::uint32_t model) const {
    const std::uint32_t natural = m_regions[region].header;
    return natural != none ? natural : m_ownHeaders[region][m_structureOfModel[model]];
}

std::optional<std::uint64_t> LoopNest::rounds(std::uint32_t region, std::uint32_t model) const {
    const std::uint32_t begin = header(region, model);
    if (begin == none)
        return std::nullopt;
    std::uint64_t count = 0;
    for (const Transition &t : m_models.models[model].transitions)
        if (t.to == begin && isWithin(t.from, region))
            count += t.count;
    return count;
}

bool LoopNest::reaches(std::uint32_t from, std::uint32_t to, const LoopRegion &region) const {
    std::vector<bool> isReached(m_innermost.size(), false);
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
        const std::uint32_t state = open.back();
        open.pop_back();
        auto step = std::lower_bound(region.forward.begin(), region.forward.end(), std::pair(state, std::uint32_t{0}));
        for (; step != region.forward.end() && step->first == state; ++step) {
            if (step->second == to)
                return true;
            if (!isReached[step->second])
                open.push_back(step->second);
            isReached[step->second] = true;
        }
    }
    return false;
}

bool LoopNest::isBefore(std::uint32_t earlier, std::uint32_t later, std::uint32_t region) const {
    return reaches(earlier, later, m_regions[region]) && !reaches(later, earlier, m_regions[region]);
}

} // namespace laggard
