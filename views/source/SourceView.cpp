// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/SourceView.h"

#include "analysis/progress/TraceModels.h"
#include "analysis/stacks/Frames.h"
#include "views/kit/ElidedLabel.h"
#include "views/kit/Text.h"
#include "views/selection/SelectionModel.h"
#include "views/source/FindBar.h"
#include "views/source/NotFoundPage.h"
#include "views/source/PathMapDialog.h"
#include "views/source/SourceEditor.h"
#include "views/source/SourceText.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace laggard {
namespace {

/// As it is, to be opened: `toText` is for readers.
QString pathOf(const std::string &recorded) { return QString::fromStdString(recorded); }

constexpr qsizetype mostOfName = 400;

QString frameText(const Frame &frame) {
    // The line first: where the box is narrow, it is the end that has no room.
    const QString at = placeText(frame.file, frame.line);
    const QString place = frame.isDefinition && frame.line != 0 ? SourceView::tr("%1 (definition)").arg(at) : at;
    return place.isEmpty() ? toLine(frame.function) : toLine(frame.function) + "  —  " + place;
}

} // namespace

std::vector<Frame> framesOfSelection(const Selection &selection, const Trace &trace, const WaitForGraph *waits,
                                     const ProgressGraph *progress) {
    const ProgressNode *node = selection.node && progress != nullptr && *selection.node < progress->nodes.size()
                                   ? &progress->nodes[*selection.node]
                                   : nullptr;
    if (node != nullptr && (selection.callPath == none || selection.callPath == node->callPath))
        return node->stack;
    if (selection.callPath != none && selection.callPath < trace.callPaths.size())
        return stackOf(trace, selection.callPath);
    if (selection.region != none && selection.region < trace.regions.size()) {
        const Region &region = trace.regions[selection.region];
        return {{region.name, region.file, region.line, true}};
    }
    if (waits != nullptr && !selection.ranks.empty() && selection.ranks.front() < waits->activities.size())
        return stackOf(trace, waits->activities[selection.ranks.front()].callPath);
    return {};
}

SourceView::SourceView(SelectionModel &selection, QWidget *parent)
    : QWidget(parent),
      m_selection(selection),
      m_frameBox(new QComboBox),
      m_place(new ElidedLabel(Qt::ElideLeft)),
      m_pages(new QStackedWidget),
      m_editor(new SourceEditor),
      m_notFound(new NotFoundPage),
      m_find(new FindBar(*m_editor)) {
    m_frameBox->setAccessibleName(tr("Call stack, innermost call first"));
    m_frameBox->setToolTip(tr("Call stack, innermost call first (Alt+Up, Alt+Down)"));
    m_frameBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_frameBox->setMinimumContentsLength(20);
    m_place->setAccessibleName(tr("File that is shown"));
    m_pages->addWidget(m_notFound);
    m_pages->addWidget(m_editor);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(8);
    bar->addWidget(m_frameBox, 2);
    bar->addWidget(m_place, 3);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_find);
    setFocusProxy(m_notFound);
    connect(m_pages, &QStackedWidget::currentChanged, this, [this] { setFocusProxy(m_pages->currentWidget()); });
    addActions();
    connect(m_frameBox, &QComboBox::currentIndexChanged, this, &SourceView::showFrame);
    connect(m_notFound, &NotFoundPage::locateRequested, this, &SourceView::askForFile);
    connect(m_notFound, &NotFoundPage::mappingRequested, this, &SourceView::askForMapping);
    connect(&m_selection, &SelectionModel::changed, this, &SourceView::showSelection);
    showSelection(m_selection.current());
}

