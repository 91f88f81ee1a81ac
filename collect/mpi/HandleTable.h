// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Mutex.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace laggard::collect::mpi {

/// What is known of MPI handles of one type. Safe from all threads; what a thread looked up lately costs it no lock. There may be
/// one table per pair of types, as each thread's memory belongs to the pair.
template <typename Handle, typename Value> class HandleTable {
  public:
    /// `absent` where nothing is known.
    [[nodiscard]] Value find(Handle handle, Value absent) const {
        static thread_local std::array<Recent, 16> recent{};
        const std::uint64_t generation = m_generation.load(std::memory_order_acquire);
        Recent &last = recent[(std::hash<Handle>{}(handle)*0x9E3779B97F4A7C15U >> 60U) % recent.size()];
        if (last.generation == generation && last.handle == handle)
            return last.value;
        const std::scoped_lock lock(m_mutex);
        const auto found = m_values.find(handle);
        if (found == m_values.end())
            return absent;
        last = {generation, handle, found->second};
        return found->second;
    }
    [[nodiscard]] std::vector<std::pair<Handle, Value>> all() const {
        const std::scoped_lock lock(m_mutex);
        return {m_values.begin(), m_values.end()};
    }
    /// An older entry of the handle was of an object that is gone.
    void set(Handle handle, Value value) {
        const std::scoped_lock lock(m_mutex);
        m_values.insert_or_assign(handle, value);
        m_generation.fetch_add(1, std::memory_order_release);
    }
    void remove(Handle handle) {
        const std::scoped_lock lock(m_mutex);
        m_values.erase(handle);
        m_generation.fetch_add(1, std::memory_order_release);
    }
    /// Not if another thread has been given the same handle for something new.
    void removeIf(Handle handle, Value value) {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_values.find(handle);
        if (found == m_values.end() || found->second != value)
            return;
        m_values.erase(found);
        m_generation.fetch_add(1, std::memory_order_release);
    }

  private:
    struct Recent {
        std::uint64_t generation = 0;
        Handle handle{};
        Value value{};
    };
    std::atomic<std::uint64_t> m_generation{1};
    mutable Mutex m_mutex;
    std::unordered_map<Handle, Value> m_values;
};

} // namespace laggard::collect::mpi
