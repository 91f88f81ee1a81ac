// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/SemiMarkovModel.h"

#include <algorithm>

namespace laggard {

std::vector<double> SemiMarkovModel::probabilities(const StateTable &table) const {
    std::vector<double> result(transitions.size());
    for (std::size_t begin = 0; begin < transitions.size();) {
        const std::uint32_t from = table.transitions[transitions[begin].transition].from;
        std::size_t end = begin;
        double total = 0;
        for (; end < transitions.size() && table.transitions[transitions[end].transition].from == from; ++end)
            total += transitions[end].times.count;
        for (; begin < end; ++begin)
            result[begin] = transitions[begin].times.count / total;
    }
    return result;
}

void SemiMarkovModel::merge(const SemiMarkovModel &other) {
    const bool withHistograms = (histograms.empty() ? transitions.empty() : true) && !other.histograms.empty();
    SemiMarkovModel merged;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < transitions.size() || j < other.transitions.size()) {
        const std::uint32_t a = i < transitions.size() ? transitions[i].transition : none;
        const std::uint32_t b = j < other.transitions.size() ? other.transitions[j].transition : none;
        ModelTransition next{std::min(a, b), {}};
        Histogram histogram;
        if (a <= b) {
            next.times = transitions[i].times;
            if (withHistograms)
                histogram = histograms[i];
            ++i;
        }
        if (b <= a) {
            next.times.merge(other.transitions[j].times);
            if (withHistograms)
                histogram.merge(other.histograms[j]);
            ++j;
        }
        merged.transitions.push_back(next);
        if (withHistograms)
            merged.histograms.push_back(histogram);
    }
    *this = std::move(merged);
}

ModelMaker::ModelMaker(const StateTable &table, bool histograms, std::uint32_t buckets)
    : m_table(&table),
      m_histograms(histograms),
      m_buckets(std::clamp<std::uint32_t>(buckets, 1, Histogram::maxBuckets)),
      m_slot(table.transitions.size(), none) {}

void ModelMaker::add(std::uint32_t transition, double seconds) {
    std::uint32_t &slot = m_slot[transition];
    if (slot == none) {
        slot = static_cast<std::uint32_t>(m_model.transitions.size());
        m_model.transitions.push_back({transition, {}});
        if (m_histograms)
            m_model.histograms.emplace_back();
    }
    m_model.transitions[slot].times.add(seconds);
    if (m_histograms)
        m_model.histograms[slot].add(seconds, 1, m_buckets);
}

SemiMarkovModel ModelMaker::take() {
    SemiMarkovModel result;
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < m_model.transitions.size(); ++i) {
        m_slot[m_model.transitions[i].transition] = none;
        order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
        return m_model.transitions[a].transition < m_model.transitions[b].transition;
    });
    for (const std::uint32_t i : order) {
        result.transitions.push_back(m_model.transitions[i]);
        if (m_histograms)
            result.histograms.push_back(m_model.histograms[i]);
    }
    m_model.transitions.clear();
    m_model.histograms.clear();
    return result;
}

SemiMarkovModel ModelMaker::make(const RunHistory &run, std::size_t rank, const PhaseSpan &span) {
    const RankHistory &history = run.ranks[rank];
    for (std::uint32_t row = span.firstRow; row < span.endRow; ++row) {
        const bool adapted = row + 1 == span.endRow && span.lastAs != none;
        add(adapted ? span.lastAs : history.transition[row], run.seconds(history.duration(row)));
    }
    return take();
}

SemiMarkovModel ModelMaker::makeCut(const RunHistory &run, std::size_t rank, const PhaseSpan &span, std::uint32_t rows) {
    if (rows == 0 || rows > span.rows())
        return make(run, rank, span);
    const RankHistory &history = run.ranks[rank];
    const std::uint32_t last = span.firstRow + rows - 1;
    for (std::uint32_t row = span.firstRow; row < last; ++row)
        add(history.transition[row], run.seconds(history.duration(row)));
    const std::uint32_t from = m_table->transitions[history.transition[last]].from;
    const std::uint32_t censored = m_table->find(from, m_table->notReturned);
    add(censored == none ? history.transition[last] : censored, run.seconds(history.duration(last)));
    return take();
}

} // namespace laggard
