// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/Decomposition.h"
#include "analysis/units/UnitCalls.h"
#include "tests/analysis/units/DaemonTrace.h"

#include <QTest>
#include <set>

using namespace laggard;
using namespace laggard::test;

namespace {

struct Cut {
    std::shared_ptr<Trace> trace;
    ProcessUnits process;

    [[nodiscard]] QStringList kinds() const {
        QStringList kinds;
        for (const ExecutionUnit &unit : process.units)
            kinds << QString::fromStdString(std::string(nameOf(unit.kind)));
        return kinds;
    }
    [[nodiscard]] std::vector<CallModel::Stack> connectionOf(std::size_t unit) const {
        return keyOf(*trace, CallNames(*trace), process, process.units[unit]).connection;
    }
    /// Names of the calls that count.
    [[nodiscard]] std::set<std::string> callsOf(std::size_t unit) const {
        const CallNames callNames(*trace);
        UnitCalls calls(*trace, callNames);
        std::set<std::string> names;
        for (const CallPathId path : calls.of(process.units[unit]))
            names.insert(trace->region(path).name);
        return names;
    }
};

Cut cut(DaemonTrace &daemon) {
    Cut result{daemon.finish(), {}};
    result.process = decompose(*result.trace, 0, rolesOf(*result.trace), {});
    return result;
}

using Names = std::set<std::string>;
using Stacks = std::vector<CallModel::Stack>;

} // namespace

class TestDecomposition : public QObject {
    Q_OBJECT
  private slots:
    void cutsAtAcceptAndReceive();
    void partsOfAMessageAreOneUnit();
    void eachDescriptorOfATurnIsAUnit();
    void connectionsAreToldByHowTheyWereSetUp();
    void aDescriptorMayBeUsedAgain();
    void filesAreNoEvents();
    void pipesAreEvents();
    void withoutALoopAllIsOneUnit();
    void aUnitThatIsCutOffIsNotComplete();
    void aTurnWithoutReceiveIsAUnitOfItsOwn();
};

void TestDecomposition::cutsAtAcceptAndReceive() {
    DaemonTrace daemon(1);
    addDaemon(daemon, 0, {{5, {"work", "answer"}}, {5, {"leave"}}});
    const Cut found = cut(daemon);
    QCOMPARE(found.kinds(), QStringList({"initializer", "handler", "handler", "handler", "turn", "finalizer"}));
    QCOMPARE(found.callsOf(0), Names({"main", "setup", "socket", "bind", "listen", "serve"}));
    QCOMPARE(found.callsOf(1), Names({"welcome", "accept"}));
    QCOMPARE(found.callsOf(2), Names({"dispatch", "recv", "work", "answer"}));
    QCOMPARE(found.callsOf(3), Names({"dispatch", "recv", "leave"}));
    QCOMPARE(found.callsOf(5), Names({"main", "close"}));
    for (const ExecutionUnit &unit : found.process.units)
        QVERIFY(unit.isComplete);
    QCOMPARE(found.process.signature.size(), 2U); // bind and listen
}

void TestDecomposition::partsOfAMessageAreOneUnit() {
    DaemonTrace daemon(1);
    addDaemon(daemon, 0, {{5, {"work"}, 3}, {5, {"work"}}});
    QCOMPARE(cut(daemon).kinds(), QStringList({"initializer", "handler", "handler", "handler", "turn", "finalizer"}));
}

void TestDecomposition::eachDescriptorOfATurnIsAUnit() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main");
    for (int turn = 0; turn < 2; ++turn) {
        daemon.call(0, "select", 1, -1, 2);
        for (const std::int32_t descriptor : {4, 6})
            daemon.enter(0, "ready", 2).call(0, "recv", 3, descriptor, 8).call(0, "work", 4).leave(0);
    }
    daemon.call(0, "select", 1).leave(0);
    const Cut found = cut(daemon);
    QCOMPARE(found.kinds(), QStringList({"initializer", "handler", "handler", "handler", "handler", "turn"}));
    for (std::size_t unit = 1; unit < 5; ++unit)
        QCOMPARE(found.callsOf(unit), Names({"ready", "recv", "work"}));
}

