// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FindingsPanel.h"

#include "analysis/stacks/Hosts.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/selection/SelectionModel.h"

#include <QCheckBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace laggard {
namespace {

constexpr qsizetype mostOfSentence = 800; ///< characters: a sentence may hold a name of any length
constexpr int leastDetailLines = 2;
constexpr int mostDetailLines = 8;
constexpr int mostRowsMeasured = 100; ///< of the findings, for the room that reasons need

QLabel *textLabel(const QString &accessibleName) {
    auto *label = new QLabel;
    label->setAccessibleName(accessibleName);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus);
    return label;
}

} // namespace

FindingsPanel::FindingsPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent),
      m_selection(selection),
      m_detail(textLabel(tr("Why"))),
      m_byHost(new QCheckBox(tr("&Group by host"))),
      m_view(new ItemView(tr("Findings"))) {
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(12, 0, 12, 0);
    bar->setSpacing(6);
    bar->addStretch();
    bar->addWidget(m_byHost);
    m_detail->setMargin(8);
    m_detail->setAlignment(Qt::AlignLeft | Qt::AlignTop);

    m_view->setModel(&m_model);
    m_view->setEmptyText(tr("No findings."));
    m_view->setRootIsDecorated(false);
    m_view->setMinimumHeight(m_view->fontMetrics().height() * 3); // it scrolls, the answer above it does not
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_detail);
    setFocusProxy(m_view);

    connect(m_view, &ItemView::chosen, this, &FindingsPanel::choose);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &FindingsPanel::showDetail);
    connect(m_byHost, &QCheckBox::toggled, this, [this](bool grouped) {
        m_model.setGroupedByHost(grouped);
        m_view->setRootIsDecorated(grouped);
        layOut();
        showSelection(m_selection.current());
        showDetail();
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
    m_byHost->setVisible(m_trace && ranksByHost(*m_trace).size() > 1); // of one machine there is nothing to group
    showDetail();
    showSelection(m_selection.current());
}

void FindingsPanel::layOut() {
    for (int row = 0; row < m_model.rowCount(); ++row)
        m_view->setFirstColumnSpanned(row, {}, false);
    m_view->expandAll();
    m_view->fitColumns(FindingsModel::Function, 18);
    for (int row = 0; m_model.isGroupedByHost() && row < m_model.rowCount(); ++row)
        m_view->setFirstColumnSpanned(row, {}, true);
}

QString FindingsPanel::reasonsAt(const QModelIndex &index) const { return shortened(m_model.reasons(index), mostOfSentence); }

void FindingsPanel::keepWhole() {
    // As high as the longest reasons need, whichever row is chosen: what moves under a click is clicked wrongly the next time. Of
    // very long reasons the tooltip has the rest.
    const QFontMetrics metrics = m_detail->fontMetrics();
    const QRect endless(0, 0, std::max(1, width() - 2 * m_detail->margin()), std::numeric_limits<short>::max());
    int wanted = leastDetailLines * metrics.lineSpacing();
    for (int row = 0; row < std::min(m_model.rowCount(), mostRowsMeasured); ++row)
        wanted = std::max(wanted, metrics.boundingRect(endless, Qt::TextWordWrap, reasonsAt(m_model.index(row, 0))).height());
    // In a low panel the list comes first.
    const int most = std::clamp(height() / 3 / metrics.lineSpacing(), 2, mostDetailLines);
    m_detail->setFixedHeight(std::min(wanted, most * metrics.lineSpacing()) + 2 * m_detail->margin());
}

void FindingsPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    keepWhole();
}

void FindingsPanel::showDetail() {
    // Beside an empty line the list would grow, and the docks around it move, with every row that is chosen.
    m_detail->setText(reasonsAt(m_view->currentIndex()));
    m_detail->setToolTip(toolTipText(m_detail->text()));
    keepWhole();
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
