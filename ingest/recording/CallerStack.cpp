// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/CallerStack.h"

#include <algorithm>

namespace laggard::recording {

std::size_t CallerStack::instrumentedDepth() const {
    std::size_t depth = m_stack.size();
    while (depth != 0 && !m_stack[depth - 1].isInstrumented)
        --depth;
    return depth;
}

std::size_t CallerStack::certainDepth() const {
    const std::size_t depth = instrumentedDepth();
    return depth == 0 && !m_stack.empty() ? 1 : depth;
}

std::size_t CallerStack::depthAfterLastCall() const {
    const auto usual = m_depthAfter.find(m_lastPath);
    return std::max(certainDepth(), usual == m_depthAfter.end() ? 0 : std::min(usual->second, m_stack.size()));
}

std::size_t CallerStack::depthOf(RegionId region) const {
    std::size_t depth = m_stack.size();
    while (depth != 0 && (!m_stack[depth - 1].isInstrumented || m_stack[depth - 1].region != region))
        --depth;
    return depth;
}

std::size_t CallerStack::depthWithin(const CodePath &path) const {
    std::size_t depth = 0;
    for (const StackFrame &frame : path.frames)
        if (depth < m_stack.size() && m_stack[depth].region == frame.region)
            ++depth;
    return depth;
}

void CallerStack::open(RegionId region, CallSiteId site, bool isInstrumented, Tick time) {
    m_builder.enter(time, region, site);
    m_stack.push_back({region, site, isInstrumented});
}

void CallerStack::closeDownTo(std::size_t depth, Tick time) {
    for (; m_stack.size() > depth; m_stack.pop_back())
        m_builder.leave(time, m_stack.back().region);
}

void CallerStack::align(const CodePath &path, Tick last, Tick time) {
    const std::size_t base = instrumentedDepth();
    std::size_t first = 0; // the first frame of the path that is above the instrumented functions
    if (base != 0) {
        first = path.frames.size();
        while (first != 0 && path.frames[first - 1].region != m_stack[base - 1].region)
            --first;
        if (first == 0)
            first = path.frames.size(); // the stack was cut off: nothing can be said of callers
    }
    std::size_t same = 0;
    while (base + same < m_stack.size() && first + same < path.frames.size() &&
           m_stack[base + same].region == path.frames[first + same].region &&
           m_stack[base + same].site == path.frames[first + same].site)
        ++same;
    if (m_lastPath != nothing) {
        const auto [entry, isNew] = m_depthAfter.try_emplace(m_lastPath, base + same);
        if (!isNew)
            entry->second = std::min(entry->second, base + same);
    }
    closeDownTo(base + same, last);
    for (std::size_t i = first + same; i < path.frames.size(); ++i)
        open(path.frames[i].region, path.frames[i].site, false, time);
}

} // namespace laggard::recording