void SourceView::addActions() {
    const auto add = [this](const QString &text, const QList<QKeySequence> &keys) {
        auto *action = new QAction(text, this);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
        return action;
    };
    connect(add(tr("Find in source"), {QKeySequence::Find}), &QAction::triggered, this, [this] {
        if (!m_shown.isEmpty())
            m_find->popUp();
    });
    connect(add(tr("Find next in source"), {Qt::Key_F3}), &QAction::triggered, this, [this] { m_find->findNext(true); });
    connect(add(tr("Find previous in source"), {Qt::SHIFT | Qt::Key_F3}), &QAction::triggered, this,
            [this] { m_find->findNext(false); });
    connect(add(tr("Show source of the caller"), {Qt::ALT | Qt::Key_Up}), &QAction::triggered, this,
            [this] { setFrame(frame() + 1); });
    connect(add(tr("Show source of the called function"), {Qt::ALT | Qt::Key_Down}), &QAction::triggered, this,
            [this] { setFrame(frame() - 1); });
}

void SourceView::setReport(TracePtr trace, std::shared_ptr<const WaitForGraph> waits,
                           std::shared_ptr<const ProgressGraph> progress) {
    m_trace = std::move(trace);
    m_waits = std::move(waits);
    m_progress = std::move(progress);
    m_paths.setTraceFolder(m_trace ? folderOfTrace(pathOf(m_trace->path)) : QString());
    findSliceFiles();
    m_shown.clear();
    m_frames.clear();
    showSelection(m_selection.current());
}

void SourceView::setUsual(std::optional<Frame> usual) {
    m_usual = std::move(usual);
    m_frames.clear();
    showSelection(m_selection.current());
}

void SourceView::setPathMap(const PathMap &paths) {
    if (paths == m_paths)
        return;
    m_paths = paths;
    if (m_trace)
        m_paths.setTraceFolder(folderOfTrace(pathOf(m_trace->path)));
    m_shown.clear();
    findSliceFiles();
    showFrame();
    emit pathMapChanged(m_paths);
}

void SourceView::showSelection(const Selection &selection) {
    std::vector<Frame> frames;
    if (const SliceLine *step = currentStep())
        frames = {{step->function.empty() ? std::string("?") : step->function, step->file, step->line}};
    else if (m_trace)
        frames = framesOfSelection(selection, *m_trace, m_waits.get(), m_progress.get());
    const bool wasUsual = std::exchange(m_isUsual, frames.empty() && m_usual.has_value());
    if (m_isUsual)
        frames = {*m_usual};
    if (frames == m_frames && !frames.empty() && wasUsual == m_isUsual) {
        markSlice();
        return; // the frame that the user has chosen stays
    }
    m_frames = std::move(frames);
    const QSignalBlocker blocker(m_frameBox);
    m_frameBox->clear();
    for (const Frame &frame : m_frames) {
        m_frameBox->addItem(shortened(frameText(frame), mostOfName));
        m_frameBox->setItemData(m_frameBox->count() - 1, toolTipText(toText(frame.function) + '\n' + toText(frame.file)),
                                Qt::ToolTipRole);
    }
    m_frameBox->setEnabled(m_frames.size() > 1);
    m_frameBox->setVisible(!m_frames.empty());
    m_frameBox->setCurrentIndex(m_frames.empty() ? -1 : static_cast<int>(innermostWithSource(m_frames)));
    showFrame();
}

void SourceView::setFrame(int index) {
    if (index >= 0 && index < m_frameBox->count())
        m_frameBox->setCurrentIndex(index);
}

int SourceView::frame() const { return m_frameBox->currentIndex(); }

const Frame *SourceView::currentFrame() const {
    const int index = m_frameBox->currentIndex();
    return index < 0 || static_cast<std::size_t>(index) >= m_frames.size() ? nullptr : &m_frames[static_cast<std::size_t>(index)];
}

bool SourceView::hasCallerWithSource() const {
    const auto isKnown = [](const Frame &frame) { return !frame.file.empty(); };
    const auto callers = m_frames.begin() + std::clamp<std::ptrdiff_t>(frame() + 1, 0, std::ssize(m_frames));
    return m_frameBox->isEnabled() && std::any_of(callers, m_frames.end(), isKnown);
}

