// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/ProcessJudge.h"

#include <algorithm>
#include <tuple>

namespace laggard {
namespace {

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

/// Keeps the first of what may be very many.
void keepFirst(std::vector<JudgedUnit> &units) {
    if (units.size() > UnitReport::listed) {
        std::nth_element(units.begin(), units.begin() + UnitReport::listed, units.end(), ranksBefore);
        units.resize(UnitReport::listed);
    }
}

} // namespace

bool ranksBefore(const JudgedUnit &a, const JudgedUnit &b) {
    return std::tie(b.score, a.start, a.rank, a.location, a.row) < std::tie(a.score, b.start, b.rank, b.location, b.row);
}

UnitTerms::UnitTerms(const Trace &ofTrace, const CallModel &byModel, const UnitsWanted &what)
    : trace(ofTrace),
      model(byModel),
      wanted(what),
      roles(rolesOf(ofTrace)),
      names(ofTrace),
      knownLoops(knownLoopsOf(ofTrace, byModel, roles, names)) {}

ProcessJudge::ProcessJudge(const UnitTerms &terms, Rank rank, const Work &work)
    : m_terms(terms),
      m_trace(terms.trace),
      m_rank(rank),
      m_work(work),
      m_process(decompose(terms.trace, rank, terms.roles, terms.knownLoops)),
      m_calls(terms.trace, terms.names) {}

void ProcessJudge::decideRole() {
    const std::vector<CallModel::Stack> *known = knownSignature();
    const std::vector<CallModel::Stack> signature = known != nullptr ? *known : m_terms.names.stacks(m_process.signature);
    if (m_terms.wanted.isFurtherLook() && m_process.isWholeFromStart && m_report.hasLoop)
        m_report.signature = signature;
    m_role = m_terms.model.roleWith(signature);
    if (m_role == nullptr && !m_process.isWholeFromStart && known == nullptr)
        m_role = onlyRoleAround(signature);
    m_report.state = m_role != nullptr            ? ProcessReport::State::Judged
                     : m_process.isWholeFromStart ? ProcessReport::State::Unknown
                                                  : ProcessReport::State::Undecided;
}

ProcessReport ProcessJudge::judge() {
    m_report.hasLoop = !m_process.loops.empty();
    if (m_terms.wanted.isFurtherLook() && !m_report.hasLoop && !hasEnded())
        return std::move(m_report);
    decideRole();
    if (m_report.state == ProcessReport::State::Unknown)
        addUnknownProcess();
    if (m_report.state != ProcessReport::State::Judged)
        return std::move(m_report);
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

std::optional<UnitTree> ProcessJudge::tree(const JudgedUnit &judged) {
    decideRole();
    const ExecutionUnit *unit = unitOf(judged);
    if (m_role == nullptr || unit == nullptr || judged.reason == JudgedUnit::Reason::UnknownProcess)
        return std::nullopt;
    const std::vector<CallPathId> &calls = m_calls.of(*unit);
    if (UnitComparison *comparison = comparisonOf(*unit))
        return comparison->tree(calls, unit->isComplete);
    const CallModel::UnitModel nothing; // of which all calls are unknown
    UnitTree tree = UnitComparison(m_trace, m_terms.names, nothing).tree(calls, unit->isComplete);
    tree.score = 1;
    return tree;
}

const ExecutionUnit *ProcessJudge::unitOf(const JudgedUnit &judged) const {
    // Those of a thread stand together, in order of their rows; threads are in the process's order.
    const std::vector<ExecutionUnit> &units = m_process.units;
    const std::vector<LocationIndex> &threads = m_trace.processes[m_rank].locations;
    const auto placeOf = [&](LocationIndex location) { return std::find(threads.begin(), threads.end(), location); };
    const auto thread = placeOf(judged.location);
    const auto behind = std::partition_point(units.begin(), units.end(), [&](const ExecutionUnit &unit) {
        return unit.location == judged.location ? unit.begin <= judged.row : placeOf(unit.location) < thread;
    });
    if (behind == units.begin())
        return nullptr;
    const ExecutionUnit &unit = *std::prev(behind);
    const bool isIt = unit.location == judged.location && (unit.receive == none ? unit.begin : unit.receive) == judged.row;
    return isIt ? &unit : nullptr;
}

bool ProcessJudge::hasEnded() const {
    const ProcessEnd::Kind end = m_trace.processes[m_rank].end.kind;
    return end != ProcessEnd::Kind::Running && end != ProcessEnd::Kind::Unknown;
}

const std::vector<CallModel::Stack> *ProcessJudge::knownSignature() const {
    const auto &signatures = m_terms.wanted.signatures;
    return m_process.isWholeFromStart || m_rank >= signatures.size() ? nullptr : signatures[m_rank];
}

bool ProcessJudge::isWanted(const ExecutionUnit &unit) const {
    const UnitsWanted &wanted = m_terms.wanted;
    return !wanted.isFurtherLook() || (unit.isComplete && unit.start >= wanted.startedFrom[unit.location]);
}

const CallModel::Role *ProcessJudge::onlyRoleAround(const std::vector<CallModel::Stack> &signature) const {
    const CallModel::Role *only = nullptr;
    for (const CallModel::Role &role : m_terms.model.roles)
        if (std::includes(role.signature.begin(), role.signature.end(), signature.begin(), signature.end())) {
            if (only != nullptr)
                return nullptr;
            only = &role;
        }
    return only;
}

void ProcessJudge::addUnknownProcess() {
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
    if (!m_terms.wanted.isFurtherLook())
        m_report.spans.push_back({unit.location, unit.start, unit.finish, 1, unit.kind});
    m_report.units.push_back(std::move(unit));
    if (!m_process.units.empty())
        noteJudged(m_process.units.front());
}

void ProcessJudge::addStrangers(JudgedUnit &unit, const std::vector<CallPathId> &paths,
                                const std::set<CallModel::Stack> &known) const {
    for (const CallPathId path : paths) {
        if (known.contains(m_terms.names.stack(path)) || unit.differences.size() == UnitReport::mostDifferences)
            continue;
        const Region &region = m_trace.region(path);
        const CallPathId parent = m_trace.callPaths[path].parent;
        unit.differences.push_back({CallDifference::Kind::Unknown, region.name, m_terms.names.site(path), region.file,
                                    region.line, parent == none ? std::string() : m_trace.region(parent).name, path, 0, 1});
    }
}

std::unique_ptr<UnitComparison> ProcessJudge::comparisonWith(const UnitKey &key) const {
    for (const CallModel::UnitModel &model : m_role->units)
        if (model.kind == key.kind && model.connection == key.connection)
            return std::make_unique<UnitComparison>(m_trace, m_terms.names, model);
    if (key.kind != UnitKind::Turn)
        return nullptr;
    // That there was always something to receive when the model was made is no reason to suspect a turn in which there is not:
    // what the loop does around a receive, it does here as well.
    auto around = std::make_unique<const CallModel::UnitModel>(m_role->anyHandler());
    return around->units == 0 ? nullptr : std::make_unique<UnitComparison>(m_trace, m_terms.names, std::move(around));
}

UnitComparison *ProcessJudge::comparisonOf(const ExecutionUnit &unit) {
    const std::pair number(unit.kind, unit.kind == UnitKind::Thread ? unit.begin : unit.connection);
    const auto [known, isNew] = m_comparisonOf.try_emplace({number, unit.kind == UnitKind::Thread ? unit.location : 0}, nullptr);
    if (!isNew)
        return known->second;
    const UnitKey key = keyOf(m_trace, m_terms.names, m_process, unit);
    auto [comparison, isFirst] = m_comparisons.try_emplace(key);
    if (isFirst)
        comparison->second = comparisonWith(key);
    return known->second = comparison->second.get();
}

void ProcessJudge::noteJudged(const ExecutionUnit &unit) {
    if (!m_terms.wanted.isFurtherLook())
        return;
    if (m_report.judgedUpTo.empty() || m_report.judgedUpTo.back().first != unit.location)
        m_report.judgedUpTo.emplace_back(unit.location, unit.start);
    Tick &latest = m_report.judgedUpTo.back().second;
    latest = std::max(latest, unit.start);
}

void ProcessJudge::judge(const ExecutionUnit &unit) {
    throwIfCancelled(m_work);
    const std::vector<CallPathId> &calls = m_calls.of(unit);
    if (calls.empty())
        return;
    UnitComparison *comparison = comparisonOf(unit);
    if (comparison == nullptr && unit.connection == none && !m_process.isWholeFromStart) {
        ++m_report.unplaced; // what set its connection up may be among the events that are missing
        return;
    }
    ++m_report.judged;
    m_report.incomplete += unit.isComplete ? 0 : 1;
    const double score = comparison == nullptr ? 1 : comparison->score(calls, unit.isComplete);
    if (!m_terms.wanted.isFurtherLook() && m_report.spans.size() <= UnitSpans::most)
        m_report.spans.push_back({unit.location, unit.start, unit.finish, static_cast<float>(score), unit.kind});
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

void ProcessJudge::addDifferences(JudgedUnit &judged) {
    const ExecutionUnit *unit = unitOf(judged);
    if (unit->receive != none) {
        const LocationEvents &events = m_trace.locations[unit->location].events;
        const std::vector<DescriptorCall> &calls = events.descriptorCalls;
        const auto call = std::ranges::lower_bound(calls, unit->receive, {}, &DescriptorCall::row);
        if (call != calls.end() && call->row == unit->receive)
            judged.descriptor = call->descriptor;
        judged.peer = events.descriptorDetails.addressOf(unit->receive); // of an accept, and of a datagram
        if (judged.peer.empty() && unit->connection != none)
            judged.peer = m_process.connections[unit->connection].peer;
    }
    if (UnitComparison *comparison = comparisonOf(*unit)) {
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

} // namespace laggard
