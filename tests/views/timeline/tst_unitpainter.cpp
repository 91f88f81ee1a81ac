// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/UnitPainter.h"

#include "tests/views/timeline/TimelineFixture.h"
#include "views/theme/Contrast.h"
#include "views/theme/Hues.h"
#include "views/timeline/TimelineHit.h"
#include "views/timeline/TimelinePainter.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

struct Unit {
    Tick start, finish;
    float score;
};

/// Units of the first location.
std::shared_ptr<const UnitSpans> spansOf(const Trace &trace, const std::vector<Unit> &units) {
    auto spans = std::make_shared<UnitSpans>();
    spans->threads.resize(trace.locations.size());
    UnitSpans::Thread &thread = spans->threads.front();
    for (const Unit &unit : units) {
        if (unit.score >= usualUnitThreshold)
            thread.suspicious.push_back(static_cast<std::uint32_t>(thread.start.size()));
        thread.start.push_back(unit.start);
        thread.finish.push_back(unit.finish);
        thread.score.push_back(unit.score);
        thread.kind.push_back(UnitKind::Handler);
    }
    return spans;
}

} // namespace

class TestUnitPainter : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_fixture = std::make_unique<TimelineFixture>(smallTrace()); }

    /// A usual unit is a low grey bar, a suspicious one a vermilion bar of the track's whole height: not by colour alone.
    void barsTellSuspicion() {
        m_fixture->view.units = spansOf(*m_fixture->trace, {{100, 400, 0.1F}, {500, 800, 0.9F}});
        const QRectF track = unitTrack(m_fixture->view, rank(0));
        QVERIFY(track.height() >= 4 && track.bottom() <= m_fixture->view.topOf(rank(0)) + rank(0).height);
        const QImage picture = paint();
        const int top = static_cast<int>(track.top());
        const int bottom = static_cast<int>(track.bottom()) - 1;
        QCOMPARE(picture.pixelColor(250, bottom), usual());
        QVERIFY2(picture.pixelColor(250, top) != usual(), "a usual unit is as high as a suspicious one");
        QCOMPARE(picture.pixelColor(650, bottom), suspect());
        QCOMPARE(picture.pixelColor(650, top), suspect());
        for (const int between : {50, 450, 900})
            QVERIFY2(picture.pixelColor(between, bottom) != usual() && picture.pixelColor(between, bottom) != suspect(),
                     qPrintable(QString("a unit is shown at %1, where none is").arg(between)));
    }

    /// The other rank has no units: its calls keep their room.
    void ranksWithoutUnitsHaveNoTrack() {
        m_fixture->view.units = spansOf(*m_fixture->trace, {{100, 400, 0.1F}});
        QVERIFY(unitTrack(m_fixture->view, rank(1)).isNull());
        m_fixture->view.units = nullptr;
        QVERIFY(unitTrack(m_fixture->view, rank(0)).isNull());
    }

    void pointerTellsTheUnit_data() {
        QTest::addColumn<int>("x");
        QTest::addColumn<QString>("said");
        QTest::newRow("usual") << 200 << "suspect score: 0.10";
        QTest::newRow("suspicious") << 600 << "suspect score: 0.90 — unlike the model";
        QTest::newRow("its last moment") << 400 << "suspect score: 0.10";
        QTest::newRow("between two") << 450 << "";
        QTest::newRow("before the first") << 50 << "";
    }
    void pointerTellsTheUnit() {
        QFETCH(int, x);
        QFETCH(QString, said);
        m_fixture->view.units = spansOf(*m_fixture->trace, {{100, 400, 0.1F}, {500, 800, 0.9F}});
        const QPointF point(x, unitTrack(m_fixture->view, rank(0)).center().y());
        const QStringList lines = describeHit(m_fixture->view, hitTest(m_fixture->view, point));
        QCOMPARE(lines.contains(said), !said.isEmpty());
        QCOMPARE(!lines.isEmpty() && lines.front() == "execution unit: handler", !said.isEmpty());
    }

    /// However many units there are in a pixel, each pixel that one is in is coloured, and a suspicious one is never hidden.
    void denseUnitsAreAllSeen() {
        constexpr Tick length = 1'000'000;
        m_fixture = std::make_unique<TimelineFixture>(TraceBuilder(1).call(0, 0, length, "loop").finish(length));
        std::vector<Unit> units;
        for (Tick start = 0; start + 10 < length; start += 10)
            units.push_back({start, start + 8, start == 777'770 ? 0.9F : 0.0F});
        m_fixture->view.units = spansOf(*m_fixture->trace, units);
        const QImage picture = paint();
        const int bottom = static_cast<int>(unitTrack(m_fixture->view, rank(0)).bottom()) - 1;
        for (int x = 0; x < 999; ++x)
            QVERIFY2(picture.pixelColor(x, bottom) == (x == 777 ? suspect() : usual()), qPrintable(QString("pixel %1").arg(x)));
        // What is seen is what the pointer finds.
        const QPointF point(777, unitTrack(m_fixture->view, rank(0)).center().y());
        QVERIFY(describeHit(m_fixture->view, hitTest(m_fixture->view, point)).contains("suspect score: 0.90 — unlike the model"));
    }

    /// A long unit begins in the pixel in which many short ones were.
    void longOneBehindShortOnes() {
        constexpr Tick length = 1'000'000;
        m_fixture = std::make_unique<TimelineFixture>(TraceBuilder(1).call(0, 0, length, "loop").finish(length));
        std::vector<Unit> units;
        for (Tick start = 0; start < 900; start += 10)
            units.push_back({start, start + 8, 0});
        units.push_back({910, 500'000, 0});
        m_fixture->view.units = spansOf(*m_fixture->trace, units);
        const QImage picture = paint();
        const int bottom = static_cast<int>(unitTrack(m_fixture->view, rank(0)).bottom()) - 1;
        QCOMPARE(picture.pixelColor(0, bottom), usual());
        QCOMPARE(picture.pixelColor(300, bottom), usual());
        QVERIFY(picture.pixelColor(600, bottom) != usual());
    }

    /// Only a part of the time is shown, and what stands there is what stands there in the whole.
    void zoomedIn() {
        m_fixture->view.units = spansOf(*m_fixture->trace, {{100, 400, 0.1F}, {500, 800, 0.9F}, {900, 950, 0.0F}});
        m_fixture->view.window = {600, 700};
        const QImage picture = paint();
        const int bottom = static_cast<int>(unitTrack(m_fixture->view, rank(0)).bottom()) - 1;
        for (const int x : {0, 500, 998})
            QCOMPARE(picture.pixelColor(x, bottom), suspect());
    }

  private:
    [[nodiscard]] const TimelineRow &rank(Rank rank) const {
        for (const TimelineRow *row : m_fixture->view.visibleRows())
            if (row->ranks == RankSet{rank})
                return *row;
        qFatal("the rank is not on the screen");
    }
    [[nodiscard]] QColor usual() const { return withContrast(hue::grey, m_fixture->view.theme.background, 3); }
    [[nodiscard]] QColor suspect() const { return withContrast(hue::vermilion, m_fixture->view.theme.background, 3); }
    [[nodiscard]] QImage paint() const {
        QImage image(m_fixture->view.area.size().toSize(), QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        TimelinePainter().paint(painter, m_fixture->view);
        return image;
    }
    std::unique_ptr<TimelineFixture> m_fixture;
};

QTEST_MAIN(TestUnitPainter)
#include "tst_unitpainter.moc"
