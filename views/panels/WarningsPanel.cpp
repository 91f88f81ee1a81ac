// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/WarningsPanel.h"

#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/panels/FilterEdit.h"
#include "views/selection/SelectionModel.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace laggard {

WarningsPanel::WarningsPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_view(new ItemView(tr("Warnings"))), m_detail(new QLabel) {
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
    layout->addWidget(m_detail);
    setFocusProxy(m_view);
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setWordWrap(true);
    m_detail->setMargin(8);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_detail->setAccessibleName(tr("The warning in full"));
    m_view->setMinimumHeight(m_view->fontMetrics().height() * 3); // it scrolls, the sentence below it does not
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &WarningsPanel::showDetail);
    connect(&m_sorted, &QAbstractItemModel::modelReset, this, &WarningsPanel::showDetail);
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
    m_view->setCurrentIndex(m_sorted.index(0, 0));
    showDetail();
}

void WarningsPanel::showDetail() {
    constexpr qsizetype most = 1000; // names in traces may be of any length
    const QModelIndex current = m_view->currentIndex();
    const auto text = [&](int column) { return current.siblingAtColumn(column).data().toString(); };
    const QString place = text(WarningsModel::Place);
    m_detail->setText(shortened(text(WarningsModel::Message), most) +
                      (place.isEmpty() ? QString() : QLatin1Char('\n') + shortened(place, most)));
    m_detail->setVisible(current.isValid());
}

QString WarningsPanel::detail() const { return m_detail->isHidden() ? QString() : m_detail->text(); }

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
