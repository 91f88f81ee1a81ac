// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace laggard::slice {

/// Does something with files in child processes first: LLVM's reader ends or crashes the process on some damaged bitcode. Each
/// child goes ahead through its part of the list while the files that it has survived are read for good.
class Probe {
  public:
    /// What a child does with a file; whether all was well with it.
    using Attempt = std::function<bool(const std::string &file)>;
    /// Takes `count` files from the beginning of the list, by `lanes` children at a time.
    Probe(const std::vector<std::string> &files, std::size_t count, unsigned lanes, Attempt attempt);
    ~Probe();
    Probe(const Probe &) = delete;
    Probe &operator=(const Probe &) = delete;

    enum class Result { Well, NotWell, Crashed };
    /// What became of a file; to be asked for each in order. NotWell for all where no child can be made.
    [[nodiscard]] Result resultOf(std::size_t index);

  private:
    struct Lane {
        pid_t child = -1;
        int results = -1; ///< a byte for each file that was survived
    };
    void start(std::size_t from);
    static void stop(Lane &lane);
    [[noreturn]] void work(std::size_t from, int results) const;

    const std::vector<std::string> &files;
    std::size_t count;
    Attempt attempt;
    std::vector<Lane> lanes; ///< file i is one of lane i modulo their number
};

} // namespace laggard::slice
