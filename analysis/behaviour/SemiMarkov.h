// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/ClusterIsolation.h"
#include "analysis/automaded/TransitionAnalysis.h"
#include "analysis/behaviour/PhaseTimes.h"
#include "analysis/behaviour/SetApart.h"
#include "analysis/behaviour/StatePlaces.h"
#include "analysis/behaviour/ToldCut.h"

#include "analysis/messages/RepeatedMessages.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace laggard {

/// A message that a rank of a hanging job waits for although it was sent.
struct AwaitedMessage {
    Rank from = 0;
    Rank to = 0;
    Tick sent = 0;
};

struct SemiMarkovOptions {
    std::string phase;          ///< region that delimits phases; empty: found (findPhases)
    std::uint32_t clusters = 0; ///< expected number; 0: by the largest gap
    std::uint32_t group = 0;    ///< consecutive iterations are joined into so many phases per set; 0: not
    DistributionKind distribution = DistributionKind::Gaussian;
    std::uint32_t buckets = Histogram::maxBuckets; ///< buckets of a histogram, 1 … Histogram::maxBuckets
    RankSet leastProgressed;                       ///< whom the waits of a hanging job lead to (progress analysis); may be empty
    std::vector<AwaitedMessage> awaited;           ///< messages that `leastProgressed` wait for (progress analysis); may be empty
    std::uint32_t transitions = 5;                 ///< characteristic transitions per cluster
    std::optional<std::vector<RepeatedMessage>> repeated = {}; ///< messages that came twice, where they were looked for before
};

/// What one of the paper's methods says about the phase (AutomaDeD §4.2).
struct PhaseAnswer {
    bool permanent = false;     ///< it looks for a shift, not for an exception
    bool samples = false;       ///< it compares with the references
    bool clusterMetric = false; ///< Mirkin distance of clusterings instead of Diff of models
    std::optional<std::uint32_t> phase;
    bool clear = false;         ///< 2-means on its scores shows two separate classes: not just the largest of like values
    std::vector<double> scores; ///< by phase
    [[nodiscard]] std::string name() const;
};

/// What one method says about the cluster (AutomaDeD §4.3, §4.4).
struct ClusterAnswer {
    enum class Method : std::uint8_t { Smm, Cluster, Contrast, FirstAbnormal, FirstAbnormalByOthers };
    Method method = Method::Smm;
    std::optional<std::uint32_t> cluster;
    [[nodiscard]] std::string name() const;
    [[nodiscard]] bool isOurs() const { return method == Method::FirstAbnormalByOthers; }
};

/// What one method says about the transition (AutomaDeD §4.3, §4.4).
struct TransitionAnswer {
    enum class Method : std::uint8_t { Characteristic, EarliestAbnormal, EarliestAbnormalByOthers, Theta };
    Method method = Method::Characteristic; ///< Characteristic: for the cluster that the SMM metric names, or the only one
    std::vector<std::uint32_t> transitions; ///< best first, at most SemiMarkovOptions::transitions
    std::optional<Rank> rank;               ///< the first transition's rank, where the method tells it
    [[nodiscard]] std::string name() const;
    [[nodiscard]] bool isOurs() const { return method == Method::EarliestAbnormalByOthers; }
};

/// A transition that belongs to the one that a hang is about (ours).
struct RelatedTransition {
    enum class Role : std::uint8_t {
        Expected, ///< how the state that was not left had been left before: the fault is on this way
        Sending,  ///< out of, or into, the call that sent a message which has not arrived: the other end of what is waited for
    };
    Role role = Role::Expected;
    std::uint32_t transition = none; ///< in StateTable::transitions
    RankSet ranks;                   ///< whose it is
    std::uint32_t phase = none;      ///< in PhaseTable::phases; `none` outside
    Tick time = 0;                   ///< when its state was entered
    double share = 0;                ///< if Expected: share of the times that the state was left
    std::string why;                 ///< a sentence for people
};

