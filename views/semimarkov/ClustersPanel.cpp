// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/ClustersPanel.h"

#include "trace/Quantity.h"
#include "views/kit/ElidedLabel.h"
#include "views/kit/ItemView.h"
#include "views/kit/PictureDialog.h"
#include "views/kit/ShowPart.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/kit/TurnSplitter.h"
#include "views/semimarkov/ClusterLook.h"
#include "views/semimarkov/DendrogramView.h"

#include <QAction>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace laggard {
namespace {

constexpr int widthForBoth = 620; ///< pixels from which on dendrogram and list stand side by side

QStandardItem *cell(const QString &text, bool isNumber = false, const QVariant &exported = {}) {
    auto *item = new QStandardItem(text);
    item->setEditable(false);
    if (isNumber)
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item->setData(exported.isValid() ? exported : QVariant(text), ExportRole);
    return item;
}

/// Score of a cluster; only those of the trained threshold have one.
std::optional<double> scoreOf(const SemiMarkovReport &report, const ClusterCut &cut, std::uint32_t cluster,
                              double SmmCluster::*score) {
    return cut.trained ? std::optional(report.clusters[cluster].*score) : std::nullopt;
}

QStandardItem *scoreCell(std::optional<double> score) {
    return score ? cell(toText(describeScore(*score)), true, *score) : cell({}, true);
}

constexpr int clusterRole = Qt::UserRole + 32; ///< number of the cluster; a row without it stands for several

/// If the list would be long: how many clusters come before the small ones. Small: fewer ranks than a hundredth of the largest's,
/// or behind the first dozen.
std::size_t unfoldedClusters(const ClusterCut &cut, const std::vector<std::uint32_t> &order) {
    constexpr std::size_t few = 8;
    constexpr std::size_t most = 12;
    constexpr std::size_t part = 100;
    if (order.size() <= few)
        return order.size();
    std::size_t largest = 0;
    for (const std::uint32_t cluster : order)
        largest = std::max(largest, cut.clusters[cluster].ranks.size());
    std::size_t shown = 0;
    while (shown < std::min(most, order.size()) &&
           (cut.faulty == order[shown] || cut.clusters[order[shown]].ranks.size() * part > largest))
        ++shown;
    return shown + 1 >= order.size() ? order.size() : shown; // one alone is not folded
}

} // namespace

ClustersPanel::ClustersPanel(SemiMarkovFocus &focus, QWidget *parent)
    : QWidget(parent),
      m_focus(focus),
      m_model(new QStandardItemModel(this)),
      m_title(new ElidedLabel(Qt::ElideRight)),
      m_splitter(new QSplitter(Qt::Horizontal)),
      m_view(new DendrogramView(focus)),
      m_list(new ItemView(tr("Clusters"))) {
    m_title->setMostLines(4);
    m_title->setAccessibleName(tr("What the dendrogram shows"));
    m_list->setModel(m_model);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    auto *trained = new QPushButton(tr("Trained threshold"));
    trained->setToolTip(tr("Back to the threshold that the analysis chose (Home). It is learned from how far ranks are apart in "
                           "other phases: ranks whose models differ by less are one cluster."));
    connect(trained, &QPushButton::clicked, this, [this] {
        if (m_focus.report() != nullptr)
            m_focus.setThreshold(m_focus.report()->clusterDeviation.threshold);
    });
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 3, 8, 3);
    bar->addWidget(m_title, 1);
    bar->addWidget(trained);
    m_splitter->addWidget(m_view);
    m_splitter->addWidget(m_list);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_splitter, 1);
    setFocusProxy(m_view);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto *picture = new QAction(tr("Export the &picture …"), this);
    connect(picture, &QAction::triggered, this, &ClustersPanel::exportPicture);
    m_view->addAction(picture);
    auto *values = new QAction(tr("Export the clusters as &CSV …"), this);
    connect(values, &QAction::triggered, m_list, &ItemView::exportCsv);
    m_view->addAction(values);
    connect(&m_focus, &SemiMarkovFocus::reportChanged, this, &ClustersPanel::fill);
    connect(&m_focus, &SemiMarkovFocus::cutChanged, this, &ClustersPanel::fill);
    connect(m_view, &DendrogramView::pictureChanged, this, &ClustersPanel::showTitle); // rows are folded by its height
    connect(&m_focus.selection(), &SelectionModel::changed, this, &ClustersPanel::showSelection);
    connect(m_list, &ItemView::chosen, this, [this](const QModelIndex &index, SelectMode mode) {
        const QVariant cluster = index.siblingAtColumn(0).data(clusterRole);
        if (cluster.isValid()) {
            m_focus.selectCluster(cluster.toUInt(), mode);
            return;
        }
        Selection all; // the clusters that are folded
        for (int row = 0; row < m_model->rowCount(index.siblingAtColumn(0)); ++row) {
            const std::uint32_t each = m_model->index(row, 0, index.siblingAtColumn(0)).data(clusterRole).toUInt();
            const RankSet &ranks = m_focus.cut()->clusters[each].ranks;
            all.ranks.insert(all.ranks.end(), ranks.begin(), ranks.end());
        }
        std::sort(all.ranks.begin(), all.ranks.end());
        m_focus.selection().select(all, mode);
    });
    fill();
}

