// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/selection/ZoomFilterStack.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace laggard {

/// What of the trace is left out of the views, as chips that can be removed one by one; undo, clear, and a dialog to add more.
/// Seen only while something is left out.
class FilterBar : public QWidget {
    Q_OBJECT

  public:
    explicit FilterBar(ZoomFilterStack &stack, QWidget *parent = nullptr);

    /// Null: nothing is loaded.
    void setTrace(TracePtr trace);

  public slots:
    void clearAll();
    void edit();

  private:
    void showFilter();
    void showButtons();

    ZoomFilterStack &m_stack;
    TracePtr m_trace;
    QLabel *m_title;
    QToolButton *m_add;
    QToolButton *m_undo;
    QToolButton *m_clear;
    QList<QWidget *> m_chips;
};

} // namespace laggard
