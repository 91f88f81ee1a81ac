// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/process/ChildProgram.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace laggard {
namespace {

bool isProgram(const QString &path) {
    const QFileInfo file(path);
    return file.isFile() && file.isExecutable();
}

/// Takes what the process has written since the last time; false where that is too much.
bool takeOutput(QProcess &process, const ChildLimits &limits, ChildOutput &output) {
    output.answer += process.readAllStandardOutput();
    output.complaint += process.readAllStandardError();
    return output.answer.size() + output.complaint.size() <= limits.mostOutput;
}

} // namespace

QString findChildProgram(const ChildProgram &program) {
    const QString chosen = qEnvironmentVariable(program.variable);
    if (!chosen.isEmpty()) {
        if (isProgram(chosen))
            return chosen;
        throw ChildError(program.variable + (" names " + chosen.toStdString()) + ", which is not a program.");
    }
    const QDir here(QCoreApplication::applicationDirPath());
    const QString beside = QStringLiteral("../") + QString::fromUtf8(program.folder);
    QStringList tried;
    for (const QString &folder : {QStringLiteral("."), beside, QString::fromUtf8(LAGGARD_LIBEXEC_FROM_BIN)}) {
        tried << QDir::cleanPath(here.filePath(folder + '/' + QString::fromUtf8(program.name)));
        if (isProgram(tried.back()))
            return tried.back();
    }
    throw ChildError(std::string("The program ") + program.name + ", " + program.purpose + ", was not found (looked for " +
                     tried.join(QStringLiteral(", ")).toStdString() + "); " + program.advice + "set " + program.variable +
                     " to its place.");
}

void endWithParent(QProcess &process) {
    process.setChildProcessModifier([] {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);
    });
}

void endNow(QProcess &process) {
    if (process.processId() > 0)
        ::kill(-static_cast<pid_t>(process.processId()), SIGKILL);
    process.kill();
    process.waitForFinished();
}

ChildOutput runChild(const QString &program, const QStringList &arguments, const QByteArray &input, const ChildLimits &limits) {
    QProcess process;
    ChildOutput output;
    const auto ended = [&](ChildOutput::End end) {
        output.end = end;
        if (process.state() != QProcess::NotRunning)
            endNow(process);
        return output;
    };
    endWithParent(process);
    process.start(program, arguments);
    if (!process.waitForStarted(static_cast<int>(limits.time.count()))) {
        output.error = process.errorString();
        return ended(ChildOutput::End::NotStarted);
    }
    process.write(input);
    process.closeWriteChannel();
    QElapsedTimer clock;
    clock.start();
    while (process.state() != QProcess::NotRunning) {
        process.waitForReadyRead(50);
        if (process.state() == QProcess::NotRunning)
            break;
        if (limits.stop.stop_requested())
            return ended(ChildOutput::End::Stopped);
        if (clock.elapsed() >= limits.time.count())
            return ended(ChildOutput::End::TimedOut);
        if (!takeOutput(process, limits, output))
            return ended(ChildOutput::End::Endless);
    }
    if (!takeOutput(process, limits, output))
        return ended(ChildOutput::End::Endless);
    output.status = process.exitCode();
    return ended(process.exitStatus() == QProcess::NormalExit ? ChildOutput::End::Exited : ChildOutput::End::Crashed);
}

} // namespace laggard
