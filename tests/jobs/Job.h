// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"
#include "trace/Trace.h"

#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

#include <cstdint>

namespace laggard::test {

/// A job of four ranks under the recorder, in a folder of its own.
class Job {
  public:
    static constexpr Rank ranks = 4;

    enum class Mpi { Mpich, OpenMpi };
    explicit Job(Mpi mpi = Mpi::Mpich) : m_mpi(mpi) {}

    /// Runs a program of tests/programs to its end. `recorder`: its options. Returns the exit status of run-program.
    int run(const QString &program, const QStringList &arguments, const QStringList &recorder = {});
    /// Starts a program with a fault that makes it hang, and returns when its recording says that all wait for `rank` (in
    /// `function` or what it calls, if one is given). How long that takes depends on what else runs. If it never says so, returns
    /// after half a minute. False if the fault did not strike.
    [[nodiscard]] bool runIntoHang(const QString &program, const QStringList &arguments, Rank rank, const QString &function = {},
                                   const QStringList &recorder = {});
    /// Starts such a program, and ends it so long after its fault; nobody looks at its recording before.
    void runPastFault(const QString &program, const QStringList &arguments, double seconds);
    /// The same as runIntoHang() with joined.c, whose threads hang in the way of `how`.
    void runIntoThreadHang(const QString &how, Rank rank, const QString &function);
    /// The same with a fault that the recorder injects.
    [[nodiscard]] bool runIntoInjected(const QString &program, const QStringList &arguments, const QString &specification,
                                       Rank rank);

    /// Starts the ring (ring.c), which ends in the way of `how`.
    void startRing(const QString &how);
    /// Waits until every rank of the ring has made `calls` calls, or rank 1 is about to end. False if that takes too long.
    [[nodiscard]] bool waitForRing(std::int64_t calls);
    /// SIGKILL to a rank of the ring.
    void killRank(Rank rank) const;
    void signalRank(Rank rank, int signal) const;
    /// Waits until the job has ended.
    void end();
    /// Ends what still runs.
    void stop();

    /// What a rank of the ring has counted.
    struct Witness {
        std::int64_t pid = 0;
        std::int64_t calls = 0;
        std::int64_t ends = 0;
        std::int64_t works = 0;
    };
    [[nodiscard]] Witness witness(Rank rank) const;

    /// The truth that the program wrote about its fault, as JSON text.
    [[nodiscard]] QByteArray truth() const;
    /// What stdout and stderr got.
    [[nodiscard]] QString output() const { return m_output; }
    [[nodiscard]] TracePtr open() const;
    /// A file or folder of the job's own.
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }

  private:
    void start(const QStringList &before, const QString &program, const QStringList &arguments, const QStringList &recorder = {});

    void waitForHang(Rank rank, const QString &function);
    [[nodiscard]] bool waitForHang(const QString &truth, Rank rank, const QString &function);
    [[nodiscard]] QString pathOf(const QString &program) const;

    Mpi m_mpi;
    QTemporaryDir m_folder;
    QProcess m_process;
    QString m_output;
};

/// Warnings of the trace that say that something was lost, in lines.
[[nodiscard]] QString losses(const Trace &trace);

/// Name of the innermost function that the rank's main thread had not left; empty if it left all.
[[nodiscard]] QString openFunction(const Trace &trace, Rank rank);

/// True if a call path leads through a function whose name contains `function`: who spins in it may be seen in what it calls.
[[nodiscard]] bool leadsThrough(const Trace &trace, CallPathId path, const QString &function);

/// The verdict at the end of the trace.
[[nodiscard]] Verdict judge(const Trace &trace);

} // namespace laggard::test
