// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/ComparedRun.h"
#include "app/window/Comparison.h"
#include "views/slice/SliceChoice.h"

#include <QByteArray>
#include <QColor>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace laggard {

/// What a user has set up for a trace, apart from the trace itself. Kept in a file of the user's choice or in the application's
/// data folder, never beside the trace. Everything is in terms that survive reading the trace again: names, ranks, seconds.
struct Session {
    QString trace;                              ///< the file that was open
    QByteArray windowState;                     ///< QMainWindow::saveState
    QByteArray windowGeometry;                  ///< QWidget::saveGeometry
    QMap<QString, QString> notes;               ///< by node: its rank ranges and call path
    QMap<QString, QColor> colours;              ///< by function
    QList<std::pair<QString, QString>> pathMap; ///< source folders: as recorded, as found here
    QStringList sourceFolders;                  ///< where to look for sources
    Comparison comparison;                      ///< reference traces, and what profiles are made of
    ComparedRun comparedRun;                    ///< another run that is shown beside this one
    SliceChoice slice;                          ///< depth, thin or full, kinds, whether other lines are dimmed
    QString compileCommands;                    ///< compile commands of the program, for slices; empty: as found
    QStringList hiddenFunctions;
    QStringList onlyFunctions;
    QString onlyRanks;                                 ///< ranges; empty for all
    double minimumDuration = 0;                        ///< seconds
    std::optional<std::pair<double, double>> onlyTime; ///< seconds from the start of the trace
    std::optional<std::pair<double, double>> zoom;     ///< seconds from the start of the trace

    bool operator==(const Session &) const = default;
};

/// The session as JSON, "laggard.session/2", with a check of all that it says.
[[nodiscard]] QByteArray toJson(const Session &session);

/// Reads what `toJson` wrote, also "laggard.session/1", which had no check. Unknown keys are ignored. Of what was changed since,
/// as much is returned as can be read, and `error` says so; on anything else nothing is returned, and `error` says why. Empty if
/// nothing is wrong.
[[nodiscard]] std::optional<Session> sessionFromJson(const QByteArray &json, QString *error);

/// The file in the application's data folder that keeps the session of `trace` when the user has not chosen one.
[[nodiscard]] QString defaultSessionFile(const QString &trace);

/// Writes whole or not at all. False, with a sentence in `error`, if that was not possible.
[[nodiscard]] bool saveSession(const Session &session, const QString &file, QString *error);
/// The same of a file: `error` is a sentence that names it.
[[nodiscard]] std::optional<Session> loadSession(const QString &file, QString *error);

} // namespace laggard
