// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/jobs/Job.h"

#include "ingest/Format.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <csignal>
#include <cstring>

namespace laggard::test {

void Job::start(const QStringList &before, const QString &program, const QStringList &arguments, const QStringList &recorder) {
    m_process.setWorkingDirectory(m_folder.path());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(LAGGARD_PROGRAMS_DIR "/run-program", QStringList{"-n", QString::number(ranks), "--limit", "60"} + before +
                                                             QStringList{"--", LAGGARD_RECORD, "-o", "recording"} + recorder +
                                                             QStringList{"--", program} + arguments);
}

int Job::run(const QString &program, const QStringList &arguments) {
    start({"--after", "truth.json", "1"}, QStringLiteral(LAGGARD_PROGRAMS_DIR "/") + program,
          arguments + (arguments.contains("--fault") ? QStringList{"--truth", "truth.json"} : QStringList()));
    end();
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

int Job::runInjected(const QString &program, const QStringList &arguments, const QString &specification, double seconds) {
    start({"--after", "recording/truth.json", QString::number(seconds)}, QStringLiteral(LAGGARD_PROGRAMS_DIR "/") + program,
          arguments, {"--inject", specification, "--hang-timeout", "0.5"});
    end();
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

void Job::startRing(const QString &how) { start({}, LAGGARD_RING, {how, m_folder.path()}); }

bool Job::waitForRing(std::int64_t calls) {
    QElapsedTimer timer;
    for (timer.start(); timer.elapsed() < 30000 && m_process.state() != QProcess::NotRunning; QTest::qSleep(5)) {
        bool enough = true;
        for (Rank rank = 0; rank < ranks; ++rank)
            enough = enough && witness(rank).calls >= calls;
        if (enough || witness(1).ends != 0)
            return true;
    }
    return witness(1).ends != 0;
}

void Job::killRank(Rank rank) const {
    if (const std::int64_t pid = witness(rank).pid; pid > 0)
        ::kill(static_cast<pid_t>(pid), SIGKILL);
}

void Job::end() {
    m_process.waitForFinished(70000);
    m_output = QString::fromUtf8(m_process.readAll());
}

Job::Witness Job::witness(Rank rank) const {
    QFile file(m_folder.filePath(QStringLiteral("witness-%1").arg(rank)));
    Witness found;
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    if (bytes.size() == sizeof found)
        std::memcpy(&found, bytes.constData(), sizeof found);
    return found;
}

QByteArray Job::truth() const {
    QFile file(m_folder.filePath("truth.json"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TracePtr Job::open() const { return openTrace(m_folder.filePath("recording").toStdString(), {}, {}); }

QString losses(const Trace &trace) {
    QStringList lines;
    for (const Warning &warning : trace.warnings)
        if (warning.severity == Warning::Severity::DataLoss)
            lines << QString::fromStdString(warning.message);
    return lines.join('\n');
}

QString openFunction(const Trace &trace, Rank rank) {
    const LocationEvents *events = trace.mainEvents(rank);
    const std::uint32_t row = events == nullptr ? none : events->track.innermostOpen();
    return row == none ? QString() : QString::fromStdString(trace.region(events->track.callPath[row]).name);
}

Verdict judge(const Trace &trace) {
    const WaitForGraph waits = buildWaitForGraph(trace, openEnd, {});
    return laggard::judge(trace, waits, buildProgressGraph(trace, waits, {}));
}

} // namespace laggard::test
