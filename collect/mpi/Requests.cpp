// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Requests.h"

#include "collect/mpi/Handles.h"

#include <algorithm>

namespace laggard::collect::mpi {

void Requests::add(MPI_Request handle, Posted posted) {
    const std::scoped_lock lock(m_mutex);
    posted.serial = ++m_lastSerial;
    Bucket &bucket = m_buckets[handle];
    bucket.posted.push_back(std::move(posted));
    bucket.taken.push_back(0);
}

const Posted *Requests::findIn(Bucket &bucket, const void *variable, std::uint64_t search) {
    const std::size_t size = bucket.posted.size();
    std::size_t best = size;
    for (std::size_t step = 0; step < size; ++step) {
        const std::size_t i = (bucket.cursor + step) % size;
        if (bucket.taken[i] == search)
            continue;
        if (best == size)
            best = i;
        if (bucket.posted[i].variable == variable) {
            best = i;
            break;
        }
    }
    if (best == size)
        return nullptr;
    bucket.taken[best] = search;
    bucket.cursor = best + 1;
    return &bucket.posted[best];
}

void Requests::find(const std::vector<MPI_Request> &handles, const void *variables, std::size_t stride,
                    std::vector<Posted> &found) {
    found.clear();
    found.resize(handles.size());
    const std::scoped_lock lock(m_mutex);
    const std::uint64_t search = ++m_searches;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        if (handles[i] == MPI_REQUEST_NULL)
            continue;
        const auto bucket = m_buckets.find(handles[i]);
        if (bucket == m_buckets.end())
            continue;
        if (const Posted *posted = findIn(bucket->second, static_cast<const char *>(variables) + i * stride, search))
            found[i] = *posted;
    }
}

template <typename Change> void Requests::change(MPI_Request handle, std::uint64_t serial, Change change) {
    const std::scoped_lock lock(m_mutex);
    const auto bucket = m_buckets.find(handle);
    if (bucket == m_buckets.end())
        return;
    const auto found = std::ranges::find(bucket->second.posted, serial, &Posted::serial);
    if (found != bucket->second.posted.end())
        change(bucket, found);
}

void Requests::erase(MPI_Request handle, std::uint64_t serial) {
    change(handle, serial, [this](auto bucket, auto found) {
        const auto index = found - bucket->second.posted.begin();
        bucket->second.posted.erase(found);
        bucket->second.taken.erase(bucket->second.taken.begin() + index);
        if (bucket->second.cursor > static_cast<std::size_t>(index))
            --bucket->second.cursor;
        // MPI uses handles again: their memory is kept, of so many.
        if (bucket->second.posted.empty() && m_buckets.size() > mostIdle)
            m_buckets.erase(bucket);
    });
}

void Requests::completed(MPI_Request handle, const Posted &posted) {
    if (!posted.isPersistent)
        erase(handle, posted.serial);
    else
        change(handle, posted.serial, [](auto, auto found) {
            found->number = 0;
            found->isCancelled = false;
        });
}

void Requests::freed(MPI_Request handle, const Posted &posted) { erase(handle, posted.serial); }

void Requests::started(MPI_Request handle, const Posted &posted, std::uint64_t number) {
    change(handle, posted.serial, [number](auto, auto found) { found->number = number; });
}

void Requests::forgetContents(MPI_Request handle, const Posted &posted) {
    change(handle, posted.serial, [](auto, auto found) { found->contents = {}; });
}

void Requests::cancelled(MPI_Request handle, const Posted &posted) {
    change(handle, posted.serial, [](auto, auto found) { found->isCancelled = true; });
}

} // namespace laggard::collect::mpi
