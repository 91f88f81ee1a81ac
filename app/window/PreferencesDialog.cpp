// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/PreferencesDialog.h"

#include "app/window/MemoryBudget.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace laggard {
namespace {

enum MemoryChoice { ShareOfMachine, AtMost, NeverAsk };

} // namespace

PreferencesDialog::PreferencesDialog(const Preferences &preferences, QWidget *parent)
    : QDialog(parent),
      m_appearance(new QComboBox(this)),
      m_memory(new QComboBox(this)),
      m_megabytes(new QSpinBox(this)),
      m_callLines(new QComboBox(this)),
      m_sourcePoints(new QSpinBox(this)),
      m_debugServers(new QCheckBox(tr("Ask debuginfod &servers"), this)) {
    setWindowTitle(tr("Preferences"));
    m_appearance->setObjectName(QStringLiteral("appearance"));
    m_memory->setObjectName(QStringLiteral("memory"));
    m_megabytes->setObjectName(QStringLiteral("megabytes"));
    m_callLines->setObjectName(QStringLiteral("callLines"));
    m_sourcePoints->setObjectName(QStringLiteral("sourcePoints"));
    m_debugServers->setObjectName(QStringLiteral("debugServers"));
    m_appearance->addItems({tr("As the system"), tr("Light"), tr("Dark")});
    m_callLines->addItems({tr("Nested where there is room"), tr("Nested"), tr("One line for each rank")});
    m_callLines->setToolTip(tr("\"View, Nested calls\" changes it for the trace that is open"));
    m_sourcePoints->setRange(leastSourcePoints - 1, mostSourcePoints);
    m_sourcePoints->setSpecialValueText(tr("as the system"));
    m_sourcePoints->setSuffix(tr(" pt"));

    auto *form = new QFormLayout(this);
    form->setSpacing(10);
    form->addRow(tr("&Colours:"), m_appearance);
    form->addRow(tr("&Memory for a trace:"), makeMemory());
    form->addRow(tr("C&alls in the timeline:"), m_callLines);
    form->addRow(tr("Size of source &text:"), m_sourcePoints);
    form->addRow(tr("Debug information:"), m_debugServers);
    auto *servers =
        new QLabel(tr("When a recording is opened, the servers that DEBUGINFOD_URLS names are asked for names and lines "
                      "that this machine lacks. They learn the build-ids of its programs and libraries."),
                   this);
    servers->setWordWrap(true);
    form->addRow(QString(), servers);
    auto *buttons =
        new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] { fill({}); });
    fill(preferences);
}

QWidget *PreferencesDialog::makeMemory() {
    auto *part = new QWidget(this);
    auto *line = new QHBoxLayout;
    m_memory->addItem(tr("%1\u00a0% of this machine's (%2)").arg(budgetPercent).arg(sizeText(defaultMemoryBudget())));
    m_memory->addItems({tr("At most"), tr("Any, never ask")});
    m_memory->setToolTip(tr("A trace that is estimated to need more is opened only after a question"));
    m_megabytes->setRange(1, std::numeric_limits<int>::max());
    m_megabytes->setSuffix(tr(" MB"));
    m_megabytes->setGroupSeparatorShown(true);
    m_megabytes->setAccessibleName(tr("Most memory for a trace"));
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(m_memory, 1);
    line->addWidget(m_megabytes);
    auto *column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(line);
    if (const auto chosen = memoryBudgetOfEnvironment()) {
        auto *note = new QLabel(tr("For now the variable LAGGARD_MEMORY_BUDGET_MB decides: %1.")
                                    .arg(*chosen == 0 ? tr("never ask") : sizeText(*chosen)),
                                part);
        note->setWordWrap(true);
        column->addWidget(note);
    }
    part->setFocusProxy(m_memory);
    connect(m_memory, &QComboBox::currentIndexChanged, m_megabytes,
            [this](int choice) { m_megabytes->setEnabled(choice == AtMost); });
    return part;
}

void PreferencesDialog::fill(const Preferences &preferences) {
    constexpr std::uint64_t bytesPerMb = 1'000'000;
    m_appearance->setCurrentIndex(static_cast<int>(preferences.appearance));
    m_callLines->setCurrentIndex(static_cast<int>(preferences.callLines));
    m_sourcePoints->setValue(preferences.sourcePoints);
    m_debugServers->setChecked(preferences.askDebugServers);
    const std::uint64_t megabytes = preferences.memoryBudgetMb.value_or(defaultMemoryBudget() / bytesPerMb);
    m_megabytes->setValue(static_cast<int>(std::min<std::uint64_t>(megabytes, std::numeric_limits<int>::max())));
    m_memory->setCurrentIndex(!preferences.memoryBudgetMb        ? ShareOfMachine
                              : *preferences.memoryBudgetMb == 0 ? NeverAsk
                                                                 : AtMost);
    m_megabytes->setEnabled(m_memory->currentIndex() == AtMost);
}

Preferences PreferencesDialog::preferences() const {
    Preferences edited;
    edited.appearance = static_cast<Appearance>(m_appearance->currentIndex());
    edited.callLines = static_cast<CallLines>(m_callLines->currentIndex());
    edited.sourcePoints = m_sourcePoints->value() < leastSourcePoints ? 0 : m_sourcePoints->value();
    edited.askDebugServers = m_debugServers->isChecked();
    if (m_memory->currentIndex() != ShareOfMachine)
        edited.memoryBudgetMb = m_memory->currentIndex() == NeverAsk ? 0 : static_cast<std::uint64_t>(m_megabytes->value());
    return edited;
}

} // namespace laggard
