// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/QueueIndex.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// Members of a communicator that have enqueued one collective as different operations, of different types, or of different sizes
/// where all must agree: the fewer wait for nobody, the others for them. Nothing if they agree as far as it is known.
[[nodiscard]] std::optional<Wait> queueMismatch(const JobView &job, const QueueIndex &index, const QueueInstance &instance,
                                                const QueueIndex::Entries &entries);

} // namespace laggard
