// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/EpochCalls.h"

#include <algorithm>

namespace laggard::recording {
namespace {

using CallKind = EpochCall::Kind;

/// As EpochKind numbers them, from 1.
constexpr CallKind kinds[] = {CallKind::Create,   CallKind::Free,      CallKind::Fence, CallKind::Post,     CallKind::Start,
                              CallKind::Complete, CallKind::Wait,      CallKind::Test,  CallKind::Lock,     CallKind::LockAll,
                              CallKind::Unlock,   CallKind::UnlockAll, CallKind::Flush, CallKind::FlushAll, CallKind::Access};

std::uint32_t numberOf(std::uint64_t first) { return low(first) & 0xFFFFU; }
bool isKnown(std::uint64_t first) { return numberOf(first) - 1U < std::size(kinds); }

} // namespace

std::uint32_t EpochCalls::groupOf(std::uint64_t number) {
    if (number >= m_definitions.groups.size())
        return none;
    const auto [entry, isNew] =
        m_groupNumber.try_emplace(static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(m_groups.size()));
    if (isNew) {
        RankSet ranks;
        for (const FileDefinitions::Run &run : m_definitions.groups[number])
            for (std::uint64_t rank = run.first; rank < std::uint64_t{run.first} + run.length && rank < m_processCount; ++rank)
                ranks.push_back(static_cast<Rank>(rank));
        std::sort(ranks.begin(), ranks.end());
        m_groups.push_back(std::move(ranks));
    }
    return entry->second;
}

EpochCall EpochCalls::callOf(std::uint64_t first, std::uint64_t group, std::uint32_t target) {
    EpochCall call;
    call.kind = kinds[numberOf(first) - 1];
    call.exclusive = (low(first) & exclusiveLock) != 0;
    call.window = high(first) < m_windowOf.size() ? m_windowOf[high(first)] : none;
    call.target = target < m_processCount ? target : none;
    call.group = groupOf(group);
    return call;
}

void EpochCalls::openedBefore(const RequestSlot &slot, CallPathId path) {
    const std::uint64_t first = pair(static_cast<std::uint32_t>(slot.tag), slot.communicator);
    if (!isKnown(first))
        return;
    EpochCall call = callOf(first, slot.bytes, slot.peer);
    call.startedBy = path;
    m_calls.push_back(call);
}

void EpochCalls::add(const Record &record, std::uint32_t row, bool isPoll) {
    if (!isKnown(record.payload[0]))
        return;
    m_current = callOf(record.payload[0], record.payload[1], record.argument);
    m_current.row = row;
    m_current.failed = isPoll;
    m_hasCurrent = true;
    if (m_current.kind != CallKind::Access)
        m_accessed.erase(m_current.window);
    m_isLeftOut = m_current.kind == CallKind::Access && !m_accessed[m_current.window].insert(m_current.target).second;
    if (!m_isLeftOut)
        m_calls.push_back(m_current);
}

void EpochCalls::ended(bool failed) {
    if (m_hasCurrent && !m_isLeftOut && failed)
        m_calls.back().failed = true;
    m_hasCurrent = false;
}

void EpochCalls::finish(bool isOpen, LocationEvents &events) {
    if (isOpen && m_hasCurrent && m_isLeftOut)
        m_calls.push_back(m_current);
    events.epochs = std::move(m_calls);
    events.groups = std::move(m_groups);
}

} // namespace laggard::recording
