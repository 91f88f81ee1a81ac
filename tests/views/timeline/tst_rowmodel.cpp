// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/LaneSample.h"
#include "tests/support/TraceBuilder.h"
#include "views/timeline/RowModel.h"

#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

RowModel modelOf(const TracePtr &trace) { return {trace, buildPyramid(*trace, {})}; }

/// `count` ranks with calls; rank r is quiet from `1000 - r` on.
TracePtr someRanks(Rank count) {
    TraceBuilder builder(count);
    for (Rank rank = 0; rank < count; ++rank)
        builder.enter(rank, 0, "main").call(rank, 10, 20, "f").leave(rank, 100'000 - rank, "main");
    return builder.finish(100'000);
}

QString order(const RowModel &model) {
    QStringList ranks;
    for (const TimelineRow &row : model.rows())
        ranks << QString::number(row.ranks.front());
    return ranks.join(' ');
}

} // namespace

class TestRowModel : public QObject {
    Q_OBJECT
  private slots:
    void orders() {
        RowModel model = modelOf(someRanks(4));
        QCOMPARE(order(model), "0 1 2 3");
        model.setOrder(RowOrder::LastEvent);
        QCOMPARE(order(model), "3 2 1 0");
        model.setGraphNodes({2, 0, none, 0});
        model.setOrder(RowOrder::GraphNode);
        QCOMPARE(order(model), "1 3 0 2");
        model.setOrder(RowOrder::Node); // all on the same one
        QCOMPARE(order(model), "0 1 2 3");
    }

    void ranksThatWereNotRead() {
        TraceBuilder builder(8);
        for (const Rank rank : {2, 3, 5})
            builder.call(rank, 10, 500 - rank, "f");
        const TracePtr trace = builder.finish(1000);
        std::const_pointer_cast<Trace>(trace)->part.ranks = RankSet{2, 3, 5};
        RowModel model = modelOf(trace);
        QVERIFY(!model.rowOf(0)->read && model.rowOf(2)->read);
        model.setOrder(RowOrder::LastEvent);
        QVERIFY2(order(model).startsWith("5 3 2 "),
                 "of ranks that were not read nobody knows when they were quiet: they come last");
        model.setOrder(RowOrder::Rank);
        model.setGroupsAbove(2); // pairs
        QVERIFY2(!model.rowOf(0)->read, "nobody of ranks 0 and 1 was read");
        QVERIFY(model.rowOf(4)->read);
        QVERIFY2(model.rowOf(4)->detail.contains("1 read"), qPrintable(model.rowOf(4)->detail));
        QVERIFY(!model.rowOf(2)->detail.contains("read"));
    }

    void threadsOfOneProcessAreShown_data() {
        QTest::addColumn<Rank>("ranks");
        QTest::addColumn<std::size_t>("rows");
        QTest::newRow("one process") << Rank{1} << std::size_t{2};
        QTest::newRow("two") << Rank{2} << std::size_t{2};
    }
    void threadsOfOneProcessAreShown() {
        QFETCH(Rank, ranks);
        const TracePtr trace = someRanks(ranks);
        auto &changed = *std::const_pointer_cast<Trace>(trace);
        changed.locations.emplace_back().rank = 0;
        changed.processes[0].locations.push_back(static_cast<LocationIndex>(changed.locations.size() - 1));
        RowModel model = modelOf(trace);
        QTEST(model.rows().size(), "rows");
        QVERIFY(model.rows()[0].expandable);
        model.setThreadsShown(0, ranks != 1);
        QCOMPARE(model.rows().size(), std::size_t{ranks == 1 ? 1U : 3U});
    }

    void heightsAndPlaces() {
        RowModel model = modelOf(someRanks(3));
        model.setLaneHeight(10);
        QCOMPARE(model.rows()[0].lanes.size(), std::size_t{2});
        QCOMPARE(model.rows()[0].height, 20.0);
        QCOMPARE(model.rows()[1].y, 20 + RowModel::rowGap);
        QCOMPARE(model.rowAt(25)->ranks, RankSet{1});
        QVERIFY(model.rowAt(-1) == nullptr);
        QVERIFY(model.rowAt(1000) == nullptr);
        QCOMPARE(model.rowOf(2)->ranks, RankSet{2});
        model.setNested(false);
        QCOMPARE(model.rows()[0].lanes, std::vector<std::uint32_t>{innermostLane});
        model.toggleNested(1);
        QCOMPARE(model.rows()[1].lanes.size(), std::size_t{2});
        QCOMPARE(model.rows()[0].lanes.size(), std::size_t{1});
    }

    void rowsFitIfTheyCan() {
        const RowModel model = modelOf(someRanks(10));
        QCOMPARE(model.laneHeightFor(10 * (2 * 12 + RowModel::rowGap)), 12.0);
        QCOMPARE(model.laneHeightFor(10), 5.0);
        QCOMPARE(model.laneHeightFor(1e6), 18.0);
    }

    void rowsAreCompactWhereLanesWouldBeTooLow() {
        RowModel model = modelOf(someRanks(10));
        model.fit(10 * (2 * RowModel::readableLane + RowModel::rowGap));
        QCOMPARE(model.rows()[0].lanes.size(), std::size_t{2});
        QCOMPARE(model.laneHeight(), RowModel::readableLane);
        model.fit(100);
        QVERIFY(!model.isNested());
        QCOMPARE(model.rows()[0].lanes, std::vector<std::uint32_t>{innermostLane});
        QVERIFY2(model.rows()[0].height >= RowModel::readableLane, "names must be readable; rows can be scrolled");
        model.setPinned({3});
        model.fit(100);
        QCOMPARE(model.pinnedRows()[0].lanes.size(), std::size_t{2});
        QVERIFY(model.pinnedHeight() <= 50);
        model.toggleNested(5);
        QCOMPARE(model.rowOf(5)->lanes.size(), std::size_t{2});
        model.setNested(true);
        model.fit(100);
        QVERIFY2(model.isNested() && model.rows()[0].lanes.size() == 2, "what the user asked for stays");
        model.setNestedByRoom();
        model.fit(100);
        QVERIFY2(!model.isNested(), "until the user leaves it to the room again");
    }

    void filterAndPins() {
        RowModel model = modelOf(someRanks(6));
        model.setFilter(RankSet{1, 3, 5});
        QCOMPARE(order(model), "1 3 5");
        QVERIFY(model.rowOf(0) == nullptr);
        model.setPinned({5, 99});
        QCOMPARE(order(model), "1 3");
        QCOMPARE(model.pinnedRows().size(), std::size_t{1});
        QCOMPARE(model.pinned(), RankSet{5});
        QVERIFY(model.pinnedRowOf(5) != nullptr);
        model.setFilter({});
        QCOMPARE(order(model), "0 1 2 3 4");
    }

    void groupsAboveTheLimit() {
        RowModel model = modelOf(someRanks(300));
        QVERIFY2(model.rows().size() <= 64, "300 ranks are too many rows");
        QVERIFY(model.rows()[0].kind == TimelineRow::Kind::Group);
        QVERIFY2(model.rows()[0].label.contains("0-7"), qPrintable(model.rows()[0].label));
        std::size_t members = 0;
        for (const TimelineRow &row : model.rows())
            members += row.ranks.size();
        QCOMPARE(members, std::size_t{300});
        const std::size_t before = model.rows().size();
        model.reveal(10);
        QCOMPARE(model.rows().size(), before + 8);
        QVERIFY(model.rowOf(10)->kind == TimelineRow::Kind::Rank);
        QVERIFY(model.rowOf(100)->kind == TimelineRow::Kind::Group);
        model.setGroupsAbove(300);
        QCOMPARE(model.rows().size(), std::size_t{300});
    }

    void groupsByGraphNode() {
        RowModel model = modelOf(someRanks(300));
        std::vector<std::uint32_t> nodes(300, 1);
        nodes[17] = 0;
        model.setGraphNodes(nodes);
        model.setOrder(RowOrder::GraphNode);
        QCOMPARE(model.rows().size(), std::size_t{2});
        QCOMPARE(model.rows()[0].ranks, RankSet{17});
    }

    void groupsByWhatRanksDo() {
        RowModel model = modelOf(someRanks(300));
        RankSet others;
        for (Rank rank = 5; rank < 299; ++rank)
            others.push_back(rank);
        const std::vector<RankClass> classes{{QStringLiteral("least progressed"), {17}},
                                             {QStringLiteral("wait for it directly"), {1, 2, 3, 4}},
                                             {QStringLiteral("in MPI_Allreduce"), others}}; // has rank 17 as well
        model.setClasses(classes);
        const auto shown = [&model] {
            QStringList rows;
            for (const TimelineRow &row : model.rows())
                if (row.kind == TimelineRow::Kind::Group)
                    rows << row.label + QStringLiteral(" | ") + row.detail;
            return rows;
        };
        QCOMPARE(shown(), QStringList({"least progressed | rank 17", "4 wait for it directly | ranks 1-4",
                                       "293 in MPI_Allreduce | ranks 5-16, 18-298", "2 others | ranks 0, 299"}));
        std::size_t members = 0;
        for (const TimelineRow &row : model.rows())
            members += row.ranks.size();
        QCOMPARE(members, std::size_t{300});
        // A pinned rank has a row of its own, and the others keep the name of what they do.
        model.setPinned({17});
        QCOMPARE(shown().front(), QString("4 wait for it directly | ranks 1-4"));
        model.setGroupExpanded(0, true);
        QCOMPARE(model.rows()[1].ranks, RankSet{1});
        model.setClasses({});
        QVERIFY2(model.rows()[0].label.startsWith("ranks 0-"), "without classes groups are runs of numbers");
        model.setClasses(classes);
        model.setFilter(RankSet{1, 2, 3});
        QCOMPARE(model.rows().size(), std::size_t{3}); // few enough for a row each
    }

    void pinnedRowsAreAsDeepAsWhatIsInView() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").enter(0, 10, "a").call(0, 20, 30, "b").leave(0, 40, "a").leave(0, 100, "main");
        RowModel model = modelOf(builder.finish(100));
        model.setNested(true);
        model.setPinned({0});
        QCOMPARE(model.pinnedRows()[0].lanes.size(), std::size_t{3});
        model.setDepthsInView({{0, 1}});
        QCOMPARE(model.pinnedRows()[0].lanes.size(), std::size_t{1});
        model.setDepthsInView({{0, 99}});
        QCOMPARE(model.pinnedRows()[0].lanes.size(), std::size_t{3});
        model.setDepthsInView({{0, 0}});
        QVERIFY2(!model.pinnedRows()[0].lanes.empty(), "a pinned row never vanishes");
        model.setPinned({});
        QCOMPARE(model.rowOf(0)->lanes.size(), std::size_t{3}); // only pinned rows follow
    }

    void nothing() {
        const RowModel none;
        QVERIFY(none.rows().empty() && none.rowAt(0) == nullptr && none.rowOf(0) == nullptr);
        const RowModel noCalls = modelOf(TraceBuilder(2).finish(10));
        QCOMPARE(noCalls.rows().size(), std::size_t{2});
        QVERIFY(noCalls.rows()[0].height > 0);
    }
};

QTEST_GUILESS_MAIN(TestRowModel)
#include "tst_rowmodel.moc"
