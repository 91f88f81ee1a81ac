// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/AnalysisStatus.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace laggard {
namespace {

constexpr int barWidth = 90;

} // namespace

AnalysisStatus::AnalysisStatus(QWidget *parent)
    : QWidget(parent), m_what(new QLabel(this)), m_bar(new QProgressBar(this)), m_cancel(new QToolButton(this)) {
    m_bar->setFixedWidth(barWidth);
    m_bar->setMaximumHeight(fontMetrics().height());
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("How far the analyses are"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setAutoRaise(true);
    m_cancel->setToolTip(tr("Cancel the analyses; Analysis → Run again starts them anew"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 8, 0);
    for (QWidget *part : {static_cast<QWidget *>(m_what), static_cast<QWidget *>(m_bar), static_cast<QWidget *>(m_cancel)})
        layout->addWidget(part);
    connect(m_cancel, &QToolButton::clicked, this, &AnalysisStatus::cancelRequested);
    hide();
}

void AnalysisStatus::showProgress(const QString &what, double fraction) {
    constexpr int steps = 100;
    m_what->setText(what);
    m_bar->setRange(0, fraction < 0 ? 0 : steps);
    m_bar->setValue(fraction < 0 ? 0 : static_cast<int>(fraction * steps));
    show();
}

} // namespace laggard
