// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLineEdit;
class QToolButton;

namespace laggard {

/// A moment worth looking at.
struct KeyMoment {
    Tick time = 0;
    QString what; ///< "rank 3 waits for rank 5, 1.0 s"
    bool operator==(const KeyMoment &) const = default;
};

/// Which moment graph, stacks and source show, and ways to others: the moments worth looking at before and after it, and a time
/// that is typed ("1.5 s", "20 ms").
class MomentBar : public QWidget {
    Q_OBJECT

  public:
    explicit MomentBar(QWidget *parent = nullptr);

    /// Null: nothing is loaded. `moments` by time, without the end, where they lead on to.
    void setTrace(TracePtr trace, std::vector<KeyMoment> moments);
    /// The moment that is shown; nothing: the end.
    void setMoment(const std::optional<Tick> &moment);
    [[nodiscard]] const std::vector<KeyMoment> &moments() const { return m_moments; }
    [[nodiscard]] QLineEdit *field() const { return m_field; }

  public slots:
    void goBefore();
    void goAfter();

  signals:
    void momentChosen(laggard::Tick time);
    void endChosen();

  private:
    void showMoment();
    void goToTyped();
    [[nodiscard]] const KeyMoment *before() const;
    [[nodiscard]] const KeyMoment *after() const;

    TracePtr m_trace;
    std::vector<KeyMoment> m_moments;
    std::optional<Tick> m_moment;
    QToolButton *m_before;
    QLineEdit *m_field;
    QToolButton *m_after;
};

} // namespace laggard
