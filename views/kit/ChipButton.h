// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace laggard {

/// A rounded label with a cross. A click, or Delete, Backspace, Space or Enter, removes what it stands for (`clicked`).
class ChipButton : public QAbstractButton {
    Q_OBJECT

  public:
    explicit ChipButton(const QString &text, QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
};

} // namespace laggard
