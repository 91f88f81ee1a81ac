// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/LegendPanel.h"

#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/panels/FilterEdit.h"
#include "views/selection/SelectionModel.h"

#include <QAction>
#include <QColorDialog>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace laggard {

LegendPanel::LegendPanel(SelectionModel &selection, ZoomFilterStack &filter, QWidget *parent)
    : QWidget(parent),
      m_selection(selection),
      m_filter(filter),
      m_model(filter),
      m_scope(new QComboBox),
      m_view(new ItemView(tr("Functions"))) {
    m_search = new FilterEdit(tr("Search functions"), *m_view);
    m_search->setMinimumWidth(90); // it says what it is for
    m_scope->addItems({tr("Whole trace"), tr("Shown window"), tr("Selection")});
    m_scope->setAccessibleName(tr("What the numbers are about"));
    m_scope->setToolTip(tr("Count and times of the whole trace, of the time shown, or of the selected ranks and time"));
    auto *all = new QToolButton;
    all->setText(tr("All"));
    all->setToolTip(tr("Draw the listed functions"));
    auto *noneOfThem = new QToolButton;
    noneOfThem->setText(tr("None"));
    noneOfThem->setToolTip(tr("Do not draw the listed functions"));

    m_sorted.setSourceModel(&m_model);
    m_sorted.setSortRole(SortRole);
    m_sorted.setFilterKeyColumn(LegendModel::Function);
    m_sorted.setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_sorted.setSortCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(&m_sorted);
    m_view->setRootIsDecorated(false);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(LegendModel::Exclusive, Qt::DescendingOrder);
    m_view->setEmptyText(tr("No functions."));
    m_view->installEventFilter(this);
    addRowActions();

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(6);
    bar->addWidget(m_search, 1);
    bar->addWidget(m_scope);
    bar->addWidget(all);
    bar->addWidget(noneOfThem);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    setFocusProxy(m_view);

    connect(m_search, &QLineEdit::textChanged, &m_sorted, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_scope, &QComboBox::currentIndexChanged, this, [this] { emit scopeChanged(scope()); });
    connect(all, &QToolButton::clicked, this, [this] { m_model.setShown(listed(), true); });
    connect(noneOfThem, &QToolButton::clicked, this, [this] { m_model.setShown(listed(), false); });
    connect(m_view, &ItemView::chosen, this, &LegendPanel::choose);
    connect(&m_selection, &SelectionModel::changed, this, &LegendPanel::showSelection);
}

void LegendPanel::addRowActions() {
    auto *colour = new QAction(tr("Change &colour…"), this);
    auto *only = new QAction(tr("Show &only this"), this);
    auto *hide = new QAction(tr("&Hide"), this);
    connect(colour, &QAction::triggered, this, &LegendPanel::askColour);
    connect(only, &QAction::triggered, this, &LegendPanel::showOnlyMarked);
    connect(hide, &QAction::triggered, this, [this] { m_model.setShown(marked(), false); });
    m_view->setRowActions({colour, only, hide});
    connect(m_view, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex &index) {
        if (index.column() == LegendModel::Function)
            askColour();
    });
}

void LegendPanel::setStatistics(TracePtr trace, std::vector<RegionStatistics> statistics) {
    m_model.setStatistics(std::move(trace), std::move(statistics));
    m_view->fitColumns(LegendModel::Function, 16);
    showSelection(m_selection.current());
}

LegendPanel::Scope LegendPanel::scope() const { return static_cast<Scope>(m_scope->currentIndex()); }

void LegendPanel::setScope(Scope scope) { m_scope->setCurrentIndex(static_cast<int>(scope)); }

std::vector<RegionId> LegendPanel::marked() const {
    std::vector<RegionId> regions;
    for (const QModelIndex &row : m_view->selectionModel()->selectedRows())
        regions.push_back(m_model.region(m_sorted.mapToSource(row).row()));
    return regions;
}

std::vector<RegionId> LegendPanel::listed() const {
    std::vector<RegionId> regions;
    for (int row = 0; row < m_sorted.rowCount(); ++row)
        regions.push_back(m_model.region(m_sorted.mapToSource(m_sorted.index(row, 0)).row()));
    return regions;
}

void LegendPanel::showOnlyMarked() {
    Filter filter = m_filter.filter();
    filter.onlyRegions = marked();
    std::sort(filter.onlyRegions.begin(), filter.onlyRegions.end());
    filter.hiddenRegions.clear();
    m_filter.setFilter(filter);
}

void LegendPanel::askColour() {
    const QModelIndex current = m_sorted.mapToSource(m_view->currentIndex());
    if (!current.isValid())
        return;
    const RegionId region = m_model.region(current.row());
    auto *dialog = new QColorDialog(m_model.colour(region), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Colour of %1").arg(current.siblingAtColumn(LegendModel::Function).data().toString()));
    connect(dialog, &QColorDialog::colorSelected, this,
            [this, region](const QColor &colour) { emit colourChosen(region, colour); });
    dialog->open();
}

void LegendPanel::choose(const QModelIndex &index, SelectMode mode) {
    if (index.column() == LegendModel::Shown)
        return; // that click was for the check box
    Selection selection;
    selection.region = m_model.region(m_sorted.mapToSource(index).row());
    m_selection.select(selection, mode);
}

void LegendPanel::showSelection(const Selection &selection) {
    if (selection.region == none) {
        if (m_shownRegion != none) // rows marked by hand stay
            m_view->mark({});
        m_shownRegion = none;
        return;
    }
    m_shownRegion = selection.region;
    const QModelIndex row = m_sorted.mapFromSource(m_model.find(selection.region));
    m_view->mark(row.isValid() ? QModelIndexList{row} : QModelIndexList());
}

bool LegendPanel::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_view || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const QModelIndex current = m_sorted.mapToSource(m_view->currentIndex());
    if (!current.isValid())
        return false;
    if (key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier) {
        const bool isShown = m_filter.filter().showsRegion(m_model.region(current.row()));
        m_model.setShown(marked(), !isShown);
        return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
        choose(m_view->currentIndex().siblingAtColumn(LegendModel::Function), selectMode(key->modifiers()));
        return true;
    }
    return false;
}

QByteArray LegendPanel::csv() const { return m_view->csv(); }

} // namespace laggard
