// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slice/TraceSlice.h"

#include <algorithm>

namespace laggard {
namespace {

/// The stacks with that of the beginning first, from its frame outwards.
std::vector<SliceStack> stacksFrom(std::vector<SliceStack> stacks, const SliceBeginning &beginning) {
    if (beginning.stack) {
        std::erase_if(stacks, [&](const SliceStack &stack) { return stack.ranks == beginning.stack->ranks; });
        stacks.insert(stacks.begin(), *beginning.stack);
    }
    if (!stacks.empty()) {
        std::vector<Frame> &frames = stacks.front().frames;
        frames.erase(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(std::min(beginning.frame, frames.size())));
        if (std::ranges::none_of(frames, [](const Frame &frame) { return !frame.file.empty(); }))
            stacks.clear();
    }
    return stacks;
}

} // namespace

TraceSlice makeSlice(const Report &report, const PathMap &paths, const SliceSettings &settings, const SliceBeginning &beginning,
                     const Work &work) {
    TraceSlice made;
    std::vector<SliceStack> stacks = sliceStacks(*report.trace, report.waits, report.progress);
    if (beginning.stack)
        made.stack = *beginning.stack;
    else if (!stacks.empty())
        made.stack = stacks.front();
    SliceQuestion question;
    question.stacks = stacksFrom(std::move(stacks), beginning);
    made.input = findSliceInput(*report.trace, question.stacks, paths, settings);
    if (!made.input.isPossible() || (!beginning.isAsked && made.input.lack != SliceInput::Lack::None)) {
        made.report.problem = made.input.sentence.toStdString();
        return made;
    }
    made.report.ranks = question.stacks.front().ranks;
    made.report.at = question.stacks.front().frames;
    try {
        static_cast<void>(findSlicer()); // before messages are gathered for nobody
        question.messages = sliceMessages(*report.trace, report.progress.at, work);
        made.report.slice = std::make_shared<Slice>(runSlicer(question, made.input, settings, work.stop));
    } catch (const SliceError &error) {
        made.report.problem = error.what();
    }
    return made;
}

} // namespace laggard
