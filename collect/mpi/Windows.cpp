// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Windows.h"

#include "collect/mpi/Handles.h"
#include "collect/mpi/Layer.h"
#include "collect/store/Undisturbed.h"
#include "trace/recording/Checks.h"

#include <utility>

namespace laggard::collect::mpi {

std::uint64_t Window::opened(std::uint32_t slot, std::uint64_t request) {
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_open[slot], request);
}

std::uint64_t Window::closed(std::uint32_t slot) {
    const std::scoped_lock lock(m_mutex);
    const auto found = m_open.find(slot);
    if (found == m_open.end())
        return 0;
    const std::uint64_t request = found->second;
    m_open.erase(found);
    return request;
}

Window *Windows::announce(Communicator *communicator) {
    if (communicator == nullptr)
        return nullptr;
    const std::uint64_t ordinal = communicator->windows.fetch_add(1) + 1;
    auto *window = new Window;
    window->communicator = communicator;
    window->id = m_log.defineWindow(recording::mixCheck(communicator->key ^ 0x57494E444F570000U, ordinal), communicator->id);
    return window;
}

void Windows::made(MPI_Group handle) {
    if (handle == MPI_GROUP_NULL)
        return;
    const std::scoped_lock lock(m_mutex);
    Group group = m_groups.find(handle, {});
    ++group.references;
    m_groups.set(handle, group);
}

void Windows::freed(MPI_Group handle) {
    const std::scoped_lock lock(m_mutex);
    Group group = m_groups.find(handle, {});
    if (group.references > 1) {
        --group.references;
        m_groups.set(handle, group);
    } else if (group.references == 1) {
        m_groups.remove(handle);
    }
}

std::uint32_t Windows::groupId(MPI_Group handle) {
    if (m_groups.find(handle, {}).references == 0)
        return recording::nothing;
    std::vector<std::uint32_t> members = worldRanksIn(handle);
    const std::scoped_lock lock(m_mutex);
    const auto [place, isNew] = m_groupIds.try_emplace(std::move(members), recording::nothing);
    if (isNew)
        place->second = m_log.defineGroup(place->first);
    return place->second;
}

void madeGroup(MPI_Group group) {
    const Undisturbed undisturbed;
    if (Layer *existing = layer(); existing != nullptr && existing->isReady())
        existing->windows.made(group);
}

void freedGroup(MPI_Group group) {
    const Undisturbed undisturbed;
    if (Layer *existing = layer(); existing != nullptr && existing->isReady())
        existing->windows.freed(group);
}

} // namespace laggard::collect::mpi
