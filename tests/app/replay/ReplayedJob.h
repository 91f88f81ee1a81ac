// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

/// Jobs of racing programs (tests/programs/racing) on four ranks, recorded and replayed in a folder of their own.
class ReplayedJob {
  public:
    struct Result {
        int status = -1; ///< 124: still running at the limit
        QString output;
        QString errors;
    };
    bool openMpi = false;
    int ranks = 4;
    int limit = 60; ///< seconds

    /// Runs laggard-record with these options, into `to` of the folder.
    Result record(const QString &to, const QStringList &options, const QStringList &command) const {
        QProcess job;
        job.setWorkingDirectory(m_folder.path());
        QStringList arguments{"-n", QString::number(ranks), "--limit", QString::number(limit)};
        if (openMpi)
            arguments << "--openmpi";
        arguments << "--" << LAGGARD_RECORD << "-o" << to << options << "--" << program(command.front()) << command.mid(1);
        job.start(LAGGARD_PROGRAMS_DIR "/run-program", arguments);
        Result result;
        if (job.waitForFinished(120'000))
            result.status = job.exitCode();
        result.output = QString::fromUtf8(job.readAllStandardOutput());
        result.errors = QString::fromUtf8(job.readAllStandardError());
        return result;
    }
    Result replay(const QString &of, const QString &to, const QStringList &options, const QStringList &command) const {
        return record(to, QStringList{"--replay", of} + options, command);
    }
    /// What became of a replay, by rank.
    [[nodiscard]] QStringList outcomes(const QString &of) const {
        QStringList all;
        for (int rank = 0; rank < ranks; ++rank) {
            QFile file(path(of) + "/replay/" + QString::number(rank) + ".outcome");
            all << (file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString());
        }
        return all;
    }
    [[nodiscard]] bool wasFollowed(const QString &replay) const {
        return outcomes(replay).filter(QRegularExpression("^followed ")).size() == ranks;
    }
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] QStringList filesOf(const QString &recording) const {
        QStringList files;
        for (const QFileInfo &file : QDir(path(recording)).entryInfoList({"*.laggard"}, QDir::Files, QDir::Name))
            files << file.filePath();
        return files;
    }

  private:
    [[nodiscard]] QString program(const QString &name) const {
        return QString(LAGGARD_PROGRAMS_DIR) + (openMpi ? "/racing-openmpi/" : "/") + name;
    }
    QTemporaryDir m_folder;
};
