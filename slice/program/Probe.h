// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace laggard::slice {

/// Does something with files in a child process first: LLVM's reader ends or crashes the process on some damaged bitcode. The
/// child goes ahead through the list while the files that it has survived are read for good.
class Probe {
  public:
    using Attempt = std::function<void(const std::string &file)>;
    Probe(const std::vector<std::string> &files, Attempt attempt);
    ~Probe();
    Probe(const Probe &) = delete;
    Probe &operator=(const Probe &) = delete;

    /// Whether the child has survived a file; to be asked for each in order. True for all where no child can be made.
    [[nodiscard]] bool survives(std::size_t index);

  private:
    void start(std::size_t from);
    void stop();

    const std::vector<std::string> &files;
    Attempt attempt;
    pid_t child = -1;
    int results = -1; ///< a byte for each file that was survived
};

} // namespace laggard::slice
