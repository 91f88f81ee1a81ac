// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/ClockSync.h"

#include "collect/mpi/Attendance.h"
#include "collect/mpi/OwnCommunicator.h"
#include "collect/store/SystemCalls.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <map>
#include <sched.h>
#include <unistd.h>

namespace laggard::collect::mpi {
namespace {

constexpr Ticks second = 1'000'000'000;
/// The quickest of so many: Cristian's method; the first ones also make connections.
constexpr int rounds = 20;
/// All that rank 0 takes for it, at MPI_Init and at MPI_Finalize. There, ranks may come at quite different times.
/// A thousand machines take half a second of it; ranks that share their processors with others take longer.
constexpr Ticks longest = 5 * second;
/// The others wait a little longer, as they may be first.
constexpr Ticks longestAnswering = 2 * longest;

bool says(const char *name, const char *word) {
    const char *value = std::getenv(name);
    return value != nullptr && std::strcmp(value, word) == 0;
}

/// As the launcher says; 0 if it does not.
long numberOf(std::initializer_list<const char *> names) {
    for (const char *name : names)
        if (const char *value = std::getenv(name); value != nullptr && *value != '\0')
            return std::strtol(value, nullptr, 10);
    return 0;
}

/// Only what the launcher has told: to find out otherwise would take the ranks of every job some time.
bool isKnownToSpanMachines(std::uint32_t size) {
    const long here = numberOf({"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE", "PALS_LOCAL_SIZE"});
    if (here > 0)
        return here < static_cast<long>(size);
    return numberOf({"SLURM_STEP_NUM_NODES", "SLURM_NNODES", "FLUX_JOB_NNODES"}) > 1;
}

/// Processes with one answer share the clock that never steps: containers of one machine do.
std::string thisMachine() {
    const int file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    char text[64];
    const long length = file < 0 ? 0 : readFrom(file, text, sizeof text);
    if (file >= 0)
        ::close(file);
    if (length > 0)
        return std::string(text, static_cast<std::size_t>(length));
    return ::gethostname(text, sizeof text) == 0 ? std::string(text, ::strnlen(text, sizeof text)) : std::string("?");
}

} // namespace

ClockSync *ClockSync::begin(std::uint32_t rank, std::uint32_t size) {
    const bool isForced = says("LAGGARD_RECORD_CLOCK_SYNC", "on");
    const char *folder = std::getenv("LAGGARD_RECORD_DIR");
    if (size < 2 || folder == nullptr || says("LAGGARD_RECORD_CLOCK_SYNC", "off") || areSystemCallsFiltered() ||
        (!isForced && !isKnownToSpanMachines(size)))
        return nullptr;
    MPI_Comm parent = MPI_COMM_NULL;
    if (PMPI_Comm_get_parent(&parent) != MPI_SUCCESS || parent != MPI_COMM_NULL)
        return nullptr; // several jobs in one folder
    Attendance attendance(folder, rank, size);
    if (!attendance.agree(isForced ? std::to_string(rank) : thisMachine(), isForced))
        return nullptr;
    const MPI_Comm communicator = ownCommunicator(MPI_COMM_WORLD);
    if (communicator == MPI_COMM_NULL)
        return nullptr;
    // Never deleted, nor is the communicator freed: a message that came too late may still be on its way.
    return new ClockSync(communicator, rank, attendance.machines());
}

void ClockSync::measure(ProcessLog &log) {
    if (m_rank == 0)
        ask();
    else
        answer(log);
}

bool ClockSync::waitFor(MPI_Request &request, Ticks until) {
    constexpr unsigned spins = 1000;
    int isDone = 0;
    for (unsigned i = 0; PMPI_Test(&request, &isDone, MPI_STATUS_IGNORE) == MPI_SUCCESS; ++i) {
        if (isDone != 0)
            return true;
        if (i > spins)
            sched_yield(); // whoever answers may need this processor
        if (now() >= until)
            break;
    }
    return false;
}

bool ClockSync::send(const Note &note, std::uint32_t rank, Ticks until) {
    // Where it does not get through in time, MPI may read it later.
    auto *kept = new Note(note);
    MPI_Request request = MPI_REQUEST_NULL;
    if (PMPI_Isend(kept, sizeof *kept, MPI_BYTE, static_cast<int>(rank), 0, m_communicator, &request) != MPI_SUCCESS)
        return false;
    if (!waitFor(request, until)) {
        PMPI_Request_free(&request);
        return false;
    }
    delete kept;
    return true;
}

bool ClockSync::receive(Note &note, std::uint32_t rank, Ticks until) {
    auto *kept = new Note;
    MPI_Request request = MPI_REQUEST_NULL;
    if (PMPI_Irecv(kept, sizeof *kept, MPI_BYTE, static_cast<int>(rank), 0, m_communicator, &request) != MPI_SUCCESS)
        return false;
    if (!waitFor(request, until)) {
        PMPI_Cancel(&request);
        PMPI_Request_free(&request);
        return false;
    }
    note = *kept;
    delete kept;
    return true;
}

ClockSync::Note ClockSync::measureWith(std::uint32_t rank, Ticks until) {
    Note best;
    for (int i = 0; i < rounds; ++i) {
        Note note;
        const Ticks asked = now();
        if (asked >= until || !send({Kind::Question, 0, ++m_questions, 0}, rank, until))
            break;
        // An answer that came too late for an earlier question says nothing of this one.
        bool isAnswered = receive(note, rank, until);
        while (isAnswered && note.offset != m_questions)
            isAnswered = receive(note, rank, until);
        if (!isAnswered)
            break;
        const Ticks answered = now();
        const auto roundTrip = static_cast<std::int64_t>(answered - asked);
        if (best.kind != Kind::NoResult && best.roundTrip <= roundTrip)
            continue;
        best = {Kind::Result, note.time, static_cast<std::int64_t>(asked) + roundTrip / 2 - note.time, roundTrip};
    }
    return best;
}

void ClockSync::ask() {
    const Ticks until = now() + longest;
    std::map<std::string, std::uint32_t> asked; // the first rank of each machine
    for (std::uint32_t rank = 1; rank < m_machines.size(); ++rank)
        if (m_machines[rank] != m_machines.front())
            asked.emplace(m_machines[rank], rank);
    std::map<std::string, Note> measured;
    for (const auto &[machine, rank] : asked) { // a slow one leaves the others their share of the time
        const Ticks left = until - std::min(until, now());
        measured.emplace(machine, measureWith(rank, now() + left / (asked.size() - measured.size())));
    }
    // Who has answered waits for the end of it.
    const Ticks end = now() + longest;
    for (std::uint32_t rank = 1; rank < m_machines.size(); ++rank) {
        const auto found = measured.find(m_machines[rank]);
        static_cast<void>(send(found == measured.end() ? Note{} : found->second, rank, end));
    }
}

void ClockSync::answer(ProcessLog &log) {
    const Ticks until = now() + longestAnswering;
    Note note;
    while (receive(note, 0, until)) {
        const auto time = static_cast<std::int64_t>(now());
        if (note.kind == Kind::Question) {
            if (!send({Kind::Answer, time, note.offset, 0}, 0, until))
                return;
            continue;
        }
        if (note.kind == Kind::Result)
            log.clockOffset(static_cast<Ticks>(note.time), note.offset, static_cast<std::uint64_t>(note.roundTrip));
        return;
    }
}

} // namespace laggard::collect::mpi
