// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/ChartPanel.h"

#include "views/charts/ChartView.h"
#include "views/kit/ElidedLabel.h"
#include "views/kit/ExportDialog.h"
#include "views/kit/ItemView.h"
#include "views/kit/ShowPart.h"
#include "views/picture/PictureFile.h"

#include <QHBoxLayout>
#include <QSplitter>

#include <algorithm>
#include <utility>

namespace laggard {
namespace {

constexpr int widthForBoth = 620;   ///< pixels from which on chart and list stand side by side
constexpr int widestList = 340;     ///< pixels: beyond them the chart gains more
constexpr int lowHeight = 230;      ///< pixels: below, the words above the chart and the list below it would leave it no room
constexpr int mostMarkedRows = 200; ///< a list that is marked as a whole says nothing

} // namespace

ChartPanel::ChartPanel(const QString &what, QWidget *parent)
    : QWidget(parent),
      m_what(what),
      m_chart(std::make_shared<const Chart>()),
      m_bar(new QHBoxLayout),
      m_title(new ElidedLabel(Qt::ElideRight)),
      m_splitter(new QSplitter(Qt::Horizontal)),
      m_view(new ChartView),
      m_list(new ItemView(what)) {
    m_list->setModel(&m_model);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_title->setAccessibleName(tr("What the chart shows"));
    m_title->setMostLines(4);
    m_bar->setContentsMargins(8, 3, 8, 3);
    m_bar->addWidget(m_title, 1);
    m_splitter->addWidget(m_view);
    m_splitter->addWidget(m_list);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(m_bar);
    layout->addWidget(m_splitter, 1);
    setFocusProxy(m_view);

    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isMovedByHand = true; });
    connect(m_view, &ChartView::chosen, this, &ChartPanel::chosen);
    connect(m_view, &ChartView::exportPictureRequested, this, &ChartPanel::exportPicture);
    connect(m_view, &ChartView::exportListRequested, m_list, &ItemView::exportCsv);
    connect(m_list, &ItemView::chosen, this,
            [this](const QModelIndex &index, SelectMode mode) { emit chosen(m_model.itemOf(index), mode); });
}

void ChartPanel::setChart(Chart chart, std::optional<std::size_t> sortedBy) {
    m_chart = std::make_shared<const Chart>(std::move(chart));
    showTitle();
    m_model.setChart(m_chart);
    if (sortedBy)
        m_model.sortBySeries(*sortedBy);
    m_list->fitColumns(0);
    showPart(m_list, m_hasList && !m_chart->isEmpty(), m_view);
    m_view->setChart(m_chart);
}

void ChartPanel::setListShown(bool shown) {
    m_hasList = shown;
    showPart(m_list, m_hasList && !m_chart->isEmpty(), m_view);
}

void ChartPanel::showTitle() {
    const QString whole = m_chart->title.isEmpty() || m_chart->remarks.isEmpty()
                              ? m_chart->title
                              : m_chart->title + QStringLiteral(". ") + m_chart->remarks.join(QLatin1Char(' '));
    m_title->setFullText(!m_isLow ? whole : m_chart->briefTitle.isEmpty() ? m_chart->title : m_chart->briefTitle, whole);
}

void ChartPanel::setMarked(const std::vector<std::size_t> &items) {
    m_view->setMarked(items);
    QModelIndexList rows;
    for (std::size_t i = 0; i < items.size() && i < mostMarkedRows; ++i)
        rows << m_model.indexOf(items[i]);
    m_list->mark(rows);
}

void ChartPanel::exportPicture() {
    exportToFile(this, tr("Export the chart"), m_what.toLower().replace(' ', '-') + ".svg", {"svg", "png", "pdf"},
                 [this](const QString &file) { writePictureFile(file.toStdString(), m_view->picture(file.toStdString())); });
}

void ChartPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    const bool isLow = height() < lowHeight;
    const Qt::Orientation wanted = width() >= widthForBoth ? Qt::Horizontal : Qt::Vertical;
    if (m_splitter->orientation() != wanted || m_isLow != isLow)
        m_isMovedByHand = false;
    if (m_isMovedByHand)
        return;
    if (std::exchange(m_isLow, isLow) != isLow)
        showTitle(); // a sentence cut off says less than none
    m_title->setMostLines(isLow ? 1 : 4);
    m_splitter->setOrientation(wanted);
    const int room = wanted == Qt::Horizontal ? width() : height();
    const int list = isLow && wanted == Qt::Vertical ? 0 : std::min(room * 3 / 10, widestList);
    m_splitter->setSizes({room - list, list});
}

} // namespace laggard
