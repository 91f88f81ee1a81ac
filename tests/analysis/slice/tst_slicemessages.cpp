// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/slice/SliceQuestion.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;

namespace {

/// "p2p 1 get<main from 0 put<main x3", one line for each entry.
QStringList textOf(const std::vector<SliceMessages> &messages) {
    const auto stack = [](const std::vector<Frame> &frames) {
        QStringList names;
        for (const Frame &frame : frames)
            names << QString::fromStdString(frame.function);
        return names.join('<');
    };
    QStringList lines;
    for (const SliceMessages &m : messages)
        lines << QString("%1 %2 %3 from %4 %5 x%6")
                     .arg(m.isCollective ? "collective" : "p2p", QString::fromStdString(formatRanges(m.to)), stack(m.receive),
                          QString::fromStdString(formatRanges(m.from)), stack(m.send))
                     .arg(m.count);
    return lines;
}

} // namespace

class TestSliceMessages : public QObject {
    Q_OBJECT
  private slots:
    void receiversOneByOne() {
        TraceBuilder builder(3);
        for (Rank rank = 0; rank < 3; ++rank)
            builder.enter(rank, 0, "main");
        builder.enter(0, 1, "put");
        for (Tick round = 0; round < 3; ++round)
            builder.sendCall(0, 10 + 10 * round, 12 + 10 * round, 1).sendCall(0, 15 + 10 * round, 17 + 10 * round, 2);
        for (Rank rank = 1; rank < 3; ++rank) {
            builder.enter(rank, 1, "get");
            for (Tick round = 0; round < 3; ++round)
                builder.receiveCall(rank, 18 + 10 * round, 19 + 10 * round, 0);
        }
        const TracePtr trace = builder.finish(100);
        QCOMPARE(textOf(sliceMessages(*trace, openEnd, {})),
                 QStringList({"p2p 1 get<main from 0 put<main x3", "p2p 2 get<main from 0 put<main x3"}));
        QCOMPARE(textOf(sliceMessages(*trace, 20, {})),
                 QStringList({"p2p 1 get<main from 0 put<main x1", "p2p 2 get<main from 0 put<main x1"}));
    }

    void aReceiveIsWhereItWasPosted() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").enter(1, 0, "main").sendCall(1, 1, 3, 0);
        builder.enter(0, 1, "post").enter(0, 2, "MPI_Irecv").irecv(0, 2, 7).leave(0, 3, "MPI_Irecv").leave(0, 4, "post");
        builder.enter(0, 5, "finish").enter(0, 6, "MPI_Wait").receive(0, 8, 1).leave(0, 8, "MPI_Wait").leave(0, 9, "finish");
        const TracePtr trace = builder.finish(10);
        // Without a posting of its own (OTF2) a receive stands where it was completed.
        QCOMPARE(textOf(sliceMessages(*trace, openEnd, {})), QStringList({"p2p 0 finish<main from 1 main x1"}));
        auto &events = const_cast<LocationEvents &>(trace->locations[0].events); // NOLINT: as a recording has it
        std::uint32_t posting = none;
        for (std::uint32_t row = 0; row < events.track.size(); ++row)
            if (trace->region(events.track.callPath[row]).name == "MPI_Irecv")
                posting = row;
        events.postings.receive.push_back(0);
        events.postings.row.push_back(posting);
        events.postings.how.push_back(0);
        QCOMPARE(textOf(sliceMessages(*trace, openEnd, {})), QStringList({"p2p 0 post<main from 1 main x1"}));
    }

    void onlyWhatWasMatched() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").enter(1, 0, "main").sendCall(0, 1, 2, 1).receiveCall(1, 3, 4, 0).receiveCall(1, 5, 6, 0);
        QCOMPARE(textOf(sliceMessages(*builder.finish(10), openEnd, {})), QStringList({"p2p 1 main from 0 main x1"}));
    }

    void collectives_data() {
        QTest::addColumn<int>("operation");
        QTest::addColumn<bool>("hasRoot");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](CollectiveOperation operation, bool hasRoot, const QStringList &expected) {
            QTest::newRow(std::string(name(operation)).c_str()) << int(operation) << hasRoot << expected;
        };
        // Rank 1 calls it from "other", and is the root if there is one.
        row(CollectiveOperation::Bcast, true, {"collective 0,2 same<main from 1 other<main x2"});
        row(CollectiveOperation::Reduce, true, {"collective 1 other<main from 0,2 same<main x1"});
        row(CollectiveOperation::Allreduce, false,
            {"collective 0,2 same<main from 0,2 same<main x2", "collective 0,2 same<main from 1 other<main x2",
             "collective 1 other<main from 0,2 same<main x1", "collective 1 other<main from 1 other<main x1"});
        row(CollectiveOperation::Barrier, false, {});
    }
    void collectives() {
        QFETCH(int, operation);
        QFETCH(bool, hasRoot);
        QFETCH(QStringList, expected);
        TraceBuilder builder(3);
        for (Rank rank = 0; rank < 3; ++rank)
            builder.enter(rank, 0, "main")
                .enter(rank, 1, rank == 1 ? "other" : "same")
                .collectiveCall(rank, 2, 5, static_cast<CollectiveOperation>(operation), 0, hasRoot ? Rank{1} : Rank{none});
        QStringList found = textOf(sliceMessages(*builder.finish(10), openEnd, {}));
        found.sort();
        QCOMPARE(found, expected);
    }

    void manyEntriesAreJoined() {
        // Each receiver has a path of its own by its own sender: more entries than are told one by one.
        constexpr Rank ranks = 102;
        TraceBuilder builder(ranks);
        for (Rank rank = 0; rank < ranks; ++rank) {
            builder.enter(rank, 0, "main");
            for (Tick i = 0; i < 100; ++i) {
                const std::string function = "f" + std::to_string(i);
                builder.enter(rank, 10 * i + 1, function).sendCall(rank, 10 * i + 2, 10 * i + 3, (rank + 1) % ranks);
                builder.receiveCall(rank, 10 * i + 4, 10 * i + 5, (rank + ranks - 1) % ranks).leave(rank, 10 * i + 6, function);
            }
        }
        const std::vector<SliceMessages> messages = sliceMessages(*builder.finish(2000), openEnd, {});
        QCOMPARE(messages.size(), std::size_t{100});
        for (const SliceMessages &message : messages) {
            QCOMPARE(message.to.size(), std::size_t{ranks});
            QCOMPARE(message.from.size(), std::size_t{ranks});
            QCOMPARE(message.count, std::uint64_t{ranks});
        }
    }

    void withoutLinesThereIsNothingToTell() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").enter(1, 0, "main").sendCall(0, 1, 2, 1).receiveCall(1, 3, 4, 0);
        const TracePtr trace = builder.finish(10);
        for (const Region &region : trace->regions)
            const_cast<Region &>(region).line = 0; // NOLINT
        QVERIFY(sliceMessages(*trace, openEnd, {}).empty());
    }

    void canBeStopped() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").enter(1, 0, "main").sendCall(0, 1, 2, 1).receiveCall(1, 3, 4, 0);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN((void)sliceMessages(*builder.finish(10), openEnd, Work{stop.get_token(), {}, 1}), Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestSliceMessages)
#include "tst_slicemessages.moc"
