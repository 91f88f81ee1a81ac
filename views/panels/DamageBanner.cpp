// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/DamageBanner.h"

#include "views/panels/Damage.h"
#include "views/panels/StateIcon.h"
#include "views/panels/Text.h"
#include "views/panels/Tone.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace laggard {

DamageBanner::DamageBanner(QWidget *parent)
    : QWidget(parent), m_icon(new QLabel), m_label(new QLabel), m_details(new QToolButton) {
    m_label->setTextFormat(Qt::PlainText);
    m_label->setMinimumWidth(0);
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
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
    setTrace({});
}

void DamageBanner::setTrace(const TracePtr &trace) {
    m_text = trace ? describeDamage(*trace) : QString();
    setVisible(!m_text.isEmpty());
    showText();
}

void DamageBanner::showText() {
    m_icon->setPixmap(cautionIcon(m_label->fontMetrics().height(), palette(), devicePixelRatioF()));
    m_label->setText(m_label->fontMetrics().elidedText(m_text, Qt::ElideRight, std::max(m_label->width(), 40)));
    m_label->setToolTip(toolTipText(m_text));
    m_label->setAccessibleName(m_text);
}

void DamageBanner::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        showText();
    QWidget::changeEvent(event);
}

void DamageBanner::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    showText();
}

void DamageBanner::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), toneFill(Tone::Caution, palette()));
    painter.setPen(toneColour(Tone::Caution, palette()));
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

} // namespace laggard
