// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/WindowFixture.h"

#include "views/kit/ChipButton.h"
#include "views/panels/CommandPalette.h"
#include "views/panels/FilterBar.h"
#include "views/pdg/PdgListPanel.h"

#include <QLineEdit>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

/// Home and an open window with the example; the first screen is the verdict on rank 3.
struct OpenWindow : Home, FixtureWindow {
    OpenWindow() {
        if (const QString error = open(test::example()); !error.isEmpty())
            qFatal("%s", qPrintable(error));
    }
    /// Types into the line that popped up, and takes the first that fits.
    void typeAndTake(const QString &text) {
        CommandPalette *palette = nullptr;
        QVERIFY2(QTest::qWaitFor([&] { return (palette = main.findChild<CommandPalette *>()) != nullptr; }), "nothing popped up");
        QTest::keyClicks(palette->line(), text);
        QVERIFY2(palette->model().rowCount() > 0, qPrintable("nothing fits " + text));
        QTest::keyClick(palette->line(), Qt::Key_Return);
        QTRY_VERIFY(main.findChild<CommandPalette *>() == nullptr);
    }
    QStringList stack() { return test::rowsOf(*workspace().stack().view()->model()); }
};

void clickRow(ItemView &view, int row, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    const QModelIndex index = view.model()->index(row, 0);
    view.scrollTo(index);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, modifiers, view.visualRect(index).center());
}

} // namespace

class TestLinkedViews : public QObject {
    Q_OBJECT
  private slots:
    void clickOnAFindingShowsItEverywhere() {
        OpenWindow window;
        window.workspace().selection().clear();
        window.workspace().zoomFilter().setZoom(window.trace().range);
        clickRow(*window.workspace().findings().view(), 0);
        QCOMPARE(window.selection().ranks, RankSet{3});
        QCOMPARE(window.workspace().source().editor()->currentLine(), 41);
        QCOMPARE(window.stack().size(), 3);
        QVERIFY(window.stack()[2].startsWith("compute_flux"));
        QVERIFY(window.timeline().rows().pinnedRowOf(3) != nullptr);
    }

    void clickInTheListOfGroupsShowsItEverywhere() {
        OpenWindow window;
        auto *list = window.main.findChild<PdgListPanel *>();
        window.workspace().docks().show(list);
        const std::uint32_t others = window.nodeOf(0);
        int row = 0;
        while (row < list->view()->model()->rowCount() && !list->view()->model()->index(row, 0).data().toString().contains("0-2"))
            ++row;
        clickRow(*list->view(), row);
        QCOMPARE(window.selection().node, std::optional(others));
        QCOMPARE(window.selection().ranks.size(), std::size_t(15));
        QCOMPARE(window.workspace().source().editor()->currentLine(), 55);
        clickRow(*list->view(), row == 0 ? list->view()->model()->rowCount() - 1 : 0);
        QCOMPARE(window.selection().ranks, RankSet{3});
        QCOMPARE(window.workspace().source().editor()->currentLine(), 41);
    }

    void clickOnANodeShowsItEverywhere() {
        OpenWindow window;
        const std::uint32_t others = window.nodeOf(0);
        window.workspace().zoomFilter().setZoom({window.trace().range.begin, window.trace().range.begin + 1000});
        QTest::mouseClick(&window.graph(), Qt::LeftButton, Qt::NoModifier, window.middleOfNode(others));
        QCOMPARE(window.selection().node, std::optional(others));
        QCOMPARE(window.selection().ranks.size(), std::size_t(15));
        QCOMPARE(window.workspace().source().editor()->currentLine(), 55);
        const Track &track = window.trace().mainEvents(0)->track;
        const Tick entered = track.start[track.innermostOpen()];
        const TimeRange zoom = window.workspace().zoomFilter().zoom();
        QVERIFY2(zoom.begin <= entered && entered <= zoom.end, "the last call is not in sight");
        QVERIFY2(window.stack().join('\n').contains("MPI_Allreduce"), qPrintable(window.stack().join('\n')));

        QTest::mouseClick(&window.graph(), Qt::LeftButton, Qt::ControlModifier, window.middleOfNode(window.nodeOf(3)));
        QCOMPARE(window.selection().ranks.size(), std::size_t(16));
        QTest::mouseClick(&window.graph(), Qt::LeftButton, Qt::ControlModifier, window.middleOfNode(window.nodeOf(3)));
        QCOMPARE(window.selection().ranks.size(), std::size_t(15));
        QTest::mouseClick(&window.graph(), Qt::LeftButton, Qt::NoModifier, QPoint(3, 3));
        QVERIFY2(window.selection().isEmpty(), "a click beside the nodes selects nothing");
    }

