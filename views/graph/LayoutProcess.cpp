// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/LayoutProcess.h"

#include "views/graph/PictureText.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTimer>

#include <csignal>
#include <sys/prctl.h>

namespace laggard {
namespace {

bool isProgram(const QString &path) {
    const QFileInfo file(path);
    return file.isFile() && file.isExecutable();
}

std::string sentence(const QString &text) { return text.toStdString(); }

QString timedOut(std::chrono::milliseconds timeout) {
    return QStringLiteral("The graph could not be laid out within %1 s.").arg(static_cast<double>(timeout.count()) / 1000);
}

/// A killed laggard must not leave a layout behind that nobody waits for.
void endWithParent(QProcess &process) {
    process.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
}

QString notStarted(const QProcess &process) {
    return QStringLiteral("The layout program %1 could not be started: %2.").arg(process.program(), process.errorString());
}

/// Bytes beyond which an answer to `request` is none: a layout program that has gone wild must not fill the memory.
qsizetype mostOutput(const LayoutRequest &request) {
    constexpr qsizetype headAndComplaints = 1'000'000;
    constexpr qsizetype perNode = 200;
    constexpr qsizetype perEdge = 20'000; // about a thousand points
    return headAndComplaints + perNode * static_cast<qsizetype>(request.nodes.size()) +
           perEdge * static_cast<qsizetype>(request.edges.size());
}

/// Takes what the process has written since the last time. Throws LayoutError where that is too much.
void takeOutput(QProcess &process, const LayoutRequest &request, LayoutOutput &output) {
    output.answer += process.readAllStandardOutput();
    output.complaint += process.readAllStandardError();
    if (output.answer.size() + output.complaint.size() > mostOutput(request))
        throw LayoutError("The graph could not be laid out: " + sentence(process.program()) + " writes without end.");
}

/// The layout, once the process has ended.
GraphLayout resultOf(QProcess &process, const LayoutRequest &request, LayoutOutput &output) {
    takeOutput(process, request, output);
    if (process.exitStatus() != QProcess::NormalExit)
        throw LayoutError("The graph could not be laid out: " + sentence(process.program()) + " crashed.");
    if (process.exitCode() != 0) {
        QString why = showable(output.complaint.left(2000).toStdString()).simplified().left(300);
        if (why.isEmpty())
            why = QStringLiteral("%1 ended with status %2").arg(process.program()).arg(process.exitCode());
        throw LayoutError("The graph could not be laid out: " + sentence(why));
    }
    return readLayoutReply(output.answer, request);
}

} // namespace

QString findLayoutProgram() {
    const QString chosen = qEnvironmentVariable("LAGGARD_LAYOUT");
    if (!chosen.isEmpty()) {
        if (isProgram(chosen))
            return chosen;
        throw LayoutError("LAGGARD_LAYOUT names " + sentence(chosen) + ", which is not a program.");
    }
    const QDir here(QCoreApplication::applicationDirPath());
    QStringList tried;
    for (const char *folder : {".", "../layout", LAGGARD_LIBEXEC_FROM_BIN}) {
        tried << QDir::cleanPath(here.filePath(QString::fromUtf8(folder) + QStringLiteral("/laggard-layout")));
        if (isProgram(tried.back()))
            return tried.back();
    }
    throw LayoutError("The program laggard-layout, which lays graphs out, was not found (looked for " +
                      sentence(tried.join(QStringLiteral(", "))) + "); set LAGGARD_LAYOUT to its place.");
}

GraphLayout layOut(const LayoutRequest &request, std::stop_token stop, std::chrono::milliseconds timeout) {
    if (request.nodes.empty())
        return {};
    QProcess process;
    endWithParent(process);
    process.start(findLayoutProgram(), QStringList());
    if (!process.waitForStarted(static_cast<int>(timeout.count())))
        throw LayoutError(sentence(notStarted(process)));
    process.write(writeLayoutRequest(request));
    process.closeWriteChannel();
    QElapsedTimer clock;
    clock.start();
    LayoutOutput output;
    const auto checkOn = [&] {
        if (stop.stop_requested())
            throw LayoutError("The layout was cancelled.");
        if (clock.elapsed() >= timeout.count())
            throw LayoutError(sentence(timedOut(timeout)));
        takeOutput(process, request, output);
    };
    try {
        while (process.state() != QProcess::NotRunning) {
            process.waitForReadyRead(50);
            if (process.state() != QProcess::NotRunning)
                checkOn();
        }
    } catch (const LayoutError &) {
        process.kill();
        process.waitForFinished();
        throw;
    }
    return resultOf(process, request, output);
}

LayoutProcess::LayoutProcess(QObject *parent) : QObject(parent), m_timer(new QTimer(this)) {
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, [this] { fail(timedOut(m_timeout)); });
}

LayoutProcess::~LayoutProcess() { cancel(); }

void LayoutProcess::start(LayoutRequest request, std::chrono::milliseconds timeout) {
    cancel();
    m_request = std::move(request);
    m_timeout = timeout;
    m_process = new QProcess(this);
    m_output = {};
    endWithParent(*m_process);
    const auto take = [this] {
        try {
            takeOutput(*m_process, m_request, m_output);
        } catch (const LayoutError &error) {
            fail(showable(error.what()));
        }
    };
    connect(m_process, &QProcess::readyReadStandardOutput, this, take);
    connect(m_process, &QProcess::readyReadStandardError, this, take);
    connect(m_process, &QProcess::finished, this, &LayoutProcess::conclude);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(notStarted(*m_process));
    });
    try {
        m_process->start(findLayoutProgram(), QStringList());
    } catch (const LayoutError &error) {
        // later, so that the caller hears of it as of any other failure
        QTimer::singleShot(0, m_process, [this, why = showable(error.what())] { fail(why); });
        return;
    }
    if (!m_process) // failed to start, and said so
        return;
    m_process->write(writeLayoutRequest(m_request));
    m_process->closeWriteChannel();
    m_timer->start(timeout);
}

void LayoutProcess::cancel() {
    m_timer->stop();
    if (!m_process)
        return;
    m_process->disconnect(this);
    if (m_process->state() != QProcess::NotRunning) {
        m_process->kill();
        m_process->waitForFinished(1000);
    }
    m_process->deleteLater();
    m_process = nullptr;
}

void LayoutProcess::conclude() {
    try {
        const GraphLayout layout = resultOf(*m_process, m_request, m_output);
        cancel();
        emit finished(layout);
    } catch (const LayoutError &error) {
        fail(showable(error.what()));
    }
}

void LayoutProcess::fail(const QString &why) {
    cancel();
    emit failed(why);
}

} // namespace laggard
