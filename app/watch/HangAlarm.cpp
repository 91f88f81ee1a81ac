// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/HangAlarm.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>

namespace laggard::watch {
namespace {

constexpr double z95 = 1.96; // 95 % of a normal distribution are within

/// The largest chance that fits `hits` of `n`: Wilson's upper bound.
double upperBound(std::size_t hits, std::size_t n) {
    const auto count = static_cast<double>(n);
    const double share = static_cast<double>(hits) / count;
    const double square = z95 * z95;
    const double middle = share + square / (2 * count);
    const double width = z95 * std::sqrt(share * (1 - share) / count + square / (4 * count * count));
    return std::min(1.0, (middle + width) / (1 + square / count));
}

} // namespace

bool looksRandom(const std::vector<double> &values) {
    if (values.size() < 2)
        return true;
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double above = 0;
    double runs = 0;
    bool wasAbove = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool isAbove = values[i] > mean;
        above += isAbove ? 1 : 0;
        runs += i == 0 || isAbove != wasAbove ? 1 : 0;
        wasAbove = isAbove;
    }
    const double below = static_cast<double>(values.size()) - above;
    if (above == 0 || below == 0)
        return true;
    const double n = above + below;
    const double expected = 2 * above * below / n + 1;
    const double variance = (expected - 1) * (expected - 2) / (n - 1);
    return variance <= 0 || std::abs(runs - expected) <= z95 * std::sqrt(variance);
}

void HangAlarm::add(double share) {
    m_samples.push_back(share);
    ++m_row;
    if (m_samples.size() > most)
        m_samples.erase(m_samples.begin(), m_samples.begin() + most / 2);
    m_row = std::min(m_row, m_samples.size());
    m_isRaised = isUnlikely();
    if (!m_isRaised)
        checkInterval();
}

/// Any level may be the one that the job does not get above any more: one rank of ten that computes for ever is a share of 0.1.
/// As all are tried, each has to be as much less likely.
bool HangAlarm::isUnlikely() const {
    std::vector<double> levels = m_samples;
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    const double needed = std::log(chance / static_cast<double>(levels.size()));
    for (const double level : levels) {
        const auto isAbove = [level](double value) { return value > level; };
        const auto last = std::find_if(m_samples.rbegin(), m_samples.rend(), isAbove);
        const auto row = std::min(m_row, static_cast<std::size_t>(last - m_samples.rbegin()));
        const std::size_t before = m_samples.size() - row;
        if (row == 0 || before < fewest)
            continue;
        const auto hits = static_cast<std::size_t>(
            std::count_if(m_samples.begin(), m_samples.begin() + static_cast<std::ptrdiff_t>(before), std::not_fn(isAbove)));
        if (static_cast<double>(row) * std::log(upperBound(hits, before)) <= needed)
            return true;
    }
    return false;
}

/// The row of like samples at the end may be the hang that is looked for, and is left out.
void HangAlarm::checkInterval() {
    std::size_t varied = m_samples.size();
    while (varied > 1 && m_samples[varied - 2] == m_samples.back())
        --varied;
    if (varied < m_nextCheck)
        return;
    const std::vector<double> past(m_samples.begin(), m_samples.begin() + static_cast<std::ptrdiff_t>(varied));
    if (looksRandom(past) || m_interval * 2 > longestInterval) {
        m_nextCheck = std::min(most / 2, varied * 2);
        return;
    }
    m_interval *= 2;
    std::vector<double> half;
    for (std::size_t i = m_samples.size() % 2 == 0 ? 1 : 0; i < m_samples.size(); i += 2)
        half.push_back(m_samples[i]);
    m_samples = half;
    m_row = (m_row + 1) / 2;
    m_nextCheck = std::max(fewest, m_samples.size() + fewest / 2);
}

} // namespace laggard::watch
