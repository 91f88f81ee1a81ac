// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "trace/Trace.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/HitTest.h"
#include "views/graph/LayoutProcess.h"

#include <QWidget>

#include <map>
#include <memory>
#include <optional>

namespace laggard {

class SelectionModel;
struct Selection;

/// The progress-dependence graph on the screen: drag or arrow keys without a node pan, wheel and +/− zoom, 0 fits; a click or the
/// arrow keys choose a node, which selects its ranks and call path; a small map when not all fits. Typed notes hang on nodes.
class PdgView : public QWidget {
    Q_OBJECT

  public:
    explicit PdgView(SelectionModel &selection, QWidget *parent = nullptr);

    /// Null: nothing is loaded. The graph appears when it has been laid out.
    void setGraph(TracePtr trace, std::shared_ptr<const ProgressGraph> graph);

    /// Notes by node as `noteKey` names it.
    [[nodiscard]] const std::map<QString, QString> &notes() const { return m_notes; }
    void setNotes(std::map<QString, QString> notes);
    /// A name for a node that holds when the trace is opened again: rank ranges and functions.
    [[nodiscard]] static QString noteKey(const ProgressNode &node);

    /// The picture for export, with title, remarks and legend; null until it has been laid out.
    [[nodiscard]] const GraphScene *scene() const { return m_scene ? &*m_scene : nullptr; }
    /// Why there is no picture; empty if there is one, or it is being made.
    [[nodiscard]] const QString &error() const { return m_error; }

    /// Where a node is on the screen; for tests and for placing things beside it.
    [[nodiscard]] QRectF nodeRect(std::uint32_t node) const;
    [[nodiscard]] qreal scale() const { return m_scale; }

  public slots:
    void fit();
    void zoomBy(qreal factor);
    /// Asks for the note of the selected node.
    void editNote();

  signals:
    /// The graph has been laid out, or could not be.
    void laidOut();
    void notesChanged();

  protected:
    void paintEvent(QPaintEvent *event) override;
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
    void layOutAgain();
    void takeLayout(const GraphLayout &layout);
    /// All of the graph if it can be read then, else the least-progressed node in the middle.
    void showFirst();
    void showSelection(const Selection &selection);
    void chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers);
    void chooseEdge(std::uint32_t edge);
    void ensureVisible(std::uint32_t node);
    void zoomAt(QPointF fixed, qreal factor);
    void clampOrigin();
    void paintMinimap(QPainter &painter) const;
    [[nodiscard]] QString emptyText() const;
    void paintMessage(QPainter &painter, const QString &text) const;
    [[nodiscard]] GraphTheme theme() const;
    [[nodiscard]] QRectF minimapRect() const;
    [[nodiscard]] bool showsMinimap() const;
    [[nodiscard]] QPointF toScene(QPointF screen) const { return screen / m_scale + m_origin; }
    [[nodiscard]] QPointF toScreen(QPointF scene) const { return (scene - m_origin) * m_scale; }
    [[nodiscard]] std::optional<std::uint32_t> currentNode() const;

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const ProgressGraph> m_graph;
    LayoutProcess m_layouter;
    PdgPicture m_picture; ///< being laid out
    std::optional<GraphScene> m_scene;
    std::map<QString, QString> m_notes;
    GraphEmphasis m_emphasis;
    QString m_error;
    qreal m_scale = 1;
    QPointF m_origin; ///< scene point in the upper left corner
    bool m_isFitted = true;
    std::optional<QPointF> m_dragFrom; ///< screen
    bool m_dragged = false;
    bool m_draggingMap = false;
};

} // namespace laggard
