// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MomentChip.h"

#include "trace/Quantity.h"
#include "views/kit/ElidedLabel.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace laggard {

MomentChip::MomentChip(QWidget *parent)
    : QFrame(parent), m_text(new ElidedLabel(Qt::ElideRight, this)), m_back(new QToolButton(this)) {
    setFrameShape(QFrame::StyledPanel);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 4, 2);
    row->addWidget(m_text, 1);
    row->addWidget(m_back);
    m_back->setText(tr("To the end"));
    m_back->setToolTip(tr("Show who waits for whom at the end of the trace again"));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_back, &QToolButton::clicked, this, &MomentChip::endRequested);
    hide();
}

void MomentChip::showMoment(double seconds, const QString &headline) {
    const QString when = QString::fromStdString(describeDuration(seconds));
    m_text->setFullText(headline.isEmpty() ? tr("At %1 …").arg(when) : tr("At %1: %2").arg(when, headline),
                        tr("Graph, list, stacks and source are of this moment"));
    show();
}

QString MomentChip::text() const { return m_text->fullText(); }

} // namespace laggard
