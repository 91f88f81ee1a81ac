// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/LibraryCalls.h"

#include <algorithm>
#include <limits>

namespace laggard::recording {
namespace {

std::int32_t descriptorOf(std::uint32_t word) {
    return word > static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max()) ? -1 : static_cast<std::int32_t>(word);
}

} // namespace

void LibraryCalls::begin(const CodePath &path, std::uint32_t number, CallSiteId site, std::size_t callers,
                         RegionId innermostCaller, Tick time) {
    Open open{&path, number, {}, callers, none, static_cast<std::uint32_t>(m_calls.size())};
    if (!m_open.empty()) {
        const std::vector<StackFrame> &around = m_open.back().path->frames;
        std::size_t first = 0;
        while (first < around.size() && first < path.frames.size() && around[first] == path.frames[first])
            ++first;
        first = std::max<std::size_t>(first, path.handlerFrom);
        // Instrumented functions of the handler are open by themselves, up to the innermost of them.
        if (callers > m_open.back().callers)
            for (std::size_t i = first; i < path.frames.size(); ++i)
                if (path.frames[i].region == innermostCaller)
                    first = i + 1;
        for (std::size_t i = first; i < path.frames.size(); ++i) {
            m_builder.enter(time, path.frames[i].region, i == first ? CallSiteId{none} : path.frames[i].site);
            open.handler.push_back(path.frames[i].region);
        }
    }
    m_builder.enter(time, path.operation, site);
    open.row = m_builder.currentRow();
    m_calls.push_back({open.row, -1, -1, 0, DescriptorCall::notReturned});
    m_open.push_back(std::move(open));
    m_last = none;
}

std::uint32_t LibraryCalls::end(Tick time, bool isLeft) {
    m_builder.leave(time, m_open.back().path->operation);
    for (auto function = m_open.back().handler.rbegin(); function != m_open.back().handler.rend(); ++function)
        m_builder.leave(time, *function);
    m_last = isLeft ? none : m_open.back().call;
    const std::uint32_t number = m_open.back().number;
    m_open.pop_back();
    return number;
}

void LibraryCalls::clear(Tick time) {
    while (!m_open.empty())
        end(time, true);
}

void LibraryCalls::add(const Record &record) {
    if (record.kind == RecordKind::DescriptorPart) {
        if (!m_open.empty())
            given(record);
        return;
    }
    const std::uint32_t number = m_last == none && !m_open.empty() ? m_open.back().call : m_last;
    if (number == none)
        return;
    DescriptorCall &call = m_calls[number];
    if (record.kind != RecordKind::DescriptorEnd)
        return m_parts.add(record, call.row, call.descriptor);
    if (m_last == none)
        return;
    call.result = static_cast<std::int64_t>(record.payload[0]);
    call.error = static_cast<std::int32_t>(std::min<std::uint32_t>(record.argument, std::numeric_limits<std::int32_t>::max()));
    if (record.words > 1) {
        call.descriptor = descriptorOf(low(record.payload[1]));
        call.second = descriptorOf(high(record.payload[1]));
    }
}

void LibraryCalls::given(const Record &record) {
    const std::int32_t descriptor = descriptorOf(record.argument);
    m_calls[m_open.back().call].descriptor = descriptor;
    if (record.words > 2) // epoll_ctl
        m_parts.watch(descriptorOf(low(record.payload[0])), record.payload[1], descriptor, record.payload[2] != 0);
}

std::vector<DescriptorCall> LibraryCalls::finish() {
    // In the order in which they began, which is that of their rows; where none came into another one it is that already.
    if (!std::ranges::is_sorted(m_calls, {}, &DescriptorCall::row))
        std::ranges::sort(m_calls, {}, &DescriptorCall::row);
    return std::move(m_calls);
}

} // namespace laggard::recording
