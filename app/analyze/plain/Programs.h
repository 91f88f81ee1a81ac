// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace laggard {

/// A folder below TMPDIR, which is gone with this object.
class TemporaryFolder {
  public:
    /// Throws std::system_error.
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    [[nodiscard]] std::string path(const char *name) const { return m_path + '/' + name; }

  private:
    std::string m_path;
};

/// A program of Laggard's own: as the environment `variable` says, beside the running one, in `../folder` of the build tree, or
/// in the installation's libexec folder. Empty where it is not there.
[[nodiscard]] std::string findProgram(const char *name, const char *variable, const char *folder);

struct ProgramEnd {
    bool isOverdue = false;
    int status = -1; ///< exit status; -1: none
    std::string output;
    std::string errors;
};

/// Runs a program with `input` and waits for it. Throws Cancelled, std::system_error, and WriteError where TMPDIR takes no more.
[[nodiscard]] ProgramEnd runProgram(const std::vector<std::string> &command, const std::string &input,
                                    std::chrono::milliseconds limit, const std::stop_token &stop);

} // namespace laggard
