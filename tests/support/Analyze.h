// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

namespace laggard::test {

/// What a run of laggard-analyze came to; `status` -1: it crashed, or did not end.
struct Run {
    int status = -1;
    QString out;
    QString err;
};

/// Runs the laggard-analyze of this build (LAGGARD_ANALYZE), two minutes at most.
inline Run analyze(const QStringList &arguments) {
    QProcess process;
    process.start(QStringLiteral(LAGGARD_ANALYZE), arguments);
    if (!process.waitForFinished(120'000))
        return {-1, {}, QStringLiteral("did not finish within two minutes")};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

} // namespace laggard::test
