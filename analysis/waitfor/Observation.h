// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Snapshot.h"

namespace laggard {

/// What a trace tells of a moment: whom open calls concern, messages on their way, collectives completed. Throws Cancelled.
[[nodiscard]] JobState observe(const Snapshot &snapshot, const Work &work);

} // namespace laggard
