// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/ChartView.h"

#include "views/charts/ChartExport.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/theme/Tone.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QRubberBand>
#include <QToolTip>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace laggard {
namespace {

const QString marksLayer = QStringLiteral("marked");
constexpr double reach = 9;      ///< pixels from a dot at which it is meant
constexpr double rowHeight = 17; ///< pixels below which names of rows cannot be read
constexpr double zoomStep = 1.25;
constexpr double panStep = 0.15; ///< share of what is shown
constexpr int dragStart = 4;     ///< pixels; less is a click

double middleOf(double a, double b) { return (a + b) / 2; }

/// Draws itself when it is painted: once, however often it is filled and resized while panels find their places, and not at all
/// as long as nobody sees it.
class Plot : public QCustomPlot {
  public:
    using QCustomPlot::QCustomPlot;

    /// Stands in the middle instead of a chart, in as many lines as it needs: texts of the plot itself have one.
    void setEmptyText(const QString &text) {
        m_emptyText = text;
        update();
    }

    /// Something has changed.
    void draw() {
        m_isDue = true;
        update();
    }
    [[nodiscard]] bool isDue() const { return m_isDue; }

  protected:
    void paintEvent(QPaintEvent *event) override {
        if (std::exchange(m_isDue, false))
            replot(rpQueuedRefresh);
        QCustomPlot::paintEvent(event);
        if (m_emptyText.isEmpty())
            return;
        QPainter painter(this);
        painter.setFont(font());
        painter.setPen(toneColour(Tone::Faint, palette()));
        painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
    }
    void resizeEvent(QResizeEvent *) override {
        setViewport(rect());
        draw();
    }

  private:
    bool m_isDue = true;
    QString m_emptyText;
};

} // namespace

ChartView::ChartView(QWidget *parent)
    : QWidget(parent), m_plot(new Plot(this)), m_band(new QRubberBand(QRubberBand::Rectangle, m_plot)) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Chart")); // until there is one
    setMinimumSize(160, 90);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    preparePlot(*m_plot);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setContextMenuPolicy(Qt::NoContextMenu);
    m_plot->setMouseTracking(true);
    connect(m_plot, &QCustomPlot::mousePress, this, &ChartView::press);
    connect(m_plot, &QCustomPlot::mouseMove, this, &ChartView::move);
    connect(m_plot, &QCustomPlot::mouseRelease, this, &ChartView::release);
    connect(m_plot, &QCustomPlot::mouseWheel, this, &ChartView::wheel);
    refill();
}

ChartView::~ChartView() = default;

void ChartView::setChart(std::shared_ptr<const Chart> chart) {
    m_chart = std::move(chart);
    m_marked.clear();
    m_current.reset();
    m_drag.reset();
    m_zooms.clear();
    m_zoom = 0;
    m_isMerging = false;
    const QString title = !m_chart ? QString() : m_chart->title.isEmpty() ? m_chart->emptyText : m_chart->title;
    setAccessibleName(title.isEmpty() ? tr("Chart") : title);
    refill();
}

void ChartView::refill() {
    static const Chart nothing;
    fillPlot(*m_plot, m_chart ? *m_chart : nothing, Theme::of(palette()), font());
    fitRows(*m_plot, m_chart ? *m_chart : nothing, m_plot->width());
    fitLegend(*m_plot, m_plot->width());
    const bool isEmpty = !m_chart || m_chart->isEmpty();
    m_plot->axisRect()->setVisible(!isEmpty);
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis})
        axis->setVisible(!isEmpty);
    static_cast<Plot *>(m_plot)->setEmptyText(isEmpty && m_chart ? m_chart->emptyText : QString());
    showRange(m_zoom > 0 ? m_zooms[m_zoom - 1] : (m_chart ? wholeRange(*m_chart, roomForRows()) : ChartRange()));
}

