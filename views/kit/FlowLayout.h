// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

namespace laggard {

/// Puts widgets side by side and goes on in the next line where one does not fit.
class FlowLayout : public QLayout {
  public:
    explicit FlowLayout(QWidget *parent, int space = 4);
    ~FlowLayout() override;

    void addItem(QLayoutItem *item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;

    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize minimumSize() const override;
    [[nodiscard]] QSize sizeHint() const override;
    void setGeometry(const QRect &rect) override;

  private:
    /// Height of the lines within `width`; moves the widgets if `place` says so.
    int arrange(const QRect &rect, bool place) const;

    QList<QLayoutItem *> m_items;
    int m_space;
};

} // namespace laggard
