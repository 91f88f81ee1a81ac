// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/Chart.h"
#include "views/charts/ChartPlot.h"
#include "views/selection/Selection.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QCustomPlot;
class QMouseEvent;
class QRubberBand;
class QWheelEvent;

namespace laggard {

/// A chart on the screen. A click, or the arrow keys and Enter, choose an item; Ctrl adds, Shift extends. The wheel zooms,
/// dragging moves, Shift+drag or right drag zooms to a stretch; Backspace goes back, 0 shows everything.
class ChartView : public QWidget {
    Q_OBJECT

  public:
    explicit ChartView(QWidget *parent = nullptr);
    ~ChartView() override;

    /// Null: nothing to show.
    void setChart(std::shared_ptr<const Chart> chart);
    [[nodiscard]] const Chart *chart() const { return m_chart.get(); }

    /// Rings around items, or a tint of their rows: what is selected.
    void setMarked(std::vector<std::size_t> items);
    [[nodiscard]] const std::vector<std::size_t> &marked() const { return m_marked; }
    /// The item that the arrow keys stand on.
    [[nodiscard]] std::optional<std::size_t> current() const { return m_current; }

    [[nodiscard]] ChartRange range() const;
    void fit();
    /// Back to the stretch shown before, and forth again.
    void undoZoom();
    void redoZoom();

    /// What lies at a pixel of this widget.
    [[nodiscard]] std::optional<std::size_t> itemAt(const QPointF &pixel) const;
    [[nodiscard]] QPointF pixelOf(std::size_t item) const;

    /// The chart as a file's content, with title, trace, legend, remarks and what was lost; all of it, in light colours. Throws
    /// PictureError.
    [[nodiscard]] QByteArray picture(const std::string &path) const;

  signals:
    void chosen(std::size_t item, laggard::SelectMode mode);
    void exportPictureRequested();
    void exportListRequested();

  protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

  private:
    void refill();
    /// Into their layer; `drawMarks` shows it, too.
    void placeMarks();
    void drawMarks();
    void addMarkedRow(std::size_t item, bool isCurrent);
    void showRange(const ChartRange &range);
    void zoomTo(const ChartRange &range, bool merge = false);
    void zoomBy(double factor, const QPointF &around);
    void pan(double x, double y);
    void walk(int step);
    void setCurrent(std::size_t item);
    void showMenu(const QPoint &global);
    void press(QMouseEvent *event);
    void move(QMouseEvent *event);
    void release(QMouseEvent *event);
    void wheel(QWheelEvent *event);
    [[nodiscard]] std::size_t roomForRows() const;
    [[nodiscard]] bool isScatter() const { return m_chart && m_chart->form == Chart::Form::Scatter; }

    struct Drag {
        QPoint from;
        ChartRange range;
        bool isZoom = false;
        bool hasMoved = false;
        Qt::MouseButton button = Qt::NoButton;
    };

    std::shared_ptr<const Chart> m_chart;
    QCustomPlot *m_plot;
    QRubberBand *m_band;
    std::vector<std::size_t> m_marked;
    std::optional<std::size_t> m_current;
    std::optional<Drag> m_drag;
    std::vector<ChartRange> m_zooms; ///< stack with undo; empty: everything is shown
    std::size_t m_zoom = 0;          ///< how many of them hold
    bool m_isMerging = false;        ///< the last zoom step was small, and takes the next small one in
};

} // namespace laggard
