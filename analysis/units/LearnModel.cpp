// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/LearnModel.h"

#include "analysis/units/UnitCalls.h"
#include "trace/Parallel.h"

#include <map>

namespace laggard {
namespace {

/// Counts of calls in the units of one model.
struct Counted {
    std::uint64_t units = 0;
    std::vector<std::uint64_t> calls; ///< by node (CallNames::node)
};

/// The counts as a tree. The loop's wait and its callers, which were not counted, are left out: what they call is outermost.
CallModel::UnitModel modelOf(const Trace &trace, const CallNames &names, const UnitKey &key, const Counted &counted) {
    CallModel::UnitModel model{key.kind, key.connection, counted.units, {}};
    std::vector<std::uint32_t> positions(trace.callPaths.size(), none);
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
        if (counted.calls[path] == 0)
            continue;
        const CallPathId parent = names.nodeOfParent(path);
        const Region &region = trace.region(path);
        positions[path] = static_cast<std::uint32_t>(model.calls.size());
        model.calls.push_back({parent == none ? none : positions[parent], region.name, names.site(path), names.file(path),
                               region.line, counted.calls[path]});
    }
    return model;
}

struct ProcessLesson {
    CallModel model;
    std::uint64_t units = 0;
    std::uint64_t incomplete = 0;
    bool hasBeginning = true;
    bool hasLoop = false;
};

ProcessLesson learnFrom(const Trace &trace, Rank rank, const std::vector<CallRole> &roles, const CallNames &names,
                        const Work &work) {
    ProcessLesson lesson;
    const ProcessUnits process = decompose(trace, rank, roles, {});
    lesson.hasBeginning = process.isWholeFromStart;
    lesson.hasLoop = !process.loops.empty();
    if (!lesson.hasBeginning)
        return lesson;
    UnitCalls calls(trace, names);
    std::map<UnitKey, Counted> counts;
    std::map<std::pair<UnitKind, std::uint32_t>, Counted *> known; // by connection's number
    for (const ExecutionUnit &unit : process.units) {
        throwIfCancelled(work);
        if (!unit.isComplete) {
            ++lesson.incomplete;
            continue;
        }
        const std::uint32_t number = unit.kind == UnitKind::Thread ? unit.location : unit.connection;
        Counted *&counted = known[{unit.kind, number}];
        if (counted == nullptr || unit.kind == UnitKind::Thread)
            counted = &counts[keyOf(trace, names, process, unit)];
        counted->calls.resize(trace.callPaths.size());
        ++counted->units;
        ++lesson.units;
        for (const CallPathId path : calls.of(unit))
            ++counted->calls[names.node(path)];
    }
    if (lesson.units == 0)
        return lesson; // then how it sets up connections need not be all there either
    CallModel::Role role;
    role.signature = names.stacks(process.signature);
    role.processes = 1;
    role.loops = names.stacks(process.loops);
    for (const auto &[key, counted] : counts)
        role.units.push_back(modelOf(trace, names, key, counted));
    CallModel own;
    own.roles.push_back(std::move(role));
    lesson.model.merge(own); // which brings it into order
    return lesson;
}

} // namespace

Lesson learn(const Trace &trace, const Work &work) {
    const std::vector<CallRole> roles = rolesOf(trace);
    const CallNames names(trace);
    std::vector<ProcessLesson> lessons(trace.processes.size());
    forEachParallel(lessons.size(), work, [&](std::size_t rank, unsigned) {
        if (trace.isRead(static_cast<Rank>(rank)) && !trace.processes[rank].locations.empty())
            lessons[rank] = learnFrom(trace, static_cast<Rank>(rank), roles, names, work);
    });
    Lesson lesson;
    lesson.model.runs = 1;
    for (Rank rank = 0; rank < lessons.size(); ++rank) {
        if (!trace.isRead(rank) || trace.processes[rank].locations.empty())
            continue;
        const ProcessLesson &process = lessons[rank];
        lesson.model.merge(process.model);
        lesson.units += process.units;
        lesson.incomplete += process.incomplete;
        if (!process.hasBeginning)
            lesson.withoutBeginning.push_back(rank);
        else if (!process.hasLoop)
            lesson.withoutLoop.push_back(rank);
    }
    return lesson;
}

} // namespace laggard
