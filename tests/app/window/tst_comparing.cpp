// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs in one window, driven as a user does.
#include "app/window/RunComparison.h"
#include "tests/app/window/WindowFixture.h"
#include "tests/support/TraceBuilder.h"
#include "views/compare/BothModelsView.h"
#include "views/compare/BothRunsPanel.h"

#include <QDropEvent>
#include <QMimeData>
#include <QTemporaryDir>

using namespace laggard;
using namespace laggard::test;

namespace {

QString recorded() { return QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil-recorded"); }

/// Compares, and returns what went wrong.
QString compare(FixtureWindow &window, const QString &path) {
    QSignalSpy ended(&window.workspace().runs(), &RunComparison::ended);
    window.main.compareWith(path);
    if (ended.isEmpty() && !ended.wait(longEnough))
        return "the comparison did not end";
    return ended.front().front().toString();
}

} // namespace

class TestComparing : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_home = std::make_unique<Home>(); }
    void cleanup() { m_home.reset(); }

    void bothTimelinesShowTheSameTime() {
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        QCOMPARE(compare(window, recorded()), QString());
        RunComparison &runs = window.workspace().runs();
        QVERIFY(runs.pane()->isVisible());
        const auto zooms = [&] {
            const TimeRange here = window.workspace().zoomFilter().zoom();
            const TimeRange there = runs.pane()->zoomFilter().zoom();
            return std::pair(window.trace().seconds(here.begin) - runs.other()->trace->seconds(there.begin),
                             window.trace().seconds(here.end) - runs.other()->trace->seconds(there.end));
        };
        QVERIFY(std::abs(zooms().first) < 1e-6 && std::abs(zooms().second) < 1e-6);
        window.timeline().setFocus();
        window.key(Qt::Key_0);
        window.key(Qt::Key_W);
        QVERIFY2(std::abs(zooms().first) < 1e-6 && std::abs(zooms().second) < 1e-6, "the other run follows the zoom");
        runs.pane()->timeline().setFocus();
        window.key(Qt::Key_W);
        window.key(Qt::Key_D);
        QVERIFY2(std::abs(zooms().first) < 1e-6 && std::abs(zooms().second) < 1e-6, "this run follows the zoom of the other");
    }

    void selectionsFollowEachOther() {
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        QCOMPARE(compare(window, recorded()), QString());
        RunComparison &runs = window.workspace().runs();
        window.timeline().goToRank(7);
        QCOMPARE(runs.pane()->selection().current().ranks, RankSet{7});
        runs.pane()->timeline().goToRank(2);
        QCOMPARE(window.selection().ranks, RankSet{2});
    }

    void equalRunsHaveNoDeparturesAndTheirFunctionsAreListed() {
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        QCOMPARE(compare(window, recorded()), QString());
        BothRunsPanel &panel = *window.workspace().runs().panel();
        QVERIFY2(panel.answer().startsWith("All 16 ranks do the same in both runs."), qPrintable(panel.answer()));
        QVERIFY(panel.functions()->model()->rowCount() > 3);
        emit panel.functions()->chosen(panel.functions()->model()->index(0, 0), SelectMode::Replace);
        QVERIFY(window.selection().region != none);
        QVERIFY(panel.transitions()->model()->rowCount() > 3);
        emit panel.transitions()->chosen(panel.transitions()->model()->index(0, 0), SelectMode::Replace);
        QVERIFY2(panel.graph()->shown().edgeOf(0), "the transition that is chosen in the list is in the picture");
    }

    void aDepartureIsShownInBoth() {
        const QString other = QStringLiteral(LAGGARD_TRACES "/tracer-stencil4d-64/traces.otf2");
        if (!QFile::exists(other))
            QSKIP("The trace of another program is not here.");
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        QCOMPARE(compare(window, other), QString());
        RunComparison &runs = window.workspace().runs();
        QVERIFY(!runs.other()->divergence.departures.empty());
        ItemView &list = *runs.panel()->departures();
        emit list.chosen(list.model()->index(0, 0), SelectMode::Replace);
        const RankDivergence &first = runs.other()->divergence.departures.front();
        QCOMPARE(window.selection().ranks, RankSet{first.rank});
        QCOMPARE(window.selection().callPath, first.here->callPath);
        QCOMPARE(runs.pane()->selection().current().callPath, first.there->callPath);
        QCOMPARE(runs.pane()->alignment(), AlignedAt::Departure);
        QCOMPARE(runs.alignment().toThere(first.here->start), first.there->start);
    }

    void itIsClosedAndRememberedBySessions() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("kept.session");
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        QAction *close = window.command("Close the comparison");
        QVERIFY(close != nullptr && !close->isEnabled());
        QCOMPARE(compare(window, recorded()), QString());
        QVERIFY(close->isEnabled());
        QString error;
        QVERIFY2(window.main.saveSessionTo(file, &error), qPrintable(error));
        close->trigger();
        QVERIFY(!window.workspace().runs().isOpen() && !close->isEnabled());
        QSignalSpy ended(&window.workspace().runs(), &RunComparison::ended);
        QVERIFY2(window.main.openSession(file, &error), qPrintable(error));
        QVERIFY(!ended.isEmpty() || ended.wait(longEnough));
        QVERIFY(window.workspace().runs().other() != nullptr);
        QCOMPARE(window.open(example()), QString());
        QVERIFY2(window.workspace().document() != nullptr, "opening another trace ends the comparison without harm");
    }

    void whatCannotBeReadIsSaid() {
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        const QString error = compare(window, QStringLiteral("/nowhere/traces.otf2"));
        QVERIFY2(error.contains("/nowhere/traces.otf2"), qPrintable(error));
        QVERIFY(!window.workspace().runs().isOpen());
    }

    void readingCanBeCancelled() {
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        QSignalSpy ended(&window.workspace().runs(), &RunComparison::ended);
        window.main.compareWith(recorded());
        emit window.workspace().runs().pane()->cancelRequested();
        QCOMPARE(ended.size(), 1);
        QVERIFY(!window.workspace().runs().isOpen());
        QTest::qWait(50);
        QCOMPARE(ended.size(), 1);
    }

    void aSecondFileDroppedWithShiftIsCompared() {
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        QMimeData files;
        files.setUrls({QUrl::fromLocalFile(recorded())});
        QSignalSpy ended(&window.workspace().runs(), &RunComparison::ended);
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &files, Qt::LeftButton, Qt::ShiftModifier);
        QCoreApplication::sendEvent(&window.main, &enter);
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &files, Qt::LeftButton, Qt::ShiftModifier);
        QApplication::sendEvent(&window.main, &drop);
        QVERIFY(!ended.isEmpty() || ended.wait(longEnough));
        QVERIFY(window.workspace().runs().other() != nullptr);
    }

  private:
    std::unique_ptr<Home> m_home;
};

QTEST_MAIN(TestComparing)
#include "tst_comparing.moc"
