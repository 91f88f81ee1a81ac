// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimelineWidget.h"

#include "trace/Quantity.h"
#include "views/picture/PictureText.h"
#include "views/timeline/OverviewStrip.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace laggard {
TimelineWidget::TimelineWidget(SelectionModel &selection, ZoomFilterStack &zoomFilter, QWidget *parent)
    : QAbstractScrollArea(parent),
      m_selection(selection),
      m_zoomFilter(zoomFilter),
      m_overview(new OverviewStrip(zoomFilter, this)) {
    m_overview->hide();
    m_refining.setSingleShot(true);
    connect(&m_refining, &QTimer::timeout, this, [this] {
        m_isRefined = true;
        refresh();
    });
    connect(m_overview, &OverviewStrip::contentChanged, this, &TimelineWidget::placeOverview);
    connect(m_overview, &OverviewStrip::timeClicked, this, [this](Tick time) { goToTime(time); });
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setMinimumSize(240, 120);
    setAccessibleName(tr("Timeline"));
    connect(&m_selection, &SelectionModel::changed, this, [this] {
        describeForAccessibility();
        refresh();
    });
    connect(&m_zoomFilter, &ZoomFilterStack::zoomChanged, this, [this] {
        followDepths();
        refresh();
    });
    connect(&m_zoomFilter, &ZoomFilterStack::filterChanged, this, [this](const Filter &filter) {
        m_rows.setFilter(filter.ranks);
        rowsChanged();
    });
}

void TimelineWidget::setTrace(TracePtr trace, TracePyramidPtr pyramid) {
    m_trace = std::move(trace);
    m_pyramid = std::move(pyramid);
    m_rows = m_trace ? RowModel(m_trace, m_pyramid) : RowModel();
    m_colours = m_trace ? RegionColours(*m_trace) : RegionColours();
    m_budget = {};
    m_overlay = {};
    m_cursor.reset();
    m_suspect = {};
    m_possible.clear();
    m_overview->setTrace(m_trace);
    m_drag = Drag::None;
    m_userRowHeight = false;
    if (m_trace)
        m_rows.setFilter(m_zoomFilter.filter().ranks);
    verticalScrollBar()->setValue(0);
    fitRows();
    describeForAccessibility();
}

void TimelineWidget::setColours(const RegionColours &colours) {
    m_colours = colours;
    refresh();
}

void TimelineWidget::setSuspect(const Suspect &suspect) {
    if (suspect == m_suspect)
        return;
    m_suspect = suspect;
    refresh();
}

void TimelineWidget::placeOverview() {
    const bool shown = m_trace && !m_overview->isEmpty();
    m_overview->setVisible(shown);
    const int height = shown ? m_overview->sizeHint().height() : 0;
    if (viewportMargins().top() != height)
        setViewportMargins(0, height, 0, 0);
    m_overview->setGeometry(0, 0, viewport()->width(), height);
    m_overview->setPlot(static_cast<int>(view().headerWidth), viewport()->width());
}

void TimelineWidget::setTheme(const std::optional<Theme> &theme) {
    m_theme = theme;
    refresh();
}

void TimelineWidget::setMessagesShown(bool shown) {
    m_messages = shown;
    refresh();
}

void TimelineWidget::setCollectivesShown(bool shown) {
    m_collectives = shown;
    refresh();
}

void TimelineWidget::setUnits(std::shared_ptr<const UnitSpans> units) {
    m_units = std::move(units);
    refresh();
}

void TimelineWidget::setUnitsShown(bool shown) {
    m_unitsShown = shown;
    refresh();
}

void TimelineWidget::setPossibleMessages(std::vector<PossibleMessage> messages) {
    if (messages == m_possible)
        return;
    m_possible = std::move(messages);
    refresh();
}

void TimelineWidget::setRowOrder(RowOrder order) {
    m_rows.setOrder(order);
    rowsChanged();
}

void TimelineWidget::setNested(bool nested) {
    m_rows.setNested(nested);
    if (m_userRowHeight)
        rowsChanged();
    else
        fitRows();
}

void TimelineWidget::setNestedByRoom() {
    m_rows.setNestedByRoom();
    m_userRowHeight = false; // heights decide what there is room for
    fitRows();
}

void TimelineWidget::setPinned(const RankSet &ranks) {
    m_rows.setPinned(ranks);
    followDepths();
    if (m_userRowHeight)
        rowsChanged();
    else
        fitRows();
    emit pinnedChanged(m_rows.pinned());
}

void TimelineWidget::setGraphNodes(std::vector<std::uint32_t> nodeOfRank) {
    m_rows.setGraphNodes(std::move(nodeOfRank));
    rowsChanged();
}

void TimelineWidget::setClasses(std::vector<RankClass> classes) {
    m_rows.setClasses(std::move(classes));
    rowsChanged();
}

void TimelineWidget::followDepths() {
    if (!m_trace)
        return;
    const TimeRange window = m_zoomFilter.zoom();
    std::map<Rank, std::uint32_t> depths;
    for (const Rank rank : m_rows.pinned()) {
        const LocationIndex location = m_trace->processes[rank].mainLocation;
        if (location == none)
            continue;
        const Track &track = m_trace->locations[location].events.track;
        const TrackPyramid &pyramid = m_pyramid->tracks[location];
        std::uint32_t depth = pyramid.depthCount();
        while (depth > 1 && callsStarting(track, pyramid, depth - 1, window) == 0 &&
               coveredTicks(track, pyramid, depth - 1, window) == 0)
            --depth;
        depths[rank] = depth;
    }
    if (depths == m_rows.depthsInView())
        return;
    m_rows.setDepthsInView(std::move(depths));
    if (m_userRowHeight)
        rowsChanged();
    else
        fitRows();
}

