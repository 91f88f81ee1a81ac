// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace laggard {

/// Where files are looked for and written first: the user's documents, never the folder of the trace.
[[nodiscard]] QString exportFolder();

/// Asks where to, lets `write` write it (what it throws is shown), and tells in the window's status line where it is.
/// Every such dialog of a window begins in the folder of the last one, and with the name of the trace that the window has open
/// (windowFilePath): "slow-worker-graph.svg". `suggested` is the rest of the name with its ending, `endings` are the types to
/// choose from ("svg"); a name typed without one gets that of the chosen type.
void exportToFile(QWidget *parent, const QString &title, const QString &suggested, const QStringList &endings,
                  const std::function<void(const QString &file)> &write);

} // namespace laggard
