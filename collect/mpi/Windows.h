// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Communicators.h"

#include <map>

namespace laggard::collect::mpi {

/// A window of one-sided communication. Never deleted: other threads may use it while the program frees it.
struct Window {
    std::uint32_t id = recording::nothing;
    Communicator *communicator = nullptr; ///< that it was made on

    /// Its epochs that are open, by what closes them: numbers of requests in the recording.
    std::uint64_t opened(std::uint32_t slot, std::uint64_t request);
    /// Returns the request; 0 if there is none.
    std::uint64_t closed(std::uint32_t slot);

  private:
    Mutex m_mutex;
    std::map<std::uint32_t, std::uint64_t> m_open;
};

/// A group that exists.
struct Group {
    unsigned references = 0;
    bool operator==(const Group &) const = default;
};

/// A file's communicator.
struct File {
    Communicator *communicator = nullptr;
    bool operator==(const File &) const = default;
};

/// Windows and files of this process: the objects that are made by all members of a communicator, and whose calls are its
/// collectives; and the groups, as windows' epochs are for groups. Safe from all threads.
class Windows {
  public:
    explicit Windows(ProcessLog &log) : m_log(log) {}

    /// nullptr for those that are null, invalid, or were made unseen. Asks MPI nothing.
    [[nodiscard]] Window *find(MPI_Win handle) const { return m_windows.find(handle, nullptr); }
    /// All members of the communicator make a window: the k-th one has the same key on each. nullptr if nothing is known of the
    /// communicator.
    [[nodiscard]] Window *announce(Communicator *communicator);
    void made(MPI_Win handle, Window *window) { m_windows.set(handle, window); }
    void freed(MPI_Win handle, Window *window) { m_windows.removeIf(handle, window); }

    [[nodiscard]] Communicator *communicatorOf(MPI_File handle) const { return m_files.find(handle, {}).communicator; }
    void opened(MPI_File handle, Communicator *communicator) { m_files.set(handle, {communicator}); }
    void closed(MPI_File handle) { m_files.remove(handle); }

    /// The program has been given the group, or has freed it. MPI may give the same one several times.
    void made(MPI_Group handle);
    void freed(MPI_Group handle);
    /// Its definition in the recording, by its members; `nothing` if it is not known to exist.
    [[nodiscard]] std::uint32_t groupId(MPI_Group handle);

  private:
    ProcessLog &m_log;
    HandleTable<MPI_Win, Window *> m_windows;
    HandleTable<MPI_File, File> m_files;
    HandleTable<MPI_Group, Group> m_groups;
    Mutex m_mutex;
    std::map<std::vector<std::uint32_t>, std::uint32_t> m_groupIds;
};

/// The program has been given the group, or frees it.
void madeGroup(MPI_Group group);
void freedGroup(MPI_Group group);

} // namespace laggard::collect::mpi
