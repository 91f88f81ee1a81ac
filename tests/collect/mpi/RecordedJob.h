// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <map>
#include <memory>
#include <vector>

/// An MPI job of a test program, with or without the recorder.
class RecordedJob {
  public:
    struct Result {
        int status = -1;    ///< exit status of mpiexec; -1: it was ended
        QStringList output; ///< lines of stdout, sorted, as ranks write in any order
        QString errors;
    };

    int ranks = 3;
    QStringList options;   ///< options of laggard-record
    QStringList variables; ///< NAME=VALUE
    QString recorder = builtRecorder();

    /// Without recorder.
    Result runPlain(const QStringList &command);
    /// Recorded in folder().
    Result run(const QStringList &command);
    /// Recorded; ended with SIGKILL once `isEnough` says so, or after a while.
    template <typename Condition> void runUntil(const QStringList &command, Condition isEnough) {
        QProcess process;
        start(process, command, true);
        for (int i = 0; i < 200 && process.state() != QProcess::NotRunning && !isEnough(); ++i)
            process.waitForFinished(50);
        stop(process);
    }

    [[nodiscard]] QString folder() const { return m_folder.filePath("recording"); }
    [[nodiscard]] QString temporary() const { return m_folder.path(); }
    [[nodiscard]] const laggard::recording::RecordingFile &file(int rank);
    /// The calls of one thread of a rank in words: see describeCalls() in RecordedJob.cpp.
    [[nodiscard]] QStringList calls(int rank, std::uint32_t thread = 0);
    /// Keys of the rank's communicators by their name in calls().
    [[nodiscard]] std::map<QString, std::uint64_t> communicatorKeys(int rank);
    /// What is wrong with the recordings; empty if nothing is.
    [[nodiscard]] QStringList warnings();

    [[nodiscard]] static QString program(const QString &name);
    /// laggard-record, as it was built.
    [[nodiscard]] static QString builtRecorder();
    [[nodiscard]] static bool exists(const QString &name);

  private:
    void start(QProcess &process, const QStringList &command, bool isRecorded);
    static void stop(QProcess &process);
    static Result finish(QProcess &process);

    QTemporaryDir m_folder;
    std::map<int, std::unique_ptr<laggard::recording::RecordingFile>> m_files;
};
