// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/OtherRunPane.h"

#include "views/kit/ElidedLabel.h"
#include "views/timeline/TimelineWidget.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QToolButton>

namespace laggard {
namespace {

QDoubleSpinBox *secondsBox(const QString &name) {
    constexpr double most = 1e9; // thirty years
    auto *box = new QDoubleSpinBox;
    box->setDecimals(6);
    box->setRange(0, most);
    box->setSuffix(QStringLiteral(" s"));
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setKeyboardTracking(false);
    return box;
}

} // namespace

OtherRunPane::OtherRunPane(QWidget *parent)
    : QWidget(parent), m_timeline(new TimelineWidget(m_selection, m_zoomFilter)), m_pages(new QStackedWidget) {
    m_timeline->setAccessibleName(tr("Timeline of the other run"));
    auto *run = new QWidget;
    auto *column = new QVBoxLayout(run);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_timeline, 1);
    m_pages->addWidget(makeProgress());
    m_pages->addWidget(run);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
}

QWidget *OtherRunPane::makeBar() {
    auto *bar = new QWidget;
    m_title = new ElidedLabel(Qt::ElideMiddle);
    m_alignment = new QComboBox;
    m_alignment->addItems({tr("Start"), tr("End"), tr("Phase in view"), tr("Departure"), tr("Moments")});
    m_alignment->setAccessibleName(tr("What both runs are aligned at"));
    m_alignment->setToolTip(tr("What is taken for the same moment in both runs"));
    auto *label = new QLabel(tr("&Aligned at"));
    label->setBuddy(m_alignment);
    m_moments = new QWidget;
    m_here = secondsBox(tr("Moment of this run, from its start"));
    m_there = secondsBox(tr("Moment of the other run, from its start"));
    auto *moments = new QHBoxLayout(m_moments);
    moments->setContentsMargins(0, 0, 0, 0);
    moments->addWidget(m_here);
    moments->addWidget(new QLabel(QStringLiteral("=")));
    moments->addWidget(m_there);
    m_moments->hide();
    m_close = new QToolButton;
    m_close->setText(QStringLiteral("✕"));
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close the comparison"));
    m_close->setToolTip(tr("Close the comparison"));
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 2, 4, 2);
    row->setSpacing(6);
    row->addWidget(m_title, 1);
    for (QWidget *part :
         {static_cast<QWidget *>(label), static_cast<QWidget *>(m_alignment), m_moments, static_cast<QWidget *>(m_close)})
        row->addWidget(part);
    connect(m_alignment, &QComboBox::activated, this, &OtherRunPane::alignmentChosen);
    connect(m_alignment, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_moments->setVisible(index == static_cast<int>(AlignedAt::Moments)); });
    for (QDoubleSpinBox *box : {m_here, m_there})
        connect(box, &QDoubleSpinBox::valueChanged, this, &OtherRunPane::alignmentChosen);
    connect(m_close, &QToolButton::clicked, this, &OtherRunPane::closeRequested);
    return bar;
}

QWidget *OtherRunPane::makeProgress() {
    constexpr int barWidth = 320;
    auto *page = new QWidget;
    m_what = new ElidedLabel(Qt::ElideMiddle);
    m_what->setAlignment(Qt::AlignCenter);
    m_progress = new QProgressBar;
    m_progress->setFixedWidth(barWidth);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("How far the other run is read"));
    auto *cancel = new QPushButton(tr("Cancel"));
    connect(cancel, &QPushButton::clicked, this, &OtherRunPane::cancelRequested);
    auto *column = new QVBoxLayout(page);
    column->addStretch();
    column->addWidget(m_what);
    column->addWidget(m_progress, 0, Qt::AlignHCenter);
    column->addWidget(cancel, 0, Qt::AlignHCenter);
    column->addStretch();
    return page;
}

void OtherRunPane::showProgress(const QString &what, double fraction) {
    constexpr int steps = 1000;
    m_what->setFullText(what);
    m_progress->setRange(0, fraction < 0 ? 0 : steps);
    m_progress->setValue(fraction < 0 ? 0 : static_cast<int>(fraction * steps));
    m_pages->setCurrentIndex(0);
}

void OtherRunPane::showTimeline() { m_pages->setCurrentIndex(1); }

void OtherRunPane::setTitle(const QString &file, const QString &remark) {
    m_title->setFullText(remark.isEmpty() ? file : tr("%1 – %2").arg(file, remark));
}

void OtherRunPane::setPossible(AlignedAt alignment, bool isPossible) {
    auto *items = qobject_cast<QStandardItemModel *>(m_alignment->model());
    items->item(static_cast<int>(alignment))->setEnabled(isPossible);
}

void OtherRunPane::setAlignment(AlignedAt alignment) { m_alignment->setCurrentIndex(static_cast<int>(alignment)); }

AlignedAt OtherRunPane::alignment() const { return static_cast<AlignedAt>(m_alignment->currentIndex()); }

void OtherRunPane::setMoments(double here, double there) {
    const QSignalBlocker quietHere(m_here);
    const QSignalBlocker quietThere(m_there);
    m_here->setValue(here);
    m_there->setValue(there);
}

std::pair<double, double> OtherRunPane::moments() const { return {m_here->value(), m_there->value()}; }

} // namespace laggard
