// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/selection/ZoomFilterStack.h"

#include <QDialog>

#include <optional>

class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace laggard {

/// What the user types to filter ranks, duration and time: each part may be empty.
struct FilterText {
    QString ranks;    ///< "0-2,4-15"
    QString duration; ///< "1.5 ms"
    QString from;     ///< "0.5 s" from the start of the trace
    QString to;
};

/// `filter` with these parts replaced. Returns nothing and sets `problem` to a sentence where a part cannot be understood.
[[nodiscard]] std::optional<Filter> filterFromText(const FilterText &text, const Filter &filter, const Trace &trace,
                                                   QString &problem);
/// The parts of `filter` as the user would type them.
[[nodiscard]] FilterText textFromFilter(const Filter &filter, const Trace &trace);

/// Asks for ranks, shortest duration and time range. What is wrong is said while typing.
class FilterEditor : public QDialog {
    Q_OBJECT

  public:
    FilterEditor(TracePtr trace, const Filter &filter, QWidget *parent = nullptr);

    /// The filter as edited; that of the beginning while the text cannot be understood.
    [[nodiscard]] const Filter &filter() const { return m_filter; }

  private:
    void check();

    TracePtr m_trace;
    Filter m_filter;
    QLineEdit *m_ranks;
    QLineEdit *m_duration;
    QLineEdit *m_from;
    QLineEdit *m_to;
    QLabel *m_problem;
    QDialogButtonBox *m_buttons;
};

} // namespace laggard
