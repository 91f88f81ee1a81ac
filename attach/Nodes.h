// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace laggard::attach {

/// How to start a program on another node.
struct NodeStarter {
    enum class Kind : std::uint8_t { Ssh, Srun, Mpiexec };
    Kind kind = Kind::Ssh;
    std::string slurmJob; ///< for Srun
};

/// What one node has seen: a model dump.
struct NodeDump {
    std::string host;
    std::string text;
};

/// The hosts of a list: one a line, as in host files of MPI ("node1 slots=4", "node1:4"); comments begin with #.
[[nodiscard]] std::vector<std::string> hostsIn(const std::string &text);

/// The words that start `command` on `host`. ssh hands them to a shell, and they are quoted for that.
[[nodiscard]] std::vector<std::string> startedOn(const std::string &host, const NodeStarter &starter,
                                                 const std::vector<std::string> &command);

/// One part of a list of hosts for each branch of a tree, its first host the one that looks after the others.
[[nodiscard]] std::vector<std::vector<std::string>> branchesOf(const std::vector<std::string> &hosts);

/// Writes a dump so that several can follow each other: a line "laggard-attach HOST BYTES", then so many bytes.
void writeNodeDump(std::ostream &out, const NodeDump &dump);
/// The dumps of a stream that was written so; what follows a line that is none is left out.
[[nodiscard]] std::vector<NodeDump> readNodeDumps(const std::string &stream);

/// Output and status of a program.
struct RunProgram {
    std::vector<std::string> command;
    std::string output; ///< its standard output
    int status = -1;    ///< exit status; 128 and the signal if it was killed; 127 if it could not be started
};
/// Runs all of them at once; what they say on standard error goes to this program's. Those that run when it is cancelled are
/// asked to end (SIGTERM).
[[nodiscard]] std::vector<RunProgram> runPrograms(const std::vector<std::vector<std::string>> &commands,
                                                  const std::function<bool()> &isCancelled);

/// The nodes of a Slurm job, by squeue and scontrol. Empty, and `complaint` says why, if they cannot tell.
[[nodiscard]] std::vector<std::string> nodesOfSlurmJob(const std::string &job, std::string &complaint);

} // namespace laggard::attach
