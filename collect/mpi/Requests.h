// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Communicators.h"
#include "collect/mpi/Contents.h"
#include "collect/store/Mutex.h"
#include "collect/store/ThreadLog.h"

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace laggard::collect::mpi {

/// What was posted and is not complete, or a persistent request.
struct Posted {
    std::uint64_t serial = 0;                ///< unique; 0: nothing is known of the request
    std::uint64_t number = 0;                ///< its number in the recording; 0: a persistent request that is not active
    Part part;                               ///< the posting call's; a persistent request's is used at each start
    std::optional<Part> receive;             ///< the further part that MPI_Isendrecv has
    std::uint32_t path = recording::nothing; ///< path of the call that made it, if it is persistent
    const Communicator *communicator = nullptr;
    Contents contents;              ///< what is received; a persistent send's: what is sent
    const void *variable = nullptr; ///< where the program keeps the handle
    bool isPersistent = false;
    bool isCancelled = false;

    /// Bytes and source are known when it is complete.
    [[nodiscard]] bool receives() const { return receive || part.kind == recording::RecordKind::ReceivePart; }
};

/// From handles of MPI to requests of the recording. MPI uses handles again, and even gives several requests the same one at the
/// same time (MPICH does so with sends that are complete at once). Safe from all threads.
class Requests {
  public:
    /// `posted.serial` is set here.
    void add(MPI_Request handle, Posted posted);

    /// What is known of each of the handles, in their order: `serial` 0 where nothing is. `variables` are compared to tell
    /// requests of equal handle apart; it is `stride` bytes from one to the next.
    void find(const std::vector<MPI_Request> &handles, const void *variables, std::size_t stride, std::vector<Posted> &found);

    /// It is complete, freed or cancelled: gone, or inactive if it is persistent.
    void completed(MPI_Request handle, const Posted &posted);
    /// As completed(), and persistent ones are gone as well.
    void freed(MPI_Request handle, const Posted &posted);
    void started(MPI_Request handle, const Posted &posted, std::uint64_t number);
    void cancelled(MPI_Request handle, const Posted &posted);
    void forgetContents(MPI_Request handle, const Posted &posted);

  private:
    struct Bucket {
        std::deque<Posted> posted;
        std::deque<std::uint64_t> taken; ///< by which search, as `posted`
        std::size_t cursor = 0;          ///< behind the last one found: programs ask in the order of posting
    };
    static constexpr std::size_t mostIdle = 1024;
    template <typename Change> void change(MPI_Request handle, std::uint64_t serial, Change change);
    void erase(MPI_Request handle, std::uint64_t serial);
    static const Posted *findIn(Bucket &bucket, const void *variable, std::uint64_t search);

    Mutex m_mutex;
    std::unordered_map<MPI_Request, Bucket> m_buckets;
    std::uint64_t m_lastSerial = 0;
    std::uint64_t m_searches = 0;
};

} // namespace laggard::collect::mpi
