// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>

namespace laggard {

/// Light, dark, or as the system has it.
enum class Appearance { System, Light, Dark };

[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();

/// Changes the colours of the whole program, tooltips included.
void applyAppearance(Appearance appearance);

} // namespace laggard
