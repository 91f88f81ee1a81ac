// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace laggard::replay {

/// How a command ended.
struct JobEnd {
    bool isOverdue = false;    ///< it was ended, as it took too long
    bool isCancelled = false;  ///< it was ended, as nobody wants it any more
    std::optional<int> status; ///< exit status; nothing: a signal ended it
    int signal = 0;            ///< the signal that ended it
    double seconds = 0;
};

/// Runs a command in a process group of its own, with what it writes in two files, and ends it, and all that it has started, when
/// `limit` is over or `stop` is requested: politely, and after some seconds with SIGKILL. `folder`: where it runs; empty: here.
/// Exit status 127: there is no such program, or no such folder. Throws std::system_error if it cannot be started.
[[nodiscard]] JobEnd runJob(const std::vector<std::string> &command, const std::filesystem::path &output,
                            const std::filesystem::path &errors, std::chrono::milliseconds limit, const std::stop_token &stop,
                            const std::string &folder = {});

} // namespace laggard::replay
