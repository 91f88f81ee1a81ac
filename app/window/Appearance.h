// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>

namespace laggard {

/// Light, dark, or as the system has it.
enum class Appearance { System, Light, Dark };

[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();

/// Changes the colours of the whole program. `system` is the palette it started with.
void applyAppearance(Appearance appearance, const QPalette &system);

} // namespace laggard