    void ctrlAddsAndShiftExtendsRows() {
        OpenWindow window;
        TimelineWidget &timeline = window.timeline();
        const auto header = [&](Rank rank) {
            const TimelineView view = timeline.view();
            const TimelineRow *row = timeline.rows().rowOf(rank);
            return QPoint(20, static_cast<int>(view.topOf(*row) + row->height / 2));
        };
        QTest::mouseClick(timeline.viewport(), Qt::LeftButton, Qt::NoModifier, header(0));
        QCOMPARE(window.selection().ranks, RankSet{0});
        QTest::mouseClick(timeline.viewport(), Qt::LeftButton, Qt::ControlModifier, header(1));
        QCOMPARE(window.selection().ranks, (RankSet{0, 1}));
        QTest::mouseClick(timeline.viewport(), Qt::LeftButton, Qt::ShiftModifier, header(2));
        QCOMPARE(window.selection().ranks, (RankSet{0, 1, 2}));
    }

    void backAndForth() {
        OpenWindow window;
        const Selection verdict = window.selection();
        QTest::mouseClick(&window.graph(), Qt::LeftButton, Qt::NoModifier, window.middleOfNode(window.nodeOf(0)));
        const Selection others = window.selection();
        QVERIFY(!(others == verdict));
        window.key(Qt::Key_Left, Qt::AltModifier);
        QVERIFY2(window.selection() == verdict, "one step back should be the verdict");
        QVERIFY(window.timeline().rows().pinnedRowOf(3) != nullptr);
        QCOMPARE(window.workspace().source().editor()->currentLine(), 41);
        window.key(Qt::Key_Right, Qt::AltModifier);
        QVERIFY(window.selection() == others);
        QVERIFY(!window.command("Selection after")->isEnabled());
    }

