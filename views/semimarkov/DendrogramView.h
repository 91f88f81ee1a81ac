// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/semimarkov/DendrogramPicture.h"
#include "views/semimarkov/SemiMarkovFocus.h"

#include <QWidget>

namespace laggard {

/// The dendrogram of the shown phase, with a threshold that can be dragged: ← and → move it, Page Up and Page Down to the next
/// number of clusters, Home back to the trained one. ↑ and ↓ walk over the rows, Enter or a click selects their ranks.
class DendrogramView : public QWidget {
    Q_OBJECT

  public:
    explicit DendrogramView(SemiMarkovFocus &focus, QWidget *parent = nullptr);
    [[nodiscard]] const DendrogramPicture &picture() const { return m_picture; }
    /// Where the threshold is on the screen, for tests.
    [[nodiscard]] QPointF handle() const;
    /// The bytes of a picture file at this path, with all rows up to a few hundred. Throws PictureError.
    [[nodiscard]] QByteArray file(const QString &path) const;

  signals:
    /// Another number of rows, or other clusters.
    void pictureChanged();

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

  private:
    void draw();
    void moveThreshold(double threshold);
    void chooseRow(std::size_t row, SelectMode mode);
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] bool isOnThreshold(QPointF point) const;

    SemiMarkovFocus &m_focus;
    DendrogramPicture m_picture;
    std::optional<std::size_t> m_current; ///< row
    bool m_dragging = false;
};

} // namespace laggard
