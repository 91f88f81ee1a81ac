// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/TraceInfoPanel.h"

#include "views/kit/ItemView.h"
#include "views/selection/SelectionModel.h"

#include <QVBoxLayout>

namespace laggard {

TraceInfoPanel::TraceInfoPanel(SelectionModel &selection, QWidget *parent)
    : QWidget(parent), m_view(new ItemView(tr("Trace information"))) {
    m_view->setModel(&m_model);
    m_view->setEmptyText(tr("Nothing is open."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    setFocusProxy(m_view);
    connect(m_view, &ItemView::chosen, this, [this, &selection](const QModelIndex &index, SelectMode mode) {
        Selection chosen;
        chosen.ranks = m_model.ranks(index);
        if (!chosen.ranks.empty())
            selection.select(chosen, mode);
    });
}

void TraceInfoPanel::setTrace(const TracePtr &trace) {
    m_model.setTrace(trace);
    // Long lists stay closed: jobs have thousands of hosts.
    for (int row = 0; row < m_model.rowCount(); ++row)
        m_view->setExpanded(m_model.index(row, 0), m_model.rowCount(m_model.index(row, 0)) <= 16);
    m_view->fitColumns(TraceInfoModel::Value, 34);
}

QByteArray TraceInfoPanel::csv() const { return m_view->csv(); }

} // namespace laggard
