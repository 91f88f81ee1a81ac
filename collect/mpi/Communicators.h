// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/HandleTable.h"
#include "collect/store/Mutex.h"
#include "collect/store/ThreadLog.h"

#include <mpi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace laggard::collect::mpi {

/// The ranks in MPI_COMM_WORLD of the members of a group that exists; `nothing` for processes of another one.
[[nodiscard]] std::vector<std::uint32_t> worldRanksIn(MPI_Group group);

using Members =
    std::shared_ptr<const std::vector<std::uint32_t>>; ///< ranks in MPI_COMM_WORLD, `nothing` for processes of another one

/// A communicator of this process. Never deleted: other threads may use it while the program frees it.
struct Communicator {
    std::uint32_t id = recording::nothing;
    std::uint64_t key = 0;
    std::uint32_t flags = 0; ///< recording::CommunicatorFlags
    int ownRank = 0;
    Members members;  ///< whom messages go to: in an intercommunicator, the remote group
    Members ownGroup; ///< for an intercommunicator: the local group; else as `members`
    int sources = 0;  ///< neighbours that this process receives from, if it has a topology
    int destinations = 0;
    std::atomic<std::uint64_t> windows{0};     ///< calls so far that all members made to make windows of it
    std::atomic<std::uint64_t> createdFrom{0}; ///< calls so far that all members made to derive communicators

    [[nodiscard]] bool isIntercommunicator() const { return (flags & recording::isIntercommunicator) != 0; }
    /// The world rank of a rank as arguments and statuses have it: MPI_ANY_SOURCE and MPI_PROC_NULL have numbers of their own.
    [[nodiscard]] std::uint32_t worldRank(int rank) const;
    /// The world rank of a root argument; MPI_ROOT is the own process.
    [[nodiscard]] std::uint32_t worldRankOfRoot(int root) const;
};

/// Who takes part in making a communicator.
enum class Making {
    Copy,    ///< all of the parent; the new one has the same members
    Derived, ///< all of the parent
    Group,   ///< those of the new one only (MPI_Comm_create_group)
    Pair,    ///< those of both sides (MPI_Intercomm_create)
    Alone,   ///< no parent
};

/// What is known of a communicator before it exists.
struct Origin {
    Making making = Making::Alone;
    Communicator *parent = nullptr;
    std::uint64_t ordinal = 0; ///< number of the making call among those of the parent
    std::uint64_t tag = 0;
};

/// The communicators of this process. Their keys are equal on all members and different for different communicators, and cost no
/// message: all members of a communicator make the collective calls on it in the same order, so that (key of the parent, the
/// making call's ordinal, first member) names each result. Where not all members of the parent take part, the members themselves
/// are hashed, with the ordinal among communicators of the same members. Processes of different MPI_COMM_WORLDs (MPI_Comm_spawn,
/// MPI_Comm_accept) share no numbers: their common communicators have different keys on the two sides.
/// Safe from all threads.
class Communicators {
  public:
    explicit Communicators(ProcessLog &log) : m_log(log) {}

    /// MPI is initialised: MPI_COMM_WORLD and MPI_COMM_SELF exist.
    void begin();

    /// nullptr for those that are null, invalid, or were made unseen. Asks MPI nothing, as invalid handles are for MPI to report.
    [[nodiscard]] Communicator *find(MPI_Comm handle) const { return m_known.find(handle, nullptr); }

    [[nodiscard]] std::vector<std::pair<MPI_Comm, Communicator *>> all() const { return m_known.all(); }

    /// A call begins that makes a communicator.
    [[nodiscard]] Origin announce(Making making, Communicator *parent, int tag) const;
    /// It has returned.
    void made(MPI_Comm handle, const Origin &origin);
    /// The program has freed it. Its handle may have been given away already.
    void freed(MPI_Comm handle, Communicator *communicator) { m_known.removeIf(handle, communicator); }
    void named(MPI_Comm handle);

  private:
    void define(MPI_Comm handle, std::unique_ptr<Communicator> communicator, std::uint32_t parent);
    [[nodiscard]] std::uint64_t keyOf(const Communicator &communicator, const Origin &origin);
    [[nodiscard]] Members intern(std::vector<std::uint32_t> ranks);
    [[nodiscard]] Members worldRanksOf(MPI_Comm handle, bool isRemote);
    [[nodiscard]] std::uint64_t ordinalAmongEquals(std::uint64_t hash);

    ProcessLog &m_log;
    HandleTable<MPI_Comm, Communicator *> m_known;
    Mutex m_mutex;
    std::unordered_map<std::uint64_t, std::vector<Members>> m_interned; ///< by hash
    std::unordered_map<std::uint64_t, std::uint64_t> m_ordinals;        ///< by hash of what makes communicators equal
    std::uint64_t m_worldKey = 0;
};

} // namespace laggard::collect::mpi
