// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/ClockSync.h"
#include "collect/mpi/Communicators.h"
#include "collect/mpi/Datatypes.h"
#include "collect/mpi/Library.h"
#include "collect/mpi/Messages.h"
#include "collect/mpi/Operations.h"
#include "collect/mpi/Replay.h"
#include "collect/mpi/Requests.h"
#include "collect/mpi/Windows.h"
#include "collect/store/Mutex.h"
#include "collect/store/ThreadLog.h"

#include <array>
#include <atomic>
#include <mutex>

namespace laggard::collect::mpi {

/// What the recorder knows of MPI in this process.
class Layer {
  public:
    explicit Layer(ProcessLog &processLog);

    ProcessLog &log;
    Communicators communicators;
    Datatypes datatypes;
    Requests requests;
    Messages messages;
    Windows windows;
    const Library library;
    const bool takesFingerprints;
    Replay *replay = nullptr; ///< nullptr: nothing is replayed. Set before MPI may be asked

    /// Between MPI_Init and MPI_Finalize: MPI may be asked.
    [[nodiscard]] bool isReady();
    /// MPI_Init has returned; `calls`: that the calling thread has begun so far.
    void initialized(std::uint64_t calls);
    /// All ranks are in MPI_Init: how their clocks differ is measured, if it is to be.
    void synchroniseClocks();
    void finalizing();
    /// Looks around in MPI for the last time, before MPI_Finalize. If several threads call that, one does, and the others
    /// go on when it has: nobody asks an MPI that is being finalized.
    template <typename Look> void lookBeforeTheEnd(Look look) {
        const std::scoped_lock lock(m_lookMutex);
        if (m_stage.load(std::memory_order_acquire) != Stage::Ready)
            return;
        look();
        if (m_clocks != nullptr)
            m_clocks->measure(log);
        finalizing();
    }

    /// Its definition in the recording.
    [[nodiscard]] std::uint32_t idOf(Operation operation);

  private:
    enum class Stage { Before, Ready, Over };
    std::atomic<Stage> m_stage{Stage::Before};
    ClockSync *m_clocks = nullptr; ///< nullptr: nothing is measured
    std::uint32_t m_rank = 0;
    std::uint32_t m_size = 0;
    Mutex m_mutex;
    Mutex m_lookMutex;
    std::array<std::atomic<std::uint32_t>, operationCount> m_operations;
};

/// The layer of this process; nullptr if nothing is recorded. It is never deleted, as programs call MPI_Finalize from destructors
/// that run late.
[[nodiscard]] Layer *layer();

} // namespace laggard::collect::mpi
