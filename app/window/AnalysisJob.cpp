// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/AnalysisJob.h"

#include "app/report/FurtherAnalyses.h"
#include "app/window/Preferences.h"
#include "ingest/Format.h"
#include "ingest/MemoryEstimate.h"
#include "views/kit/Text.h"

#include <QLocale>
#include <QMetaObject>

namespace laggard {

struct AnalysisJob::Request {
    quint64 number = 0;
    ReportPtr first;
    QStringList references;
    AnalysisOptions options;
    std::uint64_t budget = 0;
    OpenOptions reading; ///< of the references
};

AnalysisJob::~AnalysisJob() { cancel(); } // the threads are joined

void AnalysisJob::cancel() {
    ++m_request;
    m_isRunning = false;
    for (auto &[number, thread] : m_threads)
        thread.request_stop();
}

void AnalysisJob::start(ReportPtr first, const QStringList &references, AnalysisOptions options, std::uint64_t budget) {
    cancel();
    m_isRunning = true;
    const quint64 number = m_request;
    Request request{number, std::move(first), references, std::move(options), budget, {}};
    request.reading.askDebugServers = loadPreferences().askDebugServers;
    m_threads[number] = std::jthread([this, number, request = std::move(request)](const std::stop_token &stop) mutable {
        run(request, stop);
        request = {}; // a trace that nobody needs any more goes here, not in the window's thread
        QMetaObject::invokeMethod(
            this, [this, number] { m_threads.erase(number); }, Qt::QueuedConnection);
    });
}

template <typename Answer> void AnalysisJob::post(quint64 request, Answer answer) {
    QMetaObject::invokeMethod(
        this,
        [this, request, answer = std::move(answer)] {
            if (request == m_request && m_isRunning)
                answer();
        },
        Qt::QueuedConnection);
}

void AnalysisJob::run(const Request &request, const std::stop_token &stop) {
    const auto fail = [&](const QString &sentence) {
        post(request.number, [this, sentence] {
            m_isRunning = false;
            emit failed(sentence);
        });
    };
    QElapsedTimer sinceReport;
    const auto tell = [&](const Progress &progress) {
        constexpr qint64 leastInterval = 200; // milliseconds
        if (sinceReport.isValid() && sinceReport.elapsed() < leastInterval)
            return;
        sinceReport.start();
        const double fraction =
            progress.total == 0 ? -1.0 : static_cast<double>(progress.done) / static_cast<double>(progress.total);
        const QString what = toText(progress.what);
        post(request.number, [this, what, fraction] { emit progressed(what, fraction); });
    };
    try {
        const Work work{stop, tell, 0};
        AnalysisOptions options = request.options;
        for (const QString &path : request.references) {
            const std::uint64_t bytes =
                request.budget == 0 ? 0 : estimateMemory(outlineTrace(path.toStdString(), work), {}, work.threadCount());
            if (bytes > request.budget)
                return fail(tr("The reference \"%1\" would take %2 of memory, more than the preferences allow.")
                                .arg(path, QLocale().formattedDataSize(static_cast<qint64>(bytes))));
            options.references.push_back(openInput(path.toStdString(), request.reading, work).trace);
        }
        ReportPtr report = analyseFurther(*request.first, options, work);
        post(request.number, [this, report = std::move(report)] {
            m_isRunning = false;
            emit finished(report);
        });
    } catch (const Cancelled &) {
        // Asked for by cancel(): nobody waits for an answer.
    } catch (const std::bad_alloc &) {
        fail(tr("There is not enough memory to compare the ranks."));
    } catch (const std::exception &error) {
        fail(toText(error.what()));
    }
}

} // namespace laggard
