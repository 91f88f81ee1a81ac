// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

namespace laggard {

/// What a colour says. Never the only sign: a word or a shape says the same.
enum class Tone { Bad, Caution, Good, Neutral, Faint };

/// A text colour for light or dark, at least 4.5:1 against the palette's Base and Window.
[[nodiscard]] QColor toneColour(Tone tone, const QPalette &palette);

/// A quiet fill for a banner; the palette's text stays readable on it.
[[nodiscard]] QColor toneFill(Tone tone, const QPalette &palette);

} // namespace laggard
