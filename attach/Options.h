// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace laggard::attach {

/// What the user asked laggard-attach to do.
struct AttachCommand {
    std::vector<pid_t> pids;
    pid_t launcher = 0; ///< 0: none was named
    std::vector<std::string> cores;
    std::string executable;            ///< the core files' program; empty: as they tell
    std::string sysroot;               ///< where the files of the core files' machine lie; empty: here
    std::string slurmJob;              ///< all nodes of it; empty: this one, or `hosts`
    std::string hosts;                 ///< file with the nodes; empty: this one
    std::string via = "ssh";           ///< what starts this program on `hosts`
    bool writesStream = false;         ///< for a node of the tree: to standard output, for the one that started it
    std::vector<std::string> branches; ///< nodes that this one looks after besides itself
    unsigned samples = 4;
    double interval = 0.5; ///< seconds from one sample to the next
    std::string output;    ///< file, or a folder that is there
};

/// Exit statuses of the command line (docs/man/laggard-attach.1).
enum AttachStatus : int { attachDone = 0, attachFailed = 1, attachUsage = 2, attachInterrupted = 130 };

/// Options, or the exit status with which to leave at once (after --help or a mistake, which has been explained).
struct ParsedAttachCommand {
    std::optional<AttachCommand> command;
    int status = attachDone;
};

[[nodiscard]] ParsedAttachCommand parseAttachCommand(int argc, char **argv);

} // namespace laggard::attach
