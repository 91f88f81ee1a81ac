// SPDX-License-Identifier: GPL-3.0-or-later
// How a workspace comes by its slice, and what it does with it.
#include "app/window/SliceJob.h"
#include "app/window/Workspace.h"
#include "views/kit/Text.h"
#include "views/source/SourceView.h"

#include <QFileDialog>

namespace laggard {

void Workspace::connectSlice() {
    connect(m_slices, &SliceJob::finished, this, &Workspace::takeSlice);
    connect(m_slices, &SliceJob::failed, this, [this](const QString &sentence) {
        m_slice->setState({SliceState::Kind::Lacking, sentence, true, true});
        emit slicingEnded(sentence);
    });
    connect(m_slice, &SlicePanel::startRequested, this, [this] { startSlice(true); });
    connect(m_slice, &SlicePanel::stopRequested, this, &Workspace::stopSlice);
    connect(m_slice, &SlicePanel::frameChosen, this, [this](int frame) {
        m_sliceFrom.frame = static_cast<std::size_t>(frame);
        startSlice(true);
    });
    connect(m_slice, &SlicePanel::choiceChanged, this, [this](const SliceChoice &choice) {
        m_source->setDimming(choice.dims);
        const bool isOther = choice.depth != m_sliceSettings.depth || choice.thin != m_sliceSettings.thin;
        m_sliceSettings.depth = choice.depth;
        m_sliceSettings.thin = choice.thin;
        if (isOther && (m_slice->state().kind == SliceState::Kind::Done || m_slices->isRunning()))
            startSlice(m_sliceFrom.isAsked);
    });
    connect(m_slice, &SlicePanel::sourcesRequested, m_source, &SourceView::askForMapping);
    connect(m_slice, &SlicePanel::compileCommandsRequested, this, &Workspace::askForCompileCommands);
    connect(m_source, &SourceView::pathMapChanged, this, [this] {
        if (m_document && m_slice->state().kind == SliceState::Kind::Lacking)
            startSlice(false);
    });
}

void Workspace::startSlice(bool isAsked) {
    if (!m_document)
        return;
    m_sliceFrom.isAsked = isAsked;
    m_slice->setState(
        {SliceState::Kind::Working, tr("The slice is being made: sources are compiled, and lines looked for."), false, false});
    m_slices->start(m_document->report, m_source->pathMap(), m_sliceSettings, m_sliceFrom);
}

void Workspace::stopSlice() {
    m_slices->cancel();
    m_slice->setState({SliceState::Kind::Lacking, tr("The slicer was stopped."), true, false});
}

void Workspace::sliceOfLeastProgressed() {
    m_sliceFrom = {};
    m_docks->show(m_slice);
    startSlice(true);
}

void Workspace::sliceFromHere() {
    if (!m_document || m_selection.current().ranks.empty() || m_source->frames().empty() || m_selection.current().step) {
        emit message(tr("Select a rank whose stack the source panel shows: the slice begins at the frame that is chosen there"));
        return;
    }
    const Trace &trace = *m_document->report->trace;
    std::vector<Frame> frames = m_source->frames();
    frames.erase(frames.begin(), frames.begin() + std::max(0, m_source->frame()));
    m_sliceFrom.stack = SliceStack{m_selection.current().ranks, outsideMpi(trace, std::move(frames))};
    m_sliceFrom.frame = 0;
    m_docks->show(m_slice);
    startSlice(true);
}

void Workspace::takeSlice(const TraceSlice &made) {
    using Lack = SliceInput::Lack;
    m_sliceReport = made.report;
    m_slice->setStack(made.stack, static_cast<int>(m_sliceFrom.frame));
    if (made.report.slice) {
        m_slice->setState({SliceState::Kind::Done, {}, false, false});
        m_slice->setSlice(made.report.slice, m_document->report->trace->processes.size(), made.report.ranks);
        m_source->setSlice(made.report.slice);
        emit slicingEnded({});
        return;
    }
    const bool lacksCode = made.input.lack == Lack::Sources || made.input.lack == Lack::Program || !made.report.ranks.empty();
    m_slice->setState({SliceState::Kind::Lacking, toText(made.report.problem), made.input.isPossible(), lacksCode});
    m_slice->setSlice(nullptr, 0, {});
    m_source->setSlice(nullptr);
    emit slicingEnded(toText(made.report.problem));
}

void Workspace::clearSlice() {
    m_slices->cancel();
    m_sliceFrom = {};
    m_sliceReport.reset();
    m_slice->setStack({}, 0);
    m_slice->setState({});
    m_slice->setSlice(nullptr, 0, {});
    m_source->setSlice(nullptr);
}

void Workspace::stepSlice(bool forward) {
    if (m_slice->canStep(forward))
        m_slice->step(forward);
    else
        emit message(m_slice->model().rowCount() == 0 ? tr("There is no slice to step through: its panel says why")
                     : forward                        ? tr("This is the last line of the slice")
                                                      : tr("This is the first line of the slice"));
}

void Workspace::setCompileCommands(const QString &file) {
    m_sliceSettings.compileCommands = file;
    startSlice(true);
}

void Workspace::askForCompileCommands() {
    auto *dialog = new QFileDialog(this, tr("How the program is compiled"), QString(), tr("Compile commands (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &Workspace::setCompileCommands);
    dialog->open();
}

} // namespace laggard
