// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <vector>

namespace laggard::attach {

/// A process of this machine, as /proc tells it.
struct ProcessEntry {
    pid_t pid = 0;
    pid_t parent = 0;
    std::string command;               ///< its name (/proc/PID/stat)
    char state = '?';                  ///< R, S, D, T, t, Z … (proc(5))
    std::optional<std::uint32_t> rank; ///< as its environment says
    std::uint32_t rankCount = 0;       ///< ranks of the job; 0 where the environment does not say
    std::string job;                   ///< what ranks of one job have in common
    std::string slurmJob;              ///< SLURM_JOB_ID, whoever has started the ranks; empty: none
    bool isUnreadable = false;         ///< it is this user's, or of a launcher asked for, and its environment cannot be read
};

/// A process that was found to be a rank.
struct RankProcess {
    std::uint32_t rank = 0;
    pid_t pid = 0;
    std::string command;
    bool isStopped = false; ///< by SIGSTOP or its like, before anybody attached
    std::string core;       ///< its core file; empty: it is there
};

/// The ranks of one job on this machine, sorted.
struct FoundJob {
    std::vector<RankProcess> ranks;
    std::uint32_t rankCount = 0;    ///< ranks of the whole job, those on other machines as well
    std::vector<std::string> notes; ///< sentences about what was left out
};

/// There is nothing to attach to; the sentence says what was looked for.
class NothingFound : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What /proc has, of all users; processes that end meanwhile are left out.
[[nodiscard]] std::vector<ProcessEntry> listProcesses();

/// Rank, size and job as an environment ("A=1\0B=2\0") tells them: PMI, PMIx, Open MPI, Slurm, Flux, PALS, MVAPICH2, torchrun.
void readEnvironment(const std::string &environment, ProcessEntry &entry);

/// The ranks below a launcher. `processes`: all there are. Throws NothingFound.
[[nodiscard]] FoundJob ranksBelow(const std::vector<ProcessEntry> &processes, pid_t launcher);
/// These processes; without a rank in the environment they are numbered in the order given. Throws NothingFound.
[[nodiscard]] FoundJob ranksOf(const std::vector<ProcessEntry> &processes, const std::vector<pid_t> &pids);
/// The processes of which there are these core files; without a rank in the environment they are numbered in the order given.
/// Files that cannot be used are told in the notes. Throws NothingFound.
[[nodiscard]] FoundJob ranksOfCores(const std::vector<std::string> &files);
/// The only job of this user. Throws NothingFound if there is none, or several, which it lists.
/// `slurmJob`: of that of Slurm alone; empty: of any.
[[nodiscard]] FoundJob onlyJob(const std::vector<ProcessEntry> &processes, const std::string &slurmJob = {});

} // namespace laggard::attach
