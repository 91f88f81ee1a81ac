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

/// Rank 0 stands in its last call, and waits for a message of rank 1 with tag 5; one of `sender` lies there.
std::optional<InterceptedMessage> interceptedIn(const Trace &trace, Rank sender, const MessageCount &left) {
    JobState state;
    state.at = trace.range.end;
    state.tasks.resize(trace.processes.size());
    state.unreceived.resize(trace.processes.size());
    state.unreceived[sender].push_back(left);
    const Track &track = trace.mainEvents(0)->track;
    TaskState &task = state.tasks[0];
    task.activity.kind = Activity::Kind::PointToPoint;
    task.mpiPath = task.activity.callPath = track.callPath[track.size() - 1];
    task.open.source = OpenCall::Source::Recorded;
    task.open.receives = {{1, 0, 5, false, 1}};
    const JobView job(trace, state);
    return findIntercepted(job, {0, 1});
}

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
    return interceptedIn(*trace, 2, {0, what.communicator, what.leftTag, 1, 8});
}

/// Rank 0 waits for a message of rank 1 with tag 5, and has posted another receive before.
struct Earlier {
    PostedReceive receive{.from = 1, .communicator = 0, .tag = 5};
    std::uint32_t messages = 1;   ///< of rank 1 that are on their way
    bool isLater = false;         ///< that receive was posted after the one that waits
    bool isOfRank2AsWell = false; ///< and the same is so on rank 2
    std::uint32_t before = 0;     ///< receives of rank 1 that rank 0 has completed before, each with a tag of its own …
    bool isInOrder = true;        ///< … in the order of their posting
};

std::optional<InterceptedMessage> abandonedIn(const Earlier &what) {
    TraceBuilder builder(3);
    for (std::uint32_t i = 0; i < what.before; ++i)
        builder.receiveCall(0, 2 * i, 2 * i + 1, 1, 100 + i);
    for (const Rank rank : {0U, 1U, 2U})
        builder.enter(rank, 60, rank == 1 ? "MPI_Barrier" : "MPI_Wait");
    const auto trace = std::const_pointer_cast<Trace>(builder.finish(100));
    trace->tellsOpenCalls = true;
    ReceivePostings &postings = trace->locations[0].events.postings;
    for (std::uint32_t i = 0; i < what.before; ++i) {
        postings.receive.push_back(i);
        postings.row.push_back(what.isInOrder || i > 1 ? i : 1 - i);
        postings.how.push_back(0);
    }
    JobState state;
    state.at = 100;
    state.tasks.resize(3);
    state.unreceived.resize(3);
    for (const Rank rank : {0U, 2U}) {
        if (rank == 2 && !what.isOfRank2AsWell)
            continue;
        if (what.messages != 0)
            state.unreceived[1].push_back({rank, 0, what.receive.tag, what.messages, 8});
        TaskState &task = state.tasks[rank];
        task.posted = {what.receive, {.from = 1, .communicator = 0, .tag = 5, .isAwaited = true}};
        if (what.isLater)
            std::swap(task.posted[0], task.posted[1]);
    }
    const JobView job(*trace, state);
    return findAbandoned(job, {0, 1, 2});
}

/// Rank 1 sends rank 0 jobs (tag 5), which rank 0 receives in `work`. In `ask` it asks for something (tag 8), and takes the
/// answer (tag 6) with any tag; in the last round a job comes first. After one more job, rank 0 waits for another one.
struct Request {
    std::uint32_t before = 4;  ///< rounds in which the answer was taken
    bool hasTakenJobs = false; ///< in the first of these it took a job, too
    bool isLate = false;       ///< the last answer is sent after rank 0 has gone on, and sent something
};

