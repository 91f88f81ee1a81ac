// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::watch {

/// Which file something is: number of the device and of the file.
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
};

/// Writes to the standard error that the job was started with, through one of its processes that still has it: a watcher that
/// kept it open itself would keep whoever reads it waiting after the job has ended. A process that has put a file of its own in
/// that place is left alone. False if none has it any more.
bool writeToJobErrors(const std::vector<std::int32_t> &pids, const FileIdentity &wanted, const std::string &text);

} // namespace laggard::watch
