// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressEdges.h"

#include "trace/Quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace laggard {
namespace {

/// Names of two states that tell them apart where their stacks do.
std::pair<std::string, std::string> distinctNames(const ModelState &a, const ModelState &b) {
    std::string nameA = stateName(a);
    std::string nameB = stateName(b);
    for (std::size_t level = 1; nameA == nameB && (level < a.stack.size() || level < b.stack.size()); ++level) {
        if (level < a.stack.size())
            nameA += " in " + a.stack[level].function;
        if (level < b.stack.size())
            nameB += " in " + b.stack[level].function;
    }
    return {nameA, nameB};
}

std::string formatProbability(Reach reach, double value) {
    switch (reach) {
    case Reach::Never:
        return "= 0";
    case Reach::Certain:
        return "= 1";
    case Reach::Unseen:
        return "not known";
    case Reach::Possible:
        break;
    }
    if (std::isnan(value))
        return "between 0 and 1";
    // The class is exact, so that a number between 0 and 1 must not be rounded to either.
    if (value < 0.005)
        return "< 0.01";
    if (value > 0.995)
        return "> 0.99";
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "= %.2f", value);
    return text.data();
}

/// Asks models for probabilities, each linear system solved once.
class Probabilities {
  public:
    explicit Probabilities(const ModelSet &models) : m_models(models) {}

    struct Answer {
        Reach reach = Reach::Unseen;
        double value = 0.5; ///< an unseen probability counts as a half
    };
    Answer ask(Rank rank, std::uint32_t from, std::uint32_t to) {
        Entry &entry = m_entries[{m_models.modelOfRank[rank], lastState(m_models, rank)}];
        if (!entry.probability)
            entry.probability.emplace(m_models.models[m_models.modelOfRank[rank]], lastState(m_models, rank));
        Answer answer;
        answer.reach = entry.probability->reach(from, to);
        if (answer.reach == Reach::Possible) {
            std::vector<double> &values = entry.values[to];
            if (values.empty())
                values = entry.probability->valuesFromAll(to);
            const std::vector<std::uint32_t> &states = entry.probability->states();
            answer.value =
                values[static_cast<std::size_t>(std::lower_bound(states.begin(), states.end(), from) - states.begin())];
        } else if (answer.reach != Reach::Unseen) {
            answer.value = answer.reach == Reach::Certain ? 1 : 0;
        }
        return answer;
    }

  private:
    struct Entry {
        std::optional<ReachingProbability> probability;
        std::map<std::uint32_t, std::vector<double>> values; ///< by target
    };
    const ModelSet &m_models;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Entry> m_entries;
};

/// What is said about the tasks in two states; the same for all their nodes.
struct Statement {
    ProgressEdge::Dependence dependence = ProgressEdge::Dependence::Waits;
    bool rowWaits = true;
    double confidence = 0;
    std::string evidence;
};

/// How often the rank came to a state.
std::uint64_t visits(const ModelSet &models, Rank rank, std::uint32_t state) {
    std::uint64_t count = 0;
    for (const Transition &transition : models.models[models.modelOfRank[rank]].transitions)
        count += transition.to == state ? transition.count : 0;
    return count;
}

std::string times(std::uint64_t count) { return count == 0 ? "never" : count == 1 ? "once" : plural(count, "time"); }

/// "P(a → b) = 1, P(back) = 0.98 in the model of rank 4, which came to a 12 times and to b 11 times"
std::string sentence(Probabilities &probabilities, const ModelSet &models, Rank judge, std::uint32_t a, std::uint32_t b) {
    const Probabilities::Answer there = probabilities.ask(judge, a, b);
    const Probabilities::Answer back = probabilities.ask(judge, b, a);
    const auto [nameA, nameB] = distinctNames(models.states[a], models.states[b]);
    return "P(" + nameA + " → " + nameB + ") " + formatProbability(there.reach, there.value) + ", P(back) " +
           formatProbability(back.reach, back.value) + " in the model of rank " + std::to_string(judge) + ", which came to " +
           nameA + " " + times(visits(models, judge, a)) + " and to " + nameB + " " + times(visits(models, judge, b));
}

