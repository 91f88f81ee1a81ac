// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <chrono>
#include <stdexcept>
#include <stop_token>

class QProcess;

namespace laggard {

/// A program of Laggard's own that works in a process of its own, so that it can be ended at any moment.
struct ChildProgram {
    const char *name;     ///< "laggard-layout"
    const char *variable; ///< environment variable that says where it is, if set
    const char *folder;   ///< that it is built in
    const char *purpose;  ///< "which lays graphs out", for people
    const char *advice;   ///< what to do where it is not there, before "set VARIABLE to its place": "" or "build … , or "
};

/// One sentence.
class ChildError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Where the program is: as its variable says, beside the running program, in the build tree or in the installation's libexec
/// folder. Throws ChildError that says where it was looked for.
[[nodiscard]] QString findChildProgram(const ChildProgram &program);

/// The child is ended when the thread that has started it ends, in whatever way, and it does not get what a terminal's keys send.
/// To be called before it is started.
void endWithParent(QProcess &process);

/// Ends a child that `endWithParent` was called for, and the processes that it has started, and waits for it.
void endNow(QProcess &process);

/// What a child may take.
struct ChildLimits {
    std::stop_token stop;
    std::chrono::milliseconds time{};
    qsizetype mostOutput = 0; ///< bytes of answers and complaints together: a program that has gone wild must not fill the memory
};

/// What became of a child.
struct ChildOutput {
    enum class End {
        Exited, ///< `status`
        Crashed,
        NotStarted, ///< `error` says why
        TimedOut,
        Stopped, ///< as was asked for
        Endless, ///< it wrote more than it may
    };
    End end = End::Exited;
    int status = 0;
    QByteArray answer;    ///< its standard output
    QByteArray complaint; ///< its standard error
    QString error;
};

/// Runs a program and waits for it, in any thread; it is ended within 50 ms where a limit is reached.
[[nodiscard]] ChildOutput runChild(const QString &program, const QStringList &arguments, const QByteArray &input,
                                   const ChildLimits &limits);

} // namespace laggard
