// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/LiveState.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace laggard::watch {

/// A process that was started here, followed by the system's own handle where it has one: a number may be given to another one.
class ProcessHandle {
  public:
    explicit ProcessHandle(std::int32_t pid);
    ~ProcessHandle();
    ProcessHandle(ProcessHandle &&other) noexcept;
    ProcessHandle &operator=(ProcessHandle &&other) noexcept;
    ProcessHandle(const ProcessHandle &) = delete;
    ProcessHandle &operator=(const ProcessHandle &) = delete;
    [[nodiscard]] std::int32_t pid() const { return m_pid; }
    [[nodiscard]] int handle() const { return m_handle; } ///< as of pidfd_open(2); negative: the system has none
    [[nodiscard]] bool isAlive() const;
    void kill(int signal) const;

  private:
    std::int32_t m_pid;
    int m_handle;
};

/// What the system says of a process; what it does not say stays as it is here.
struct ProcessSign {
    bool isStopped = false;  ///< by a signal or a debugger
    bool isInDisk = false;   ///< in a system call that waits for a device
    std::uint64_t moved = 0; ///< bytes that it has written, and read from storage, so far
};
[[nodiscard]] ProcessSign signOf(std::int32_t pid);

/// The processes of one job by their recordings in a folder, as they are now.
class WatchedJob {
  public:
    struct Member {
        std::unique_ptr<recording::LiveState> state;
        std::unique_ptr<ProcessHandle> process; ///< nullptr: on another machine, or gone when it was found
        recording::LiveState::Reading now;
        bool isLocal = false;
        bool isOver = false;           ///< it has ended, or left MPI
        std::uint64_t lookedAt = 0;    ///< ticks of its machine
        std::uint64_t longestStay = 0; ///< ticks: the longest that it was seen without a transition and then had one
        std::uint64_t moved = 0;       ///< as in ProcessSign, when last looked at
        [[nodiscard]] bool isAlive() const { return process && process->isAlive(); }
    };

    WatchedJob(std::string folder, std::string job) : m_folder(std::move(folder)), m_job(std::move(job)) {}

    /// Finds files that are new (now and then), and reads what all processes of this machine do. Those of others only with
    /// `everyone`: their files may come over a network.
    void look(bool everyone);
    [[nodiscard]] const std::vector<Member> &members() const { return m_members; }
    /// Those here that have begun to record and are not over.
    [[nodiscard]] std::vector<const Member *> running() const;
    [[nodiscard]] bool isAnyAlive() const;
    /// The lowest rank's process is here.
    [[nodiscard]] bool hasFirstRank() const;
    /// Ranks of MPI_COMM_WORLD without a file in the folder.
    [[nodiscard]] std::int64_t missing() const;
    /// The last transition of any process that is not over, in ticks of this machine; of `everyone` after look(everyone).
    [[nodiscard]] std::uint64_t lastChange() const;
    /// The longest that any process was in one place and went on, in ticks.
    [[nodiscard]] std::uint64_t longestStay() const;
    [[nodiscard]] std::uint64_t begun() const;
    /// True if every process here that runs has been without a transition for as long as its recorder takes for a hang.
    [[nodiscard]] bool allCountAsHanging(std::uint64_t now) const;
    /// A process that was asked to end does so in its recorder; one that does not in 5 s is killed.
    void end(std::uint32_t status) const;
    /// Processes here that have read or written since the last time, wait for a device, or are stopped: no hang of the program.
    struct Signs {
        bool moves = false;
        bool isStopped = false; ///< all of them
    };
    [[nodiscard]] Signs signs();

    /// Looks for files that are new at once.
    void findNew();

  private:
    std::string m_folder;
    std::string m_job;
    std::set<std::string> m_known;
    std::uint64_t m_foundAt = 0;
    std::vector<Member> m_members;
};

} // namespace laggard::watch
