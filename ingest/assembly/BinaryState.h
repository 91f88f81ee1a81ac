// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

namespace laggard {

/// What lies on this machine where the job's program or library lay.
enum class BinaryState {
    Same,    ///< a file with the same build-id
    Other,   ///< a file with another build-id, or one of the two has none, so that nobody can tell
    Missing, ///< no file that can be read, or none that is a program
};

[[nodiscard]] BinaryState stateOf(const Binary &binary);

/// Bytes as lower-case hex digits.
[[nodiscard]] std::string hexOf(std::string_view bytes);

} // namespace laggard
