// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Layer.h"

#include "collect/inject/Injector.h"
#include "collect/mpi/FlavourCheck.h"
#include "collect/mpi/Handles.h"
#include "collect/store/JobEnvironment.h"
#include "collect/store/Undisturbed.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace laggard::collect::mpi {

namespace {

/// Programs that load MPI late and for themselves (an interpreter's module) hide PMPI_* from the recorder: make it visible.
void makeMpiVisible() {
    if (dlsym(RTLD_DEFAULT, "PMPI_Init") != nullptr)
        return;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *) {
            const char *slash = std::strrchr(info->dlpi_name, '/');
            if (slash != nullptr && std::strncmp(slash, "/libmpi", 7) == 0)
                (void)dlopen(info->dlpi_name, RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD);
            return 0;
        },
        nullptr);
}

} // namespace

Layer::Layer(ProcessLog &processLog)
    : log(processLog),
      communicators(processLog),
      datatypes(processLog),
      windows(processLog),
      takesFingerprints(processLog.takesFingerprints()) {
    for (std::atomic<std::uint32_t> &operation : m_operations)
        operation = recording::nothing;
}

bool Layer::isReady() {
    const Stage stage = m_stage.load(std::memory_order_acquire);
    if (stage != Stage::Before)
        return stage == Stage::Ready;
    // Whoever has initialised MPI may have called PMPI_Init.
    int isInitialized = 0;
    int isFinalized = 0;
    if (PMPI_Initialized(&isInitialized) == MPI_SUCCESS && isInitialized != 0 && PMPI_Finalized(&isFinalized) == MPI_SUCCESS &&
        isFinalized == 0)
        initialized(0);
    return m_stage.load(std::memory_order_acquire) == Stage::Ready;
}

void Layer::initialized(std::uint64_t calls) {
    const std::scoped_lock lock(m_mutex);
    if (m_stage.load() != Stage::Before)
        return;
    if (hasOtherFlavour()) { // loaded by the program itself, when it had begun: its next call would crash
        say("this program has loaded another MPI than its recorder is for, and cannot go on: start it with --mpi openmpi, or "
            "--mpi mpich.",
            true);
        constexpr int failed = 2;
        _exit(failed);
    }
    int rank = 0;
    int size = 0;
    int threadLevel = MPI_THREAD_SINGLE;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Query_thread(&threadLevel);
    log.worldKnown(rank, size, static_cast<std::uint32_t>(threadLevel - MPI_THREAD_SINGLE));
    m_rank = static_cast<std::uint32_t>(rank);
    m_size = static_cast<std::uint32_t>(size);
    communicators.begin();
    datatypes.begin();
    replay = Replay::load(log, static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(size), calls);
    m_stage.store(Stage::Ready, std::memory_order_release);
    if (Injector *faults = injector())
        faults->worldKnown(rank, size);
}

void Layer::synchroniseClocks() {
    m_clocks = ClockSync::begin(m_rank, m_size);
    if (m_clocks != nullptr)
        m_clocks->measure(log);
}

void Layer::finalizing() { m_stage.store(Stage::Over, std::memory_order_release); }

std::uint32_t Layer::idOf(Operation operation) {
    std::atomic<std::uint32_t> &id = m_operations[static_cast<std::size_t>(operation)];
    if (const std::uint32_t known = id.load(std::memory_order_acquire); known != recording::nothing)
        return known;
    const std::scoped_lock lock(m_mutex);
    if (id.load() == recording::nothing)
        id.store(log.defineOperation(nameOf(operation)), std::memory_order_release);
    return id.load();
}

Layer *layer() {
    // Asked each time: in a child that the process forks, there is none.
    ProcessLog *const log = processLog();
    if (log == nullptr)
        return nullptr;
    static Layer *const existing = [log]() -> Layer * {
        const Undisturbed undisturbed;
        makeMpiVisible();
        if (!findPredefined()) {
            say("the MPI library hides its predefined handles: MPI calls are not recorded.");
            return nullptr;
        }
        return new Layer(*log);
    }();
    return existing;
}

} // namespace laggard::collect::mpi
