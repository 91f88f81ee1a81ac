// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace laggard {

struct ProcessLimits {
    std::chrono::steady_clock::time_point until;
    std::uint64_t memory = 0; ///< bytes of address space; 0: no limit
    std::uint64_t output = 0; ///< bytes that may be written to a file
};

struct ChildEnd {
    enum class Kind { Exited, Signalled, OutOfTime, Stopped, NotStarted };
    Kind kind = Kind::NotStarted;
    int number = 0; ///< exit status, signal, or the error for which it was not started
};

/// Runs a program and waits for its end. `arguments` begins with the program's path; no shell has a part in it.
/// Its standard input is empty; `files` become its descriptors 1, 2, 3 and so on, and it has no others. It is killed when the
/// time is up, when `stop` is asked for, and by the system when this process ends, however that ends. May be called from several
/// threads.
[[nodiscard]] ChildEnd runBounded(const std::vector<std::string> &arguments, const std::vector<std::string> &environment,
                                  const std::vector<int> &files, const ProcessLimits &limits, const std::stop_token &stop);

/// The program of that name in the absolute folders of `searchPath` ("/usr/bin:/bin"); empty if there is none.
[[nodiscard]] std::string findProgram(const std::string &name, const std::string &searchPath);

} // namespace laggard
