// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/NobodyWaits.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace laggard {

NobodyWaits::NobodyWaits(QWidget *parent)
    : QWidget(parent), m_sentence(new QLabel(this)), m_wait(new QPushButton(tr("&When ranks waited longest"), this)) {
    auto *model = new QPushButton(tr("What ranks &do"), this);
    model->setToolTip(tr("The state model: what ranks do in a phase, and which of them something else"));
    auto *functions = new QPushButton(tr("Where the &time went"), this);
    functions->setToolTip(tr("Time by function, and waiting by rank"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignCenter);
    auto *column = new QVBoxLayout(this);
    column->addStretch();
    column->addWidget(m_sentence);
    for (QPushButton *button : {m_wait, functions, model})
        column->addWidget(button, 0, Qt::AlignHCenter);
    column->addStretch();
    setFocusProxy(functions);
    connect(m_wait, &QPushButton::clicked, this, &NobodyWaits::longestWaitRequested);
    connect(model, &QPushButton::clicked, this, &NobodyWaits::stateModelRequested);
    connect(functions, &QPushButton::clicked, this, &NobodyWaits::functionsRequested);
}

void NobodyWaits::setText(const QString &sentence, const QString &longestWait) {
    m_sentence->setText(sentence);
    m_wait->setVisible(!longestWait.isEmpty());
    m_wait->setToolTip(longestWait);
}

} // namespace laggard
