// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/EventLoop.h"
#include "tests/analysis/units/DaemonTrace.h"

#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

struct Found {
    std::shared_ptr<Trace> trace;
    std::optional<EventLoop> loop;
};

Found loopOf(DaemonTrace &daemon, const std::vector<bool> &known = {}, bool hasEnded = true) {
    Found found;
    found.trace = daemon.finish();
    const std::vector<CallRole> roles = rolesOf(*found.trace);
    const Track &track = found.trace->locations[0].events.track;
    std::vector<std::uint32_t> receives;
    for (std::uint32_t row = 0; row < track.size(); ++row)
        if (const CallRole role = roles[found.trace->callPaths[track.callPath[row]].region];
            role == CallRole::Receive || role == CallRole::Accept)
            receives.push_back(row);
    found.loop = findEventLoop(*found.trace, track, roles, receives, known, hasEnded);
    return found;
}

std::string nameOfRow(const Found &found, std::uint32_t row) {
    const Track &track = found.trace->locations[0].events.track;
    return row == track.size() ? "the end" : found.trace->region(track.callPath[row]).name;
}

} // namespace

class TestEventLoop : public QObject {
    Q_OBJECT
  private slots:
    void isBetweenStartAndEnd();
    void needsAReceive();
    void isTheOneAroundMostReceives();
    void mayBeInAFunctionThatIsCalledAgain();
    void aKnownWaitNeedNotComeAgain();
    void callsAfterItAreNotInIt();
    void goesOnInAProcessThatRuns();
};

void TestEventLoop::isBetweenStartAndEnd() {
    DaemonTrace daemon(1);
    addDaemon(daemon, 0, {{5, {"work"}}, {5, {"work"}}});
    const Found found = loopOf(daemon);
    QVERIFY2(found.loop, "poll comes again with accept and recv in between: that is the event loop");
    QCOMPARE(found.loop->turns.size(), 4U);
    QCOMPARE(nameOfRow(found, found.loop->turns.front()), std::string("poll"));
    QCOMPARE(nameOfRow(found, found.loop->end), std::string("close"));
}

void TestEventLoop::needsAReceive() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main");
    for (int i = 0; i < 5; ++i)
        daemon.call(0, "poll", 3).call(0, "tick", 4);
    daemon.leave(0);
    QVERIFY2(!loopOf(daemon).loop, "a loop that receives nothing is a timer's");
}

void TestEventLoop::isTheOneAroundMostReceives() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main").enter(0, "handshake", 1);
    daemon.call(0, "poll", 5).call(0, "recv", 6, 4, 1).call(0, "poll", 5).leave(0);
    daemon.enter(0, "serve", 2);
    for (int i = 0; i < 3; ++i) {
        daemon.call(0, "select", 7);
        // A handler that waits for the rest of its message.
        daemon.enter(0, "handle", 8).call(0, "recv", 9, 4, 1).call(0, "poll", 10).call(0, "recv", 9, 4, 1).leave(0);
    }
    daemon.call(0, "select", 7).leave(0).leave(0);
    const Found found = loopOf(daemon);
    QVERIFY(found.loop);
    QCOMPARE(found.trace->region(found.loop->wait).name, std::string("select"));
    QCOMPARE(found.loop->turns.size(), 4U);
}

void TestEventLoop::mayBeInAFunctionThatIsCalledAgain() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main");
    for (int i = 0; i < 3; ++i)
        daemon.enter(0, "once", 4).call(0, "epoll_wait", 5).call(0, "recv", 6, 4, 1).leave(0);
    daemon.leave(0);
    const Found found = loopOf(daemon);
    QVERIFY(found.loop);
    QCOMPARE(found.loop->turns.size(), 3U);
    for (const std::uint32_t turn : found.loop->turns)
        QCOMPARE(nameOfRow(found, turn), std::string("once"));
}

void TestEventLoop::aKnownWaitNeedNotComeAgain() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main").call(0, "setup", 1).enter(0, "select", 2);
    QVERIFY(!loopOf(daemon).loop);
    const std::shared_ptr<Trace> trace = daemon.finish();
    std::vector<bool> known(trace->callPaths.size());
    for (CallPathId path = 0; path < trace->callPaths.size(); ++path)
        known[path] = trace->region(path).name == "select";
    const Found found = loopOf(daemon, known, false);
    QVERIFY2(found.loop, "other runs show that this is where the loop waits");
    QCOMPARE(nameOfRow(found, found.loop->turns.at(0)), std::string("select"));
}

void TestEventLoop::callsAfterItAreNotInIt() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main");
    for (int i = 0; i < 3; ++i)
        daemon.call(0, "select", 7).call(0, "recv", 8, 4, 1).call(0, "work", 9);
    daemon.call(0, "select", 7).call(0, "recv", 8, 4, 0).call(0, "report", 12).call(0, "close", 13, 4).leave(0);
    const Found found = loopOf(daemon);
    QVERIFY(found.loop);
    QCOMPARE(nameOfRow(found, found.loop->end), std::string("report"));
}

void TestEventLoop::goesOnInAProcessThatRuns() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main");
    for (int i = 0; i < 3; ++i)
        daemon.call(0, "select", 7).call(0, "recv", 8, 4, 1);
    daemon.enter(0, "never_before", 9);
    const Found found = loopOf(daemon, {}, false);
    QVERIFY(found.loop);
    QCOMPARE(nameOfRow(found, found.loop->end), std::string("the end"));
}

QTEST_APPLESS_MAIN(TestEventLoop)
#include "tst_eventloop.moc"
