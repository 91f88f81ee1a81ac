// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/RecordingWriter.h"

namespace laggard::test {

/// The recording of one of two ranks that has a little of everything: several chunks of events with a gap, a second thread, all
/// arrays, and a stack.
[[nodiscard]] RecordingWriter sampleOf(std::int32_t rank);

} // namespace laggard::test
