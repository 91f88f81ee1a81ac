// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/MemoryEstimate.h"

#include <QDialog>

#include <optional>

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace laggard {

/// Asks what to do with a trace that would take more memory than the budget: read it all the same, some ranks only, or some of
/// its time only. Says all the while what the choice would take.
class PartDialog : public QDialog {
    Q_OBJECT

  public:
    /// `budget` and `machine`: bytes of memory that may be used, and that the machine has (0: unknown).
    PartDialog(const QString &file, TraceOutline outline, std::uint64_t budget, std::uint64_t machine, QWidget *parent = nullptr);

    /// What was chosen; nothing while it cannot be read.
    [[nodiscard]] std::optional<OpenOptions> options() const;

  private:
    void refresh();
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QWidget *makeChoices();
    [[nodiscard]] QString firstRanksThatFit() const;
    [[nodiscard]] std::optional<RankSet> ranks() const;

    TraceOutline m_outline;
    std::uint64_t m_budget;
    unsigned m_threads;
    QRadioButton *m_all = nullptr;
    QRadioButton *m_someRanks = nullptr;
    QRadioButton *m_someTime = nullptr;
    QLineEdit *m_ranks = nullptr;
    QDoubleSpinBox *m_from = nullptr;
    QDoubleSpinBox *m_to = nullptr;
    QLabel *m_estimate = nullptr;
    QPushButton *m_open = nullptr;
};

} // namespace laggard
