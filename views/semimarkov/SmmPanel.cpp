// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/SmmPanel.h"

#include "views/kit/ElidedLabel.h"
#include "views/kit/ItemView.h"
#include "views/kit/PictureDialog.h"
#include "views/kit/ShowPart.h"
#include "views/kit/Text.h"
#include "views/kit/TurnSplitter.h"
#include "views/semimarkov/ClusterLook.h"
#include "views/semimarkov/SmmGraphView.h"
#include "views/theme/Theme.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QScopedValueRollback>

namespace laggard {
namespace {

constexpr int widthForBoth = 1100; ///< pixels from which on graph and list stand side by side: below, the graph needs them
constexpr std::size_t mostClusterNames = 200;

/// The line of a cluster as it is in the graph.
QIcon sampleOf(const EdgeLook &look, const QColor &background, qreal ratio) {
    const QSizeF size(34, 12);
    QPixmap pixmap((size * ratio).toSize());
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setPen(penOf(look, background, 2));
    painter.drawLine(QPointF(0, size.height() / 2), QPointF(size.width(), size.height() / 2));
    return pixmap;
}

} // namespace

SmmPanel::SmmPanel(SemiMarkovFocus &focus, QWidget *parent)
    : QWidget(parent),
      m_focus(focus),
      m_title(new ElidedLabel(Qt::ElideRight)),
      m_clusters(new QComboBox),
      m_minimum(new QDoubleSpinBox),
      m_all(new QCheckBox(tr("All states"))),
      m_splitter(new QSplitter(Qt::Horizontal)),
      m_graph(new SmmGraphView(focus)),
      m_list(new ItemView(tr("Transitions"))) {
    m_title->setMostLines(3);
    m_title->setAccessibleName(tr("Which phase the model is of"));
    m_clusters->setAccessibleName(tr("Cluster"));
    m_clusters->setToolTip(tr("Show what all clusters do, or one alone. The lines are those of the graph."));
    m_clusters->setIconSize({34, 12});
    m_clusters->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_clusters->setMinimumContentsLength(10);
    m_minimum->setAccessibleName(tr("Smallest probability"));
    m_minimum->setToolTip(tr("Leaves out transitions that are less probable than this, unless they are characteristic"));
    m_minimum->setRange(0, 100);
    m_minimum->setDecimals(0);
    m_minimum->setSingleStep(5);
    m_minimum->setPrefix(tr("from "));
    m_minimum->setSuffix(tr(" %"));
    m_all->setToolTip(tr("Draw all states, however many. Else those around the characteristic transitions."));
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 3, 8, 3);
    bar->addWidget(m_title, 1);
    bar->addWidget(m_all);
    bar->addWidget(m_clusters);
    bar->addWidget(m_minimum);
    m_list->setModel(&m_model);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setEmptyText(tr("No transitions."));
    m_splitter->addWidget(m_graph);
    m_splitter->addWidget(m_list);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_splitter, 1);
    setFocusProxy(m_graph);
    auto *picture = new QAction(tr("Export the &picture …"), this);
    connect(picture, &QAction::triggered, this, &SmmPanel::exportPicture);
    m_graph->addAction(picture);
    auto *values = new QAction(tr("Export the transitions as &CSV …"), this);
    connect(values, &QAction::triggered, m_list, &ItemView::exportCsv);
    m_graph->addAction(values);

    connect(&m_focus, &SemiMarkovFocus::reportChanged, this, &SmmPanel::fillClusters);
    connect(&m_focus, &SemiMarkovFocus::cutChanged, this, &SmmPanel::fillClusters);
    connect(&m_focus, &SemiMarkovFocus::transitionChanged, this, &SmmPanel::showTransition);
    connect(m_graph, &SmmGraphView::pictureChanged, this, &SmmPanel::updateBar);
    connect(m_clusters, &QComboBox::currentIndexChanged, this, &SmmPanel::applyFilter);
    connect(m_minimum, &QDoubleSpinBox::valueChanged, this, &SmmPanel::applyFilter);
    connect(m_all, &QCheckBox::toggled, this, &SmmPanel::applyFilter);
    const auto choose = [this](const QModelIndex &index) { m_focus.setTransition(m_model.transitionOf(index)); };
    connect(m_list, &ItemView::chosen, this, [this, choose](const QModelIndex &index) {
        choose(index);
        emit transitionChosen();
    });
    connect(m_graph, &SmmGraphView::transitionChosen, this, &SmmPanel::transitionChosen);
    // Walking the list with the keyboard walks the graph.
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this, choose](const QModelIndex &index) {
        if (!m_filling && m_list->hasFocus() && index.isValid())
            choose(index);
    });
    fillClusters();
}

