// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QToolButton;

namespace laggard {

class ElidedLabel;

/// A line above the graph that says which moment is shown, where that is not the end. Its button goes back to the end.
class MomentChip : public QFrame {
    Q_OBJECT

  public:
    explicit MomentChip(QWidget *parent = nullptr);

    /// The moment, from the trace's start; `headline` says what was so then, once graph, list and stacks are of it, else empty.
    void showMoment(double seconds, const QString &headline);
    [[nodiscard]] QString text() const;

  signals:
    void endRequested();

  private:
    ElidedLabel *m_text;
    QToolButton *m_back;
};

} // namespace laggard