void TimelineWidget::setLaneHeight(double height) {
    m_userRowHeight = true;
    m_rows.setLaneHeight(height);
    rowsChanged();
}

void TimelineWidget::fitRows() {
    if (m_trace)
        m_rows.fit(view().plotRect().height());
    rowsChanged();
}

TimelineView TimelineWidget::view() const {
    TimelineView view;
    view.trace = m_trace;
    view.pyramid = m_pyramid;
    view.rows = &m_rows;
    view.colours = &m_colours;
    view.theme = m_theme ? *m_theme : Theme::of(palette());
    view.font = font();
    view.window = m_zoomFilter.zoom();
    view.filter = m_zoomFilter.filter();
    view.selection = m_selection.current();
    view.suspect = m_suspect;
    if (view.selection.node) // a group of ranks is chosen, not a function: nothing else needs to fade
        view.selection.callPath = none;
    view.possible = m_possible;
    view.timesNote = m_timesNote;
    view.messages = m_messages;
    view.collectives = m_collectives;
    view.units = m_unitsShown ? m_units : nullptr;
    view.area = viewport()->rect();
    const QFontMetricsF metrics(font());
    const double widest = std::max(m_groupLabelWidth, metrics.horizontalAdvance(tr("rank 0000000")));
    view.headerWidth = std::clamp(widest + 30, 90.0, std::max(90.0, view.area.width() / 4));
    view.axisHeight = metrics.height() + 15;
    view.scrollY = verticalScrollBar()->value();
    return view;
}

void TimelineWidget::refresh() {
    m_refining.stop(); // it goes on moving
    m_picture = QPixmap();
    viewport()->update();
}

void TimelineWidget::rowsChanged() {
    m_groupLabelWidth = 0;
    for (const TimelineRow &row : m_rows.rows())
        if (row.kind == TimelineRow::Kind::Group)
            m_groupLabelWidth = std::max(m_groupLabelWidth, QFontMetricsF(font()).horizontalAdvance(row.label));
    const double room = m_trace ? view().scrollRect().height() : 0;
    m_overview->setPlot(static_cast<int>(view().headerWidth), viewport()->width());
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(m_rows.height() - room))));
    verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
    verticalScrollBar()->setSingleStep(static_cast<int>(std::max(16.0, m_rows.laneHeight())));
    refresh();
}

void TimelineWidget::describeForAccessibility() {
    if (!m_trace) {
        setAccessibleDescription(tr("No trace"));
        return;
    }
    const Selection &selection = m_selection.current();
    QString text = showable(plural(m_trace->processes.size(), "rank"));
    if (!selection.ranks.empty())
        text += tr(", selected: ranks %1").arg(showable(describeRanges(selection.ranks)));
    if (selection.callPath < m_trace->callPaths.size())
        text += QStringLiteral(", ") + showable(m_trace->region(selection.callPath).name);
    else if (selection.region < m_trace->regions.size())
        text += QStringLiteral(", ") + showable(m_trace->regions[selection.region].name);
    setAccessibleDescription(text);
}

void TimelineWidget::paintEvent(QPaintEvent *) {
    QPainter painter(viewport());
    const TimelineView shown = view();
    if (!m_trace) {
        painter.fillRect(viewport()->rect(), shown.theme.background);
        painter.setPen(shown.theme.faintText);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("No trace"));
        return;
    }
    if (m_picture.isNull())
        paintPicture();
    painter.drawPixmap(0, 0, m_picture);
    m_overlay.cursor = m_cursor;
    m_overlay.hasFocus = hasFocus();
    paintOverlay(painter, shown, m_overlay);
}

void TimelineWidget::paintPicture() {
    constexpr int rest = 60;                      // milliseconds after the last movement
    constexpr std::uint64_t manyEvents = 4000000; // with fewer no frame takes long
    TimelineView shown = view();
    const FrameKind kind = frameKindOf(shown);
    if (m_trace->eventCount >= manyEvents && !m_isRefined)
        shown.coarse = m_budget.columns(kind);
    const double scale = devicePixelRatioF();
    m_picture = QPixmap((QSizeF(viewport()->size()) * scale).toSize());
    m_picture.setDevicePixelRatio(scale);
    QElapsedTimer clock;
    clock.start();
    QPainter onPicture(&m_picture);
    m_painter.paint(onPicture, shown);
    m_budget.painted(kind, shown.coarse, 1e-6 * static_cast<double>(clock.nsecsElapsed()));
    m_isRefined = false;
    if (shown.coarse > 1)
        m_refining.start(rest);
}

void TimelineWidget::resizeEvent(QResizeEvent *event) {
    QAbstractScrollArea::resizeEvent(event);
    placeOverview();
    if (m_userRowHeight)
        rowsChanged();
    else
        fitRows();
}

void TimelineWidget::scrollContentsBy(int, int) { refresh(); }

void TimelineWidget::changeEvent(QEvent *event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        refresh();
}

void TimelineWidget::focusInEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TimelineWidget::focusOutEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool TimelineWidget::viewportEvent(QEvent *event) {
    if (event->type() == QEvent::ToolTip && m_trace) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const TimelineView shown = view();
        QStringList lines = describeHit(shown, hitTest(shown, help->pos()));
        if (lines.isEmpty()) {
            QToolTip::hideText();
        } else {
            for (QString &line : lines)
                line = line.toHtmlEscaped();
            lines.front() = QStringLiteral("<b>") + lines.front() + QStringLiteral("</b>");
            QToolTip::showText(help->globalPos(),
                               QStringLiteral("<p style='white-space:pre'>") + lines.join(QStringLiteral("<br>")) +
                                   QStringLiteral("</p>"),
                               viewport());
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace laggard
