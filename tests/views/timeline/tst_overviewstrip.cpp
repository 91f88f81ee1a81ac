// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/timeline/TimelineFixture.h"
#include "views/theme/RegionColours.h"
#include "views/timeline/OverviewStrip.h"
#include "views/timeline/TimelineWidget.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace laggard;
using namespace laggard::test;

namespace {

/// A strip of a thousand pixels over a thousand ticks, whose window is 200 to 400.
struct StripInWindow {
    TracePtr trace = smallTrace();
    ZoomFilterStack zoomFilter;
    OverviewStrip strip{zoomFilter};

    StripInWindow() {
        zoomFilter.reset(trace->range);
        strip.resize(1000, 50);
        strip.setTrace(trace);
        strip.setShares(std::make_shared<const TimeShares>(timeShares(*trace, {})));
        strip.setPlot(0, 1000);
        zoomFilter.setZoom({200, 400});
        strip.show();
        (void)QTest::qWaitForWindowExposed(&strip);
    }
    void drag(int from, int to, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(&strip, Qt::LeftButton, modifiers, {from, 25});
        for (const int x : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, 25), strip.mapToGlobal(QPoint(x, 25)), Qt::NoButton, Qt::LeftButton,
                             modifiers);
            QCoreApplication::sendEvent(&strip, &move);
        }
        QTest::mouseRelease(&strip, Qt::LeftButton, modifiers, {to, 25});
    }
};

} // namespace