/// The combined answer.
struct SemiMarkovVerdict {
    static constexpr std::size_t mostCandidates = 50;
    static constexpr std::size_t mostRelated = 4;
    enum class Kind : std::uint8_t {
        NothingUnusual,
        Temporary, ///< one phase is an exception
        Permanent, ///< behaviour shifts with the phase, and stays
        Hang,      ///< `occurrence` was not returned from while others wait
        HangInMpi, ///< all ranks that did not return are in MPI, in or after `phase`. Times tell a call that never lasts long
                   ///< from one that waits; else whom the waits lead to goes first.
        RepeatedMessage, ///< a message came twice; `occurrence` is the call that sent it. Counts, not times, tell of it
    };
    Kind kind = Kind::NothingUnusual;
    std::optional<std::uint32_t> phase;
    RankSet ranks;                          ///< where it shows first; empty where nothing is named
    std::optional<Occurrence> occurrence;   ///< the transition in time
    std::optional<Occurrence> before;       ///< if HangInMpi: what was unusual before, if anything was
    std::vector<Occurrence> candidates;     ///< further abnormal occurrences of the window, by corrected start; with `occurrence`
                                            ///< at most `mostCandidates`
    std::vector<RelatedTransition> related; ///< for a hang: most important first; at most `mostRelated`
    std::optional<PermanentShift> shift;    ///< if permanent
    double excess = 0;                      ///< seconds: the run's largest excess in computation
    double alarm = 0;                       ///< seconds: an excess from here on counts as unusual
    double agreement = 0;                   ///< 0..1: share of the paper's methods that gave an answer and agree
    double confidence = 0;                  ///< 0..1
    std::string why;                        ///< one or two sentences for people
    std::string brief;                      ///< the first of them, or what it says in short
};

/// The model of a cluster's ranks together in the shown phase, Gaussians and histograms, for drawing (Figure 5).
struct ClusterModel {
    SemiMarkovModel model;
    std::vector<double> probabilities; ///< by transition of the model
    std::vector<CharacteristicTransition> characteristic;
};

/// Everything AutomaDeD says of a run. Immutable; holds no reference to the traces.
struct SemiMarkovReport {
    SemiMarkovOptions options;
    Histories histories; ///< run 0 is the judged one
    PhaseTable phases;
    ModelScale scale;
    PhaseTimes times;
    std::vector<TimeRange> ranges; ///< by phase: PhaseTable::range of the judged run
    PhaseDeviation deviation;
    ClusterDeviation clusterDeviation;
    std::vector<PhaseAnswer> phaseAnswers;

    /// The phase that clusters, transitions and models are about: that of the verdict; if nothing is unusual, the one with the
    /// highest score.
    std::uint32_t shownPhase = 0;
    PhaseHierarchy hierarchy;             ///< its dendrogram; cut at clusterDeviation.threshold unless the user moves it
    std::vector<std::uint32_t> clusterOf; ///< by rank; `none` without the phase. The verdict has no part in it
    std::vector<SmmCluster> clusters;
    std::vector<double> rankDeviation; ///< by rank: deviation from its own counterparts
    std::vector<ClusterAnswer> clusterAnswers;
    std::optional<std::uint32_t> faultyCluster; ///< the one that has the verdict's rank; nothing if nothing is unusual
    std::optional<SetApart> setApart;           ///< the verdict's ranks, if that cluster has others, too
    std::vector<ClusterModel> models;           ///< by cluster
    std::optional<ToldCut> told;                ///< clusters that are told in place of these, which differ too little
    std::vector<StatePlace> places;             ///< by state: the function where its time went in the shown phase
    std::vector<std::uint32_t> natural;         ///< natural groups by rank; empty if they say nothing

    AbnormalTransitions abnormal; ///< in the shown phase, by the references (the paper), else by all other phases (ours)
    /// Without references: judged by the first phase of its set (the paper); nothing if the shown phase is the first.
    std::optional<AbnormalTransitions> abnormalByFirst;
    std::vector<Theta> theta;
    std::vector<TransitionAnswer> transitionAnswers;
    SemiMarkovVerdict verdict;
    std::vector<std::string> notes; ///< what a reader must know (references left out, a shortcut taken), for people

    /// True if there was anything to analyse.
    [[nodiscard]] bool empty() const { return phases.size() == 0; }
};

/// Runs all methods and combines them (docs/algorithms/semi-markov.md, combined.md). References are other traces of the same
/// program; those with another number of ranks are left out with a note. Trace and references may be jobs of model dumps. Throws
/// std::invalid_argument if `options.phase` names no region that was entered, or a model dump has other phases; and Cancelled.
[[nodiscard]] SemiMarkovReport analyseSemiMarkov(const Trace &trace, std::span<const TracePtr> references,
                                                 const SemiMarkovOptions &options, const Work &work);

/// The same report with another phase shown: its clusters, their models, what is abnormal in it. The verdict is the old one, and
/// names no cluster of a phase that it is not about. Histories and phases are shared with `report`, which must not be empty.
/// Throws Cancelled.
[[nodiscard]] SemiMarkovReport reportOfPhase(const SemiMarkovReport &report, const Trace &trace, std::uint32_t phase,
                                             const Work &work);

/// Ranks of some phase put together, with histograms: for views that look at other phases or other clusters.
[[nodiscard]] SemiMarkovModel mergedModel(const SemiMarkovReport &report, std::size_t run, std::size_t phase,
                                          const RankSet &ranks);

} // namespace laggard
