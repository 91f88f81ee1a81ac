// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/Frames.h"

#include "trace/SourceFile.h"

#include <algorithm>

namespace laggard {

std::size_t innermostWithSource(const std::vector<Frame> &frames) {
    const auto isOwn = [](const Frame &frame) { return !frame.file.empty() && !isSystemHeader(frame.file); };
    auto found = std::find_if(frames.begin(), frames.end(), isOwn);
    if (found == frames.end())
        found = std::find_if(frames.begin(), frames.end(), [](const Frame &frame) { return !frame.file.empty(); });
    return found == frames.end() ? 0 : static_cast<std::size_t>(found - frames.begin());
}

} // namespace laggard
