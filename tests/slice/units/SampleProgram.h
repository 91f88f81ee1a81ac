// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <string>

namespace laggard::test {

/// A folder for sources, what is built of them, and a cache.
class SampleProgram {
  public:
    [[nodiscard]] std::string path(const QString &name = {}) const { return m_dir.filePath(name).toStdString(); }
    [[nodiscard]] std::string cache() const { return path("cache"); }

    void write(const QString &name, const QByteArray &text) const {
        const QString file = m_dir.filePath(name);
        QDir().mkpath(QFileInfo(file).path());
        QFile out(file);
        if (!out.open(QFile::WriteOnly) || out.write(text) != text.size())
            qFatal("%s cannot be written", qPrintable(file));
    }
    /// Runs a compiler in the folder; its complaint, empty if all is well.
    [[nodiscard]] QString run(const QString &program, const QStringList &arguments, const QString &folder = {}) const {
        QProcess process;
        process.setWorkingDirectory(m_dir.filePath(folder));
        process.start(program, arguments);
        if (!process.waitForFinished() || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
            return program + ": " + process.errorString() + QString::fromUtf8(process.readAllStandardError());
        return {};
    }

  private:
    QTemporaryDir m_dir;
};

} // namespace laggard::test