class TestOverviewStrip : public QObject {
    Q_OBJECT
  private slots:
    void dragging_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<bool>("shift");
        QTest::addColumn<int>("begin");
        QTest::addColumn<int>("end");
        QTest::newRow("the window moves") << 300 << 500 << false << 400 << 600;
        QTest::newRow("the window stops at the end, with its length") << 300 << 990 << false << 800 << 1000;
        QTest::newRow("and at the beginning") << 300 << 5 << false << 0 << 200;
        QTest::newRow("its beginning") << 200 << 100 << false << 100 << 400;
        QTest::newRow("its end") << 400 << 900 << false << 200 << 900;
        QTest::newRow("its end over its beginning") << 400 << 100 << false << 100 << 200;
        QTest::newRow("outside: a new one") << 600 << 700 << false << 600 << 700;
        QTest::newRow("from the right") << 700 << 600 << false << 600 << 700;
        QTest::newRow("Shift: a new one inside") << 300 << 350 << true << 300 << 350;
    }
    void dragging() {
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(bool, shift);
        QFETCH(int, begin);
        QFETCH(int, end);
        StripInWindow window;
        window.drag(from, to, shift ? Qt::ShiftModifier : Qt::NoModifier);
        const TimeRange zoom = window.zoomFilter.zoom();
        QVERIFY2(qAbs(static_cast<int>(zoom.begin) - begin) <= 2 && qAbs(static_cast<int>(zoom.end) - end) <= 2,
                 qPrintable(QStringLiteral("the timeline shows %1 to %2").arg(zoom.begin).arg(zoom.end)));
    }

    void keys_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<int>("begin");
        QTest::addColumn<int>("end");
        QTest::newRow("right") << int(Qt::Key_Right) << int(Qt::NoModifier) << 220 << 420;
        QTest::newRow("left") << int(Qt::Key_Left) << int(Qt::NoModifier) << 180 << 380;
        QTest::newRow("by a window") << int(Qt::Key_Right) << int(Qt::ControlModifier) << 400 << 600;
        QTest::newRow("longer") << int(Qt::Key_Right) << int(Qt::ShiftModifier) << 200 << 420;
        QTest::newRow("from earlier on") << int(Qt::Key_Left) << int(Qt::ShiftModifier | Qt::ControlModifier) << 180 << 400;
        QTest::newRow("everything") << int(Qt::Key_0) << int(Qt::NoModifier) << 0 << 1000;
        QTest::newRow("the end") << int(Qt::Key_End) << int(Qt::NoModifier) << 800 << 1000;
        QTest::newRow("the beginning") << int(Qt::Key_Home) << int(Qt::NoModifier) << 0 << 200;
        QTest::newRow("closer") << int(Qt::Key_Plus) << int(Qt::NoModifier) << 233 << 367;
    }
    void keys() {
        QFETCH(int, key);
        QFETCH(int, modifiers);
        QFETCH(int, begin);
        QFETCH(int, end);
        StripInWindow window;
        QTest::keyClick(&window.strip, static_cast<Qt::Key>(key), Qt::KeyboardModifiers(modifiers));
        const TimeRange zoom = window.zoomFilter.zoom();
        QVERIFY2(qAbs(static_cast<int>(zoom.begin) - begin) <= 2 && qAbs(static_cast<int>(zoom.end) - end) <= 2,
                 qPrintable(QStringLiteral("the timeline shows %1 to %2").arg(zoom.begin).arg(zoom.end)));
    }

    void aClickMovesTheWindowThere() {
        StripInWindow window;
        const QSignalSpy clicked(&window.strip, &OverviewStrip::timeClicked);
        QTest::mouseClick(&window.strip, Qt::LeftButton, {}, {700, 25});
        QCOMPARE(clicked.size(), 1);
        QVERIFY(qAbs(static_cast<int>(window.zoomFilter.zoom().begin) - 600) <= 2);
        QCOMPARE(window.zoomFilter.zoom().length(), Tick{200});
        QVERIFY2(window.zoomFilter.canUndo(), "a move of the window can be taken back");
    }

    /// Of a change that lasts all phases from it on are marked, the first most.
    void marksALastingChange() {
        StripInWindow window;
        window.zoomFilter.setZoom(window.trace->range); // no veil
        const auto reddishAt = [&](double x, bool isLasting) {
            window.strip.setPhases({{0, 300}, {300, 600}, {600, 1000}}, 1, isLasting, {});
            const QColor at(
                window.strip.grab().toImage().pixel(QPointF(x, window.strip.picture().phaseRect().center().y()).toPoint()));
            return at.red() > at.blue() + 60;
        };
        QVERIFY(!reddishAt(150, true));
        QVERIFY(reddishAt(450, true) && reddishAt(800, true));
        QVERIFY(reddishAt(450, false) && !reddishAt(800, false));
    }

    void aNarrowWindowCanBeTakenHoldOf() {
        StripInWindow window;
        window.zoomFilter.setZoom({500, 501});
        QVERIFY(window.strip.picture().windowRect().width() >= OverviewPicture::leastWindow);
        window.drag(508, 800);
        QVERIFY2(window.zoomFilter.zoom().length() > 10, "the end of a narrow window cannot be dragged");
    }

    void tellsWhatIsThere() {
        StripInWindow window;
        window.strip.setPhases({{0, 500}, {500, 1000}}, 1, false,
                               [](std::size_t phase) { return QStringLiteral("step %1").arg(phase); });
        window.strip.setMark(500, QStringLiteral("here it began"), Qt::red);
        const QString at = window.strip.describeAt({502, 25}).join(u'|');
        QVERIFY2(at.contains("here it began"), qPrintable(at));
        const QString early = window.strip.describeAt({150, 25}).join(u'|');
        QVERIFY2(early.contains("step 0") && early.contains("waiting 50"), qPrintable(early)); // rank 1 of two is in MPI_Recv
        QVERIFY(window.strip.accessibleDescription().contains("here it began"));
    }

    void drawsWaitsPhaseAndMark() {
        StripInWindow window;
        window.zoomFilter.setZoom(window.trace->range); // no veil
        window.strip.setPhases({{0, 500}, {500, 1000}}, 1, false, {});
        window.strip.setMark(700, QStringLiteral("there"), Qt::red);
        const QImage image = window.strip.grab().toImage();
        const OverviewPicture picture = window.strip.picture();
        const auto at = [&](double x, double y) { return QColor(image.pixel(QPointF(x, y).toPoint())); };
        QCOMPARE(at(150, picture.shareRect().bottom() - 3), RegionColours::palette(RegionFamily::Wait).front());
        QVERIFY(at(450, picture.shareRect().bottom() - 3) != RegionColours::palette(RegionFamily::Wait).front());
        QCOMPARE(at(900, picture.phaseRect().center().y()), QColor::fromRgb(RegionColours::suspectRgb));
        QVERIFY2(at(700, 20).red() > 200 && at(700, 20).green() < 120, qPrintable(at(700, 20).name()));
    }

    void standsAboveTheTimeline() {
        SelectionModel selection;
        ZoomFilterStack zoomFilter;
        const TracePtr trace = smallTrace();
        TimelineWidget timeline(selection, zoomFilter);
        timeline.resize(1100, 400);
        zoomFilter.reset(trace->range);
        timeline.setTrace(trace, buildPyramid(*trace, {}));
        timeline.show();
        (void)QTest::qWaitForWindowExposed(&timeline);
        QVERIFY2(timeline.overview().isHidden(), "a strip without shares is empty");
        const int before = timeline.viewport()->height();
        timeline.overview().setShares(std::make_shared<const TimeShares>(timeShares(*trace, {})));
        QVERIFY(timeline.overview().isVisible());
        QCOMPARE(timeline.viewport()->height(), before - timeline.overview().height());
        QCOMPARE(timeline.overview().picture().left, std::floor(timeline.view().headerWidth)); // times stand above each other
        QTest::mouseClick(&timeline.overview(), Qt::LeftButton, {}, {600, 25});
        timeline.setCursorTime(300);
        QCOMPARE(timeline.overview().picture().cursor, std::optional<Tick>(300));
        timeline.setTrace(nullptr, nullptr);
        QVERIFY(timeline.overview().isHidden());
    }
};

QTEST_MAIN(TestOverviewStrip)
#include "tst_overviewstrip.moc"