    void zoomIsUndone() {
        OpenWindow window;
        window.timeline().setFocus();
        const TimeRange before = window.workspace().zoomFilter().zoom();
        const Selection selected = window.selection();
        window.key(Qt::Key_W);
        const TimeRange closer = window.workspace().zoomFilter().zoom();
        QVERIFY2(closer.length() < before.length(), "W zooms in");
        QVERIFY2(window.selection() == selected, "zooming selects nothing");
        window.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(window.workspace().zoomFilter().zoom(), before);
        QVERIFY(window.command("Redo zoom or filter")->isEnabled());
        window.command("Redo zoom or filter")->trigger();
        QCOMPARE(window.workspace().zoomFilter().zoom(), closer);
        window.timeline().setFocus();
        window.key(Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(window.workspace().zoomFilter().zoom(), window.trace().range);
    }

    void filtersAreChips() {
        OpenWindow window;
        auto *bar = window.main.findChild<FilterBar *>();
        QVERIFY(bar->findChildren<ChipButton *>().isEmpty());
        Filter filter;
        filter.ranks = RankSet{2, 3, 4};
        filter.minimumDuration = 1000;
        const TimeRange zoom = window.workspace().zoomFilter().zoom();
        const Selection selected = window.selection();
        window.workspace().zoomFilter().setFilter(filter);
        QTRY_COMPARE(bar->findChildren<ChipButton *>().size(), 2);
        QCOMPARE(window.timeline().rows().rows().size() + window.timeline().rows().pinnedRows().size(), std::size_t(3));
        QCOMPARE(window.workspace().zoomFilter().zoom(), zoom);
        QVERIFY(window.selection() == selected);
        QTest::qWait(50); // the chips find their places
        ChipButton *ranks = nullptr;
        for (ChipButton *chip : bar->findChildren<ChipButton *>())
            if (chip->text().contains("2-4"))
                ranks = chip;
        QVERIFY(ranks != nullptr);
        QTest::mouseClick(ranks, Qt::LeftButton);
        QTRY_VERIFY(!window.workspace().zoomFilter().filter().ranks);
        QCOMPARE(window.workspace().zoomFilter().filter().minimumDuration, Tick(1000));
        QTRY_COMPARE(bar->findChildren<ChipButton *>().size(), 1);
        window.timeline().setFocus();
        window.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(window.workspace().zoomFilter().filter(), filter);
    }

    void goToARank() {
        OpenWindow window;
        window.timeline().setFocus();
        window.key(Qt::Key_P, Qt::ControlModifier);
        window.typeAndTake("7");
        QCOMPARE(window.selection().ranks, RankSet{7});
        QVERIFY(window.stack().join('\n').contains("MPI_Allreduce"));
    }

    void goToATime() {
        OpenWindow window;
        window.graph().setFocus();
        window.key(Qt::Key_P, Qt::ControlModifier);
        window.typeAndTake("time 0.1 s");
        const TimeRange zoom = window.workspace().zoomFilter().zoom();
        const Tick time = window.trace().tickAt(0.1);
        QVERIFY(zoom.begin <= time && time <= zoom.end);
    }

    void findAFunction_data() {
        QTest::addColumn<QString>("dock");
        for (const char *dock : {"timeline", "findings", "groups", "legend", "stack"})
            QTest::newRow(dock) << dock;
    }
    void findAFunction() {
        QFETCH(QString, dock);
        OpenWindow window;
        window.workspace().docks().show(window.main.findChild<QDockWidget *>(dock)->widget());
        window.key(Qt::Key_F, Qt::ControlModifier);
        window.typeAndTake("compute_f");
        const CallPathId path = window.selection().callPath;
        QVERIFY2(path != none, "the next call of the function is selected");
        QCOMPARE(window.trace().region(path).name, std::string("compute_flux"));
    }

    void findOffersFunctionsOnly() {
        OpenWindow window;
        window.timeline().setFocus();
        window.key(Qt::Key_F, Qt::ControlModifier);
        CommandPalette *palette = nullptr;
        QTRY_VERIFY((palette = window.main.findChild<CommandPalette *>()) != nullptr);
        QTest::keyClicks(palette->line(), "7");
        QCOMPARE(palette->model().rowCount(), 0);
        QTest::keyClick(palette->line(), Qt::Key_Return);
        QTest::keyClick(palette, Qt::Key_Escape);
        QTRY_VERIFY(window.main.findChild<CommandPalette *>() == nullptr);
    }

    void leastProgressedByKey() {
        OpenWindow window;
        window.workspace().selection().clear();
        window.workspace().zoomFilter().setZoom({window.trace().range.begin, window.trace().range.begin + 1000});
        window.graph().setFocus();
        window.key(Qt::Key_L);
        QCOMPARE(window.selection().ranks, RankSet{3});
        const Track &track = window.trace().mainEvents(3)->track;
        const TimeRange zoom = window.workspace().zoomFilter().zoom();
        const Tick entered = track.start[track.innermostOpen()];
        QVERIFY2(zoom.begin <= entered && entered <= zoom.end, "its last call is not in sight");
    }

    void graphIsWalkedByKeys() {
        OpenWindow window;
        window.graph().setFocus();
        window.key(Qt::Key_Down);
        QCOMPARE(window.selection().ranks.size(), std::size_t(15));
        window.key(Qt::Key_Up);
        QCOMPARE(window.selection().ranks, RankSet{3});
    }
};

QTEST_MAIN(TestLinkedViews)
#include "tst_linkedviews.moc"
