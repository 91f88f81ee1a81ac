// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <QString>

namespace laggard {

/// One sentence on what could not be read: "Some of ranks 3, 7 could not be read (2 losses)." Empty without data loss.
[[nodiscard]] QString describeDamage(const Trace &trace);

} // namespace laggard
