// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/UnitCalls.h"
#include "analysis/units/UnitComparison.h"

#include <memory>
#include <set>

namespace laggard {

/// What all processes of a run are judged by.
struct UnitTerms {
    UnitTerms(const Trace &trace, const CallModel &model, const UnitsWanted &wanted);

    const Trace &trace;
    const CallModel &model;
    const UnitsWanted &wanted;
    std::vector<CallRole> roles; ///< by region
    CallNames names;
    std::vector<bool> knownLoops; ///< by call path: the wait of an event loop of the model
};

/// One of UnitSpans.
struct UnitSpan {
    LocationIndex location = none;
    Tick start = 0;
    Tick finish = 0;
    float score = 0;
    UnitKind kind = UnitKind::Handler;
};

/// What is found in one process.
struct ProcessReport {
    std::vector<UnitSpan> spans; ///< of the first look; at most one more than UnitSpans::most
    std::vector<JudgedUnit> units;
    std::vector<std::pair<LocationIndex, Tick>> judgedUpTo; ///< a further look: start of the latest whole unit
    std::optional<std::vector<CallModel::Stack>> signature; ///< a further look: where all of it is there
    std::uint64_t judged = 0, suspicious = 0, incomplete = 0, unplaced = 0;
    enum class State { NotRead, Judged, Unknown, Undecided } state = State::NotRead;
    bool hasLoop = false;
};

/// By score, the highest first, then start, then rank.
[[nodiscard]] bool ranksBefore(const JudgedUnit &a, const JudgedUnit &b);

/// Judges one process.
class ProcessJudge {
  public:
    ProcessJudge(const UnitTerms &terms, Rank rank, const Work &work);

    [[nodiscard]] ProcessReport judge();
    /// See unitTree.
    [[nodiscard]] std::optional<UnitTree> tree(const JudgedUnit &judged);

  private:
    [[nodiscard]] bool hasEnded() const;
    /// What an earlier look has seen, where this one lacks the beginning.
    [[nodiscard]] const std::vector<CallModel::Stack> *knownSignature() const;
    /// False for what an earlier look has judged, or a later one will.
    [[nodiscard]] bool isWanted(const ExecutionUnit &unit) const;
    /// Finds the kind of process: sets m_role, and what the report says about it.
    void decideRole();
    /// The only role that has all the calls that are there; asked where the beginning of the process is missing.
    const CallModel::Role *onlyRoleAround(const std::vector<CallModel::Stack> &signature) const;
    void addUnknownProcess();

    /// Those of the calls that the model does not have.
    void addStrangers(JudgedUnit &unit, const std::vector<CallPathId> &paths, const std::set<CallModel::Stack> &known) const;
    UnitComparison *comparisonOf(const ExecutionUnit &unit);
    /// nullptr: the role has no such units.
    [[nodiscard]] std::unique_ptr<UnitComparison> comparisonWith(const UnitKey &key) const;
    void noteJudged(const ExecutionUnit &unit);
    void judge(const ExecutionUnit &unit);

    [[nodiscard]] const ExecutionUnit *unitOf(const JudgedUnit &judged) const;
    /// Looks again at a unit that is reported.
    void addDifferences(JudgedUnit &judged);

    const UnitTerms &m_terms;
    const Trace &m_trace;
    Rank m_rank;
    const Work &m_work;
    ProcessUnits m_process;
    UnitCalls m_calls;
    const CallModel::Role *m_role = nullptr;
    std::map<UnitKey, std::unique_ptr<UnitComparison>> m_comparisons; ///< nullptr: the model has none
    std::map<std::pair<std::pair<UnitKind, std::uint32_t>, LocationIndex>, UnitComparison *> m_comparisonOf;
    ProcessReport m_report;
};

} // namespace laggard
