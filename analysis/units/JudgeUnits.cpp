// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/JudgeUnits.h"

#include "analysis/units/UnitCalls.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace laggard {
namespace {

constexpr std::uint32_t notLookedUp = none - 1;

/// One unit model beside the call paths of a trace.
class Comparison {
  public:
    Comparison(const Trace &trace, const CallNames &names, const CallModel::UnitModel &model)
        : m_trace(trace),
          m_names(names),
          m_model(model),
          m_scorer(model),
          m_inModel(trace.callPaths.size(), notLookedUp),
          m_position(trace.callPaths.size(), none) {
        for (std::uint32_t i = 0; i < model.calls.size(); ++i) {
            const CallModel::Call &call = model.calls[i];
            m_index.emplace(std::pair(call.parent, callName(call.function, call.site)), i);
        }
    }

    double score(const std::vector<CallPathId> &calls, bool isComplete) { return m_scorer.score(treeOf(calls), isComplete); }

    std::vector<UnitDifference> differences(const std::vector<CallPathId> &calls, bool isComplete) {
        std::vector<UnitDifference> result;
        for (const CallDifference &difference : m_scorer.differences(treeOf(calls), isComplete)) {
            if (result.size() == UnitReport::mostDifferences)
                break;
            result.push_back(difference.trialCall == none ? described(difference)
                                                          : described(difference, calls[difference.trialCall]));
        }
        return result;
    }

  private:
    /// With the calls' own order of positions; parents that are not in the unit are the loop's own.
    std::span<const TrialCall> treeOf(const std::vector<CallPathId> &calls) {
        m_tree.clear();
        for (std::uint32_t i = 0; i < calls.size(); ++i)
            m_position[calls[i]] = i;
        for (const CallPathId path : calls) {
            const CallPathId parent = m_trace.callPaths[path].parent;
            m_tree.push_back({parent == none ? none : m_position[parent], find(path)});
        }
        for (const CallPathId path : calls)
            m_position[path] = none;
        return m_tree;
    }

    std::uint32_t find(CallPathId path) {
        if (m_inModel[path] != notLookedUp)
            return m_inModel[path];
        const CallPathId parent = m_trace.callPaths[path].parent;
        const bool isCalledInUnit = parent != none && m_position[parent] != none;
        const std::uint32_t above = isCalledInUnit ? find(parent) : none;
        const bool isBelowUnknown = isCalledInUnit && above == none;
        const auto entry = isBelowUnknown ? m_index.end() : m_index.find(std::pair(above, m_names.name(path)));
        return m_inModel[path] = entry == m_index.end() ? none : entry->second;
    }

    [[nodiscard]] UnitDifference described(const CallDifference &difference) const {
        const CallModel::Call &call = m_model.calls[difference.modelCall];
        const std::string caller = call.parent == none ? std::string() : m_model.calls[call.parent].function;
        return {difference.kind,        call.function,   call.site, call.file, call.line, caller, none,
                difference.probability, difference.score};
    }
    [[nodiscard]] UnitDifference described(const CallDifference &difference, CallPathId path) const {
        const Region &region = m_trace.region(path);
        const CallPathId parent = m_trace.callPaths[path].parent;
        return {difference.kind,
                region.name,
                m_names.site(path),
                region.file,
                region.line,
                parent == none ? std::string() : m_trace.region(parent).name,
                path,
                difference.probability,
                difference.score};
    }

