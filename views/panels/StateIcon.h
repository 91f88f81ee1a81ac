// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"

#include <QPalette>
#include <QPixmap>

namespace laggard {

/// A picture of what became of the job, `size` logical pixels wide and high: each state has a shape of its own.
[[nodiscard]] QPixmap stateIcon(Verdict::State state, int size, const QPalette &palette, qreal devicePixelRatio = 1);

/// A triangle with an exclamation mark.
[[nodiscard]] QPixmap cautionIcon(int size, const QPalette &palette, qreal devicePixelRatio = 1);

/// "Hung", "Finished", …
[[nodiscard]] QString stateWord(Verdict::State state);

} // namespace laggard
