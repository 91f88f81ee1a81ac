// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

namespace laggard {

/// How far a long piece of work has come. For reading, `done` and `total` are bytes.
struct Progress {
    std::string_view what; ///< what is being done, for people ("reading events")
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

/// What long work is given: a way to stop it, a place to report to, and how many threads it may use.
struct Work {
    std::stop_token stop;
    std::function<void(const Progress &)> report; ///< called from any worker, one call at a time; may be empty
    unsigned threads = 0;                         ///< 0: as many as the machine has
    [[nodiscard]] unsigned threadCount() const;
};

/// Thrown by work that was asked to stop. Nothing half-done is left behind.
class Cancelled : public std::runtime_error {
  public:
    Cancelled() : std::runtime_error("cancelled") {}
};

/// Throws Cancelled if `work` was asked to stop.
void throwIfCancelled(const Work &work);

/// Thrown when input cannot be read at all. `what()` is one sentence for people, naming the file and the reason.
class ReadError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace laggard
