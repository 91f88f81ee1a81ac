// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

namespace laggard {

/// True for a rank of whose main thread there are events. What a rank does is what its main thread does: of one whose file is
/// missing, the events of other threads are shown, but say nothing that could be compared with other ranks.
[[nodiscard]] bool hasMainThread(const Trace &trace, Rank rank);

/// Ranks that were read and of which there are events of other threads alone, in a job of which other ranks have their main
/// threads' events. They are left out of every comparison.
[[nodiscard]] RankSet ranksWithoutMainThread(const Trace &trace);

} // namespace laggard
