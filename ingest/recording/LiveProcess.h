// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Work.h"
#include "trace/recording/Format.h"

#include <string>
#include <vector>

namespace laggard::recording {

/// What this machine says of a process that records here.
struct LiveProcess {
    bool exists = false;    ///< it runs, and is the one that wrote the file, not another one that has its number now
    bool isStopped = false; ///< by SIGSTOP and its like, or a debugger
};

/// What the process whose file is at `path` does now. Call only for files of this machine: isThisHost().
[[nodiscard]] LiveProcess liveProcess(const FileHeader &header, const std::string &path);
/// The file was written on the machine that this runs on.
[[nodiscard]] bool isThisHost(const FileHeader &header);

/// Asks the recorders of these files, all of them of processes that run here, to capture the stacks of their processes, and waits
/// for at most a second. Leaves alone files that are not this user's, are not writable, or come from a recorder that takes no
/// requests. False if nobody was asked.
bool askForStacks(const std::vector<std::string> &paths, const Work &work);

/// Asks the recorder of this file, whose process runs here, to end that process at once with this status (1 to 255), and returns.
/// False where nobody can be asked, as above.
bool askToEnd(const std::string &path, std::uint32_t status);

} // namespace laggard::recording
