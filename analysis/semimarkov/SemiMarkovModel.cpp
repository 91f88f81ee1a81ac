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
    // Models of many clusters are kept: they shall not have room for twice their transitions.
    merged.transitions.reserve(std::max(transitions.size(), other.transitions.size()));
    if (withHistograms)
        merged.histograms.reserve(merged.transitions.capacity());
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

void ModelMaker::add(std::uint32_t transition, const TimeMoments &times) {
    std::uint32_t &slot = m_slot[transition];
    if (slot == none) {
        slot = static_cast<std::uint32_t>(m_model.transitions.size());
        m_model.transitions.push_back({transition, {}});
        if (m_histograms)
            m_model.histograms.emplace_back();
    }
    if (times.count == 1)
        m_model.transitions[slot].times.add(times.mean);
    else
        m_model.transitions[slot].times.merge(times);
    if (m_histograms)
        m_model.histograms[slot].add(times.mean, times.count, m_buckets);
}

void ModelMaker::addRow(const RunHistory &run, const RankHistory &history, std::uint32_t row, std::uint32_t transition) {
    const double squares = history.isSummary() ? history.squares[row] : 0;
    add(transition,
        {history.countOf(row), run.seconds(history.duration(row)), squares * run.secondsPerTick * run.secondsPerTick});
}

SemiMarkovModel ModelMaker::take() {
    SemiMarkovModel result;
    result.transitions.reserve(m_model.transitions.size());
    result.histograms.reserve(m_model.histograms.size());
    std::vector<std::uint32_t> &order = m_order;
    order.clear();
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
    for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
        addRow(run, history, row, span.transitionOf(history, row));
    return take();
}

SemiMarkovModel ModelMaker::makeCut(const RunHistory &run, std::size_t rank, const PhaseSpan &span, double states) {
    const RankHistory &history = run.ranks[rank];
    if (history.isSummary()) {
        const auto cut = std::find_if(history.asIfCut.begin(), history.asIfCut.end(),
                                      [&](const CutPhase &p) { return p.begin == span.begin && p.states == states; });
        if (cut == history.asIfCut.end())
            return make(run, rank, span);
        for (std::size_t i = 0; i < cut->transition.size(); ++i)
            add(cut->transition[i],
                {cut->count[i], run.seconds(cut->ticks[i]), cut->squares[i] * run.secondsPerTick * run.secondsPerTick});
        return take();
    }
    if (states < 1 || states > span.rows())
        return make(run, rank, span);
    const std::uint32_t last = span.firstRow + static_cast<std::uint32_t>(states) - 1;
    for (std::uint32_t row = span.firstRow; row < last; ++row)
        addRow(run, history, row, history.transition[row]);
    const std::uint32_t from = m_table->transitions[history.transition[last]].from;
    const std::uint32_t censored = m_table->find(from, m_table->notReturned);
    addRow(run, history, last, censored == none ? history.transition[last] : censored);
    return take();
}

} // namespace laggard