void TestDecomposition::connectionsAreToldByHowTheyWereSetUp() {
    DaemonTrace daemon(1);
    addDaemon(daemon, 0, {{5, {"work"}}, {7, {"work"}}});
    const Cut found = cut(daemon);
    QCOMPARE(found.connectionOf(1),
             Stacks({{"main", "setup @ main.c:10", "bind @ setup.c:21"}, {"main", "setup @ main.c:10", "listen @ setup.c:22"}}));
    QCOMPARE(found.connectionOf(2), Stacks({{"main", "serve @ main.c:11", "welcome @ serve.c:31", "accept @ welcome.c:40"}}));
    QVERIFY2(found.connectionOf(3).empty(), "nothing tells how descriptor 7 came about");
}

void TestDecomposition::aDescriptorMayBeUsedAgain() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main");
    for (const char *by : {"first", "second", "first"}) {
        daemon.enter(0, by, 1).call(0, "socket", 2, 0, 4).call(0, "connect", 3, 4, 0).leave(0);
        daemon.call(0, "poll", 4, -1, 1).call(0, "recv", 5, 4, 8).call(0, "close", 6, 4, 0);
    }
    daemon.call(0, "poll", 4).leave(0);
    const Cut found = cut(daemon);
    QCOMPARE(found.kinds(), QStringList({"initializer", "handler", "handler", "handler", "turn"}));
    QVERIFY(found.connectionOf(1) != found.connectionOf(2));
    QCOMPARE(found.connectionOf(1), found.connectionOf(3));
}

void TestDecomposition::filesAreNoEvents() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main").call(0, "open", 1, -1, 9);
    daemon.enter(0, "open", 1, 0).leave(0, 9);
    for (int i = 0; i < 2; ++i)
        daemon.call(0, "poll", 2).call(0, "recv", 3, 4, 8).call(0, "read", 4, 9, 100);
    daemon.call(0, "poll", 2).leave(0);
    QCOMPARE(cut(daemon).kinds(), QStringList({"initializer", "handler", "handler", "turn"}));
}

void TestDecomposition::pipesAreEvents() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main").enter(0, "pipe", 1, 8).leave(0, 0, 9);
    for (int i = 0; i < 2; ++i)
        daemon.call(0, "poll", 2).call(0, "read", 3, 8, 1);
    daemon.call(0, "poll", 2).leave(0);
    const Cut found = cut(daemon);
    QCOMPARE(found.kinds(), QStringList({"initializer", "handler", "handler", "turn"}));
    QCOMPARE(found.connectionOf(1), Stacks({{"main", "pipe @ main.c:1"}}));
}

void TestDecomposition::withoutALoopAllIsOneUnit() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main").call(0, "connect", 1, 3, 0).call(0, "work", 2).leave(0);
    const Cut found = cut(daemon);
    QCOMPARE(found.kinds(), QStringList({"initializer"}));
    QVERIFY(found.process.units[0].isComplete);
    QVERIFY(found.process.loops.empty());
}

void TestDecomposition::aUnitThatIsCutOffIsNotComplete() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main");
    for (int i = 0; i < 2; ++i)
        daemon.call(0, "poll", 2).call(0, "recv", 3, 4, 8);
    daemon.enter(0, "work", 4);
    const Cut found = cut(daemon);
    QCOMPARE(found.kinds(), QStringList({"initializer", "handler", "handler"}));
    QVERIFY(found.process.units[1].isComplete);
    QVERIFY2(!found.process.units[2].isComplete, "what the last unit lacks may yet have come");

    DaemonTrace ring(1);
    addDaemon(ring, 0, {{5, {"work"}}});
    ring.loses(0, 3);
    const Cut cutRing = cut(ring);
    QVERIFY2(!cutRing.process.units[0].isComplete, "the beginning was overwritten");
    QVERIFY(!cutRing.process.isWholeFromStart);
}

void TestDecomposition::aTurnWithoutReceiveIsAUnitOfItsOwn() {
    DaemonTrace daemon(1);
    daemon.enter(0, "main");
    daemon.call(0, "poll", 2).call(0, "recv", 3, 4, 8).call(0, "work", 4);
    daemon.call(0, "poll", 2).call(0, "tick", 5);
    daemon.call(0, "poll", 2).call(0, "recv", 3, 4, 8).call(0, "work", 4);
    daemon.call(0, "poll", 2).leave(0);
    const Cut found = cut(daemon);
    QCOMPARE(found.kinds(), QStringList({"initializer", "handler", "turn", "handler", "turn"}));
    QCOMPARE(found.callsOf(1), Names({"recv", "work"}));
    QCOMPARE(found.callsOf(2), Names({"tick"}));
    QVERIFY2(found.callsOf(4).empty(), "the wait itself is in every turn, and does not count");
}

QTEST_APPLESS_MAIN(TestDecomposition)
#include "tst_decomposition.moc"
