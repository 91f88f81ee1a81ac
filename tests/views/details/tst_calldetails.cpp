// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/analysis/units/DaemonTrace.h"
#include "tests/views/timeline/TimelineFixture.h"
#include "views/details/CallDetails.h"

#include <QTest>

#include <cerrno>

#include <poll.h>

using namespace laggard;
using namespace laggard::test;

namespace {

/// The selection of the call of `function` that begins at `start`.
Selection callAt(const Trace &trace, Rank rank, Tick start, const std::string &function) {
    Selection selection;
    selection.ranks = {rank};
    const Track &track = trace.mainEvents(rank)->track;
    for (std::uint32_t row = 0; row < track.size(); ++row)
        if (track.start[row] == start && trace.region(track.callPath[row]).name == function) {
            selection.callPath = track.callPath[row];
            selection.time = TimeRange{start, track.end[row]};
        }
    return selection;
}

/// "name: value", a line each.
QString textOf(const std::vector<Detail> &details) {
    QStringList lines;
    for (const Detail &detail : details)
        lines << detail.name + ": " + QString(detail.value).replace(QChar(0xa0), ' ');
    return lines.join('\n');
}

std::vector<Detail> detailsIn(const TracePtr &trace, const Selection &selection, bool waits = true) {
    const TracePyramidPtr pyramid = buildPyramid(*trace, {});
    const WaitForGraph graph = buildWaitForGraph(*trace, openEnd, {});
    return detailsOf(*trace, *pyramid, waits ? &graph : nullptr, selection);
}

/// Two ranks in a barrier, the second one 300 ticks later.
TracePtr barrierTrace() {
    return TraceBuilder(2)
        .enter(0, 0, "main")
        .enter(1, 0, "main")
        .collectiveCall(0, 100, 420, CollectiveOperation::Barrier)
        .collectiveCall(1, 400, 420, CollectiveOperation::Barrier)
        .finish(1000);
}

} // namespace

class TestCallDetails : public QObject {
    Q_OBJECT
  private slots:
    void tells_data() {
        QTest::addColumn<TracePtr>("trace");
        QTest::addColumn<Rank>("rank");
        QTest::addColumn<Tick>("start");
        QTest::addColumn<QByteArray>("function");
        QTest::addColumn<QStringList>("lines");
        QTest::newRow("a call that returned")
            << smallTrace() << Rank{0} << Tick{400} << QByteArray("work")
            << QStringList{"Function: work", "Start: 400 ns",     "End: 600 ns",
                           "Length: 200 ns", "Called from: main", "Source: defined at work.c:1"};
        QTest::newRow("a call that did not") << smallTrace() << Rank{1} << Tick{500} << QByteArray("solve")
                                             << QStringList{"End: not returned", "Length: at least 500 ns"};
        QTest::newRow("time of its own") << smallTrace() << Rank{0} << Tick{0} << QByteArray("main")
                                         << QStringList{"Length: 900 ns", "In itself: 590 ns"};
        QTest::newRow("a send, and who waited for it") << smallTrace() << Rank{0} << Tick{90} << QByteArray("MPI_Send")
                                                       << QStringList{"Sent: 1 message", "to: rank 1, tag 7, ", "waited for it "};
        QTest::newRow("a receive, and how long it waited")
            << smallTrace() << Rank{1} << Tick{50} << QByteArray("MPI_Recv")
            << QStringList{"Received: 1 message", "from: rank 0, tag 7, ", "after this call began: it waited"};
        QTest::newRow("who came first to a collective")
            << barrierTrace() << Rank{0} << Tick{100} << QByteArray("MPI_Barrier")
            << QStringList{"Collective: Barrier of 2 ranks, number 1", "Waited here: 300 ns", "Last to come: rank 1, at 400 ns"};
        QTest::newRow("who came last") << barrierTrace() << Rank{1} << Tick{400} << QByteArray("MPI_Barrier")
                                       << QStringList{"Last to come: this rank; the first waited 300 ns"};
    }
    void tells() {
        QFETCH(TracePtr, trace);
        QFETCH(Rank, rank);
        QFETCH(Tick, start);
        QFETCH(QByteArray, function);
        QFETCH(QStringList, lines);
        const QString text = textOf(detailsIn(trace, callAt(*trace, rank, start, function.toStdString())));
        for (const QString &line : lines)
            QVERIFY2(text.contains(line), qPrintable("not told: " + line + "\nbut:\n" + text));
    }