std::optional<Statement> statement(Probabilities &probabilities, const ModelSet &models, const StatePair &pair) {
    const auto witness = [&pair](Dependence d) { return pair.witness[static_cast<std::size_t>(d)]; };
    Statement result;
    if (pair.dependence == Dependence::RowWaits || pair.dependence == Dependence::ColumnWaits) {
        result.rowWaits = pair.dependence == Dependence::RowWaits;
        const Rank judge = witness(pair.dependence);
        const std::uint32_t behind = result.rowWaits ? pair.column : pair.row;
        const std::uint32_t ahead = result.rowWaits ? pair.row : pair.column;
        result.evidence = sentence(probabilities, models, judge, behind, ahead);
        const double there = probabilities.ask(judge, behind, ahead).value;
        const double back = probabilities.ask(judge, ahead, behind).value;
        result.confidence = std::isnan(there - back) ? 0 : std::abs(there - back);
        return result;
    }
    result.dependence = ProgressEdge::Dependence::Undefined;
    if (pair.dependence == Dependence::Undefined && witness(Dependence::Undefined) == none) {
        result.evidence =
            "the models disagree: " + sentence(probabilities, models, witness(Dependence::RowWaits), pair.row, pair.column) +
            "; " + sentence(probabilities, models, witness(Dependence::ColumnWaits), pair.row, pair.column);
        return result;
    }
    // Undefined, or (None) nobody saw enough.
    const Rank judge = witness(pair.dependence);
    if (judge == none)
        return std::nullopt;
    result.evidence = sentence(probabilities, models, judge, pair.row, pair.column);
    return result;
}

/// The tasks of a node that have come least and most far in the loops around their state.
struct NodeExtent {
    LoopPlace least;
    LoopPlace most;
};

NodeExtent extentOf(const ProgressNode &node, const LoopOrder &loops) {
    NodeExtent extent{loops.placeOf(node.ranks.front()), {}};
    extent.most = extent.least;
    if (!extent.least.rounds.empty())
        for (const Rank rank : node.ranks) {
            const LoopPlace place = loops.placeOf(rank);
            extent.least = std::min(extent.least, place);
            extent.most = std::max(extent.most, place);
        }
    return extent;
}

/// Decided only if it holds for each task of the one and each of the other.
LoopAnswer compare(const NodeExtent &a, const NodeExtent &b, const LoopOrder &loops) {
    const LoopAnswer answer = loops.compare(a.most, b.least);
    if (answer.kind == LoopAnswer::Kind::FirstBehind || (a.least == a.most && b.least == b.most))
        return answer;
    LoopAnswer other = loops.compare(a.least, b.most);
    if (other.kind == LoopAnswer::Kind::FirstBehind)
        other.kind = LoopAnswer::Kind::Open;
    return other;
}

// Chosen by what the rule's answers achieved on recordings that were not tuned on: bench/README.md, "The rule alone".
constexpr double sureOfRounds = 0.9;
constexpr double sureOfPlaces = 0.8;
constexpr double guess = 0.3;

/// Rounds tell progress where the tasks go in step; a pool of workers does not.
double sureness(const LoopAnswer &answer, const LoopOrder &loops) {
    if (!answer.byRounds)
        return sureOfPlaces;
    return std::max(guess, sureOfRounds * (1 - loops.nest().regions()[answer.region].unevenness));
}

ProgressEdge loopEdge(std::uint32_t a, std::uint32_t b, const LoopAnswer &answer, const ModelSet &models, const LoopOrder &loops,
                      const std::vector<ProgressNode> &nodes) {
    const bool aIsBehind = answer.kind == LoopAnswer::Kind::FirstBehind;
    ProgressEdge edge{.from = aIsBehind ? b : a,
                      .to = aIsBehind ? a : b,
                      .kind = ProgressEdge::Kind::Loop,
                      .confidence = sureness(answer, loops),
                      .evidence = {}};
    const std::uint32_t header = loops.nest().regions()[answer.region].header;
    const std::string loop =
        header == none ? std::string("the loop that both are in") : "the loop of " + stateName(models.states[header]);
    const std::uint64_t unit = header == none && loops.nest().regions()[answer.region].parent == none ? partsOfRound : 1;
    const std::uint64_t behind = (aIsBehind ? answer.first : answer.second) / unit;
    const std::uint64_t ahead = ((aIsBehind ? answer.second : answer.first) + unit - 1) / unit;
    const auto [nameBehind, nameAhead] =
        distinctNames(models.states[nodes[edge.to].state], models.states[nodes[edge.from].state]);
    if (answer.byRounds)
        edge.evidence = "has gone round " + loop + " " + times(ahead) + ", the other " + times(behind);
    else
        edge.evidence =
            "both have gone round " + loop + " " + times(ahead) + "; within it " + nameAhead + " comes after " + nameBehind;
    return edge;
}