void ClustersPanel::fill() {
    m_model->clear();
    m_order.clear();
    const SemiMarkovReport *report = m_focus.report();
    showPart(m_list, report != nullptr, m_view);
    if (report == nullptr) {
        m_title->setFullText({});
        return;
    }
    const ClusterCut &cut = *m_focus.cut();
    m_model->setHorizontalHeaderLabels({tr("Cluster"), tr("Ranks"), tr("Count"), tr("Note"), tr("Deviation"), tr("Distance")});
    m_model->horizontalHeaderItem(4)->setToolTip(
        tr("How far its ranks are from their own counterparts (SMM metric), in squares of how much a time usually varies: where "
           "that is next to nothing, it is huge"));
    m_model->horizontalHeaderItem(5)->setToolTip(tr("How far it is from the other clusters of the phase"));
    m_order = clusterOrder(cut);
    const std::size_t shown = unfoldedClusters(cut, m_order);
    QStandardItem *small = nullptr;
    RankSet smallRanks;
    for (std::size_t i = shown; i < m_order.size(); ++i)
        smallRanks.insert(smallRanks.end(), cut.clusters[m_order[i]].ranks.begin(), cut.clusters[m_order[i]].ranks.end());
    std::sort(smallRanks.begin(), smallRanks.end());
    m_list->setRootIsDecorated(shown < m_order.size());
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        const std::uint32_t cluster = m_order[i];
        const RankSet &ranks = cut.clusters[cluster].ranks;
        if (i == shown) {
            small = cell(tr("%1 small ones").arg(m_order.size() - shown));
            m_model->appendRow({small, cell(rankText(smallRanks)), cell(toText(describeCount(smallRanks.size())), true)});
        }
        QStandardItem *label = cell(clusterLabel(cluster));
        label->setData(cluster, clusterRole);
        const QList<QStandardItem *> row{label,
                                         cell(rankText(ranks), false, toText(formatRanges(ranks))),
                                         cell(toText(describeCount(ranks.size())), true),
                                         cell(clusterNote(cut, cluster)),
                                         scoreCell(scoreOf(*report, cut, cluster, &SmmCluster::smm)),
                                         scoreCell(scoreOf(*report, cut, cluster, &SmmCluster::contrast))};
        if (small != nullptr)
            small->appendRow(row);
        else
            m_model->appendRow(row);
    }
    const auto isEmpty = [this](int column) {
        const QModelIndexList rows = allRows(*m_model);
        return std::ranges::all_of(
            rows, [column](const QModelIndex &row) { return row.siblingAtColumn(column).data().toString().isEmpty(); });
    };
    for (const int column : {3, 4, 5}) // a column without a word takes room from those that have some
        m_list->setColumnHidden(column, isEmpty(column));
    m_list->fitColumns(1);
    showTitle();
    showSelection(m_focus.selection().current());
}

void ClustersPanel::showTitle() {
    const DendrogramPicture &picture = m_view->picture();
    QString text = picture.title;
    if (!picture.judgement.isEmpty())
        text += QStringLiteral(". ") + picture.judgement;
    const QString dot = picture.judgement.isEmpty() ? QStringLiteral(". ") : QStringLiteral(" ");
    m_title->setFullText(text, picture.remarks.isEmpty() ? text : text + dot + picture.remarks.join(QLatin1Char(' ')));
}

void ClustersPanel::showSelection(const Selection &selection) {
    QModelIndexList rows;
    for (const QModelIndex &row : allRows(*m_model)) {
        const QVariant cluster = row.data(clusterRole);
        if (!cluster.isValid() || rows.size() >= 200)
            continue;
        const RankSet &ranks = m_focus.cut()->clusters[cluster.toUInt()].ranks;
        if (std::any_of(ranks.begin(), ranks.end(),
                        [&](Rank rank) { return std::binary_search(selection.ranks.begin(), selection.ranks.end(), rank); }))
            rows << row;
    }
    m_list->mark(rows);
}

void ClustersPanel::exportPicture() {
    exportPictureTo(this, QStringLiteral("clusters"), false, [this](const QString &path) { return m_view->file(path); });
}

void ClustersPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    turnSplitter(*m_splitter, size(), widthForBoth, 0.6);
}

} // namespace laggard