    /// Of a daemon: which descriptor, what came back, whom it is about, and what a wait found.
    void callsOfTheCLibrary() {
        const std::shared_ptr<Trace> trace = DaemonTrace(1)
                                                 .enter(0, "main")
                                                 .call(0, "poll", 5, -1, 2)
                                                 .call(0, "accept", 6, 3, 7)
                                                 .call(0, "recv", 7, 7, -1)
                                                 .call(0, "tidy", 8)
                                                 .leave(0)
                                                 .finish();
        LocationEvents &events = trace->locations[0].events;
        events.descriptorCalls.insert(events.descriptorCalls.begin(), {1, -1, -1, 0, 2});
        events.descriptorCalls.back().error = EAGAIN;
        events.descriptorDetails = {{{2, 0}}, {"127.0.0.1:4711"}, {{1, 3, POLLIN}, {1, 9, POLLIN | POLLHUP}, {1, -1, 0}}};
        const auto told = [&](Tick start, const char *function) {
            return textOf(detailsIn(trace, callAt(*trace, 0, start, function)));
        };
        const Track &track = events.track;
        const QString poll = told(track.start[1], "poll");
        QVERIFY2(poll.contains("Ready: 3 (in), 9 (in + hung up), one not known"), qPrintable(poll));
        const QString accept = told(track.start[2], "accept");
        QVERIFY2(accept.contains("Descriptor: 3\nAddress: 127.0.0.1:4711\nReturned: 7"), qPrintable(accept));
        const QString receive = told(track.start[3], "recv");
        QVERIFY2(receive.contains("Returned: -1\nError: Resource temporarily unavailable (errno 11)"), qPrintable(receive));
        QVERIFY2(!told(track.start[4], "tidy").contains("Descriptor"), "a function that is none of the C library's");
    }

    void linksLeadToCallsThatAreThere() {
        const TracePtr trace = smallTrace();
        const std::vector<Detail> details = detailsIn(trace, callAt(*trace, 0, 90, "MPI_Send"));
        bool any = false;
        for (const Detail &detail : details) {
            if (!detail.goes)
                continue;
            QVERIFY2(!detailsIn(trace, *detail.goes).empty(), qPrintable("leads nowhere: " + detail.value));
            any = any || detail.goes->ranks == RankSet{1};
        }
        QVERIFY2(any, "the receiver cannot be selected");
    }

    void whoWaitsAtTheEnd() {
        const TracePtr trace = TraceBuilder(2)
                                   .collectiveCall(0, 0, 10, CollectiveOperation::Barrier)
                                   .collectiveCall(1, 0, 10, CollectiveOperation::Barrier)
                                   .enter(0, 20, "MPI_Recv")
                                   .enter(1, 20, "solve")
                                   .finish(1'000'000'000);
        Selection one;
        one.ranks = {1};
        const QString text = textOf(detailsIn(trace, one));
        QVERIFY2(text.contains("Ranks: 1"), qPrintable(text));
        QVERIFY(detailsIn(trace, one, false).size() <= detailsIn(trace, one).size());
    }

    void nothingIsSelected() {
        const TracePtr trace = smallTrace();
        QVERIFY(detailsIn(trace, {}).empty());
        Selection beyond;
        beyond.ranks = {99};
        QVERIFY(selectedCall(*trace, beyond, 0).row == none);
    }
};

QTEST_APPLESS_MAIN(TestCallDetails)
#include "tst_calldetails.moc"