std::size_t ChartView::roomForRows() const {
    // The axis below takes its share; what is left is known only after the first painting.
    const double height = std::max(0, this->height() - 3 * fontMetrics().height() - 24);
    return static_cast<std::size_t>(std::max(3.0, height / rowHeight));
}

// --- zoom ---------------------------------------------------------------------------------------------------------------------

ChartRange ChartView::range() const { return rangeOf(*m_plot); }

void ChartView::showRange(const ChartRange &range) {
    setRange(*m_plot, range);
    placeMarks();
    static_cast<Plot *>(m_plot)->draw();
}

void ChartView::zoomTo(const ChartRange &range, bool merge) {
    if (!m_chart || m_chart->isEmpty() || range == this->range())
        return;
    const bool replaces = merge && m_isMerging && m_zoom > 0 && m_zoom == m_zooms.size();
    m_zooms.resize(replaces ? m_zoom - 1 : m_zoom);
    m_zooms.push_back(range);
    m_zoom = m_zooms.size();
    m_isMerging = merge;
    showRange(range);
}

void ChartView::fit() {
    if (m_chart && m_zoom > 0)
        zoomTo(wholeRange(*m_chart, roomForRows()));
}

void ChartView::undoZoom() {
    if (m_zoom == 0 || !m_chart)
        return;
    --m_zoom;
    m_isMerging = false;
    showRange(m_zoom > 0 ? m_zooms[m_zoom - 1] : wholeRange(*m_chart, roomForRows()));
}

void ChartView::redoZoom() {
    if (m_zoom == m_zooms.size())
        return;
    ++m_zoom;
    showRange(m_zooms[m_zoom - 1]);
}

void ChartView::zoomBy(double factor, const QPointF &around) {
    ChartRange to = range();
    const double x = m_plot->xAxis->pixelToCoord(around.x());
    const double y = m_plot->yAxis->pixelToCoord(around.y());
    // Dots crowd along their axis, rows along theirs; the other one stays whole, so that sizes can be compared.
    if (isScatter()) {
        to.xBegin = x - (x - to.xBegin) / factor;
        to.xEnd = x + (to.xEnd - x) / factor;
    } else {
        to.yBegin = y - (y - to.yBegin) / factor;
        to.yEnd = y + (to.yEnd - y) / factor;
    }
    zoomTo(to, true);
}

void ChartView::pan(double x, double y) {
    ChartRange to = range();
    const double dx = (to.xEnd - to.xBegin) * x;
    const double dy = (to.yEnd - to.yBegin) * y;
    zoomTo({to.xBegin + dx, to.xEnd + dx, to.yBegin + dy, to.yEnd + dy}, true);
}

// --- items --------------------------------------------------------------------------------------------------------------------