void SourceView::showFrame() {
    const Frame *shown = currentFrame();
    if (shown == nullptr || shown->file.empty()) {
        m_pages->setCurrentWidget(m_notFound);
        m_shown.clear();
        m_place->setFullText({});
        shown == nullptr ? m_notFound->showNothing() : m_notFound->showUnknown(*shown, hasCallerWithSource());
        return;
    }
    showSource(*shown);
}

void SourceView::showSource(const Frame &frame) {
    const PathMap::Lookup lookup = m_paths.find(pathOf(frame.file));
    if (lookup.file.isEmpty() || lookup.file != m_shown) {
        m_shown.clear();
        m_place->setFullText({});
        if (lookup.file.isEmpty()) {
            m_pages->setCurrentWidget(m_notFound);
            m_notFound->showMissing(frame, lookup.tried);
            return;
        }
        const SourceText source = readSource(lookup.file);
        if (!source.problem.isEmpty()) {
            m_pages->setCurrentWidget(m_notFound);
            m_notFound->showProblem(frame, source.problem);
            return;
        }
        m_shown = lookup.file;
        m_editor->setSource(source.text, sourceLanguage(lookup.file));
        const QString place = fromHome(m_shown);
        m_place->setFullText(source.encoding == "UTF-8" ? place : tr("%1 (read as %2)").arg(place, source.encoding), m_shown);
    }
    m_pages->setCurrentWidget(m_editor);
    m_editor->setCurrentLine(static_cast<int>(frame.line));
    if (m_isUsual) // it is in sight; the mark is for what was found, or chosen
        m_editor->unmarkLine();
    markSlice();
}

void SourceView::setSlice(SlicePtr slice) {
    m_slice = std::move(slice);
    findSliceFiles();
    showSelection(m_selection.current());
}

void SourceView::setDimming(bool isOn) {
    m_isDimming = isOn;
    markSlice();
}

void SourceView::findSliceFiles() {
    m_sliceFiles.clear();
    for (std::size_t i = 0; m_slice && i < m_slice->lines.size(); ++i)
        if (const auto [entry, isNew] = m_sliceFiles.try_emplace(m_slice->lines[i].file); isNew)
            entry->second = m_paths.find(pathOf(entry->first)).file;
}

const SliceLine *SourceView::currentStep() const {
    const std::optional<std::uint32_t> step = m_selection.current().step;
    return step && m_slice && *step < m_slice->lines.size() ? &m_slice->lines[*step] : nullptr;
}

void SourceView::markSlice() {
    std::vector<int> lines;
    for (std::size_t i = 0; m_slice && !m_shown.isEmpty() && i < m_slice->lines.size(); ++i)
        if (m_sliceFiles[m_slice->lines[i].file] == m_shown)
            lines.push_back(static_cast<int>(m_slice->lines[i].line));
    m_editor->setMarkedLines(lines, m_isDimming && currentStep() != nullptr);
}

void SourceView::locate(const QString &path) {
    const Frame *shown = currentFrame();
    if (shown == nullptr || path.isEmpty())
        return;
    PathMap paths = m_paths;
    paths.addRule(PathMap::ruleFor(pathOf(shown->file), QFileInfo(path).absoluteFilePath()));
    setPathMap(paths);
}

void SourceView::askForFile() {
    const Frame *shown = currentFrame();
    if (shown == nullptr)
        return;
    auto *dialog = new QFileDialog(this, tr("Locate %1").arg(placeText(shown->file, 0)));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &SourceView::locate);
    dialog->open();
}

void SourceView::askForMapping() {
    const Frame *shown = currentFrame();
    auto *dialog = new PathMapDialog(m_paths, shown == nullptr ? QString() : pathOf(shown->file), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { setPathMap(dialog->result()); });
    dialog->open();
}

QString SourceView::shownFile() const { return m_shown; }

} // namespace laggard
