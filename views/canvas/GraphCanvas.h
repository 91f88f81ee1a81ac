// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/canvas/OutOfSight.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/HitTest.h"
#include "views/graph/LayoutProcess.h"

#include <QWidget>

#include <optional>

class QMenu;

namespace laggard {

/// A graph on the screen: drag pans, wheel and +/− zoom, 0 fits; a click or the arrow keys choose; a small map when not all fits.
/// What a choice means is for those who derive from it.
class GraphCanvas : public QWidget {
    Q_OBJECT

  public:
    explicit GraphCanvas(QWidget *parent = nullptr);

    /// The picture for export, with title, remarks and legend; null until it has been laid out.
    [[nodiscard]] const GraphScene *scene() const { return m_scene ? &*m_scene : nullptr; }
    /// Why there is no picture; empty if there is one, or it is being made.
    [[nodiscard]] const QString &error() const { return m_error; }

    [[nodiscard]] bool isLayingOut() const { return m_layouter.isRunning(); }

    /// Where a node is on the screen; for tests and for placing things beside it.
    [[nodiscard]] QRectF nodeRect(std::uint32_t node) const;
    [[nodiscard]] qreal scale() const { return m_scale; }
    /// Not all of the graph is in sight, and there is room for a map of it: in a small panel, a corner without nodes and labels.
    [[nodiscard]] bool showsMinimap() const;

  public slots:
    void fit();
    void zoomBy(qreal factor);

  signals:
    /// The graph has been laid out, or could not be.
    void laidOut();

  protected:
    /// Lays a picture out; it appears when that is done. The old one stays until then.
    void setPicture(GraphPicture picture);
    /// Shows nothing.
    void clearPicture();
    /// The next picture is shown from its beginning, not where the old one was.
    void startAnew();
    [[nodiscard]] GraphEmphasis &emphasis() { return m_emphasis; }
    [[nodiscard]] GraphTheme theme() const;
    [[nodiscard]] std::optional<std::uint32_t> currentNode() const;
    void ensureVisible(std::uint32_t node);
    void ensureEdgeVisible(std::uint32_t edge);

    virtual void chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers) = 0;
    virtual void chooseEdge(std::uint32_t edge, Qt::KeyboardModifiers modifiers) = 0;
    virtual void chooseNothing() = 0;
    /// Marks what is selected, after a layout.
    virtual void updateEmphasis() = 0;
    /// Stands there instead of a graph; empty: there is one.
    [[nodiscard]] virtual QString emptyText() const = 0;
    /// Where to begin: shown first if not all can be read, and chosen by the first arrow key.
    [[nodiscard]] virtual std::uint32_t firstNode() const { return 0; }
    /// Enter, or a double click on a node. False: nothing to be done.
    virtual bool activate() { return false; }
    /// Adds what stands above zoom in the context menu.
    virtual void addMenuActions(QMenu &menu);

    void paintEvent(QPaintEvent *event) override;
    /// What is shown first is shown at least this large, and in part where all of it has no room.
    [[nodiscard]] virtual qreal firstScale() const;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool event(QEvent *event) override;

  private:
    void takeLayout(const GraphLayout &layout);
    void giveUp(const QString &why);
    /// All of the graph if it can be read then, else the first node in the middle.
    void showFirst();
    void centre(QPointF point);
    void zoomAt(QPointF fixed, qreal factor);
    void clampOrigin();
    /// Moves the window so that nothing of it is wasted on what lies beyond a graph that is larger.
    void fillWithGraph();
    void paintMinimap(QPainter &painter) const;
    void paintMessage(QPainter &painter, const QString &text) const;
    void moveByMap(QPointF pixel);
    [[nodiscard]] QRectF minimapRect() const;
    [[nodiscard]] QSizeF mapSize() const;
    /// Chooses the map's corner, which it keeps while the graph is moved.
    void placeMap();
    [[nodiscard]] bool exceedsWindow() const;
    [[nodiscard]] GraphWindow inWindow() const { return {QSizeF(size()), m_origin, m_scale}; }
    [[nodiscard]] QPointF toScene(QPointF screen) const { return screen / m_scale + m_origin; }
    [[nodiscard]] QPointF toScreen(QPointF scene) const { return (scene - m_origin) * m_scale; }

    LayoutProcess m_layouter;
    GraphPicture m_picture; ///< being laid out
    std::optional<GraphScene> m_scene;
    GraphEmphasis m_emphasis;
    QString m_error;
    qreal m_scale = 1;
    QPointF m_origin; ///< scene point in the upper left corner
    bool m_isFitted = true;
    std::optional<QPointF> m_dragFrom; ///< screen
    bool m_dragged = false;
    bool m_draggingMap = false;
    std::optional<MapCorner> m_mapCorner; ///< none: there is no room for a map
};

} // namespace laggard
