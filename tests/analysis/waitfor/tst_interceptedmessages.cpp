// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/InterceptedMessages.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

struct Case {
    bool wasWildcard = true;         ///< the receive that was served: of any source
    Rank served = 1;                 ///< whose message it took
    bool servedAgain = false;        ///< the call that waits now was served later
    std::uint32_t leftTag = 5;       ///< tag of rank 2's message, which lies unreceived
    CommunicatorId communicator = 0; ///< communicator of that message
};

/// Rank 0's first receive took a message with tag 5; another receive now waits for one of rank 1 with tag 5.
std::optional<InterceptedMessage> foundIn(const Case &what) {
    TraceBuilder builder(3);
    builder.enter(0, 1, "first").receiveCall(0, 2, 10, what.served, 5).leave(0, 11, "first");
    if (what.servedAgain)
        builder.enter(0, 12, "second").receiveCall(0, 13, 14, 1, 5).leave(0, 15, "second");
    builder.enter(0, 20, "second").enter(0, 21, "MPI_Recv");
    for (const Rank rank : {1U, 2U})
        builder.enter(rank, 1, "MPI_Barrier");
    const auto trace = std::const_pointer_cast<Trace>(builder.finish(100));
    trace->tellsOpenCalls = true;
    LocationEvents &events = trace->locations[0].events;
    if (what.wasWildcard) {
        events.postings.receive.push_back(0);
        events.postings.row.push_back(1);
        events.postings.how.push_back(ReceivePostings::AnySource);
    }
    JobState state;
    state.at = 100;
    state.tasks.resize(3);
    state.unreceived.resize(3);
    state.unreceived[2].push_back({0, what.communicator, what.leftTag, 1, 8});
    TaskState &task = state.tasks[0];
    task.activity.kind = Activity::Kind::PointToPoint;
    task.mpiPath = task.activity.callPath = events.track.callPath[events.track.size() - 1];
    task.open.source = OpenCall::Source::Recorded;
    task.open.receives = {{1, 0, 5, false, 1}};
    const JobView job(*trace, state);
    return findIntercepted(job, {0, 1});
}

} // namespace

class TestInterceptedMessages : public QObject {
    Q_OBJECT
  private slots:
    void cases_data() {
        QTest::addColumn<Case>("what");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("any source took it") << Case{} << true;
        QTest::newRow("the receive was for just this one") << Case{.wasWildcard = false} << false;
        QTest::newRow("it took another's") << Case{.served = 2} << false;
        QTest::newRow("the waiting call was served since") << Case{.servedAgain = true} << false;
        QTest::newRow("it would not have taken what is left: tag") << Case{.leftTag = 6} << false;
        QTest::newRow("it would not have taken what is left: communicator") << Case{.communicator = 1} << false;
    }

    void cases() {
        QFETCH(Case, what);
        const auto found = foundIn(what);
        QTEST(found.has_value(), "isFound");
        if (!found)
            return;
        QCOMPARE(found->receiver, Rank{0});
        QCOMPARE(found->taken, Rank{1});
        QCOMPARE(found->left, Rank{2});
        QCOMPARE(found->leftTag, 5U);
        QCOMPARE(found->received, Tick{10});
        QVERIFY(found->anySource);
    }
};

QTEST_APPLESS_MAIN(TestInterceptedMessages)
#include "tst_interceptedmessages.moc"
