// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

class QAbstractItemView;

namespace laggard {

/// The search line above a list: Down goes to the list, Escape empties the line.
class FilterEdit : public QLineEdit {
    Q_OBJECT

  public:
    /// `what` is shown in the empty line and read by screen readers ("Filter functions"). `list` must live as long.
    FilterEdit(const QString &what, QAbstractItemView &list, QWidget *parent = nullptr);

  protected:
    void keyPressEvent(QKeyEvent *event) override;

  private:
    QAbstractItemView &m_list;
};

} // namespace laggard
