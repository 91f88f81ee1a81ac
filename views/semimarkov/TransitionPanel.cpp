// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/TransitionPanel.h"

#include "trace/Quantity.h"
#include "views/kit/ElidedLabel.h"
#include "views/kit/ItemView.h"
#include "views/kit/PictureDialog.h"
#include "views/kit/ShowPart.h"
#include "views/kit/Text.h"
#include "views/kit/TurnSplitter.h"
#include "views/semimarkov/DistributionView.h"

#include <QAction>
#include <QApplication>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QVBoxLayout>

namespace laggard {
namespace {
constexpr int widthForChart = 620; ///< pixels from which on chart and list stand side by side
constexpr qsizetype mostMarkedRows = 200;
constexpr int heightOfTwo = 172; ///< pixels for the unusual cluster and another one
constexpr int listRows = 2;      ///< below its header; a list may ask for more than there is, and lie below the chart then
} // namespace

TransitionPanel::TransitionPanel(SemiMarkovFocus &focus, QWidget *parent)
    : QWidget(parent),
      m_focus(focus),
      m_title(new ElidedLabel(Qt::ElideRight)),
      m_splitter(new QSplitter(Qt::Horizontal)),
      m_view(new DistributionView(focus)),
      m_list(new ItemView(tr("Occurrences"))) {
    m_title->setMostLines(3);
    m_title->setAccessibleName(tr("The transition"));
    m_title->setContentsMargins(8, 3, 8, 3);
    m_list->setModel(&m_model);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setEmptyText(tr("Choose a transition in the state model."));
    m_list->setMinimumHeight((listRows + 1) * (fontMetrics().height() + 6));
    auto *scroll = new QScrollArea; // even with many clusters, each keeps its height
    scroll->setWidget(m_view);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumHeight(heightOfTwo);
    connect(m_view, &DistributionView::rowReached, scroll,
            [scroll](const QRect &row) { scroll->ensureVisible(row.center().x(), row.center().y(), 0, row.height() / 2); });
    m_splitter->addWidget(scroll);
    m_splitter->addWidget(m_list);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(m_splitter, 1);
    setFocusProxy(m_view); // the list is there only when a transition is chosen
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto *picture = new QAction(tr("Export the &picture …"), this);
    connect(picture, &QAction::triggered, this, &TransitionPanel::exportPicture);
    m_view->addAction(picture);
    auto *values = new QAction(tr("Export the occurrences as &CSV …"), this);
    connect(values, &QAction::triggered, m_list, &ItemView::exportCsv);
    m_view->addAction(values);
    connect(&m_focus, &SemiMarkovFocus::reportChanged, this, &TransitionPanel::fill);
    connect(&m_focus, &SemiMarkovFocus::cutChanged, this, &TransitionPanel::fill);
    connect(&m_focus, &SemiMarkovFocus::transitionChanged, this, &TransitionPanel::fill);
    connect(&m_focus.selection(), &SelectionModel::changed, this, &TransitionPanel::showSelection);
    connect(m_list, &ItemView::chosen, this, &TransitionPanel::choose);
    // Walking over the list steps through the occurrences.
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (!m_marking && m_list->hasFocus() && index.isValid() && QApplication::mouseButtons() == Qt::NoButton)
            choose(index, SelectMode::Replace);
    });
    fill();
}

void TransitionPanel::fill() {
    const QScopedValueRollback<bool> guard(m_marking, true);
    const SemiMarkovReport *report = m_focus.transition() ? m_focus.report() : nullptr;
    m_model.show(m_focus.trace(), report, m_focus.cut(), m_focus.transition().value_or(none));
    QString title;
    if (report != nullptr) {
        title = toLine(describeTransition(report->histories.table, *m_focus.transition()));
        if (!m_view->picture().remarks.isEmpty())
            title += QStringLiteral(". ") + m_view->picture().remarks.join(QLatin1Char(' '));
        if (m_model.all() > OccurrenceListModel::most)
            title += tr(" Of %1 the longest %2 are listed.")
                         .arg(countText(m_model.all(), "occurrence"), toText(describeCount(OccurrenceListModel::most)));
    }
    m_title->setFullText(title);
    m_title->setVisible(!title.isEmpty());
    showPart(m_list, report != nullptr, m_view);
    m_list->fitColumns(OccurrenceListModel::Note);
    showSelection(m_focus.selection().current());
}

void TransitionPanel::choose(const QModelIndex &index, SelectMode mode) {
    Occurrence occurrence = m_model.occurrence(index);
    attribute(*m_focus.trace(), m_focus.report()->histories.runs[0].ranks[occurrence.rank], occurrence);
    Selection selection;
    selection.ranks = {occurrence.rank};
    selection.time = occurrence.time;
    selection.callPath = occurrence.callPath;
    m_focus.selection().select(selection, mode);
    emit chosen();
}

void TransitionPanel::showSelection(const Selection &selection) {
    QModelIndexList rows = m_model.indexesOf(selection.ranks, selection.time);
    if (rows.size() > mostMarkedRows)
        rows.clear(); // a list that is marked as a whole says nothing
    const QScopedValueRollback<bool> guard(m_marking, true);
    m_list->mark(rows);
}

void TransitionPanel::exportPicture() {
    exportPictureTo(this, QStringLiteral("transition"), false, [this](const QString &path) { return m_view->file(path); });
}

void TransitionPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    turnSplitter(*m_splitter, size(), widthForChart, 0.6);
}

} // namespace laggard
