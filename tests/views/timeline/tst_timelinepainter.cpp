// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/views/timeline/TimelineFixture.h"
#include "views/timeline/CommunicationPainter.h"
#include "views/timeline/FramePainter.h"
#include "views/timeline/LaneJobs.h"
#include "views/timeline/TimelineExport.h"
#include "views/timeline/TimelineHit.h"
#include "views/timeline/TimelineMarks.h"
#include "views/timeline/TimelinePainter.h"
#include "views/timeline/UnreadPainter.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <algorithm>
#include <filesystem>

using namespace laggard;
using namespace laggard::test;

namespace {

QImage paint(const TimelineView &view) {
    QImage image(view.area.size().toSize(), QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    TimelinePainter().paint(painter, view);
    return image;
}

/// How many different colours a rectangle has.
int coloursIn(const QImage &image, const QRect &rect) {
    QSet<QRgb> seen;
    for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x)
            seen.insert(image.pixel(x, y));
    return static_cast<int>(seen.size());
}

/// Four ranks of which 1 and 2 were left out.
TracePtr someRanksRead() {
    const TracePtr trace = TraceBuilder(4).call(0, 0, 1000, "f").call(3, 0, 1000, "f").finish(1000);
    std::const_pointer_cast<Trace>(trace)->part.ranks = RankSet{0, 3};
    return trace;
}

/// Every rank sends to all others within 100 ns of 10 µs: a picture black with arrows.
TracePtr crowdedMessages(Rank ranks) {
    TraceBuilder builder(ranks);
    for (Rank rank = 0; rank < ranks; ++rank)
        builder.enter(rank, 0, "MPI_Alltoall");
    for (Rank rank = 0; rank < ranks; ++rank)
        for (Rank to = 0; to < ranks; ++to)
            if (to != rank)
                builder.send(rank, 5000 + to, to);
    for (Rank rank = 0; rank < ranks; ++rank)
        for (Rank from = 0; from < ranks; ++from)
            if (from != rank)
                builder.receive(rank, 5100 + from, from);
    builder.send(0, 5300, 1, 9); // never received
    return builder.finish(10'000);
}

int count(const QImage &image, const QRect &rect, const QColor &colour) {
    int found = 0;
    for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x)
            found += image.pixel(x, y) == colour.rgb();
    return found;
}

} // namespace