void SmmPanel::fillClusters() {
    {
        const QScopedValueRollback<bool> guard(m_filling, true);
        const std::optional<std::uint32_t> kept = m_graph->filter().cluster;
        m_clusters->clear();
        m_clusters->addItem(tr("All clusters"));
        if (m_focus.report() != nullptr) {
            const ClusterCut &cut = *m_focus.cut();
            const QColor background = palette().color(QPalette::Base);
            for (const std::uint32_t cluster : clusterOrder(cut)) {
                if (static_cast<std::size_t>(m_clusters->count()) > mostClusterNames)
                    break;
                m_clusters->addItem(sampleOf(clusterLook(cut, cluster), background, devicePixelRatioF()),
                                    clusterText(cut, cluster), cluster);
                if (kept == cluster)
                    m_clusters->setCurrentIndex(m_clusters->count() - 1);
            }
            m_minimum->setValue(100 * m_graph->filter().minimum);
            m_all->setChecked(m_graph->filter().allStates);
        }
        const bool isThere = m_focus.report() != nullptr;
        showPart(m_list, isThere, m_graph);
        if (!isThere && (m_clusters->hasFocus() || m_minimum->hasFocus()))
            m_graph->setFocus();
        m_clusters->setEnabled(isThere);
        m_minimum->setEnabled(isThere);
    }
    updateBar();
    fillList();
}

void SmmPanel::updateBar() {
    const SemiMarkovReport *report = m_focus.report();
    const QString title = report == nullptr ? QString() : m_graph->smmPicture().picture.title;
    m_title->setFullText(title, report == nullptr || report->verdict.why.empty()
                                    ? title
                                    : title + QStringLiteral(". ") + toText(report->verdict.why));
    m_all->setVisible(m_graph->smmPicture().allStates > mostStatesAtOnce);
}

void SmmPanel::applyFilter() {
    if (m_filling)
        return;
    SmmFilter filter = m_graph->filter();
    const QVariant cluster = m_clusters->currentData();
    filter.cluster = cluster.isValid() ? std::optional(cluster.toUInt()) : std::nullopt;
    filter.minimum = m_minimum->value() / 100;
    filter.allStates = m_all->isChecked();
    m_graph->setFilter(filter);
    fillList();
}

void SmmPanel::fillList() {
    const QScopedValueRollback<bool> guard(m_filling, true);
    m_model.show(m_focus.report(), m_focus.cut(), m_graph->filter().cluster, m_graph->filter().minimum);
    m_list->fitColumns(TransitionListModel::Transition, 16);
    showTransition();
}

void SmmPanel::showTransition() {
    const QScopedValueRollback<bool> guard(m_filling, true);
    QModelIndexList rows;
    if (m_focus.transition())
        if (const QModelIndex row = m_model.indexOf(*m_focus.transition()); row.isValid())
            rows << row;
    m_list->mark(rows);
}

void SmmPanel::showCluster(std::optional<std::uint32_t> cluster) {
    m_clusters->setCurrentIndex(cluster ? std::max(0, m_clusters->findData(*cluster)) : 0);
}

void SmmPanel::setMinimum(double probability) { m_minimum->setValue(100 * probability); }

void SmmPanel::exportPicture() {
    exportPictureTo(this, QStringLiteral("state-model"), true, [this](const QString &path) { return m_graph->file(path); });
}

void SmmPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    turnSplitter(*m_splitter, size(), widthForBoth, 0.64);
}

} // namespace laggard
