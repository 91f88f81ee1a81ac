// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/semimarkov/DistributionPicture.h"
#include "views/semimarkov/SemiMarkovFocus.h"

#include <QWidget>

namespace laggard {

/// The time distributions of the transition that is looked at, by cluster. A click on a cluster's strip, or ↑
/// and ↓, select its ranks.
class DistributionView : public QWidget {
    Q_OBJECT

  public:
    explicit DistributionView(SemiMarkovFocus &focus, QWidget *parent = nullptr);
    [[nodiscard]] const DistributionPicture &picture() const { return m_picture; }
    /// The bytes of a picture file at this path. Throws PictureError.
    [[nodiscard]] QByteArray file(const QString &path) const;

  signals:
    /// The keyboard or a click went to this row, in pixels of the view.
    void rowReached(const QRect &row);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

  private:
    void draw();
    [[nodiscard]] QRectF area() const;
    void chooseRow(std::size_t row, SelectMode mode);

    SemiMarkovFocus &m_focus;
    DistributionPicture m_picture;
    std::optional<std::size_t> m_current; ///< the row that the keyboard is at
};

} // namespace laggard
