// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/LayoutProcess.h"

#include "views/picture/PictureText.h"
#include "views/process/ChildProgram.h"

#include <QProcess>
#include <QTimer>

namespace laggard {
namespace {

constexpr ChildProgram layoutProgram{"laggard-layout", "LAGGARD_LAYOUT", "layout", "which lays graphs out", ""};

std::string sentence(const QString &text) { return text.toStdString(); }

QString timedOut(std::chrono::milliseconds timeout) {
    return QStringLiteral("The graph could not be laid out within %1 s.").arg(static_cast<double>(timeout.count()) / 1000);
}

QString notStarted(const QString &program, const QString &why) {
    return QStringLiteral("The layout program %1 could not be started: %2.").arg(program, why);
}

/// Bytes beyond which an answer to `request` is none: a layout program that has gone wild must not fill the memory.
qsizetype mostOutput(const LayoutRequest &request) {
    constexpr qsizetype headAndComplaints = 1'000'000;
    constexpr qsizetype perNode = 200;
    constexpr qsizetype perEdge = 20'000; // about a thousand points
    return headAndComplaints + perNode * static_cast<qsizetype>(request.nodes.size()) +
           perEdge * static_cast<qsizetype>(request.edges.size());
}

[[noreturn]] void throwEndless(const QString &program) {
    throw LayoutError("The graph could not be laid out: " + sentence(program) + " writes without end.");
}

/// Takes what the process has written since the last time. Throws LayoutError where that is too much.
void takeOutput(QProcess &process, const LayoutRequest &request, LayoutOutput &output) {
    output.answer += process.readAllStandardOutput();
    output.complaint += process.readAllStandardError();
    if (output.answer.size() + output.complaint.size() > mostOutput(request))
        throwEndless(process.program());
}

/// The layout that a program which has ended gives.
GraphLayout layoutOf(const QString &program, const LayoutRequest &request, const ChildOutput &output) {
    if (output.end == ChildOutput::End::Crashed)
        throw LayoutError("The graph could not be laid out: " + sentence(program) + " crashed.");
    if (output.status != 0) {
        QString why = showable(output.complaint.left(2000).toStdString()).simplified().left(300);
        if (why.isEmpty())
            why = QStringLiteral("%1 ended with status %2").arg(program).arg(output.status);
        throw LayoutError("The graph could not be laid out: " + sentence(why));
    }
    return readLayoutReply(output.answer, request);
}

/// The layout, once the process has ended.
GraphLayout resultOf(QProcess &process, const LayoutRequest &request, LayoutOutput &written) {
    takeOutput(process, request, written);
    ChildOutput output;
    output.end = process.exitStatus() == QProcess::NormalExit ? ChildOutput::End::Exited : ChildOutput::End::Crashed;
    output.status = process.exitCode();
    output.answer = written.answer;
    output.complaint = written.complaint;
    return layoutOf(process.program(), request, output);
}

} // namespace

QString findLayoutProgram() {
    try {
        return findChildProgram(layoutProgram);
    } catch (const ChildError &error) {
        throw LayoutError(error.what());
    }
}

GraphLayout layOut(const LayoutRequest &request, std::stop_token stop, std::chrono::milliseconds timeout) {
    if (request.nodes.empty())
        return {};
    const QString program = findLayoutProgram();
    const ChildOutput output =
        runChild(program, {}, writeLayoutRequest(request), {std::move(stop), timeout, mostOutput(request)});
    switch (output.end) {
    case ChildOutput::End::NotStarted:
        throw LayoutError(sentence(notStarted(program, output.error)));
    case ChildOutput::End::TimedOut:
        throw LayoutError(sentence(timedOut(timeout)));
    case ChildOutput::End::Stopped:
        throw LayoutError("The layout was cancelled.");
    case ChildOutput::End::Endless:
        throwEndless(program);
    case ChildOutput::End::Exited:
    case ChildOutput::End::Crashed:
        break;
    }
    return layoutOf(program, request, output);
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
            fail(notStarted(m_process->program(), m_process->errorString()));
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
