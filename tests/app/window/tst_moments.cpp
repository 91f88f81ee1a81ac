// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/WindowFixture.h"

#include "app/window/MomentChip.h"
#include "app/window/MomentJob.h"
#include "views/timeline/OverviewStrip.h"

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

struct OpenWindow : Home, FixtureWindow {
    OpenWindow() {
        if (const QString error = open(test::example()); !error.isEmpty())
            qFatal("%s", qPrintable(error));
        workspace().zoomFilter().setZoom(trace().range);
    }
    [[nodiscard]] QPoint onAxis(double share) {
        const TimelineView view = timeline().view();
        const double x = view.axis().left + share * view.axis().width;
        return QPointF(x, view.axisRect().center().y()).toPoint();
    }
    void drag(double from, const std::vector<double> &along) {
        QWidget *pane = timeline().viewport();
        QTest::mousePress(pane, Qt::LeftButton, Qt::NoModifier, onAxis(from));
        for (const double share : along)
            QTest::mouseMove(pane, onAxis(share));
        QTest::mouseRelease(pane, Qt::LeftButton, Qt::NoModifier, onAxis(along.back()));
    }
    [[nodiscard]] double momentShare() {
        const TimeRange range = trace().range;
        return static_cast<double>(workspace().shown()->progress.at - range.begin) / static_cast<double>(range.length());
    }
};

} // namespace

class TestMoments : public QObject {
    Q_OBJECT
  private slots:
    void aClickOnTheAxisShowsThatMoment() {
        OpenWindow window;
        QSignalSpy shown(&window.workspace(), &Workspace::momentShown);
        QTest::mouseClick(window.timeline().viewport(), Qt::LeftButton, Qt::NoModifier, window.onAxis(0.5));
        QVERIFY(!shown.isEmpty() || shown.wait(test::longEnough));
        QVERIFY(std::abs(window.momentShare() - 0.5) < 0.01);
        QVERIFY(window.workspace().shown() != window.workspace().document()->report);
        QVERIFY(!window.main.findChild<MomentChip *>()->isHidden());
    }

    void draggingTheCursorAnswersWhereItRests() {
        OpenWindow window;
        QSignalSpy shown(&window.workspace(), &Workspace::momentShown);
        QTest::mouseClick(window.timeline().viewport(), Qt::LeftButton, Qt::NoModifier, window.onAxis(0.3));
        QVERIFY(!shown.isEmpty() || shown.wait(test::longEnough));
        window.drag(0.3, {0.35, 0.4, 0.5, 0.6});
        QTRY_VERIFY_WITH_TIMEOUT(std::abs(window.momentShare() - 0.6) < 0.01, test::longEnough);
        QVERIFY2(!window.selection().time, "no range was selected");
    }

    void aDragBesideTheCursorSelectsARange() {
        OpenWindow window;
        window.drag(0.3, {0.35, 0.5});
        QVERIFY(window.selection().time.has_value());
        QVERIFY(window.workspace().shown() == window.workspace().document()->report);
    }

    void sourceAndStackFollowFromACallToAnotherMoment() {
        OpenWindow window;
        const Track &track = window.trace().mainEvents(5)->track;
        Selection call; // an early one
        call.ranks = {5};
        call.callPath = track.callPath[2];
        call.time = TimeRange{track.start[2], track.end[2]};
        window.workspace().selection().select(call);
        QSignalSpy shown(&window.workspace(), &Workspace::momentShown);
        QTest::mouseClick(window.timeline().viewport(), Qt::LeftButton, Qt::NoModifier, window.onAxis(0.9));
        QVERIFY(!shown.isEmpty() || shown.wait(test::longEnough));
        QCOMPARE(window.selection().ranks, RankSet{5});
        QCOMPARE(window.selection().callPath, none); // source and stack are of rank 5 at that moment
        QVERIFY(window.timeline().cursor().has_value());
        emit window.main.findChild<MomentChip *>()->endRequested();
        QVERIFY2(!window.timeline().cursor().has_value(), "the cursor stays where the moment was left");
    }

    void theChipLeadsBackToTheEnd() {
        OpenWindow window;
        QSignalSpy shown(&window.workspace(), &Workspace::momentShown);
        QTest::mouseClick(window.timeline().viewport(), Qt::LeftButton, Qt::NoModifier, window.onAxis(0.5));
        QVERIFY(!shown.isEmpty() || shown.wait(test::longEnough));
        QVERIFY(window.timeline().cursor().has_value());
        emit window.main.findChild<MomentChip *>()->endRequested();
        QVERIFY2(!window.timeline().cursor(), "its badge still names the moment that was left");
        QVERIFY2(!window.timeline().overview().picture().cursor, "the strip still shows the moment that was left");
        QCOMPARE(window.workspace().shown(), window.workspace().document()->report);
        QVERIFY(window.main.findChild<MomentChip *>()->isHidden());
    }

    /// If several questions come in quick succession the last one is answered, and none after cancel().
    void onlyTheLastQuestionIsAnswered() {
        OpenWindow window;
        const ReportPtr report = window.workspace().document()->report;
        const TimeRange range = window.trace().range;
        MomentJob job;
        QSignalSpy answered(&job, &MomentJob::answered);
        QSignalSpy failed(&job, &MomentJob::failed);
        for (int i = 1; i <= 5; ++i)
            job.ask(report, range.begin + range.length() / 10 * static_cast<Tick>(i));
        QVERIFY(answered.wait(test::longEnough));
        QCOMPARE(answered.size(), 1);
        QCOMPARE(answered.front().front().value<ReportPtr>()->progress.at, range.begin + range.length() / 10 * 5);
        job.ask(report, range.begin + 1);
        job.cancel();
        QVERIFY(!answered.wait(300)); // much longer than it rests
        QVERIFY(failed.isEmpty());
    }
};

QTEST_MAIN(TestMoments)
#include "tst_moments.moc"
