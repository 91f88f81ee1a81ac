// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Slice.h"

#include "slice/program/Instances.h"
#include "slice/walk/Criterion.h"

#include <algorithm>
#include <unordered_set>

namespace laggard {

using namespace slice;

namespace {

SliceResult ended(SliceResult result, const char *sentence) {
    result.warnings.emplace_back(sentence);
    return result;
}

/// Each sentence once: a stack may have the same frame 10,000 times.
void sayOnce(std::vector<std::string> &sentences) {
    std::unordered_set<std::string> said;
    std::erase_if(sentences, [&](const std::string &sentence) { return !said.insert(sentence).second; });
}

} // namespace

SliceResult sliceBackward(const std::vector<std::string> &bitcodeFiles, const std::vector<TaskStack> &stacks,
                          const std::vector<MatchedMessage> &messages, const SliceOptions &options) {
    Deadline deadline(options.limit);
    SliceResult result;
    if (std::all_of(stacks.begin(), stacks.end(), [](const TaskStack &stack) { return stack.frames.empty(); }))
        return ended(std::move(result), "There is no stack to begin from.");
    auto loaded = loadProgram(bitcodeFiles, options.doubtful, result.warnings);
    if (loaded.program.functions.empty())
        return ended(std::move(result), "There is no code to slice.");
    makeInstances(loaded.program);
    const CallTable table;
    const auto pointers = pointsTo(loaded.program, table, deadline);
    Flows flows(loaded.program, table);
    Effects effects(loaded.program, table, pointers, flows, deadline);
    Definitions definitions(loaded.program, effects, flows, deadline);
    const Lookup lookup(loaded.program);
    const Names names(loaded);
    Analysis analysis{loaded.program, lookup, flows, effects, definitions, names, messages, options, deadline};
    Steps steps(loaded.program);
    Walk walk(analysis, steps);
    const bool isStanding = setCriterion(analysis, walk, steps, stacks, result.warnings);
    sayOnce(result.warnings);
    if (!isStanding)
        return ended(std::move(result), "The program has no code of any function of the stacks.");
    walk.run();
    result.steps = steps.ordered(names);
    result.truncated = deadline.wasPassed();
    if (!result.truncated && result.steps.empty())
        return ended(std::move(result), "The stack names no line, and its function has no loop: there is nothing to begin from.");
    if (!result.truncated && std::none_of(result.steps.begin(), result.steps.end(), [](const SliceStep &step) {
            return step.why == Why::Data || step.why == Why::Control || step.why == Why::Message || !step.variable.empty();
        }))
        result.warnings.emplace_back(options.thin
                                         ? "No value decides about this place; what conditions do, a thin slice leaves out."
                                         : "No value and no condition decides about this place: every run comes to it.");
    return result;
}

} // namespace laggard
