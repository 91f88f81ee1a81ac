// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FindingsPanel.h"

#include "analysis/stacks/Hosts.h"
#include "views/kit/ItemView.h"
#include "views/panels/FindingCards.h"
#include "views/selection/SelectionModel.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QResizeEvent>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace laggard {

FindingsPanel::FindingsPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent),
      m_selection(selection),
      m_byHost(new QCheckBox(tr("&Group by host"))),
      m_view(new ItemView(tr("Findings"))) {
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(12, 0, 12, 0);
    bar->setSpacing(6);
    bar->addStretch();
    bar->addWidget(m_byHost);

    m_view->setModel(&m_model);
    m_view->setEmptyText(tr("No findings."));
    m_view->setHeaderHidden(true); // cards say themselves what they show
    m_view->setUniformRowHeights(false);
    m_view->setItemDelegate(new FindingCards(*m_view));
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setRootIsDecorated(false);
    m_view->setMinimumHeight(m_view->fontMetrics().height() * 3); // it scrolls, the answer above it does not
    m_view->viewport()->installEventFilter(this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    setFocusProxy(m_view);

    connect(m_view, &ItemView::chosen, this, &FindingsPanel::choose);
    connect(m_byHost, &QCheckBox::toggled, this, [this](bool grouped) {
        m_model.setGroupedByHost(grouped);
        layOut();
        showSelection(m_selection.current());
    });
    connect(&m_selection, &SelectionModel::changed, this, &FindingsPanel::showSelection);
    m_byHost->hide();
}

void FindingsPanel::setVerdict(TracePtr trace, std::shared_ptr<const Verdict> verdict) {
    // More findings of the same trace come below those that are there: the row that is read stays.
    const int row = trace != nullptr && trace == m_trace ? std::max(0, m_view->currentIndex().row()) : 0;
    m_trace = std::move(trace);
    m_verdict = std::move(verdict);
    m_model.setFindings(m_trace, m_verdict);
    layOut();
    if (m_model.rowCount() > 0)
        m_view->setCurrentIndex(m_model.index(std::min(row, m_model.rowCount() - 1), 0));
    // Without findings, or with one machine, there is nothing to group.
    m_byHost->setVisible(m_trace && m_model.rowCount() > 0 && ranksByHost(*m_trace).size() > 1);
    showSelection(m_selection.current());
}

void FindingsPanel::layOut() {
    bool hasMore = false;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QModelIndex top = m_model.index(row, 0);
        m_view->setFirstColumnSpanned(row, {}, true);
        for (int below = 0; below < m_model.rowCount(top); ++below)
            m_view->setFirstColumnSpanned(below, top, true);
        hasMore = hasMore || m_model.rowCount(top) > 0;
    }
    m_view->setRootIsDecorated(hasMore);
    if (m_model.isGroupedByHost())
        m_view->expandAll(); // what says the same as a cause stays folded
    m_view->header()->setStretchLastSection(true);
    m_view->doItemsLayout(); // words wrap otherwise where the triangle takes room
}

bool FindingsPanel::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Resize && static_cast<QResizeEvent *>(event)->oldSize().width() != m_view->viewport()->width())
        QTimer::singleShot(0, m_view, [this] { m_view->doItemsLayout(); }); // words wrap otherwise
    return QWidget::eventFilter(watched, event);
}

void FindingsPanel::choose(const QModelIndex &index, SelectMode mode) {
    const Finding *finding = m_model.finding(index);
    Selection selection;
    selection.ranks = m_model.ranks(index);
    selection.callPath = finding == nullptr ? none : finding->callPath;
    if (finding != nullptr)
        selection.time = finding->time;
    m_selection.select(selection, mode);
}

void FindingsPanel::chooseFirst() {
    QModelIndex first = m_model.index(0, 0);
    if (m_model.isGroupedByHost())
        first = m_model.index(0, 0, first);
    if (!first.isValid())
        return;
    m_view->setCurrentIndex(first);
    choose(first, SelectMode::Replace);
}

void FindingsPanel::showSelection(const Selection &selection) {
    QModelIndexList rows;
    for (const QModelIndex &row : allRows(m_model)) {
        const Finding *finding = m_model.finding(row);
        const RankSet ranks = m_model.ranks(row);
        const bool isSame = finding != nullptr && !ranks.empty() &&
                            (selection.callPath == none || selection.callPath == finding->callPath) &&
                            std::includes(selection.ranks.begin(), selection.ranks.end(), ranks.begin(), ranks.end());
        if (isSame)
            rows << row;
    }
    m_view->mark(rows);
}

QByteArray FindingsPanel::csv() const { return m_view->csv(); }

} // namespace laggard
