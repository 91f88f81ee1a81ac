// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/DetailsPanel.h"

#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <QFont>
#include <QVBoxLayout>

namespace laggard {

void DetailsModel::show(std::vector<Detail> details) {
    beginResetModel();
    m_details = std::move(details);
    endResetModel();
}

int DetailsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_details.size()); }

int DetailsModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant DetailsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_details.size())
        return {};
    const Detail &detail = m_details[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Name)
            return detail.name;
        return detail.goes ? QString(QChar(0x2192) + QStringLiteral(" ") + detail.value) : detail.value;
    case ExportRole:
        return index.column() == Name ? detail.name : detail.value;
    case Qt::FontRole: {
        QFont font;
        font.setBold(detail.isHead);
        return font;
    }
    case Qt::ToolTipRole: {
        QString tip = detail.value;
        if (!detail.tip.isEmpty())
            tip += QLatin1Char('\n') + detail.tip;
        if (detail.goes)
            tip += QLatin1Char('\n') + tr("Enter or a click selects it");
        return toolTipText(tip);
    }
    default:
        return {};
    }
}

QVariant DetailsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {{QT_TR_NOOP("Property"), QT_TR_NOOP("What is told")},
                                             {QT_TR_NOOP("Value"), QT_TR_NOOP("An arrow: what can be selected")}};
    return columnHeader(*this, columns, section, orientation, role);
}

DetailsPanel::DetailsPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection), m_view(new ItemView(tr("Details of the selection"))) {
    m_view->setModel(&m_model);
    m_view->setRootIsDecorated(false);
    m_view->setHeaderHidden(true);
    m_view->setEmptyText(tr("Click on a call, a rank or a group: what is known of it stands here."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    setFocusProxy(m_view);
    connect(m_view, &ItemView::chosen, this, &DetailsPanel::choose);
    connect(&m_selection, &SelectionModel::changed, this, &DetailsPanel::rebuild);
}

void DetailsPanel::setReport(TracePtr trace, TracePyramidPtr pyramid, std::shared_ptr<const WaitForGraph> waits) {
    m_trace = std::move(trace);
    m_pyramid = std::move(pyramid);
    m_waits = std::move(waits);
    rebuild();
}

void DetailsPanel::rebuild() {
    std::vector<Detail> details;
    if (m_trace && m_pyramid && !m_trace->isSummary)
        details = detailsOf(*m_trace, *m_pyramid, m_waits.get(), m_selection.current());
    m_model.show(std::move(details));
    m_view->fitColumns(DetailsModel::Value, 16);
}

void DetailsPanel::choose(const QModelIndex &index, SelectMode mode) {
    const std::vector<Detail> &details = m_model.details();
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= details.size() ||
        !details[static_cast<std::size_t>(index.row())].goes)
        return;
    m_selection.select(*details[static_cast<std::size_t>(index.row())].goes, mode);
    emit chosen();
}

} // namespace laggard
