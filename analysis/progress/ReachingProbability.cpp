// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ReachingProbability.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace laggard {

ReachingProbability::ReachingProbability(const MarkovModel &model, std::uint32_t last) {
    for (const Transition &t : model.transitions)
        m_states.insert(m_states.end(), {t.from, t.to});
    if (last != none)
        m_states.push_back(last);
    std::sort(m_states.begin(), m_states.end());
    m_states.erase(std::unique(m_states.begin(), m_states.end()), m_states.end());

    std::vector<Transition> transitions;
    transitions.reserve(model.transitions.size());
    for (const Transition &t : model.transitions)
        transitions.push_back({find(t.from), find(t.to), t.count});
    m_forward = adjacency(m_states.size(), transitions, false);
    m_backward = adjacency(m_states.size(), transitions, true);

    // Counts of zero belong to transitions that lie ahead; before a state was ever left they are all that is known of it.
    for (Local s = 0; s < m_states.size(); ++s) {
        const auto begin = m_forward.weight.begin() + m_forward.first[s];
        const auto end = m_forward.weight.begin() + m_forward.first[s + 1];
        if (std::all_of(begin, end, [](double w) { return w == 0; }))
            std::fill(begin, end, 1.0);
    }
    if (last != none) {
        const Local local = find(last);
        if (m_forward.first[local] == m_forward.first[local + 1])
            m_unseen = local;
    }
}

ReachingProbability::Local ReachingProbability::find(std::uint32_t state) const {
    const auto place = std::lower_bound(m_states.begin(), m_states.end(), state);
    return place != m_states.end() && *place == state ? static_cast<Local>(place - m_states.begin()) : none;
}

ReachingProbability::Adjacency ReachingProbability::adjacency(std::size_t states, const std::vector<Transition> &transitions,
                                                              bool backward) {
    Adjacency result;
    result.first.assign(states + 1, 0);
    for (const Transition &t : transitions)
        ++result.first[(backward ? t.to : t.from) + 1];
    for (std::size_t s = 0; s < states; ++s)
        result.first[s + 1] += result.first[s];
    result.neighbour.resize(transitions.size());
    result.weight.resize(transitions.size());
    std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
    for (const Transition &t : transitions) {
        const std::uint32_t place = next[backward ? t.to : t.from]++;
        result.neighbour[place] = backward ? t.from : t.to;
        result.weight[place] = static_cast<double>(t.count);
    }
    return result;
}

std::vector<bool> ReachingProbability::leadingTo(std::vector<Local> targets, Local without, Local ignored, bool takenOnly) const {
    std::vector<bool> leads(m_states.size(), false);
    for (const Local target : targets)
        leads[target] = true;
    const auto isTaken = [this](Local from, Local to) {
        for (std::uint32_t e = m_forward.first[from]; e < m_forward.first[from + 1]; ++e)
            if (m_forward.neighbour[e] == to)
                return m_forward.weight[e] > 0;
        return false;
    };
    while (!targets.empty()) {
        const Local to = targets.back();
        targets.pop_back();
        for (std::uint32_t e = m_backward.first[to]; e < m_backward.first[to + 1]; ++e) {
            const Local from = m_backward.neighbour[e];
            if (leads[from] || from == without || from == ignored)
                continue;
            // A weight above zero is a count, except in states not left yet, whose weights only the forward list has.
            if (takenOnly && m_backward.weight[e] == 0 && !isTaken(from, to))
                continue;
            leads[from] = true;
            targets.push_back(from);
        }
    }
    return leads;
}

Reach ReachingProbability::reach(std::uint32_t from, std::uint32_t to) const {
    if (from == to)
        return Reach::Certain;
    const Local local = find(from);
    return local == none || find(to) == none ? Reach::Unseen : reachFromAll(to)[local];
}

std::vector<Reach> ReachingProbability::reachFromAll(std::uint32_t to) const {
    const Local target = find(to);
    const Local ignored = ignoredOnTheWayTo(target);
    const std::vector<bool> canReach = leadingTo({target}, none, ignored, false);
    std::vector<Local> missed;
    for (Local s = 0; s < m_states.size(); ++s)
        if (!canReach[s] && s != ignored)
            missed.push_back(s);
    const std::vector<bool> canMiss = leadingTo(std::move(missed), target, ignored, false);
    std::vector<Reach> result(m_states.size());
    for (Local s = 0; s < m_states.size(); ++s)
        result[s] = s == target    ? Reach::Certain
                    : s == ignored ? Reach::Unseen
                    : !canReach[s] ? Reach::Never
                    : canMiss[s]   ? Reach::Possible
                                   : Reach::Certain;
    return result;
}

std::vector<double> ReachingProbability::solve(Local to) const {
    const Local ignored = ignoredOnTheWayTo(to);
    const std::vector<bool> leads = leadingTo({to}, none, ignored, true);
    std::vector<int> row(m_states.size(), -1);
    int rows = 0;
    for (Local s = 0; s < m_states.size(); ++s)
        if (leads[s] && s != to)
            row[s] = rows++;
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd direct = Eigen::VectorXd::Zero(rows); // probability of the step into `to`
    for (Local s = 0; s < m_states.size(); ++s) {
        if (row[s] < 0)
            continue;
        double total = 0;
        for (std::uint32_t e = m_forward.first[s]; e < m_forward.first[s + 1]; ++e)
            total += m_forward.neighbour[e] == ignored ? 0 : m_forward.weight[e];
        entries.emplace_back(row[s], row[s], 1.0);
        for (std::uint32_t e = m_forward.first[s]; e < m_forward.first[s + 1]; ++e) {
            const Local next = m_forward.neighbour[e];
            if (next == to)
                direct[row[s]] += m_forward.weight[e] / total;
            else if (next != ignored && row[next] >= 0)
                entries.emplace_back(row[s], row[next], -m_forward.weight[e] / total);
        }
    }
    std::vector<double> values(m_states.size(), 0);
    values[to] = 1;
    if (rows == 0)
        return values;
    Eigen::SparseMatrix<double> matrix(rows, rows);
    matrix.setFromTriplets(entries.begin(), entries.end());
    // Every state of the system leads out of it, so that the matrix has an inverse.
    Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(matrix);
    const Eigen::VectorXd solution = solver.solve(direct);
    const bool solved = solver.info() == Eigen::Success && solution.allFinite();
    for (Local s = 0; s < m_states.size(); ++s)
        if (row[s] >= 0)
            values[s] = solved ? std::clamp(solution[row[s]], 0.0, 1.0) : std::numeric_limits<double>::quiet_NaN();
    return values;
}

std::vector<double> ReachingProbability::valuesFromAll(std::uint32_t to) const {
    const std::vector<Reach> classes = reachFromAll(to);
    const bool isDecided = std::none_of(classes.begin(), classes.end(), [](Reach r) { return r == Reach::Possible; });
    std::vector<double> values = isDecided ? std::vector<double>(classes.size(), 0) : solve(find(to));
    for (std::size_t s = 0; s < classes.size(); ++s) {
        if (classes[s] == Reach::Never)
            values[s] = 0;
        else if (classes[s] == Reach::Certain)
            values[s] = 1;
        else if (classes[s] == Reach::Unseen)
            values[s] = std::numeric_limits<double>::quiet_NaN();
    }
    return values;
}

double ReachingProbability::value(std::uint32_t from, std::uint32_t to) const {
    if (from == to)
        return 1;
    const Local local = find(from);
    return local == none || find(to) == none ? std::numeric_limits<double>::quiet_NaN() : valuesFromAll(to)[local];
}

} // namespace laggard
