// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Work.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace laggard {

/// Calls `job(index, worker)` once for each index below `count`, on up to `work.threadCount()` threads (the calling one
/// included); workers take the next free index. Throws Cancelled when asked to stop, or the first exception of a job; in
/// either case no job is running any more.
template <typename Job> void forEachParallel(std::size_t count, const Work &work, Job job) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    std::mutex failureMutex;
    const auto run = [&](unsigned worker) {
        try {
            for (std::size_t i = next++; i < count && !failed && !work.stop.stop_requested(); i = next++)
                job(i, worker);
        } catch (...) {
            const std::lock_guard lock(failureMutex);
            if (!failed.exchange(true))
                failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        const std::size_t threads = std::min<std::size_t>(work.threadCount(), count);
        try {
            for (unsigned worker = 1; worker < threads; ++worker)
                helpers.emplace_back(run, worker);
        } catch (const std::system_error &) {
            // The machine gives no more threads: those there are do the work.
        }
        run(0);
    }
    if (failure)
        std::rethrow_exception(failure);
    throwIfCancelled(work);
}

} // namespace laggard
