// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/slice/units/SampleProgram.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcessEnvironment>

namespace laggard::test {

/// What laggard-slice has answered.
struct Answer {
    int status = -1;
    QByteArray output, errors;
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
    [[nodiscard]] QStringList lines() const {
        QStringList lines;
        for (const QJsonValue &line : json()["lines"].toArray())
            lines << QFileInfo(line["file"].toString()).fileName() + ':' + QString::number(line["line"].toInt());
        return lines;
    }
};

/// Starts the program with a cache of its own, and with `path` in front of the others.
inline void prepare(QProcess &process, const SampleProgram &sample, const QString &path = {}) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_CACHE_HOME", QString::fromStdString(sample.path("cache")));
    if (!path.isEmpty())
        environment.insert("PATH", path + ":/usr/bin:/bin");
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(QString::fromStdString(sample.path()));
    process.setProgram(LAGGARD_SLICE_PROGRAM);
}

inline Answer slice(const SampleProgram &sample, const QStringList &arguments, const QString &path = {}) {
    QProcess process;
    prepare(process, sample, path);
    const bool isTimed = arguments.contains("--timeout"); // else there is time, whatever else this machine does
    process.setArguments(isTimed ? arguments : QStringList{"--timeout", "600"} + arguments);
    process.start();
    Answer answer;
    if (process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit)
        answer.status = process.exitCode();
    answer.output = process.readAllStandardOutput();
    answer.errors = process.readAllStandardError();
    return answer;
}

} // namespace laggard::test