    const Trace &m_trace;
    const CallNames &m_names;
    const CallModel::UnitModel &m_model;
    SuspectScorer m_scorer;
    std::vector<std::uint32_t> m_inModel; ///< by call path
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_index;
    std::vector<std::uint32_t> m_position; ///< in the tree of the unit that is looked at, by call path
    std::vector<TrialCall> m_tree;
};

bool ranksBefore(const JudgedUnit &a, const JudgedUnit &b) {
    return std::tie(b.score, a.start, a.rank, a.location, a.row) < std::tie(a.score, b.start, b.rank, b.location, b.row);
}

/// Keeps the first of what may be very many.
void keepFirst(std::vector<JudgedUnit> &units) {
    if (units.size() > UnitReport::listed) {
        std::nth_element(units.begin(), units.begin() + UnitReport::listed, units.end(), ranksBefore);
        units.resize(UnitReport::listed);
    }
}

/// What all processes are judged by.
struct Terms {
    const Trace &trace;
    const CallModel &model;
    const UnitsWanted &wanted;
    std::vector<CallRole> roles;
    CallNames names;
    std::vector<bool> knownLoops;
};

std::vector<bool> knownLoopsOf(const Trace &trace, const CallModel &model, const std::vector<CallRole> &roles,
                               const CallNames &names) {
    std::set<CallModel::Stack> stacks;
    for (const CallModel::Role &role : model.roles)
        stacks.insert(role.loops.begin(), role.loops.end());
    std::vector<bool> known(trace.callPaths.size());
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path)
        known[path] = roles[trace.callPaths[path].region] == CallRole::Wait && stacks.contains(names.stack(path));
    return known;
}

struct ProcessReport {
    std::vector<JudgedUnit> units;
    std::vector<std::pair<LocationIndex, Tick>> judgedUpTo; ///< a further look: start of the latest whole unit
    std::optional<std::vector<CallModel::Stack>> signature; ///< a further look: where all of it is there
    std::uint64_t judged = 0, suspicious = 0, incomplete = 0, unplaced = 0;
    enum class State { NotRead, Judged, Unknown, Undecided } state = State::NotRead;
    bool hasLoop = false;
};

/// Judges one process.
class ProcessJudge {
  public:
    ProcessJudge(const Terms &terms, Rank rank, const Work &work)
        : m_terms(terms),
          m_trace(terms.trace),
          m_rank(rank),
          m_work(work),
          m_process(decompose(terms.trace, rank, terms.roles, terms.knownLoops)),
          m_calls(terms.trace) {}

    ProcessReport judge() {
        m_report.hasLoop = !m_process.loops.empty();
        if (m_terms.wanted.isFurtherLook() && !m_report.hasLoop && !hasEnded())
            return std::move(m_report);
        const std::vector<CallModel::Stack> *known = knownSignature();
        const std::vector<CallModel::Stack> signature = known != nullptr ? *known : m_terms.names.stacks(m_process.signature);
        if (m_terms.wanted.isFurtherLook() && m_process.isWholeFromStart && m_report.hasLoop)
            m_report.signature = signature;
        m_role = m_terms.model.roleWith(signature);
        if (m_role == nullptr && !m_process.isWholeFromStart && known == nullptr)
            m_role = onlyRoleAround(signature);
        if (m_role == nullptr) {
            m_report.state = m_process.isWholeFromStart ? ProcessReport::State::Unknown : ProcessReport::State::Undecided;
            if (m_process.isWholeFromStart)
                addUnknownProcess();
            return std::move(m_report);
        }
        m_report.state = ProcessReport::State::Judged;
        for (const ExecutionUnit &unit : m_process.units)
            if (isWanted(unit)) {
                judge(unit);
                noteJudged(unit);
            }
        keepFirst(m_report.units);
        for (JudgedUnit &unit : m_report.units)
            addDifferences(unit);
        return std::move(m_report);
    }

  private:
    [[nodiscard]] bool hasEnded() const {
        const ProcessEnd::Kind end = m_trace.processes[m_rank].end.kind;
        return end != ProcessEnd::Kind::Running && end != ProcessEnd::Kind::Unknown;
    }
    /// What an earlier look has seen, where this one lacks the beginning.
    [[nodiscard]] const std::vector<CallModel::Stack> *knownSignature() const {
        const auto &signatures = m_terms.wanted.signatures;
        return m_process.isWholeFromStart || m_rank >= signatures.size() ? nullptr : signatures[m_rank];
    }
    /// False for what an earlier look has judged, or a later one will.
    [[nodiscard]] bool isWanted(const ExecutionUnit &unit) const {
        const UnitsWanted &wanted = m_terms.wanted;
        return !wanted.isFurtherLook() || (unit.isComplete && unit.start >= wanted.startedFrom[unit.location]);
    }
    /// For a process whose beginning is missing: the one role that has all the calls that are there.
    const CallModel::Role *onlyRoleAround(const std::vector<CallModel::Stack> &signature) const {
        const CallModel::Role *only = nullptr;
        for (const CallModel::Role &role : m_terms.model.roles)
            if (std::includes(role.signature.begin(), role.signature.end(), signature.begin(), signature.end())) {
                if (only != nullptr)
                    return nullptr;
                only = &role;
            }
        return only;
    }

