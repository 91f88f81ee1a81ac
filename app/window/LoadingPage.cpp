// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/LoadingPage.h"

#include <QDir>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace laggard {
namespace {
constexpr int pageWidth = 520;
constexpr int steps = 1000;
} // namespace

LoadingPage::LoadingPage(QWidget *parent) : QWidget(parent) {
    auto *column = new QWidget(this);
    column->setFixedWidth(pageWidth);
    auto *layout = new QVBoxLayout(column);
    m_file = new QLabel(column);
    m_file->setWordWrap(true);
    m_what = new QLabel(column);
    m_bar = new QProgressBar(column);
    m_bar->setRange(0, steps);
    m_bar->setAccessibleName(tr("Progress of loading"));
    m_cancel = new QPushButton(tr("Cancel"), column);
    m_cancel->setShortcut(Qt::Key_Escape);
    layout->addWidget(m_file);
    layout->addWidget(m_bar);
    layout->addWidget(m_what);
    layout->addWidget(m_cancel, 0, Qt::AlignRight);
    auto *outer = new QVBoxLayout(this);
    outer->addStretch(2);
    outer->addWidget(column, 0, Qt::AlignHCenter);
    outer->addStretch(3);
    connect(m_cancel, &QPushButton::clicked, this, &LoadingPage::cancelRequested);
}

void LoadingPage::setFile(const QString &file) {
    m_file->setText(tr("Opening %1").arg(QDir::toNativeSeparators(file)));
    setProgress(tr("starting"), -1);
    m_cancel->setFocus();
}

void LoadingPage::setProgress(const QString &what, double fraction) {
    m_what->setText(what);
    if (fraction < 0) {
        m_bar->setRange(0, 0); // a moving bar: busy, amount unknown
        return;
    }
    m_bar->setRange(0, steps);
    m_bar->setValue(static_cast<int>(std::lround(fraction * steps)));
}

} // namespace laggard
