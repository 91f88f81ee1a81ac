// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Work.h"

#include <cstddef>
#include <string>
#include <vector>

namespace laggard::recording {

/// With what a recorded job was started, as far as its processes know: the launcher's own words are not among it.
struct RecordedCommand {
    std::size_t ranks = 0;
    std::string mpi;                    ///< "mpich", "openmpi"; empty: another one, or not known
    std::string folder;                 ///< in which the program was started
    std::vector<std::string> arguments; ///< the program first; empty: see `problem`
    std::string problem;                ///< a sentence, where it is not known
};

/// Throws ReadError if `path` is no recording that can be read, and Cancelled.
[[nodiscard]] RecordedCommand commandOf(const std::string &path, const Work &work);

} // namespace laggard::recording