    void addUnknownProcess() {
        if (!m_process.units.empty() && !isWanted(m_process.units.front()))
            return; // it has been named
        JudgedUnit unit;
        unit.reason = JudgedUnit::Reason::UnknownProcess;
        unit.kind = UnitKind::Initializer;
        unit.rank = m_rank;
        unit.location = m_trace.processes[m_rank].mainLocation;
        unit.start = m_trace.locations[unit.location].firstEvent;
        unit.finish = m_trace.locations[unit.location].lastEvent;
        unit.score = 1;
        std::set<CallModel::Stack> known;
        for (const CallModel::Role &role : m_terms.model.roles)
            known.insert(role.signature.begin(), role.signature.end());
        addStrangers(unit, m_process.signature, known);
        m_report.judged = m_report.suspicious = 1;
        m_report.units.push_back(std::move(unit));
        if (!m_process.units.empty())
            noteJudged(m_process.units.front());
    }

    /// Those of the calls that the model does not have.
    void addStrangers(JudgedUnit &unit, const std::vector<CallPathId> &paths, const std::set<CallModel::Stack> &known) const {
        for (const CallPathId path : paths) {
            if (known.contains(m_terms.names.stack(path)) || unit.differences.size() == UnitReport::mostDifferences)
                continue;
            const Region &region = m_trace.region(path);
            const CallPathId parent = m_trace.callPaths[path].parent;
            unit.differences.push_back({CallDifference::Kind::Unknown, region.name, m_terms.names.site(path), region.file,
                                        region.line, parent == none ? std::string() : m_trace.region(parent).name, path, 0, 1});
        }
    }

    Comparison *comparisonOf(const ExecutionUnit &unit) {
        const std::pair number(unit.kind, unit.kind == UnitKind::Thread ? unit.begin : unit.connection);
        const auto [known, isNew] =
            m_comparisonOf.try_emplace({number, unit.kind == UnitKind::Thread ? unit.location : 0}, nullptr);
        if (!isNew)
            return known->second;
        const UnitKey key = keyOf(m_trace, m_terms.names, m_process, unit);
        auto [comparison, isFirst] = m_comparisons.try_emplace(key);
        if (isFirst)
            for (const CallModel::UnitModel &model : m_role->units)
                if (model.kind == key.kind && model.connection == key.connection)
                    comparison->second = std::make_unique<Comparison>(m_trace, m_terms.names, model);
        return known->second = comparison->second.get();
    }

    void noteJudged(const ExecutionUnit &unit) {
        if (!m_terms.wanted.isFurtherLook())
            return;
        if (m_report.judgedUpTo.empty() || m_report.judgedUpTo.back().first != unit.location)
            m_report.judgedUpTo.emplace_back(unit.location, unit.start);
        Tick &latest = m_report.judgedUpTo.back().second;
        latest = std::max(latest, unit.start);
    }

    void judge(const ExecutionUnit &unit) {
        throwIfCancelled(m_work);
        const std::vector<CallPathId> &calls = m_calls.of(unit);
        if (calls.empty())
            return;
        Comparison *comparison = comparisonOf(unit);
        if (comparison == nullptr && unit.connection == none && !m_process.isWholeFromStart) {
            ++m_report.unplaced; // what set its connection up may be among the events that are missing
            return;
        }
        ++m_report.judged;
        m_report.incomplete += unit.isComplete ? 0 : 1;
        const double score = comparison == nullptr ? 1 : comparison->score(calls, unit.isComplete);
        if (score <= 0 || score < m_terms.wanted.atLeast)
            return;
        ++m_report.suspicious;
        JudgedUnit judged;
        judged.reason = comparison == nullptr ? JudgedUnit::Reason::UnknownConnection : JudgedUnit::Reason::Calls;
        judged.kind = unit.kind;
        judged.rank = m_rank;
        judged.location = unit.location;
        judged.row = unit.receive == none ? unit.begin : unit.receive;
        judged.start = unit.start;
        judged.finish = unit.finish;
        judged.isComplete = unit.isComplete;
        judged.score = score;
        m_report.units.push_back(std::move(judged));
        if (m_report.units.size() > 4 * UnitReport::listed) // memory stays bounded, whatever the run's length
            keepFirst(m_report.units);
    }

