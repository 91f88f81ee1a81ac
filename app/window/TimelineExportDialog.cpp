// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/TimelineExportDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSettings>

namespace laggard {
namespace {

const QString exportSettings = QStringLiteral("timelineExport/");

void chooseData(QComboBox &box, const QVariant &wanted) {
    if (const int index = box.findData(wanted); index >= 0)
        box.setCurrentIndex(index);
}

} // namespace

TimelineExportDialog::TimelineExportDialog(bool hasSelection, QWidget *parent)
    : QDialog(parent),
      m_range(new QComboBox),
      m_colours(new QComboBox),
      m_scale(new QComboBox),
      m_verdict(new QCheckBox(tr("&Verdict below the title, and its moment"))) {
    using Range = TimelineFileChoice::Range;
    setWindowTitle(tr("Export the timeline"));
    m_range->setObjectName(QStringLiteral("range"));
    m_range->addItem(tr("What is shown"), static_cast<int>(Range::Shown));
    m_range->addItem(tr("The whole trace"), static_cast<int>(Range::Whole));
    if (hasSelection)
        m_range->addItem(tr("The time that is selected"), static_cast<int>(Range::Selected));
    m_colours->setObjectName(QStringLiteral("colours"));
    m_colours->addItem(tr("Light, for pages and prints"), false);
    m_colours->addItem(tr("Dark, for screens"), true);
    m_scale->setObjectName(QStringLiteral("scale"));
    for (const int scale : {1, 2, 3, 4})
        m_scale->addItem(tr("%1 times the window's").arg(scale), scale);
    m_scale->setToolTip(tr("Of PNG files; SVG and PDF have no pixels"));
    m_verdict->setObjectName(QStringLiteral("verdict"));
    auto *form = new QFormLayout(this);
    form->addRow(tr("&Time"), m_range);
    form->addRow(tr("&Colours"), m_colours);
    form->addRow(tr("&Pixels"), m_scale);
    form->addRow(m_verdict);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(tr("&Export …"), QDialogButtonBox::AcceptRole)->setDefault(true);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &TimelineExportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const QSettings settings;
    const TimelineFileChoice usual;
    chooseData(*m_range, settings.value(exportSettings + "range", static_cast<int>(usual.range)).toInt());
    chooseData(*m_colours, settings.value(exportSettings + "dark", usual.isDark).toBool());
    chooseData(*m_scale, settings.value(exportSettings + "scale", usual.pngScale).toInt());
    m_verdict->setChecked(settings.value(exportSettings + "verdict", usual.hasVerdict).toBool());
}

TimelineFileChoice TimelineExportDialog::choice() const {
    return {static_cast<TimelineFileChoice::Range>(m_range->currentData().toInt()), m_colours->currentData().toBool(),
            m_scale->currentData().toInt(), m_verdict->isChecked()};
}

void TimelineExportDialog::accept() {
    const TimelineFileChoice chosen = choice();
    QSettings settings;
    settings.setValue(exportSettings + "range", static_cast<int>(chosen.range));
    settings.setValue(exportSettings + "dark", chosen.isDark);
    settings.setValue(exportSettings + "scale", chosen.pngScale);
    settings.setValue(exportSettings + "verdict", chosen.hasVerdict);
    QDialog::accept();
}

} // namespace laggard
