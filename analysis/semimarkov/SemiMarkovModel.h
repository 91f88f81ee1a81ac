// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Phases.h"
#include "analysis/semimarkov/TimeDistribution.h"

#include <vector>

namespace laggard {

/// A transition of a semi-Markov model: how often it was taken and how long its source state lasted before, in seconds.
struct ModelTransition {
    std::uint32_t transition = 0; ///< in StateTable::transitions
    TimeMoments times;            ///< seconds; `times.count` is how often
    bool operator==(const ModelTransition &) const = default;
};

/// The semi-Markov model (AutomaDeD §2.1) of a rank in a phase, or of several put together. A value: 40 bytes a transition, and
/// 328 more with histograms.
struct SemiMarkovModel {
    std::vector<ModelTransition> transitions; ///< sorted by number, so that those out of one state stand together
    std::vector<Histogram> histograms;        ///< seconds, one per transition; empty if only Gaussians were asked for

    [[nodiscard]] bool empty() const { return transitions.empty(); }
    /// Probability of each transition once its source state was entered (observed frequency), in their order.
    [[nodiscard]] std::vector<double> probabilities(const StateTable &table) const;
    /// Adds the transitions of another one (two ranks, or two runs).
    void merge(const SemiMarkovModel &other);
    bool operator==(const SemiMarkovModel &other) const { return transitions == other.transitions; }
};

/// What makes models from histories. Has scratch space: one per thread.
class ModelMaker {
  public:
    /// `buckets`: largest number of buckets of a histogram.
    ModelMaker(const StateTable &table, bool histograms, std::uint32_t buckets = Histogram::maxBuckets);

    /// The model of a rank's phase.
    [[nodiscard]] SemiMarkovModel make(const RunHistory &run, std::size_t rank, const PhaseSpan &span);
    /// The model of a span as if the trace had ended in its row number `rows` − 1: that state counts as not returned, with the
    /// time it took. The counterpart of a phase that was cut off by the end after so many states; the whole span if it has no
    /// more. A summarised history knows this of its own cut phase only: else it gives the whole span.
    [[nodiscard]] SemiMarkovModel makeCut(const RunHistory &run, std::size_t rank, const PhaseSpan &span, double states);

  private:
    void add(std::uint32_t transition, const TimeMoments &times);
    void addRow(const RunHistory &run, const RankHistory &history, std::uint32_t row, std::uint32_t transition);
    [[nodiscard]] SemiMarkovModel take();

    const StateTable *m_table;
    bool m_histograms;
    std::uint32_t m_buckets;
    std::vector<std::uint32_t> m_slot; ///< by transition: position in m_model, or `none`
    SemiMarkovModel m_model;
    std::vector<std::uint32_t> m_order; ///< order of the model's transitions, by number
};

} // namespace laggard
