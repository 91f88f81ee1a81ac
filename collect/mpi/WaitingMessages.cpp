// SPDX-License-Identifier: GPL-3.0-or-later
// Call::waitingMessages(): what lies in MPI when it is finalized.
#include "collect/mpi/Call.h"

#include <algorithm>

namespace laggard::collect::mpi {

using recording::RecordKind;

namespace {

/// While it lives, MPI returns errors on the communicator instead of ending the job.
class QuietErrors {
  public:
    explicit QuietErrors(MPI_Comm comm) : m_comm(comm) {
        m_isQuiet = PMPI_Comm_get_errhandler(comm, &m_before) == MPI_SUCCESS &&
                    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
    }
    ~QuietErrors() {
        if (m_isQuiet && PMPI_Comm_set_errhandler(m_comm, m_before) == MPI_SUCCESS)
            PMPI_Errhandler_free(&m_before);
    }
    QuietErrors(const QuietErrors &) = delete;
    QuietErrors &operator=(const QuietErrors &) = delete;
    explicit operator bool() const { return m_isQuiet; }

  private:
    MPI_Comm m_comm;
    MPI_Errhandler m_before{};
    bool m_isQuiet = false;
};

} // namespace

void Call::findWaiting(MPI_Comm comm, const Communicator &communicator) {
    constexpr int tries = 2; // the first look makes the library take in what has come
    const QuietErrors quiet(comm);
    MPI_Status status{};
    const auto waits = [&](int source) {
        int isThere = 0;
        return PMPI_Iprobe(source, MPI_ANY_TAG, comm, &isThere, &status) == MPI_SUCCESS && isThere != 0;
    };
    bool isAny = false;
    for (int i = 0; quiet && i < tries && !isAny; ++i)
        isAny = waits(MPI_ANY_SOURCE);
    for (int source = 0; isAny && static_cast<std::size_t>(source) < communicator.members->size(); ++source) {
        int bytes = 0;
        if (!waits(source) || PMPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS)
            continue;
        m_parts.push_back({RecordKind::WaitingPart,
                           communicator.worldRank(source),
                           {recording::pair(static_cast<std::uint32_t>(status.MPI_TAG), communicator.id),
                            static_cast<std::uint64_t>(std::max(bytes, 0))},
                           2});
    }
}

void Call::waitingMessages() {
    m_layer->lookBeforeTheEnd([this] {
        for (const auto &[comm, communicator] : m_layer->communicators.all())
            if (communicator != nullptr && !communicator->isIntercommunicator()) // the other side may be gone
                findWaiting(comm, *communicator);
    });
}

} // namespace laggard::collect::mpi
