// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/jobs/Job.h"

#include "analysis/words/VerdictWords.h"
#include "ingest/Format.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace laggard::test {

QString Job::pathOf(const QString &program) const {
    if (m_mpi == Mpi::OpenMpi)
        return QStringLiteral(LAGGARD_OPENMPI_DIR "/") + program;
    if (program == "ring" || program == "joined")
        return program == "ring" ? QStringLiteral(LAGGARD_RING) : QStringLiteral(LAGGARD_JOINED);
    return QStringLiteral(LAGGARD_PROGRAMS_DIR "/") + program;
}

void Job::start(const QStringList &before, const QString &program, const QStringList &arguments, const QStringList &recorder) {
    QStringList line{"-n", QString::number(ranks), "--limit", "60"};
    if (m_mpi == Mpi::OpenMpi)
        line << "--openmpi";
    line << before << QStringList{"--", LAGGARD_RECORD, "-o", "recording"} << recorder << QStringList{"--", pathOf(program)};
    m_process.setWorkingDirectory(m_folder.path());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(LAGGARD_PROGRAMS_DIR "/run-program", line + arguments);
}

int Job::run(const QString &program, const QStringList &arguments, const QStringList &recorder) {
    start({}, program, arguments, recorder);
    end();
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

bool Job::waitForHang(const QString &truth, Rank rank, const QString &function) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 30000 && m_process.state() != QProcess::NotRunning && !QFile::exists(path(truth)))
        m_process.waitForFinished(50);
    waitForHang(rank, function);
    return QFile::exists(path(truth));
}

void Job::waitForHang(Rank rank, const QString &function) {
    QElapsedTimer timer;
    bool hangs = false;
    for (timer.start(); !hangs && timer.elapsed() < 30000 && m_process.state() != QProcess::NotRunning;) {
        m_process.waitForFinished(300);
        TracePtr trace;
        try {
            trace = open();
        } catch (const ReadError &) {
            continue; // it has not begun
        }
        const Verdict verdict = judge(*trace);
        hangs =
            verdict.state == Verdict::State::Hung && !verdict.findings.empty() &&
            std::ranges::any_of(verdict.findings, [&](const Finding &finding) {
                return finding.ranks == RankSet{rank} && (function.isEmpty() || leadsThrough(*trace, finding.callPath, function));
            });
    }
}

bool Job::runIntoHang(const QString &program, const QStringList &arguments, Rank rank, const QString &function,
                      const QStringList &recorder) {
    start({}, program, arguments + QStringList{"--truth", "truth.json"}, recorder);
    return waitForHang("truth.json", rank, function);
}

void Job::runPastFault(const QString &program, const QStringList &arguments, double seconds) {
    start({"--after", path("truth.json"), QString::number(seconds)}, program, arguments + QStringList{"--truth", "truth.json"});
    end();
}

void Job::runIntoThreadHang(const QString &how, Rank rank, const QString &function) {
    start({}, "joined", {how}, {"--hang-timeout", "0.3"});
    waitForHang(rank, function);
}

bool Job::runIntoInjected(const QString &program, const QStringList &arguments, const QString &specification, Rank rank) {
    start({}, program, arguments, {"--inject", specification, "--hang-timeout", "0.5"});
    return waitForHang("recording/truth.json", rank, {});
}

void Job::startRing(const QString &how) { start({}, "ring", {how, m_folder.path()}, {"--buffer", "1G"}); }

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

void Job::killRank(Rank rank) const { signalRank(rank, SIGKILL); }

void Job::signalRank(Rank rank, int signal) const {
    if (const std::int64_t pid = witness(rank).pid; pid > 0)
        ::kill(static_cast<pid_t>(pid), signal);
}

void Job::end() {
    m_process.waitForFinished(70000);
    m_output = QString::fromUtf8(m_process.readAll());
}

void Job::stop() {
    m_process.terminate();
    end();
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

bool leadsThrough(const Trace &trace, CallPathId path, const QString &function) {
    while (path != none && !QString::fromStdString(trace.region(path).name).contains(function))
        path = trace.callPaths[path].parent;
    return path != none;
}

Verdict judge(const Trace &trace) {
    const WaitForGraph waits = buildWaitForGraph(trace, openEnd, {});
    return judgeInWords(trace, waits, buildProgressGraph(trace, waits, {}));
}

} // namespace laggard::test
