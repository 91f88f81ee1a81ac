// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/WarningsPanel.h"

#include "views/panels/FilterEdit.h"
#include "views/panels/ItemView.h"
#include "views/panels/TableText.h"
#include "views/selection/SelectionModel.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QVBoxLayout>

namespace laggard {

WarningsPanel::WarningsPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_view(new ItemView(tr("Warnings"))) {
    m_filter = new FilterEdit(tr("Filter warnings"), *m_view);
    m_sorted.setSourceModel(&m_model);
    m_sorted.setSortRole(SortRole);
    m_sorted.setFilterKeyColumn(-1);
    m_sorted.setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(&m_sorted);
    m_view->setRootIsDecorated(false);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder);
    m_view->setEmptyText(tr("No warnings: everything in the trace could be read."));
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(6);
    bar->addWidget(m_filter);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    setFocusProxy(m_view);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_view->setEmptyText(text.isEmpty() ? tr("No warnings: everything in the trace could be read.")
                                            : tr("No warning contains this text."));
        m_sorted.setFilterFixedString(text);
    });
    connect(m_view, &ItemView::chosen, this, &WarningsPanel::choose);
}

void WarningsPanel::setTrace(TracePtr trace) {
    m_model.setTrace(std::move(trace));
    m_view->fitColumns(WarningsModel::Message, 30);
}

void WarningsPanel::choose(const QModelIndex &index, SelectMode mode) {
    const Rank rank = m_model.rank(m_sorted.mapToSource(index).row());
    if (rank == none)
        return;
    Selection selection;
    selection.ranks = {rank};
    m_selection.select(selection, mode);
}

QByteArray WarningsPanel::csv() const { return m_view->csv(); }

} // namespace laggard