class TestTimelinePainter : public QObject {
    Q_OBJECT
  private slots:
    void theFrameOfACallIsOnItsThread() {
        TimelineFixture fixture(traceWithThread());
        fixture.rows.setThreadsShown(0, true);
        const auto frames = [&](const char *function) { // by row: whether something was drawn on it
            for (CallPathId path = 0; path < fixture.trace->callPaths.size(); ++path)
                if (fixture.trace->region(path).name == function)
                    fixture.view.selection.callPath = path;
            QImage image(fixture.view.area.size().toSize(), QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintSelection(painter, fixture.view, fixture.view.visibleRows());
            painter.end();
            QList<bool> drawn;
            for (const TimelineRow &row : fixture.rows.rows()) {
                const auto top = static_cast<int>(fixture.view.topOf(row));
                drawn << (coloursIn(image, QRect(0, top + 3, 1000, static_cast<int>(row.height) - 6)) > 1);
            }
            return drawn;
        };
        fixture.view.selection.ranks = {0};
        fixture.view.selection.time = TimeRange{400, 800};
        QCOMPARE(frames("kernel"), QList<bool>({false, true, false}));
        fixture.view.selection.time = TimeRange{400, 600};
        QCOMPARE(frames("work"), QList<bool>({true, false, false}));
    }

    void theCursorsBadgeHasTheUnitOfTheAxis_data() {
        QTest::addColumn<Tick>("end");     // of the trace, in nanoseconds
        QTest::addColumn<double>("share"); // of it: where the cursor is
        QTest::addColumn<QString>("unit");
        QTest::newRow("a moment of a short trace") << Tick{90'000} << 0.4 << "µs";
        QTest::newRow("near the beginning of a long one") << Tick{3'000'000'000} << 0.0001 << "s";
        QTest::newRow("near its end") << Tick{3'000'000'000} << 0.9999 << "s";
        QTest::newRow("milliseconds") << Tick{40'000'000} << 0.5 << "ms";
    }
    void theCursorsBadgeHasTheUnitOfTheAxis() {
        QFETCH(Tick, end);
        QFETCH(double, share);
        QFETCH(QString, unit);
        TimelineFixture fixture(TraceBuilder(1).call(0, 0, end, "work").finish(end));
        fixture.view.axisHeight = 30;
        const auto cursor = static_cast<Tick>(share * static_cast<double>(end));
        const auto badge = cursorBadge(fixture.view, cursor);
        QVERIFY(badge.has_value());
        QCOMPARE(badge->text.section(QChar(0xa0), -1), unit);
        QVERIFY2(fixture.view.plotRect().left() <= badge->box.left() && badge->box.right() <= fixture.view.plotRect().right(),
                 "the badge is cut off");
        const AxisMarks marks = marksOf(fixture.view);
        QVERIFY(!marks.marks.empty());
        for (const AxisMark &mark : marks.marks) {
            const QRectF label = labelRect(fixture.view, marks, mark);
            QCOMPARE((std::ranges::find(badge->covered, label) != badge->covered.end()),
                     label.left() <= badge->box.right() + 3 && label.right() >= badge->box.left() - 3);
        }
        QVERIFY2(!cursorBadge(fixture.view, std::nullopt), "there is no cursor any more");
        fixture.view.window = {cursor + 1, end + 1};
        QVERIFY2(!cursorBadge(fixture.view, cursor), "the cursor is out of sight");
    }

    void aFileGivesNoAdvice() {
        TimelineFixture fixture(crowdedMessages(64), 200, 100);
        const MessageArrows messages = messageArrows(fixture.view, fixture.view.visibleRows());
        QVERIFY2(messagesNote(messages, true).contains("zoom in"), qPrintable(messagesNote(messages, true)));
        QVERIFY(!messagesNote(messages, false).isEmpty());
        QVERIFY2(!messagesNote(messages, false).contains("zoom in"), qPrintable(messagesNote(messages, false)));
    }

    void callsAreWhereTheyWere() {
        TimelineFixture fixture(smallTrace());
        fixture.view.messages = false;
        const QImage image = paint(fixture.view);
        QCOMPARE(image.pixelColor(550, 35), fixture.colourOf("work")); // lane of depth 1 of rank 0
        QCOMPARE(image.pixelColor(300, 15), fixture.colourOf("main"));
        QVERIFY2(image.pixelColor(395, 30) != fixture.colourOf("work"), "work began at 400");
        QVERIFY2(image.pixelColor(950, 10) != fixture.colourOf("main"), "main of rank 0 ended at 900");
    }

    /// Frames while something moves have wider columns, with the same functions in the same places.
    void coarseFramesShowTheSame() {
        TimelineFixture fixture(smallTrace());
        fixture.view.messages = false;
        const QImage fine = paint(fixture.view);
        fixture.view.coarse = 4;
        const QImage coarse = paint(fixture.view);
        for (const QPoint &at : {QPoint(550, 35), QPoint(300, 15), QPoint(100, 15), QPoint(950, 10)})
            QVERIFY2(coarse.pixel(at) == fine.pixel(at), qPrintable(QStringLiteral("at %1, %2").arg(at.x()).arg(at.y())));
    }

    void openCallIsHatchedWithAnOpenEnd() {
        TimelineFixture fixture(smallTrace());
        fixture.view.messages = false;
        const QImage image = paint(fixture.view);
        const int lane = 43 + 20; // rank 1, depth 1
        QVERIFY2(coloursIn(image, QRect(800, lane, 60, 15)) >= 2, "a call that never returned is hatched");
        QCOMPARE(coloursIn(image, QRect(570, 23, 25, 14)), 1); // work returned: no hatching
        int cut = 0;
        for (int y = lane; y < lane + 19; ++y)
            cut += image.pixelColor(998, y) == fixture.view.theme.band;
        QVERIFY2(cut > 3 && cut < 19, "the right end is jagged");
    }

    void belowAPixelTheDominantFunctionShows() {
        TraceBuilder builder(1);
        for (Tick t = 0; t < 100'000; t += 10)
            builder.call(0, t, t + 8, "work").call(0, t + 8, t + 9, "MPI_Test");
        TimelineFixture fixture(builder.finish(100'000), 500);
        const QImage image = paint(fixture.view);
        for (int x = 0; x < 500; ++x) {
            int blank = 0;
            for (int y = 0; y < 19; ++y) {
                blank += image.pixelColor(x, y) == fixture.view.theme.background;
                QVERIFY2(image.pixelColor(x, y) != QColor(Qt::black), "never black");
            }
            QVERIFY2(blank <= 3, "nine tenths of every pixel are covered");
            QVERIFY2(count(image, QRect(x, 0, 1, 19), fixture.colourOf("work")) >= 13, "work takes eight tenths");
        }
    }

    void rareCallsDoNotVanish() {
        TraceBuilder builder(1);
        for (Tick t = 0; t < 10'000'000; t += 100'000)
            builder.call(0, t, t + 3, "MPI_Iprobe");
        TimelineFixture fixture(builder.finish(10'000'000), 1000);
        const QImage image = paint(fixture.view);
        for (int x = 0; x < 1000; x += 10)
            QVERIFY2(count(image, QRect(x, 0, 1, 19), fixture.colourOf("MPI_Iprobe")) >= 1,
                     "a call of 3 ns in 10 ms must be seen");
    }

    void selectedFunctionIsLit() {
        TimelineFixture fixture(smallTrace());
        fixture.view.messages = false;
        fixture.view.selection.region = fixture.region("work");
        const QImage image = paint(fixture.view);
        QCOMPARE(image.pixelColor(550, 35), fixture.colourOf("work"));
        QVERIFY2(image.pixelColor(300, 15) != fixture.colourOf("main"), "others step back");
    }

    void theSuspectIsVermilion() {
        TimelineFixture fixture(smallTrace());
        fixture.view.messages = false;
        fixture.view.suspect = {{1}, fixture.region("main")};
        const QColor vermilion = QColor::fromRgb(RegionColours::suspectRgb);
        const QImage image = paint(fixture.view);
        QCOMPARE(image.pixelColor(300, 15), fixture.colourOf("main")); // a rank that is not named
        QVERIFY2(count(image, image.rect(), vermilion) > 1000, "what the verdict names is not in its colour");
        const int all = count(image, image.rect(), vermilion);
        fixture.view.suspect.during = {fixture.view.trace->range.end + 1, openEnd};
        QVERIFY2(count(paint(fixture.view), image.rect(), vermilion) == 0, "what it did before is as on other ranks");
        fixture.view.suspect.during = {fixture.view.trace->range.end - 1, openEnd};
        QVERIFY2(count(paint(fixture.view), image.rect(), vermilion) <= all, "a call that reaches into the time is named");
        fixture.view.suspect.during = {0, openEnd};
        fixture.view.suspect.ranks = {0, 1, 2};
        QCOMPARE(paint(fixture.view).pixelColor(300, 15), vermilion);
        fixture.view.suspect = {};
        QCOMPARE(count(paint(fixture.view), image.rect(), vermilion), 0);
    }

    void hiddenFunctionIsNotDrawn() {
        TimelineFixture fixture(smallTrace());
        fixture.view.messages = false;
        fixture.view.filter.hiddenRegions = {fixture.region("work")};
        QCOMPARE(paint(fixture.view).pixelColor(550, 35), fixture.view.theme.background);
    }

    void messagesAndTheirTips() {
        const TimelineFixture fixture(smallTrace());
        const MessageArrows messages = messageArrows(fixture.view, fixture.view.visibleRows());
        QCOMPARE(messages.arrows.size(), std::size_t{1});
        const QLineF line = messages.arrows[0].line;
        QVERIFY2(line.x1() >= 90 && line.x1() <= 200 && line.x2() > 200 && line.x2() <= 300, "from the send to the receive");
        QVERIFY(line.y1() < 43 && line.y2() > 43);
        const TimelineHit hit = hitTest(fixture.view, line.center());
        QVERIFY(hit.message.has_value());
        const QString text = describeHit(fixture.view, hit).join('\n');
        QVERIFY2(text.contains("rank 0 to rank 1") && text.contains("tag 7"), qPrintable(text));
    }

    void whatIsUnderAPoint() {
        TimelineFixture fixture(smallTrace());
        fixture.view.messages = false;
        TimelineHit hit = hitTest(fixture.view, QPointF(550, 30));
        QCOMPARE(hit.row->ranks, RankSet{0});
        QVERIFY(hit.call != none);
        const QString text = describeHit(fixture.view, hit).join('\n');
        QVERIFY2(text.startsWith("work"), qPrintable(text));
        QVERIFY2(text.contains("work.c:1") && text.contains("200") && text.contains("depth: 1") && text.contains("rank 0"),
                 qPrintable(text));
        hit = hitTest(fixture.view, QPointF(700, 70));
        QVERIFY(describeHit(fixture.view, hit).front().contains("not returned"));
        hit = hitTest(fixture.view, QPointF(300, 30)); // between two calls
        QCOMPARE(hit.call, none);
        QVERIFY(hit.row != nullptr);
        QVERIFY(hitTest(fixture.view, QPointF(300, 300)).row == nullptr);
        QVERIFY(hitTest(fixture.view, QPointF(-5, 30)).place == TimelineHit::Place::Nothing);
    }

    void manyCallsInAPixel() {
        TraceBuilder builder(1);
        for (Tick t = 0; t < 100'000; t += 10)
            builder.call(0, t, t + 8, "work");
        const TimelineFixture fixture(builder.finish(100'000), 100);
        const TimelineHit hit = hitTest(fixture.view, QPointF(50.5, 5));
        QCOMPARE(hit.call, none);
        QVERIFY(hit.cell.has_value());
        QVERIFY(hit.callsInPixel >= 99 && hit.callsInPixel <= 101);
        QVERIFY(describeHit(fixture.view, hit).join('\n').contains("80 %"));
    }

    void collectivesAsBands() {
        const TracePtr trace = TraceBuilder(3)
                                   .collectiveCall(0, 100, 500, CollectiveOperation::Barrier)
                                   .collectiveCall(1, 300, 510, CollectiveOperation::Barrier)
                                   .collectiveCall(2, 490, 505, CollectiveOperation::Barrier)
                                   .finish(1000);
        const TimelineFixture fixture(trace);
        const std::vector<CollectiveBand> bands = collectiveBands(fixture.view, fixture.view.visibleRows());
        QCOMPARE(bands.size(), std::size_t{1});
        QCOMPARE(bands[0].members.size(), std::size_t{3});
        QCOMPARE(bands[0].members[1].enter, 300.0);
    }

    void collectiveLeavesOthersAlone() {
        TraceBuilder builder(3);
        const CommunicatorId pair = builder.communicator({0, 2});
        for (const Rank rank : {0, 2})
            builder.enter(rank, 100, "MPI_Barrier")
                .collective(rank, 500, CollectiveOperation::Barrier, pair)
                .leave(rank, 500, "MPI_Barrier");
        const TimelineFixture fixture(builder.call(1, 0, 1000, "work").finish(1000));
        QCOMPARE(collectiveBands(fixture.view, fixture.view.visibleRows()).size(), std::size_t{1});
        const QImage image = paint(fixture.view);
        QCOMPARE(image.pixelColor(300, 30), fixture.colourOf("work")); // rank 1 has no part in it
        QVERIFY2(image.pixelColor(300, 10) != fixture.colourOf("MPI_Barrier"), "the band lies over the call of rank 0");
    }

    void arrowsLeaveRoomWhereTheyCrowd() {
        TimelineFixture fixture(crowdedMessages(24));
        fixture.view.messages = true;
        for (Rank rank = 0; rank < 24; ++rank)
            fixture.view.selection.ranks.push_back(rank);
        fixture.view.area.setHeight(700);
        const std::vector<const TimelineRow *> rows = fixture.view.visibleRows();
        const MessageArrows all = messageArrows(fixture.view, rows, {.sparse = 400, .considered = 4000, .densest = 1e9});
        QCOMPARE(all.arrows.size(), std::size_t{24 * 23 + 1});
        QVERIFY(!all.thinned);
        const MessageArrows some = messageArrows(fixture.view, rows);
        QVERIFY(some.thinned);
        QVERIFY2(some.arrows.size() > 3 && some.arrows.size() < 200, qPrintable(QString::number(some.arrows.size())));
        QVERIFY2(std::any_of(some.arrows.begin(), some.arrows.end(), [](const MessageArrow &a) { return !a.received; }),
                 "the message that nobody took must be shown");
        QCOMPARE(messageArrows(fixture.view, rows).arrows.size(), some.arrows.size());
        // If there are more messages than can be considered, one in so many is.
        const MessageArrows few = messageArrows(fixture.view, rows, {.sparse = 400, .considered = 100, .densest = 1e9});
        QVERIFY(few.thinned);
        QVERIFY2(few.arrows.size() >= 50 && few.arrows.size() <= 250, qPrintable(QString::number(few.arrows.size())));
    }

    void ranksNotReadAreNotBlank() {
        TimelineFixture fixture(someRanksRead());
        const std::vector<QRectF> places = unreadPlaces(fixture.view, fixture.view.visibleRows());
        QCOMPARE(places.size(), std::size_t{1}); // ranks 1 and 2 in one
        QCOMPARE(places[0], QRectF(0, 23, 1000, 43));
        const QImage image = paint(fixture.view);
        QVERIFY2(coloursIn(image, QRect(200, 25, 40, 15)) >= 2, "hatched");
        QCOMPARE(coloursIn(image, QRect(200, 2, 40, 15)), 1); // rank 0 was read
        const QString text = describeHit(fixture.view, hitTest(fixture.view, QPointF(500, 30))).join('\n');
        QVERIFY2(text.contains("not read: only ranks 0, 3 were") || text.contains("not read: only ranks 0,3 were"),
                 qPrintable(text));
        QVERIFY2(text.contains("rank 1"), qPrintable(text));
        for (const PictureFormat format : {PictureFormat::Svg, PictureFormat::Pdf})
            QVERIFY(!renderTimeline(fixture.view, format).isEmpty());
        QVERIFY(renderTimeline(fixture.view, PictureFormat::Svg).contains("not read"));
    }

    void lostEventsAreNotCallsThatNeverReturned() {
        const TracePtr trace = TraceBuilder(3).call(0, 0, 1000, "f").enter(1, 100, "g").call(1, 200, 300, "h").finish(1000);
        for (const Rank rank : {1, 2})
            std::const_pointer_cast<Trace>(trace)->locations[rank].damaged = true;
        const TimelineFixture fixture(trace);
        const std::vector<QRectF> places = lostPlaces(fixture.view, fixture.view.visibleRows());
        QCOMPARE(places.size(), std::size_t{2});
        QCOMPARE(places[0].left(), 300.0); // the last that is known of rank 1
        QCOMPARE(places[1].left(), 0.0);   // nothing is known of rank 2
        const QString text = describeHit(fixture.view, hitTest(fixture.view, QPointF(600, 30))).join('\n');
        QVERIFY2(text.contains("events lost") && !text.contains("not returned"), qPrintable(text));
        const QByteArray svg = renderTimeline(fixture.view, PictureFormat::Svg);
        QVERIFY(svg.contains("events lost"));
        QVERIFY2(!svg.contains("— not returned"), "a call of a truncated rank is said not to have returned");
    }

    void sendToARankNotReadIsNotLost() {
        const TracePtr trace = TraceBuilder(2).sendCall(0, 100, 200, 1).finish(1000);
        const TimelineFixture whole(trace);
        QCOMPARE(messageArrows(whole.view, whole.view.visibleRows()).arrows.size(), std::size_t{1});
        std::const_pointer_cast<Trace>(trace)->part.ranks = RankSet{0};
        const TimelineFixture fixture(trace);
        QVERIFY2(messageArrows(fixture.view, fixture.view.visibleRows()).arrows.empty(),
                 "nobody knows that it was never received");
    }

    void timeNotReadIsNotBlank() {
        const TracePtr trace = TraceBuilder(1).call(0, 300, 500, "f").call(0, 500, 900, "g").finish(1000);
        std::const_pointer_cast<Trace>(trace)->part.time = TimeRange{400, 600};
        TimelineFixture fixture(trace);
        const std::vector<QRectF> places = unreadPlaces(fixture.view, fixture.view.visibleRows());
        QCOMPARE(places.size(), std::size_t{2});
        QCOMPARE(places[0], QRectF(0, 0, 400, 400));
        QCOMPARE(places[1], QRectF(600, 0, 400, 400));
        const QImage image = paint(fixture.view);
        QCOMPARE(image.pixelColor(450, 10), fixture.colourOf("f"));
        QVERIFY2(coloursIn(image, QRect(100, 2, 40, 15)) >= 2, "hatched");
        QString text = describeHit(fixture.view, hitTest(fixture.view, QPointF(100, 10))).join('\n');
        QVERIFY2(text.startsWith("not read: only 400") && text.contains("600"), qPrintable(text));
        text = describeHit(fixture.view, hitTest(fixture.view, QPointF(350, 10))).join('\n');
        QVERIFY2(text.startsWith("f\n") && text.contains("not read"), "a call that reaches into what was read is known");
        fixture.view.window = {420, 580};
        QVERIFY2(unreadPlaces(fixture.view, fixture.view.visibleRows()).empty(), "all that is shown was read");
    }

    void wholeTraceIsReadAllOver() {
        const TimelineFixture fixture(smallTrace());
        QVERIFY(unreadPlaces(fixture.view, fixture.view.visibleRows()).empty());
    }

    void groupShowsThoseThatWereRead() {
        TimelineFixture fixture(someRanksRead());
        QCOMPARE(groupMembersShown(*fixture.trace, {0, 1, 2, 3}), (std::vector<LocationIndex>{0, 3}));
    }

    void hatchingCanBeSeenOnEveryColour() {
        TraceBuilder builder(1);
        for (int i = 0; i < 12; ++i)
            for (const char *family : {"f", "MPI_F"})
                builder.call(0, 10 * static_cast<Tick>(i), 10 * static_cast<Tick>(i) + 1, family + std::to_string(i));
        const TracePtr trace = builder.finish(1000);
        for (const Theme &theme : {Theme::light(), Theme::darkOne()}) {
            const LaneColours colours(*trace, RegionColours(*trace), theme, {});
            for (const LaneColours::Tone &tone : colours.bright) {
                QVERIFY(contrastRatio(QColor::fromRgb(tone.fill), QColor::fromRgb(tone.hatch)) >= 2);
                QVERIFY2(std::max(contrastRatio(QColor::fromRgb(tone.fill), theme.background),
                                  contrastRatio(QColor::fromRgb(tone.rim), theme.background)) >= 1.8,
                         "a pale call has a rim that sets it off");
            }
        }
    }

    void exports_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("svg") << int(PictureFormat::Svg) << QByteArray("<?xml");
        QTest::newRow("png") << int(PictureFormat::Png) << QByteArray("\x89PNG");
        QTest::newRow("pdf") << int(PictureFormat::Pdf) << QByteArray("%PDF");
    }
    void exports() {
        QFETCH(int, format);
        QFETCH(QByteArray, begin);
        TimelineFixture fixture(smallTrace());
        fixture.view.theme = Theme::darkOne();
        const QByteArray content = renderTimeline(fixture.view, static_cast<PictureFormat>(format));
        QVERIFY(content.startsWith(begin));
        if (static_cast<PictureFormat>(format) == PictureFormat::Svg)
            QVERIFY2(content.contains("work") && content.contains("Timeline of"), "title and legend are text");
        if (static_cast<PictureFormat>(format) == PictureFormat::Png) {
            const QImage image = QImage::fromData(content);
            QVERIFY(count(image, image.rect(), fixture.colourOf("work")) > 1000);
            QCOMPARE(image.pixelColor(2, 2), Theme::light().background);
        }
    }

    void exportOfAGraphFormatSaysNo() {
        const TimelineFixture fixture(smallTrace());
        QVERIFY_THROWS_EXCEPTION(PictureError, (void)renderTimeline(fixture.view, PictureFormat::Dot));
        QVERIFY_THROWS_EXCEPTION(PictureError, exportTimeline(fixture.view, "/nonexistent/folder/x.svg"));
    }

    void nothingToPaint() {
        TimelineView view;
        view.area = QRectF(0, 0, 50, 50);
        QCOMPARE(paint(view).pixelColor(5, 5), view.theme.background);
        TimelineFixture empty(TraceBuilder(2).finish(10));
        paint(empty.view);
        empty.view.window = {5, 5};
        paint(empty.view);
    }

    void realTrace() {
        const std::string path = LAGGARD_EXAMPLES "/hung-stencil";
        QVERIFY2(std::filesystem::exists(path), "the bundled example is missing");
        TimelineFixture fixture(openTrace(path, {}, {}), 1400, 1500);
        const QImage image = paint(fixture.view);
        // Every rank's main goes on to the end: no lane of depth 0 may have a hole.
        const TimelineRow *row = fixture.rows.rowOf(3);
        QVERIFY(row != nullptr);
        const int y = static_cast<int>(fixture.view.topOf(*row)) + 9;
        for (int x = 60; x < 1390; ++x)
            QVERIFY2(image.pixelColor(x, y) != fixture.view.theme.background && image.pixelColor(x, y) != fixture.view.theme.band,
                     "main has a hole");
    }
};

QTEST_MAIN(TestTimelinePainter)
#include "tst_timelinepainter.moc"