    /// Looks again at a unit that is reported.
    void addDifferences(JudgedUnit &judged) {
        const auto unit = std::find_if(m_process.units.begin(), m_process.units.end(), [&](const ExecutionUnit &u) {
            return u.location == judged.location && (u.receive == none ? u.begin : u.receive) == judged.row;
        });
        if (unit->receive != none)
            for (const DescriptorCall &call : m_trace.locations[unit->location].events.descriptorCalls)
                if (call.row == unit->receive)
                    judged.descriptor = call.descriptor;
        if (Comparison *comparison = comparisonOf(*unit)) {
            judged.differences = comparison->differences(m_calls.of(*unit), unit->isComplete);
            return;
        }
        if (unit->connection == none)
            return;
        std::set<CallModel::Stack> known;
        for (const CallModel::UnitModel &model : m_role->units)
            known.insert(model.connection.begin(), model.connection.end());
        addStrangers(judged, m_process.connections[unit->connection].setUpBy, known);
    }

    const Terms &m_terms;
    const Trace &m_trace;
    Rank m_rank;
    const Work &m_work;
    ProcessUnits m_process;
    UnitCalls m_calls;
    const CallModel::Role *m_role = nullptr;
    std::map<UnitKey, std::unique_ptr<Comparison>> m_comparisons; ///< nullptr: the model has none
    std::map<std::pair<std::pair<UnitKind, std::uint32_t>, LocationIndex>, Comparison *> m_comparisonOf;
    ProcessReport m_report;
};

} // namespace

UnitReport judgeUnits(const Trace &trace, const CallModel &model, const UnitsWanted &wanted, const Work &work) {
    std::vector<CallRole> roles = rolesOf(trace);
    CallNames names(trace);
    std::vector<bool> knownLoops = knownLoopsOf(trace, model, roles, names);
    const Terms terms{trace, model, wanted, std::move(roles), std::move(names), std::move(knownLoops)};
    std::vector<ProcessReport> reports(trace.processes.size());
    forEachParallel(reports.size(), work, [&](std::size_t rank, unsigned) {
        if (trace.isRead(static_cast<Rank>(rank)) && trace.processes[rank].mainLocation != none)
            reports[rank] = ProcessJudge(terms, static_cast<Rank>(rank), work).judge();
    });
    UnitReport report;
    report.nextFrom = wanted.startedFrom;
    report.signatures.resize(wanted.isFurtherLook() ? reports.size() : 0);
    using State = ProcessReport::State;
    for (Rank rank = 0; rank < reports.size(); ++rank) {
        ProcessReport &process = reports[rank];
        if (process.state == State::NotRead)
            continue;
        if (wanted.isFurtherLook())
            report.signatures[rank] = std::move(process.signature);
        for (const auto &[location, start] : process.judgedUpTo)
            report.nextFrom[location] = std::max(report.nextFrom[location], start + 1);
        report.judged += process.judged;
        report.suspicious += process.suspicious;
        report.incomplete += process.incomplete;
        report.unplaced += process.unplaced;
        report.processes += process.state == State::Undecided ? 0 : 1;
        if (process.state == State::Unknown)
            report.unknown.push_back(rank);
        else if (process.state == State::Undecided)
            report.undecided.push_back(rank);
        else if (!process.hasLoop)
            report.withoutLoop.push_back(rank);
        std::move(process.units.begin(), process.units.end(), std::back_inserter(report.units));
        process.units.clear();
    }
    std::sort(report.units.begin(), report.units.end(), ranksBefore);
    if (report.units.size() > UnitReport::listed)
        report.units.resize(UnitReport::listed);
    return report;
}

} // namespace laggard