/// Who waits for whom, directly or through others: `result[a][b]` if a waits for b.
std::vector<std::vector<bool>> transitiveWaits(const std::vector<ProgressEdge> &edges, std::size_t nodeCount) {
    std::vector<std::vector<std::uint32_t>> next(nodeCount);
    for (const ProgressEdge &edge : edges)
        next[edge.from].push_back(edge.to);
    std::vector<std::vector<bool>> waits(nodeCount, std::vector<bool>(nodeCount, false));
    for (std::uint32_t start = 0; start < nodeCount; ++start) {
        std::vector<std::uint32_t> stack = next[start];
        while (!stack.empty()) {
            const std::uint32_t node = stack.back();
            stack.pop_back();
            if (waits[start][node])
                continue;
            waits[start][node] = true;
            stack.insert(stack.end(), next[node].begin(), next[node].end());
        }
    }
    return waits;
}

} // namespace

std::string stateName(const ModelState &state) {
    if (state.kind == ModelState::Kind::Start)
        return "program start";
    const std::string function = state.stack.empty() ? "an unnamed function" : state.stack.front().function;
    return state.kind == ModelState::Kind::Communication ? function : "after " + function;
}

std::vector<ProgressEdge> observedEdges(const std::vector<Wait> &waits, const TaskGroups &groups) {
    struct Merged {
        ProgressEdge edge;
        std::size_t waits = 0;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, ProgressEdge::Kind>, Merged> merged;
    for (const Wait &wait : waits) {
        const bool isCollective = wait.kind == Wait::Kind::Collective;
        const ProgressEdge::Kind kind = isCollective ? ProgressEdge::Kind::Collective : ProgressEdge::Kind::PointToPoint;
        const std::vector<std::uint32_t> on = groupsOf(wait.on, groups);
        for (const std::uint32_t from : groupsOf(wait.waiters, groups))
            for (const std::uint32_t to : on) {
                if (from == to)
                    continue;
                Merged &entry = merged[{from, to, kind}];
                if (entry.waits++ == 0 || wait.confidence > entry.edge.confidence)
                    entry.edge = {from, to, kind, ProgressEdge::Dependence::Waits, wait.confidence, true, wait.evidence};
            }
    }
    std::vector<ProgressEdge> edges;
    for (auto &[key, entry] : merged) {
        if (entry.waits > 1)
            entry.edge.evidence += " (and " + describeCount(entry.waits - 1) + " more)";
        edges.push_back(std::move(entry.edge));
    }
    return edges;
}

std::vector<ProgressEdge> modelledEdges(const ModelSet &models, const std::vector<StatePair> &pairs, const LoopOrder &loops,
                                        const std::vector<ProgressNode> &nodes, const std::vector<ProgressEdge> &observed,
                                        const Work &work) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, const StatePair *> pairOf;
    for (const StatePair &pair : pairs)
        pairOf[{pair.row, pair.column}] = &pair;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<Statement>> said;
    const std::vector<std::vector<bool>> waits = transitiveWaits(observed, nodes.size());
    std::vector<NodeExtent> extents;
    for (const ProgressNode &node : nodes)
        extents.push_back(extentOf(node, loops));
    Probabilities probabilities(models);
    std::vector<ProgressEdge> edges;
    for (std::uint32_t a = 0; a < nodes.size(); ++a) {
        throwIfCancelled(work);
        for (std::uint32_t b = a + 1; b < nodes.size(); ++b) {
            if (nodes[a].finished || nodes[b].finished || waits[a][b] || waits[b][a])
                continue;
            const bool inOrder = nodes[a].state <= nodes[b].state;
            const std::pair states(nodes[inOrder ? a : b].state, nodes[inOrder ? b : a].state);
            const auto pair = pairOf.find(states);
            if (pair != pairOf.end() && !said.contains(states))
                said[states] = statement(probabilities, models, *pair->second);
            const std::optional<Statement> statement = pair == pairOf.end() ? std::nullopt : said[states];
            const bool isOpen = !statement || statement->dependence == ProgressEdge::Dependence::Undefined;
            const LoopAnswer answer = compare(extents[a], extents[b], loops);
            if (answer.isDecided() && (isOpen || answer.byRounds)) {
                edges.push_back(loopEdge(a, b, answer, models, loops, nodes));
                continue;
            }
            if (!statement)
                continue;
            std::uint32_t from = statement->rowWaits == inOrder ? a : b;
            std::uint32_t to = from == a ? b : a;
            if (isOpen && from > to)
                std::swap(from, to);
            edges.push_back({from, to, ProgressEdge::Kind::Collective, statement->dependence, statement->confidence, false,
                             statement->evidence});
        }
    }
    return edges;
}

} // namespace laggard
