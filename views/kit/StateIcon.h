// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"
#include "views/theme/Tone.h"

#include <QPalette>
#include <QPixmap>

namespace laggard {

/// What became of a job, at a glance: each has a word and a shape. There are four colours: for jobs that hang or crashed, for
/// slow ones, for those that finished, and for those whose state is not known.
enum class Glance { Hung, Crashed, Slow, Finished, Running, Unknown };

/// Slow: the job moved to its end, or still does, and its headline tells who held it up. Unknown: some of
/// what it did was lost, and it is not known to have ended, or nobody can be named.
[[nodiscard]] Glance glanceOf(const Verdict &verdict);

/// A picture of what became of the job, `size` logical pixels wide and high: each has a shape of its own.
[[nodiscard]] QPixmap stateIcon(Glance glance, int size, const QPalette &palette, qreal devicePixelRatio = 1);

/// A triangle with an exclamation mark.
[[nodiscard]] QPixmap cautionIcon(int size, const QPalette &palette, qreal devicePixelRatio = 1);

/// The colour of it.
[[nodiscard]] Tone toneOf(Glance glance);

/// "Hung", "Slow", …
[[nodiscard]] QString stateWord(Glance glance);

} // namespace laggard
