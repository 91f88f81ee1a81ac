// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/timeline/TimelineFixture.h"
#include "views/timeline/TimelineWidget.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace laggard;
using namespace laggard::test;

namespace {

struct WidgetInWindow {
    TracePtr trace;
    SelectionModel selection;
    ZoomFilterStack zoomFilter;
    TimelineWidget widget{selection, zoomFilter};

    explicit WidgetInWindow(TracePtr of = smallTrace()) : trace(std::move(of)) {
        widget.resize(1100, 400);
        zoomFilter.reset(trace->range);
        widget.setTrace(trace, buildPyramid(*trace, {}));
        widget.setMessagesShown(false);
        widget.show();
        (void)QTest::qWaitForWindowExposed(&widget);
    }
    /// Where a time is, in the middle of the lane of a rank at this depth.
    [[nodiscard]] QPoint point(Rank rank, std::uint32_t depth, Tick time) const {
        const TimelineView view = widget.view();
        return {static_cast<int>(view.axis().x(time)),
                static_cast<int>(*view.laneCentre(trace->processes[rank].mainLocation, depth))};
    }
    void wheel(QPoint at, int steps, Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(at, widget.viewport()->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(widget.viewport(), &event);
    }
    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(widget.viewport(), button, modifiers, from);
        for (const QPoint at : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, at, widget.viewport()->mapToGlobal(at), Qt::NoButton, button, modifiers);
            QCoreApplication::sendEvent(widget.viewport(), &move);
        }
        QTest::mouseRelease(widget.viewport(), button, modifiers, to);
    }
    [[nodiscard]] std::string selectedFunction() const {
        const CallPathId path = selection.current().callPath;
        return path == none ? "" : trace->region(path).name;
    }
};

} // namespace

class TestTimelineWidget : public QObject {
    Q_OBJECT
  private slots:
    void aClickOnTheTriangleOpensThreads() {
        WidgetInWindow window(traceWithThread());
        const auto rows = [&] { return window.widget.rows().rows().size(); };
        const auto triangle = [&] {
            return window.widget.view().expanderRect(window.widget.rows().rows().front()).center().toPoint();
        };
        QCOMPARE(rows(), std::size_t{2});
        QTest::mouseClick(window.widget.viewport(), Qt::LeftButton, {}, triangle());
        QCOMPARE(rows(), std::size_t{3});
        QVERIFY2(window.selection.current().isEmpty(), "it is not the rank that was clicked");
        QTest::mouseClick(window.widget.viewport(), Qt::LeftButton, {}, triangle());
        QCOMPARE(rows(), std::size_t{2});
        QTest::mouseClick(window.widget.viewport(), Qt::LeftButton, {}, triangle());
        QTest::mouseDClick(window.widget.viewport(), Qt::LeftButton, {}, triangle()); // what follows a quick click
        QCOMPARE(rows(), std::size_t{3});
        QTest::mouseClick(window.widget.viewport(), Qt::LeftButton, {}, triangle() + QPoint(30, 0));
        QCOMPARE(window.selection.current().ranks, RankSet{0});
        QCOMPARE(rows(), std::size_t{3});
    }

    void aPinnedRowHasTheLevelsInView() {
        WidgetInWindow window;
        window.widget.setNested(true);
        window.widget.setPinned({0});
        const auto lanes = [&] { return window.widget.rows().pinnedRows().front().lanes.size(); };
        QCOMPARE(lanes(), std::size_t{2});     // main, and what it calls
        window.zoomFilter.setZoom({700, 800}); // only main
        QCOMPARE(lanes(), std::size_t{1});
        window.zoomFilter.undo();
        QCOMPARE(lanes(), std::size_t{2});
    }

    void wheelZoomsAtThePointer() {
        WidgetInWindow window;
        const QPoint at = window.point(0, 0, 500);
        const Tick before = window.widget.view().axis().tick(at.x());
        window.wheel(at, 3);
        QVERIFY(window.zoomFilter.zoom().length() < 600);
        const Tick after = window.widget.view().axis().tick(at.x());
        QVERIFY2(after + 3 >= before && before + 3 >= after, "the time under the pointer stays where it is");
        window.zoomFilter.undo();
        QCOMPARE(window.zoomFilter.zoom(), window.trace->range);
    }

