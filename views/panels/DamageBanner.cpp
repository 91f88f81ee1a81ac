// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/DamageBanner.h"

#include "views/kit/ElidedLabel.h"
#include "views/kit/StateIcon.h"
#include "views/panels/Damage.h"
#include "views/theme/Tone.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace laggard {

DamageBanner::DamageBanner(QWidget *parent)
    : QWidget(parent), m_icon(new QLabel), m_label(new ElidedLabel(Qt::ElideRight)), m_details(new QToolButton) {
    m_details->setText(tr("Details"));
    m_details->setToolTip(tr("Show the warnings"));
    m_details->setFocusPolicy(Qt::StrongFocus);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 3, 8, 3);
    layout->addWidget(m_icon);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_details);
    setAccessibleName(tr("Damage"));
    connect(m_details, &QToolButton::clicked, this, &DamageBanner::detailsRequested);
    showIcon();
    setTrace({});
}

void DamageBanner::setTrace(const TracePtr &trace) {
    m_label->setFullText(trace ? describeDamage(*trace) : QString());
    m_label->setAccessibleName(text());
    setVisible(!text().isEmpty());
}

QString DamageBanner::text() const { return m_label->fullText(); }

void DamageBanner::showIcon() { m_icon->setPixmap(cautionIcon(m_label->fontMetrics().height(), palette(), devicePixelRatioF())); }

void DamageBanner::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        showIcon();
    QWidget::changeEvent(event);
}

void DamageBanner::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), toneFill(Tone::Caution, palette()));
    painter.setPen(toneColour(Tone::Caution, palette()));
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

} // namespace laggard
