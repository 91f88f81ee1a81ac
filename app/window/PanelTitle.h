// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;
class QToolButton;

namespace laggard {

/// The title of a panel: its name, and buttons that are seen while the pointer is over the panel or one of them has the keyboard.
/// A double click asks to maximise the panel. Among tabs, which have the name already, it takes no room.
class PanelTitle : public QWidget {
    Q_OBJECT

  public:
    explicit PanelTitle(QDockWidget &dock);

    /// Whether a tab has the name.
    void setAmongTabs(bool among);
    [[nodiscard]] bool isAmongTabs() const { return m_isAmongTabs; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// The buttons, from left to right: maximise, take out, close.
    [[nodiscard]] const QList<QToolButton *> &buttons() const { return m_buttons; }

  signals:
    void maximiseRequested();

  protected:
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    QDockWidget &m_dock;
    QLabel *m_label;
    QList<QToolButton *> m_buttons;
    bool m_isAmongTabs = false;
};

} // namespace laggard
