// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/NobodyWaits.h"

#include "views/charts/ChartPanel.h"
#include "views/charts/TimePanel.h"
#include "views/kit/ShowPart.h"

#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace laggard {

NobodyWaits::NobodyWaits(SelectionModel &selection, QWidget *parent)
    : QWidget(parent),
      m_sentence(new QLabel(this)),
      m_wait(new QPushButton(tr("&When ranks waited longest"), this)),
      m_charts(new QSplitter(Qt::Horizontal, this)),
      m_functions(new TimePanel(TimePanel::Items::Functions, selection)),
      m_waiting(new TimePanel(TimePanel::Items::Ranks, selection)) {
    auto *model = new QPushButton(tr("What ranks &do"), this);
    model->setToolTip(tr("The state model: what ranks do in a phase, and which of them something else"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(8, 4, 8, 4);
    head->setSpacing(8);
    head->addWidget(m_sentence, 1);
    head->addWidget(m_wait);
    head->addWidget(model);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_charts, 1);
    for (TimePanel *panel : {m_functions, m_waiting}) {
        panel->panel()->setListShown(false); // the panels of these names have it
        m_charts->addWidget(panel);
        connect(panel, &TimePanel::chosen, this, &NobodyWaits::chosen);
    }
    m_charts->setChildrenCollapsible(false);
    setFocusProxy(m_functions);
    connect(m_wait, &QPushButton::clicked, this, &NobodyWaits::longestWaitRequested);
    connect(model, &QPushButton::clicked, this, &NobodyWaits::stateModelRequested);
}

void NobodyWaits::setText(const QString &sentence, const QString &longestWait) {
    m_sentence->setText(sentence);
    showPart(m_wait, !longestWait.isEmpty(), m_functions);
    m_wait->setToolTip(longestWait);
}

void NobodyWaits::setFunctions(Chart chart) { m_functions->setChart(std::move(chart)); }

void NobodyWaits::setWaiting(Chart chart) {
    showPart(m_waiting, !chart.isEmpty(), m_functions);
    m_waiting->setChart(std::move(chart));
}

void NobodyWaits::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_charts->setOrientation(m_charts->width() > m_charts->height() ? Qt::Horizontal : Qt::Vertical);
}

} // namespace laggard