std::optional<InterceptedMessage> requestIn(const Request &what) {
    TraceBuilder builder(2);
    std::vector<std::uint32_t> wildcards;
    std::uint32_t receives = 0;
    const auto take = [&](const char *function, Tick time, std::uint32_t tag) {
        builder.enter(0, time, function).receiveCall(0, time + 1, time + 5, 1, tag).leave(0, time + 6, function);
        if (std::string_view(function) == "ask")
            wildcards.push_back(receives);
        ++receives;
    };
    Tick time = 100;
    for (std::uint32_t round = 0; round < what.before; ++round, time += 100) {
        const std::uint32_t tag = round == 0 && what.hasTakenJobs ? 5 : 6;
        builder.sendCall(1, time, time + 1, 0, tag).sendCall(1, time + 10, time + 11, 0, 5);
        take("ask", time + 2, tag);
        take("work", time + 12, 5);
    }
    builder.sendCall(1, time, time + 1, 0, 5).sendCall(1, time + 2, time + 3, 0, 5);
    if (!what.isLate)
        builder.sendCall(1, time + 4, time + 5, 0, 6);
    take("ask", time + 10, 5);
    take("work", time + 20, 5);
    builder.sendCall(0, time + 30, time + 31, 1, 9);
    if (what.isLate)
        builder.sendCall(1, time + 40, time + 41, 0, 6);
    builder.enter(1, time + 50, "MPI_Barrier").enter(0, time + 50, "work").enter(0, time + 51, "MPI_Recv");
    const auto trace = std::const_pointer_cast<Trace>(builder.finish(time + 100));
    trace->tellsOpenCalls = true;
    LocationEvents &events = trace->locations[0].events;
    for (const std::uint32_t receive : wildcards) {
        events.postings.receive.push_back(receive);
        events.postings.row.push_back(events.track.innermostAt(events.receives.time[receive] - 1));
        events.postings.how.push_back(ReceivePostings::AnyTag);
    }
    return interceptedIn(*trace, 1, {0, 0, 6, 1, 8});
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

    /// What was taken before the waiting call was served once more.
    void earlier_data() {
        QTest::addColumn<Request>("what");
        QTest::addColumn<bool>("isFound");
        QTest::addColumn<bool>("isInDoubt");
        QTest::newRow("the call took answers four times before") << Request{} << true << false;
        QTest::newRow("and the last one came late") << Request{.isLate = true} << true << false;
        QTest::newRow("it takes jobs as well") << Request{.hasTakenJobs = true} << false << false;
        QTest::newRow("its first time") << Request{.before = 0} << true << true;
        QTest::newRow("its first time, and the answer came when rank 0 had gone on")
            << Request{.before = 0, .isLate = true} << false << false;
    }
    void earlier() {
        QFETCH(Request, what);
        const auto found = requestIn(what);
        QTEST(found.has_value(), "isFound");
        if (!found)
            return;
        QTEST(found->isInDoubt, "isInDoubt");
        QCOMPARE(found->takenTag, 5U);
        QCOMPARE(found->leftTag, 6U);
    }

    void abandoned_data() {
        QTest::addColumn<Earlier>("what");
        QTest::addColumn<bool>("isFound");
        const PostedReceive same{.from = 1, .communicator = 0, .tag = 5};
        PostedReceive other = same;
        QTest::newRow("it asks for the same, and has the message") << Earlier{} << true;
        QTest::newRow("there is none") << Earlier{.messages = 0} << false;
        QTest::newRow("there are two: the later one gets its own") << Earlier{.messages = 2} << false;
        QTest::newRow("it was posted later") << Earlier{.isLater = true} << false;
        other.tag = 6;
        QTest::newRow("it asks for another tag") << Earlier{.receive = other} << false;
        other = same;
        other.tag = 4;
        QTest::newRow("another tag, and such were waited for in order ten times")
            << Earlier{.receive = other, .before = 10} << true;
        QTest::newRow("nine times") << Earlier{.receive = other, .before = 9} << false;
        QTest::newRow("another tag, and once out of order")
            << Earlier{.receive = other, .before = 12, .isInOrder = false} << false;
        other = same;
        other.from = 2;
        QTest::newRow("it asks for another rank's") << Earlier{.receive = other} << false;
        other = same;
        other.isAwaited = true;
        QTest::newRow("the call waits for it as well") << Earlier{.receive = other} << false;
        QTest::newRow("another rank has such a one, too") << Earlier{.isOfRank2AsWell = true} << false;
    }
    void abandoned() {
        QFETCH(Earlier, what);
        const auto found = abandonedIn(what);
        QTEST(found.has_value(), "isFound");
        if (!found)
            return;
        QVERIFY(found->isAbandoned);
        QCOMPARE(found->receiver, Rank{0});
        QCOMPARE(found->taken, Rank{1});
        QCOMPARE(found->takenTag, 5U);
        QCOMPARE(found->leftTag, what.receive.tag);
        QVERIFY2(found->left == none, "nothing lies unreceived");
    }
};

QTEST_APPLESS_MAIN(TestInterceptedMessages)
#include "tst_interceptedmessages.moc"