std::optional<std::size_t> ChartView::itemAt(const QPointF &pixel) const {
    if (!m_chart || m_chart->isEmpty() ||
        !m_plot->axisRect()->rect().adjusted(isScatter() ? 0 : -10'000, 0, 0, 0).contains(pixel.toPoint()))
        return std::nullopt;
    if (!isScatter()) {
        const double row = std::round(m_plot->yAxis->pixelToCoord(pixel.y()));
        if (row < 0 || row >= static_cast<double>(m_chart->items.size()))
            return std::nullopt;
        return static_cast<std::size_t>(row);
    }
    const auto at = [](const ChartItem &item, double position) { return item.position < position; };
    const double least = m_plot->xAxis->pixelToCoord(pixel.x() - reach);
    const double most = m_plot->xAxis->pixelToCoord(pixel.x() + reach);
    std::optional<std::size_t> nearest;
    double distance = reach * reach;
    for (auto item = std::lower_bound(m_chart->items.begin(), m_chart->items.end(), least, at);
         item != m_chart->items.end() && item->position <= most; ++item) {
        const auto i = static_cast<std::size_t>(item - m_chart->items.begin());
        for (const ChartSeries &series : m_chart->series) {
            if (std::isnan(series.values[i]))
                continue;
            const double dx = m_plot->xAxis->coordToPixel(item->position) - pixel.x();
            const double dy = m_plot->yAxis->coordToPixel(series.values[i]) - pixel.y();
            if (dx * dx + dy * dy <= distance) {
                distance = dx * dx + dy * dy;
                nearest = i;
            }
        }
    }
    return nearest;
}

QPointF ChartView::pixelOf(std::size_t item) const {
    double value = 0;
    for (const ChartSeries &series : m_chart->series)
        if (!std::isnan(series.values[item])) {
            value = series.values[item];
            break;
        }
    if (isScatter())
        return {m_plot->xAxis->coordToPixel(m_chart->items[item].position), m_plot->yAxis->coordToPixel(value)};
    return {m_plot->xAxis->coordToPixel(value / 2), m_plot->yAxis->coordToPixel(static_cast<double>(item))};
}

void ChartView::setMarked(std::vector<std::size_t> items) {
    m_marked = std::move(items);
    drawMarks();
}

void ChartView::addMarkedRow(std::size_t item, bool isCurrent) {
    const Theme theme = Theme::of(palette());
    auto *row = new QCPItemRect(m_plot);
    row->setLayer(marksLayer);
    for (QCPItemPosition *position : {row->topLeft, row->bottomRight}) {
        position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        position->setTypeY(QCPItemPosition::ptPlotCoords);
    }
    row->topLeft->setCoords(0, static_cast<double>(item) - 0.48);
    row->bottomRight->setCoords(1, static_cast<double>(item) + 0.48);
    QColor fill = theme.accent;
    fill.setAlpha(40);
    row->setBrush(isCurrent ? QBrush(Qt::NoBrush) : QBrush(fill));
    row->setPen(isCurrent ? QPen(theme.text, 1, Qt::DotLine) : QPen(theme.accent, 1));
}

void ChartView::placeMarks() {
    QCPLayer *layer = m_plot->layer(marksLayer);
    for (QCPLayerable *old : layer->children()) { // a copy: removing changes the layer's own list
        if (auto *item = qobject_cast<QCPAbstractItem *>(old))
            m_plot->removeItem(item);
        else if (auto *plottable = qobject_cast<QCPAbstractPlottable *>(old))
            m_plot->removePlottable(plottable);
    }
    if (!m_chart || m_chart->isEmpty())
        return;
    const Theme theme = Theme::of(palette());
    const bool showsCurrent = m_current && hasFocus();
    if (isScatter()) {
        const auto addRings = [&](const std::vector<std::size_t> &items, const QPen &pen, double size) {
            QVector<double> keys;
            QVector<double> values;
            for (const std::size_t item : items)
                for (const ChartSeries &series : m_chart->series) {
                    if (std::isnan(series.values[item]))
                        continue;
                    keys << m_chart->items[item].position;
                    values << series.values[item];
                }
            auto *rings = new QCPGraph(m_plot->xAxis, m_plot->yAxis);
            rings->removeFromLegend();
            rings->setLayer(layer);
            rings->setLineStyle(QCPGraph::lsNone);
            rings->setScatterStyle({QCPScatterStyle::ssCircle, pen, QBrush(Qt::NoBrush), size});
            rings->setData(keys, values);
        };
        addRings(m_marked, QPen(theme.accent, 2), 14);
        if (showsCurrent)
            addRings({*m_current}, QPen(theme.text, 1, Qt::DotLine), 19);
    } else {
        for (const std::size_t item : m_marked)
            addMarkedRow(item, false);
        if (showsCurrent)
            addMarkedRow(*m_current, true);
    }
}

void ChartView::drawMarks() {
    placeMarks();
    if (!static_cast<Plot *>(m_plot)->isDue())
        m_plot->layer(marksLayer)->replot();
}

void ChartView::setCurrent(std::size_t item) {
    m_current = item;
    // Into sight, if it is out of it.
    ChartRange to = range();
    const double at = isScatter() ? m_chart->items[item].position : static_cast<double>(item);
    double &begin = isScatter() ? to.xBegin : to.yBegin;
    double &end = isScatter() ? to.xEnd : to.yEnd;
    const double half = (end - begin) / 2;
    if (at < begin || at > end) {
        begin = at - half;
        end = at + half;
        zoomTo(to, true);
    }
    setAccessibleDescription(itemText(*m_chart, item));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    drawMarks();
}

void ChartView::walk(int step) {
    if (!m_chart || m_chart->isEmpty())
        return;
    const auto last = static_cast<qsizetype>(m_chart->items.size()) - 1;
    const qsizetype from = m_current ? static_cast<qsizetype>(*m_current)
                                     : (m_marked.empty() ? (step > 0 ? -1 : last + 1) : static_cast<qsizetype>(m_marked.front()));
    setCurrent(static_cast<std::size_t>(std::clamp<qsizetype>(from + step, 0, last)));
    QToolTip::showText(mapToGlobal(pixelOf(*m_current).toPoint()), toolTipText(itemText(*m_chart, *m_current)), this);
}

// --- keys and mouse -----------------------------------------------------------------------------------------------------------

void ChartView::keyPressEvent(QKeyEvent *event) {
    const QPointF middle(middleOf(m_plot->axisRect()->left(), m_plot->axisRect()->right()),
                         middleOf(m_plot->axisRect()->top(), m_plot->axisRect()->bottom()));
    constexpr int farAway = 1 << 24;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        return walk(1);
    case Qt::Key_Left:
    case Qt::Key_Up:
        return walk(-1);
    case Qt::Key_PageDown:
        return walk(10);
    case Qt::Key_PageUp:
        return walk(-10);
    case Qt::Key_Home:
        return walk(-farAway);
    case Qt::Key_End:
        return walk(farAway);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current)
            emit chosen(*m_current, selectMode(event->modifiers()));
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        return zoomBy(zoomStep, middle);
    case Qt::Key_Minus:
    case Qt::Key_S:
        return zoomBy(1 / zoomStep, middle);
    case Qt::Key_A:
        return pan(isScatter() ? -panStep : 0, isScatter() ? 0 : -panStep);
    case Qt::Key_D:
        return pan(isScatter() ? panStep : 0, isScatter() ? 0 : panStep);
    case Qt::Key_0:
        return fit();
    case Qt::Key_Backspace:
        return event->modifiers() & Qt::ShiftModifier ? redoZoom() : undoZoom();
    default:
        QWidget::keyPressEvent(event);
    }
}

