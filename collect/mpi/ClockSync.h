// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Handles.h"
#include "collect/store/ThreadLog.h"

#include <string>
#include <vector>

namespace laggard::collect::mpi {

/// Measures how the clocks of a job's machines differ: one rank of each machine answers rank 0's messages, and of the quickest
/// answer the clock is known to half the time that the two messages took. All ranks of the machine are told. After MPI_Init, and
/// again before MPI_Finalize where all come to it in time; on a communicator of its own, so that no message of the program meets
/// one of these. Each time bounded: where an answer does not come, nothing is recorded.
class ClockSync {
  public:
    /// At the end of MPI_Init. nullptr where there is nothing to measure: the job is on one machine, some rank is not recorded
    /// (Attendance.h), it was started by MPI_Comm_spawn, or LAGGARD_RECORD_CLOCK_SYNC says off. With "on", as if each rank were
    /// on a machine of its own: for tests.
    [[nodiscard]] static ClockSync *begin(std::uint32_t rank, std::uint32_t size);
    void measure(ProcessLog &log);

  private:
    enum class Kind : std::int64_t { Question = 1, Answer = 2, Result = 3, NoResult = 4 };
    struct Note {
        Kind kind = Kind::NoResult;
        std::int64_t time = 0;
        std::int64_t offset = 0; ///< in a question and its answer: the question's number
        std::int64_t roundTrip = 0;
    };
    ClockSync(MPI_Comm communicator, std::uint32_t rank, std::vector<std::string> machines)
        : m_communicator(communicator), m_rank(rank), m_machines(std::move(machines)) {}
    void ask();
    void answer(ProcessLog &log);
    [[nodiscard]] Note measureWith(std::uint32_t rank, Ticks until);
    [[nodiscard]] bool send(const Note &note, std::uint32_t rank, Ticks until);
    [[nodiscard]] bool receive(Note &note, std::uint32_t rank, Ticks until);
    [[nodiscard]] static bool waitFor(MPI_Request &request, Ticks until);

    MPI_Comm m_communicator;
    std::uint32_t m_rank;
    std::int64_t m_questions = 0;        ///< asked so far
    std::vector<std::string> m_machines; ///< by rank; on rank 0 only
};

} // namespace laggard::collect::mpi
