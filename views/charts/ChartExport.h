// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/Chart.h"
#include "views/picture/PictureFile.h"

#include <QByteArray>

namespace laggard {

/// The whole chart as a file's content, in light colours: title, trace, remarks, what was lost, legend. Needs a QApplication (the
/// platform "offscreen" will do). Throws PictureError.
[[nodiscard]] QByteArray renderChart(const Chart &chart, PictureFormat format);

} // namespace laggard