void ChartView::press(QMouseEvent *event) {
    setFocus(Qt::MouseFocusReason);
    if (!m_chart || m_chart->isEmpty())
        return;
    const bool isZoom = event->button() == Qt::RightButton || event->modifiers() & Qt::ShiftModifier;
    m_drag = Drag{event->position().toPoint(), range(), isZoom, false, event->button()};
}

void ChartView::move(QMouseEvent *event) {
    if (!m_drag) {
        const bool isOver = itemAt(event->position()).has_value();
        m_plot->setCursor(isOver ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    const QPoint to = event->position().toPoint();
    const QPoint moved = to - m_drag->from;
    if (!m_drag->hasMoved && moved.manhattanLength() < dragStart)
        return;
    m_drag->hasMoved = true;
    if (m_drag->isZoom) {
        m_band->setGeometry(QRect(m_drag->from, to).normalized());
        m_band->show();
        return;
    }
    const ChartRange &from = m_drag->range;
    const QRect area = m_plot->axisRect()->rect();
    const double dx = isScatter() ? -(from.xEnd - from.xBegin) * moved.x() / std::max(1, area.width()) : 0;
    const double dy = isScatter() ? 0 : -(from.yEnd - from.yBegin) * moved.y() / std::max(1, area.height());
    showRange({from.xBegin + dx, from.xEnd + dx, from.yBegin + dy, from.yEnd + dy});
}

void ChartView::release(QMouseEvent *event) {
    if (!m_drag)
        return;
    const Drag drag = *std::exchange(m_drag, std::nullopt);
    m_band->hide();
    const QPoint to = event->position().toPoint();
    if (!drag.hasMoved) {
        if (drag.button == Qt::RightButton) {
            showMenu(event->globalPosition().toPoint());
        } else if (const auto item = itemAt(event->position())) {
            m_current = item;
            emit chosen(*item, selectMode(event->modifiers()));
        }
        return;
    }
    ChartRange shown = range();
    if (drag.isZoom) {
        const auto [x1, x2] = std::minmax({m_plot->xAxis->pixelToCoord(drag.from.x()), m_plot->xAxis->pixelToCoord(to.x())});
        const auto [y1, y2] = std::minmax({m_plot->yAxis->pixelToCoord(drag.from.y()), m_plot->yAxis->pixelToCoord(to.y())});
        if (x2 <= x1 || y2 <= y1)
            return;
        shown = isScatter() ? ChartRange{x1, x2, y1, y2} : ChartRange{shown.xBegin, shown.xEnd, y1, y2};
    }
    setRange(*m_plot, drag.range); // where the step begins
    zoomTo(shown);
}

void ChartView::wheel(QWheelEvent *event) {
    event->accept();
    constexpr double notch = 120;
    if (m_chart && !m_chart->isEmpty())
        zoomBy(std::pow(zoomStep, event->angleDelta().y() / notch), event->position());
}

bool ChartView::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip && m_chart) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const auto item = itemAt(help->pos()))
            QToolTip::showText(help->globalPos(), toolTipText(itemText(*m_chart, *item)), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void ChartView::contextMenuEvent(QContextMenuEvent *event) {
    // The mouse brings its menu itself, as a right drag zooms.
    if (event->reason() == QContextMenuEvent::Keyboard)
        showMenu(mapToGlobal(m_current && m_chart ? pixelOf(*m_current).toPoint() : rect().center()));
}

void ChartView::showMenu(const QPoint &global) {
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show &everything"), this, &ChartView::fit)->setEnabled(m_zoom > 0);
    menu->addAction(tr("Zoom &back"), this, &ChartView::undoZoom)->setEnabled(m_zoom > 0);
    menu->addAction(tr("Zoom &forth"), this, &ChartView::redoZoom)->setEnabled(m_zoom < m_zooms.size());
    menu->addSeparator();
    menu->addAction(tr("Export the &picture …"), this, &ChartView::exportPictureRequested);
    menu->addAction(tr("Export the &values as CSV …"), this, &ChartView::exportListRequested);
    menu->popup(global);
}

void ChartView::focusInEvent(QFocusEvent *event) {
    QWidget::focusInEvent(event);
    drawMarks();
}

void ChartView::focusOutEvent(QFocusEvent *event) {
    QWidget::focusOutEvent(event);
    drawMarks();
}

void ChartView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (m_chart)
        fitRows(*m_plot, *m_chart, event->size().width());
    fitLegend(*m_plot, event->size().width());
    if (m_chart && m_zoom == 0)
        showRange(wholeRange(*m_chart, roomForRows()));
}

void ChartView::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refill();
    QWidget::changeEvent(event);
}

QByteArray ChartView::picture(const std::string &path) const {
    if (!m_chart || m_chart->isEmpty())
        throw PictureError(tr("There is nothing in this chart to draw.").toStdString());
    const std::optional<PictureFormat> format = pictureFormat(path);
    if (!format)
        throw PictureError(tr("%1 has none of the endings .svg, .png and .pdf.").arg(QString::fromStdString(path)).toStdString());
    return renderChart(*m_chart, *format);
}

} // namespace laggard
