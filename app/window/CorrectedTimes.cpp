// SPDX-License-Identifier: GPL-3.0-or-later
// View > Without the recorder's time: the run that is open, with other times.
#include "analysis/intrusion/Correction.h"
#include "app/window/CorrectionJob.h"
#include "app/window/MainWindow.h"
#include "app/window/Workspace.h"
#include "trace/Quantity.h"
#include "views/kit/Text.h"

#include <QAction>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QStatusBar>

#include <algorithm>

namespace laggard {
namespace {

/// The same moment in the same run with other times, by the calls of one rank.
Tick sameMoment(const Trace &from, const Trace &to, Rank rank, Tick time) {
    const LocationEvents *before = from.mainEvents(rank);
    const LocationEvents *after = to.mainEvents(rank);
    if (before == nullptr || after == nullptr || before->track.size() != after->track.size())
        return std::min(time, to.range.end);
    const Column<Tick> &starts = before->track.start;
    const auto next = std::upper_bound(starts.begin(), starts.end(), time);
    if (next == starts.begin())
        return std::min(time, to.range.end);
    const auto row = static_cast<std::uint32_t>(next - starts.begin()) - 1;
    return std::min(after->track.start[row] + (time - starts[row]), to.range.end);
}

} // namespace

void MainWindow::addTimesCommand(QMenu *menu) {
    m_correction = new CorrectionJob(this);
    m_withoutRecorder = needsTrace(addCommand(menu, tr("Without the &recorder's time"), {},
                                              tr("All times as if nobody had recorded the run: timeline, delays, models"), {}));
    m_withoutRecorder->setCheckable(true);
    connect(m_withoutRecorder, &QAction::triggered, this, &MainWindow::showWithoutRecorder);
    connect(m_correction, &CorrectionJob::finished, this, [this](const DocumentPtr &corrected) {
        m_recorded = m_workspace->document();
        exchangeDocument(corrected);
        endCorrection({});
    });
    connect(m_correction, &CorrectionJob::refused, this, &MainWindow::endCorrection);
    connect(m_correction, &CorrectionJob::failed, this, &MainWindow::endCorrection);
}

bool MainWindow::isWithoutRecorder() const { return m_recorded != nullptr; }

void MainWindow::showWithoutRecorder(bool without) {
    if (!m_workspace->document())
        return;
    m_withoutRecorder->setChecked(without);
    m_correction->cancel();
    if (without == isWithoutRecorder())
        return endCorrection({});
    if (!without) {
        exchangeDocument(std::exchange(m_recorded, nullptr));
        return endCorrection({});
    }
    if (m_workspace->document()->report->dump)
        return endCorrection(tr("A model dump has no times of events that could be corrected."));
    statusBar()->showMessage(tr("The recorder's time is being taken out …"));
    m_correction->start(m_workspace->document());
}

void MainWindow::endCorrection(const QString &error) {
    constexpr int messageMilliseconds = 8000;
    m_withoutRecorder->setChecked(isWithoutRecorder());
    statusBar()->showMessage(error, messageMilliseconds);
    emit correctionEnded(error);
}

void MainWindow::exchangeDocument(const DocumentPtr &document) {
    Session session;
    m_workspace->storeIn(session);
    Selection selection;
    selection.ranks = m_workspace->selection().current().ranks;
    selection.callPath = m_workspace->selection().current().callPath;
    const DocumentPtr before = m_workspace->document();
    const TimeRange zoom = m_workspace->zoomFilter().zoom();
    m_workspace->setDocument(document);
    m_workspace->restoreFrom(session);
    const Rank rank = selection.ranks.empty() ? 0 : selection.ranks.front();
    const auto same = [&](Tick time) { return sameMoment(*before->report->trace, *document->report->trace, rank, time); };
    const TimeRange moved = zoom == before->firstWindow ? document->firstWindow : TimeRange{same(zoom.begin), same(zoom.end)};
    if (moved.begin < moved.end)
        m_workspace->zoomFilter().setZoom(moved);
    m_workspace->selection().select(selection);
    m_workspace->runAnalyses();
    showTitle();
    enableCommands();
}

void MainWindow::showTitle() {
    const DocumentPtr &document = m_workspace->document();
    const Trace &trace = *document->report->trace;
    const QString path = QDir::toNativeSeparators(toLine(trace.path));
    setWindowFilePath(QString::fromStdString(trace.path));
    setWindowTitle(document->corrected ? tr("%1 – without the recorder's time – Laggard").arg(path)
                                       : tr("%1 – Laggard").arg(path));
    const QString ranks = countText(trace.processes.size(), "rank");
    if (document->report->dump) {
        m_status->setText(tr("%1   %2").arg(ranks, toLine(trace.format)));
        return;
    }
    const QString length = toText(describeDuration(trace.durationSeconds()));
    m_status->setText(tr("%1   %2   %3")
                          .arg(ranks, countText(trace.eventCount, "event"),
                               document->corrected
                                   ? tr("%1 without the recorder, %2 as recorded")
                                         .arg(length, toText(describeDuration(document->corrected->recordedSeconds)))
                                   : length));
}

} // namespace laggard