    void keys_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<bool>("longer");
        QTest::addColumn<int>("moved");
        QTest::newRow("W zooms in") << int(Qt::Key_W) << false << 0;
        QTest::newRow("S zooms out") << int(Qt::Key_S) << true << 0;
        QTest::newRow("+ zooms in") << int(Qt::Key_Plus) << false << 0;
        QTest::newRow("- zooms out") << int(Qt::Key_Minus) << true << 0;
        QTest::newRow("A goes back") << int(Qt::Key_A) << false << -1;
        QTest::newRow("D goes on") << int(Qt::Key_D) << false << 1;
        QTest::newRow("left goes back") << int(Qt::Key_Left) << false << -1;
        QTest::newRow("right goes on") << int(Qt::Key_Right) << false << 1;
        QTest::newRow("Home goes to the beginning") << int(Qt::Key_Home) << false << -1;
        QTest::newRow("End goes to the end") << int(Qt::Key_End) << false << 1;
    }
    void keys() {
        QFETCH(int, key);
        QFETCH(bool, longer);
        QFETCH(int, moved);
        WidgetInWindow window;
        const TimeRange before{400, 600};
        window.zoomFilter.setZoom(before);
        QTest::keyClick(&window.widget, static_cast<Qt::Key>(key));
        const TimeRange after = window.zoomFilter.zoom();
        if (moved == 0) {
            QVERIFY(longer ? after.length() > before.length() : after.length() < before.length());
        } else {
            QCOMPARE(after.length(), before.length());
            QVERIFY(moved < 0 ? after.begin < before.begin : after.begin > before.begin);
        }
        window.zoomFilter.undo();
        QCOMPARE(window.zoomFilter.zoom(), before);
    }

    void lettersCountByPosition() {
        WidgetInWindow window;
        window.zoomFilter.setZoom({400, 600});
        // On a French keyboard the key where W is on others gives Z.
        QKeyEvent press(QEvent::KeyPress, Qt::Key_Z, {}, 25, 0, 0, "z");
        QCoreApplication::sendEvent(&window.widget, &press);
        QVERIFY(window.zoomFilter.zoom().length() < 200);
    }

    void zeroFits() {
        WidgetInWindow window;
        window.zoomFilter.setZoom({400, 600});
        QTest::keyClick(&window.widget, Qt::Key_0);
        QCOMPARE(window.zoomFilter.zoom(), window.trace->range);
    }

    void clickSelectsTheCall() {
        WidgetInWindow window;
        QSignalSpy cursor(&window.widget, &TimelineWidget::cursorMoved);
        QTest::mouseClick(window.widget.viewport(), Qt::LeftButton, {}, window.point(0, 1, 500));
        QCOMPARE(window.selectedFunction(), std::string("work"));
        QCOMPARE(window.selection.current().ranks, RankSet{0});
        QCOMPARE(*window.selection.current().time, (TimeRange{400, 600}));
        QCOMPARE(cursor.count(), 1);
        QTest::mouseClick(window.widget.viewport(), Qt::LeftButton, Qt::ControlModifier, window.point(1, 1, 700));
        QCOMPARE(window.selection.current().ranks, (RankSet{0, 1}));
        QCOMPARE(window.selectedFunction(), std::string("solve"));
        QTest::keyClick(&window.widget, Qt::Key_Escape);
        QVERIFY(window.selection.current().isEmpty());
        QCOMPARE(window.zoomFilter.zoom(), window.trace->range); // a selection is no zoom
    }

    void clickOnALabelSelectsTheRank() {
        WidgetInWindow window;
        const int y = window.point(1, 0, 0).y();
        QTest::mouseClick(window.widget.viewport(), Qt::LeftButton, {}, QPoint(20, y));
        QCOMPARE(window.selection.current().ranks, RankSet{1});
        QTest::mouseClick(window.widget.viewport(), Qt::LeftButton, Qt::ShiftModifier, QPoint(20, window.point(0, 0, 0).y()));
        QCOMPARE(window.selection.current().ranks, (RankSet{0, 1}));
    }

    void doubleClickZoomsToTheCall() {
        WidgetInWindow window;
        QTest::mouseDClick(window.widget.viewport(), Qt::LeftButton, {}, window.point(0, 1, 500));
        const TimeRange zoom = window.zoomFilter.zoom();
        QVERIFY(zoom.begin < 400 && zoom.begin > 300 && zoom.end > 600 && zoom.end < 700);
        QVERIFY(window.zoomFilter.canUndo());
    }

    void dragging() {
        WidgetInWindow window;
        window.zoomFilter.setZoom({400, 600});
        window.drag(window.point(0, 0, 500), window.point(0, 0, 450));
        const TimeRange moved = window.zoomFilter.zoom();
        QCOMPARE(moved.length(), Tick{200});
        QVERIFY2(moved.begin > 440 && moved.begin < 460, "what is dragged to the left makes later times come in");
        window.drag(window.point(0, 0, 500), window.point(0, 0, 520), Qt::LeftButton, Qt::ShiftModifier);
        const TimeRange band = window.zoomFilter.zoom();
        QVERIFY2(band.begin >= 499 && band.begin <= 501 && band.end >= 519 && band.end <= 521,
                 "Shift and drag zooms to the range");
        QVERIFY(window.selection.current().isEmpty());
        window.zoomFilter.undo();
        QCOMPARE(window.zoomFilter.zoom(), moved);
        window.drag(window.point(0, 0, 500), window.point(0, 0, 540), Qt::RightButton);
        QVERIFY2(window.zoomFilter.zoom().length() < 50, "so does the right button");
    }

    void axisSelectsTime() {
        WidgetInWindow window;
        window.drag(QPoint(window.point(0, 0, 200).x(), 5), QPoint(window.point(0, 0, 400).x(), 5));
        QVERIFY(window.selection.current().time.has_value());
        QVERIFY(window.selection.current().time->begin >= 195 && window.selection.current().time->end <= 405);
        QCOMPARE(window.zoomFilter.zoom(), window.trace->range);
    }

    void ruler() {
        WidgetInWindow window;
        QTest::keyClick(&window.widget, Qt::Key_M);
        QVERIFY(window.widget.isRulerOn());
        window.drag(window.point(0, 0, 200), window.point(0, 0, 400));
        QVERIFY(window.widget.ruler().has_value());
        QCOMPARE(window.zoomFilter.zoom(), window.trace->range);
        QTest::keyClick(&window.widget, Qt::Key_M);
        QVERIFY(!window.widget.ruler().has_value());
    }

    void occurrences() {
        const TracePtr trace = TraceBuilder(1).call(0, 100, 110, "f").call(0, 300, 310, "f").call(0, 500, 510, "f").finish(1000);
        SelectionModel selection;
        ZoomFilterStack zoomFilter;
        zoomFilter.reset(trace->range);
        TimelineWidget widget(selection, zoomFilter);
        widget.resize(800, 300);
        widget.setTrace(trace, buildPyramid(*trace, {}));
        QVERIFY(!widget.findOccurrence(SearchDirection::Forward)); // of what?
        widget.goToFunction(0);
        QCOMPARE(selection.current().time->begin, Tick{100});
        QTest::keyClick(&widget, Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(selection.current().time->begin, Tick{300});
        QTest::keyClick(&widget, Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(selection.current().time->begin, Tick{500});
        QVERIFY(!widget.findOccurrence(SearchDirection::Forward));
        QTest::keyClick(&widget, Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(selection.current().time->begin, Tick{300});
        QCOMPARE(*widget.cursor(), Tick{300});
    }

    void walkWithoutAMouse() {
        WidgetInWindow window;
        QTest::keyClick(&window.widget, Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(window.selection.current().ranks, RankSet{0});
        QTest::keyClick(&window.widget, Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(window.selection.current().ranks, RankSet{1});
        QTest::keyClick(&window.widget, Qt::Key_F);
        QVERIFY2(window.zoomFilter.zoom().begin > 300, "focus goes to the last call of the rank");
        QVERIFY(window.zoomFilter.zoom().begin <= 500 && window.zoomFilter.zoom().end > 500);
    }

    void filterToRanks() {
        WidgetInWindow window;
        Filter filter;
        filter.ranks = RankSet{1};
        window.zoomFilter.setFilter(filter);
        QCOMPARE(window.widget.rows().rows().size(), std::size_t{1});
        window.zoomFilter.undo();
        QCOMPARE(window.widget.rows().rows().size(), std::size_t{2});
    }

    void speaksOfItself() {
        WidgetInWindow window;
        QCOMPARE(window.widget.accessibleName(), QString("Timeline"));
        window.widget.goToRank(1);
        QVERIFY(window.widget.accessibleDescription().contains("ranks 1"));
    }

    void withoutATrace() {
        WidgetInWindow window;
        window.widget.setTrace(nullptr, nullptr);
        QVERIFY(!window.widget.grab().isNull());
        QTest::keyClick(&window.widget, Qt::Key_F);
        QTest::mouseClick(window.widget.viewport(), Qt::LeftButton, {}, QPoint(300, 100));
        window.wheel(QPoint(300, 100), 1);
        window.widget.goToRank(0);
    }
};

QTEST_MAIN(TestTimelineWidget)
#include "tst_timelinewidget.moc"
