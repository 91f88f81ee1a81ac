// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of windows and files, as parts of Call.
#include "collect/mpi/Call.h"

namespace laggard::collect::mpi {

using recording::EpochKind;
using recording::RecordKind;

namespace {

constexpr std::uint32_t lockAllSlot = 0xFFFFFFF0; // beside locks, which are by target
constexpr std::uint32_t accessSlot = 0xFFFFFFF1;
constexpr std::uint32_t exposureSlot = 0xFFFFFFF2;
constexpr std::uint32_t noSlot = 0xFFFFFFF3;

bool opens(EpochKind kind) {
    return kind == EpochKind::Lock || kind == EpochKind::LockAll || kind == EpochKind::Start || kind == EpochKind::Post;
}

/// Which of a window's epochs the call opens or closes.
std::uint32_t slotOf(EpochKind kind, std::uint32_t target) {
    switch (kind) {
    case EpochKind::Lock:
    case EpochKind::Unlock:
        return target;
    case EpochKind::LockAll:
    case EpochKind::UnlockAll:
        return lockAllSlot;
    case EpochKind::Start:
    case EpochKind::Complete:
        return accessSlot;
    case EpochKind::Post:
    case EpochKind::Wait:
    case EpochKind::Test:
        return exposureSlot;
    default:
        return noSlot;
    }
}

EpochKind kindOf(const Part &part) { return static_cast<EpochKind>(part.words[0] & 0xFFFFU); }

} // namespace

void Call::addEpoch(EpochKind kind, std::uint32_t flags, int target, std::uint32_t group) {
    const Communicator *communicator = m_window == nullptr ? nullptr : m_window->communicator;
    const std::uint32_t rank =
        target == noTarget || communicator == nullptr ? recording::nothing : communicator->worldRank(target);
    const std::uint32_t window = m_window == nullptr ? recording::nothing : m_window->id;
    m_parts.push_back(
        {RecordKind::EpochPart, rank, {recording::pair(static_cast<std::uint32_t>(kind) | flags, window), group}, 2});
    const bool isOfAll = kind == EpochKind::Create || kind == EpochKind::Free || kind == EpochKind::Fence;
    if (isOfAll && m_window != nullptr)
        addCollective(m_window->communicator, noRoot, {}, false);
}

void Call::makesWindow(MPI_Comm comm) {
    m_window = m_layer->windows.announce(m_layer->communicators.find(comm));
    addEpoch(EpochKind::Create, 0, noTarget, recording::nothing);
}

void Call::usesWindow(MPI_Win win, EpochKind kind, int target) {
    m_windowHandle = win;
    m_window = m_layer->windows.find(win);
    addEpoch(kind, 0, target, recording::nothing);
}

void Call::usesWindowFor(MPI_Win win, EpochKind kind, MPI_Group group) {
    m_window = m_layer->windows.find(win);
    addEpoch(kind, 0, noTarget, m_layer->windows.groupId(group));
}

void Call::locks(MPI_Win win, int type, int target) {
    m_window = m_layer->windows.find(win);
    addEpoch(EpochKind::Lock, type == MPI_LOCK_EXCLUSIVE ? recording::exclusiveLock : 0U, target, recording::nothing);
}

void Call::madeWindow(MPI_Win win) {
    if (isSuccessful() && m_window != nullptr)
        m_layer->windows.made(win, m_window);
}

void Call::freedWindow() {
    if (isSuccessful() && m_window != nullptr)
        m_layer->windows.freed(m_windowHandle, m_window);
}

/// The call that opens an epoch is in the file: so is the epoch, whatever the ring loses.
void Call::openEpoch() {
    if (m_window == nullptr || !opens(kindOf(m_parts.front())))
        return;
    m_epochRequest = m_layer->log.newRequest();
    m_layer->log.requestPosted(m_epochRequest, m_parts.front(), m_path, m_entered);
}

/// The call has returned: the epoch is open, or it is not any more.
void Call::finishEpoch() {
    if (m_window == nullptr || m_parts.empty() || m_parts.front().kind != RecordKind::EpochPart)
        return;
    const std::uint32_t slot = slotOf(kindOf(m_parts.front()), m_parts.front().argument);
    std::uint64_t over = m_epochRequest;
    if (isSuccessful() && slot != noSlot)
        over = m_epochRequest != 0 ? m_window->opened(slot, m_epochRequest) : m_window->closed(slot);
    if (over != 0)
        m_layer->log.requestDone(over);
}

void Call::opensFile(MPI_Comm comm) {
    m_fileCommunicator = m_layer->communicators.find(comm);
    if (m_fileCommunicator != nullptr)
        addCollective(m_fileCommunicator, noRoot, {}, false);
}

void Call::usesFile(MPI_File file, bool posts) {
    m_fileHandle = file;
    if (Communicator *communicator = m_layer->windows.communicatorOf(file))
        addCollective(communicator, noRoot, {}, posts);
}

void Call::openedFile(MPI_File file) {
    if (isSuccessful() && m_fileCommunicator != nullptr)
        m_layer->windows.opened(file, m_fileCommunicator);
}

void Call::closedFile() {
    if (isSuccessful())
        m_layer->windows.closed(m_fileHandle);
}

} // namespace laggard::collect::mpi
