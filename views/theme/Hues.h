// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>

/// The palette of Okabe and Ito, which people with any common colour blindness can tell apart. Everything that has a colour to
/// say something has one of these, made darker or lighter where it must be read (`withContrast`). Functions have colours of their
/// own.
namespace laggard::hue {

inline constexpr QRgb orange = 0xffe69f00;
inline constexpr QRgb sky = 0xff56b4e9;
inline constexpr QRgb green = 0xff009e73;
inline constexpr QRgb blue = 0xff0072b2;
inline constexpr QRgb vermilion = 0xffd55e00;
inline constexpr QRgb purple = 0xffcc79a7;
inline constexpr QRgb grey = 0xff808080;

} // namespace laggard::hue
