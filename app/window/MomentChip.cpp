// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MomentChip.h"

#include "analysis/verdict/Describe.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace laggard {

MomentChip::MomentChip(QWidget *parent) : QFrame(parent), m_text(new QLabel(this)), m_back(new QToolButton(this)) {
    setFrameShape(QFrame::StyledPanel);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 4, 2);
    row->addWidget(m_text, 1);
    row->addWidget(m_back);
    m_back->setText(tr("Back to the end"));
    m_back->setToolTip(tr("Show who waits for whom at the end of the trace again"));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_back, &QToolButton::clicked, this, &MomentChip::endRequested);
    hide();
}

void MomentChip::showMoment(double seconds, bool isReady) {
    const QString when = QString::fromStdString(describeDuration(seconds));
    m_text->setText(isReady ? tr("At %1: graph, list, findings and stacks are of this moment").arg(when)
                            : tr("At %1 …").arg(when));
    show();
}

QString MomentChip::text() const { return m_text->text(); }

} // namespace laggard
