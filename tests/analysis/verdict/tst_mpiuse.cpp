// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/MpiUse.h"
#include "analysis/words/MpiUseWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <functional>

using namespace laggard;
using laggard::test::TraceBuilder;
using Kind = MpiUseError::Kind;

namespace {

struct Faults {
    bool otherRoot = false;
    int unreceived = 0;
    int unfinished = 0;
    bool fits = false; ///< the unfinished requests fit the unreceived messages
};

std::shared_ptr<Trace> traceOf(const Faults &faults) {
    TraceBuilder builder(3);
    for (Rank rank = 0; rank < 3; ++rank)
        builder.collectiveCall(rank, 1, 5, CollectiveOperation::Bcast, 0, 0)
            .collectiveCall(rank, 6, 9, CollectiveOperation::Bcast, 0, rank == 2 && faults.otherRoot ? 2 : 0);
    builder.sendCall(0, 10, 11, 1, 7).receiveCall(1, 10, 12, 0, 7);
    for (int i = 0; i < faults.unreceived; ++i)
        builder.sendCall(2, 20 + i, 20 + i, 1, 8);
    auto trace = std::const_pointer_cast<Trace>(builder.finish(100));
    trace->tellsOpenCalls = true;
    trace->format = "recording";
    LocationEvents &events = trace->locations[1].events;
    for (int i = 0; i < faults.unfinished; ++i) {
        PendingRequest request;
        request.kind = PendingRequest::Kind::Receive;
        request.row = 2;
        if (faults.fits) {
            request.envelope = static_cast<std::uint32_t>(events.envelopes.size());
            events.envelopes.push_back({2, 0, 8, 0});
        }
        events.pending.push_back(request);
    }
    return trace;
}

} // namespace

class TestMpiUse : public QObject {
    Q_OBJECT
  private slots:
    void errors_data() {
        QTest::addColumn<Faults>("faults");
        QTest::addColumn<int>("kind"); // -1: none
        QTest::addColumn<RankSet>("ranks");
        QTest::addColumn<QString>("says");
        QTest::newRow("none") << Faults{} << -1 << RankSet{} << "";
        QTest::newRow("another root") << Faults{.otherRoot = true} << static_cast<int>(Kind::Disagreement) << RankSet{2}
                                      << "ranks 0-2 disagree on the root of the 2nd MPI_Bcast on MPI_COMM_WORLD: ";
        QTest::newRow("a message") << Faults{.unreceived = 1} << static_cast<int>(Kind::Unreceived) << RankSet{2, 1}
                                   << "rank 1 never received the message of rank 2 with tag 8";
        QTest::newRow("three messages") << Faults{.unreceived = 3} << static_cast<int>(Kind::Unreceived) << RankSet{2, 1}
                                        << ", nor did anybody receive 2 other messages";
        QTest::newRow("a message that a request took which nobody waited for")
            << Faults{.unreceived = 1, .unfinished = 1, .fits = true} << static_cast<int>(Kind::Unfinished) << RankSet{1}
            << "rank 1 never waited for, nor tested to its end, the request that it began in MPI_Recv";
        QTest::newRow("a request") << Faults{.unfinished = 1} << static_cast<int>(Kind::Unfinished) << RankSet{1}
                                   << "rank 1 never waited for, nor tested to its end, the request that it began in MPI_Recv";
        QTest::newRow("two requests") << Faults{.unfinished = 2} << static_cast<int>(Kind::Unfinished) << RankSet{1}
                                      << "; 1 other request likewise";
    }

    void errors() {
        QFETCH(Faults, faults);
        QFETCH(int, kind);
        QFETCH(RankSet, ranks);
        QFETCH(QString, says);
        const auto trace = traceOf(faults);
        const auto errors = findMpiUseErrors(*trace, true, {});
        QCOMPARE(errors.size(), std::size_t{kind == -1 ? 0U : 1U});
        if (kind == -1)
            return;
        QCOMPARE(static_cast<int>(errors[0].kind), kind);
        QCOMPARE(errors[0].ranks, ranks);
        const QString what = QString::fromStdString(describe(*trace, errors[0]));
        QVERIFY2(what.contains(says), qPrintable(what));
    }

    /// Each request takes one message.
    void oneRequestForTwoMessages() {
        const auto errors = findMpiUseErrors(*traceOf({.unreceived = 2, .unfinished = 1, .fits = true}), true, {});
        QCOMPARE(errors.size(), std::size_t{2});
        QCOMPARE(errors[0].others, std::uint64_t{0});
    }

    /// From then on nobody knows which of the members' collectives belong together.
    void afterAnErrorInACollective() {
        const auto trace = traceOf({.otherRoot = true});
        LocationEvents &events = trace->locations[2].events;
        QCOMPARE(findMpiUseErrors(*trace, true, {}).size(), std::size_t{1});
        events.failed = {events.collectives.row[1]};
        QCOMPARE(findMpiUseErrors(*trace, true, {}).size(), std::size_t{0});
    }

    /// What is left over tells nothing of a job that has not come to its end.
    void unfinishedJob() {
        const auto errors = findMpiUseErrors(*traceOf({true, 1, 1}), false, {});
        QCOMPARE(errors.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(errors[0].kind), static_cast<int>(Kind::Disagreement));
    }

    void whatIsNotAllKnown() {
        const Faults all{true, 1, 1};
        const auto count = [&](const std::function<void(Trace &)> &change) {
            const auto trace = traceOf(all);
            change(*trace);
            return findMpiUseErrors(*trace, true, {}).size();
        };
        QCOMPARE(count([](Trace &) {}), std::size_t{3});
        QCOMPARE(count([](Trace &trace) { trace.tellsOpenCalls = false; }), std::size_t{0});
        QCOMPARE(count([](Trace &trace) { trace.isSummary = true; }), std::size_t{0});
        QCOMPARE(count([](Trace &trace) { trace.part.ranks = RankSet{0, 1, 2}; }), std::size_t{0});
        QCOMPARE(count([](Trace &trace) { trace.processes[2].eventsFrom = 3; }), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TestMpiUse)
#include "tst_mpiuse.moc"
