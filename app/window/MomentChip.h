// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace laggard {

/// A line above the graph that says which moment is shown, where that is not the end. Its button goes back to the end.
class MomentChip : public QFrame {
    Q_OBJECT

  public:
    explicit MomentChip(QWidget *parent = nullptr);

    /// The moment, from the trace's start; `isReady` once graph, list, findings and stacks are of it.
    void showMoment(double seconds, bool isReady);
    [[nodiscard]] QString text() const;

  signals:
    void endRequested();

  private:
    QLabel *m_text;
    QToolButton *m_back;
};

} // namespace laggard
