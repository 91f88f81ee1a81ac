// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/JudgeUnits.h"

namespace laggard {

/// "reset (mpd.c:80), called by handle (mpd.c:122), is called in no such unit of the model": one difference, a sentence without
/// its capital and full stop.
[[nodiscard]] std::string describe(const UnitDifference &difference);

/// "a message (recv on descriptor 7)", "the beginning, up to the event loop": what the unit is.
[[nodiscard]] std::string describeKind(const Trace &trace, const JudgedUnit &unit);

/// Why the unit has its score, in a sentence.
[[nodiscard]] std::string why(const JudgedUnit &unit);

/// What the model says of the run as a whole: one or more sentences.
[[nodiscard]] std::string summary(const UnitReport &report);

} // namespace laggard
