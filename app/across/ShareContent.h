// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Snapshot.h"
#include "app/across/ShareTrace.h"
#include "ingest/modeldump/DumpContent.h"

namespace laggard {

/// What a share's ranks did, where they are and what they wait for, as the content of a model dump: rank for rank, each with the
/// parts of the tables that it is the first to need. So contents of neighbouring shares join (modeldump::ContentJoin) to that of
/// both, wherever the border between them was.
///
/// `tasks`: by rank, those of the share. `lastEvent`: the whole job's. Throws Cancelled.
[[nodiscard]] modeldump::DumpContent contentOf(const ShareTrace &share, const Snapshot &snapshot,
                                               const std::vector<TaskState> &tasks, Tick lastEvent, const Work &work);

} // namespace laggard
