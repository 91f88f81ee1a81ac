// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/LearnModel.h"
#include "analysis/units/UnitFollower.h"
#include "tests/analysis/units/DaemonTrace.h"

#include <QTest>
#include <random>

using namespace laggard;
using namespace laggard::test;

namespace {

const std::vector<DaemonMessage> usual{{5, {"work", "answer"}}, {5, {"work", "answer"}}, {5, {"count"}}, {5, {"work", "answer"}}};

CallModel usualModel() {
    DaemonTrace trace(1);
    addDaemon(trace, 0, usual);
    return learn(*trace.finish(), {}).model;
}

/// What was recorded up to some moment: so many messages of each daemon. With `hasEnded` all of it.
std::shared_ptr<Trace> soFar(const std::vector<std::vector<DaemonMessage>> &daemons, const std::vector<std::size_t> &messages,
                             bool hasEnded) {
    DaemonTrace trace(static_cast<Rank>(daemons.size()));
    for (Rank rank = 0; rank < daemons.size(); ++rank)
        if (hasEnded)
            addDaemon(trace, rank, daemons[rank]);
        else
            addRunningDaemon(trace, rank, std::span(daemons[rank]).first(messages[rank]));
    const std::shared_ptr<Trace> result = trace.finish();
    for (Rank rank = 0; rank < daemons.size(); ++rank) {
        result->processes[rank].pid = 100 + static_cast<std::int32_t>(rank);
        if (!hasEnded)
            result->processes[rank].end.kind = ProcessEnd::Kind::Running;
    }
    return result;
}

QStringList saidOf(const UnitReport &report) {
    QStringList said;
    for (const JudgedUnit &unit : report.units)
        said << QString("rank %1 at %2: %3").arg(unit.rank).arg(unit.start).arg(unit.score, 0, 'g', 17);
    return said;
}

} // namespace

class TestUnitFollower : public QObject {
    Q_OBJECT
  private slots:
    void tellsEachUnitOnce();
    void looksSayWhatOneReportSays();
    void keepsToItsScore();
    void judgesNobodyWhoHasNotSetUp();
    void remembersWhatTheRingHasLost();
    void saysWhatWasOverwritten();
};

void TestUnitFollower::tellsEachUnitOnce() {
    std::vector<DaemonMessage> faulty = usual;
    faulty[1].handlers = {"work", "reset"};
    const CallModel model = usualModel();
    UnitFollower follower(model, 0.4);
    QVERIFY2(follower.look(*soFar({faulty}, {1}, false), {}).report.units.empty(), "the faulty message has not come yet");
    QVERIFY2(follower.look(*soFar({faulty}, {2}, false), {}).report.units.empty(), "its turn is not over: it may go on");
    const UnitFollower::Look found = follower.look(*soFar({faulty}, {3}, false), {});
    QCOMPARE(found.report.units.size(), 1U);
    QCOMPARE(found.report.units[0].differences.at(0).function, std::string("reset"));
    QVERIFY2(!found.hasEnded, "the daemon still runs");
    QVERIFY2(follower.look(*soFar({faulty}, {4}, false), {}).report.units.empty(), "it has been told");
    const UnitFollower::Look last = follower.look(*soFar({faulty}, {4}, true), {});
    QVERIFY2(last.report.units.empty(), "it has been told");
    QVERIFY2(last.hasEnded, "the daemon has exited");
}

void TestUnitFollower::looksSayWhatOneReportSays() {
    const CallModel model = usualModel();
    for (unsigned seed = 0; seed < 30; ++seed) {
        std::mt19937 random(seed);
        std::vector<std::vector<DaemonMessage>> daemons(3);
        for (auto &daemon : daemons)
            for (int i = 0; i < 12; ++i) {
                DaemonMessage message{5, {}, 1 + static_cast<int>(random() % 2)};
                for (unsigned depth = random() % 4; depth > 0; --depth)
                    message.handlers.push_back("f" + std::to_string(random() % 3));
                daemon.push_back(message);
            }
        QStringList expected = saidOf(judgeUnits(*soFar(daemons, {}, true), model, {}));
        UnitFollower follower(model, 0);
        QStringList said;
        std::uint64_t judged = 0;
        std::vector<std::size_t> messages(daemons.size(), 0);
        for (bool hasEnded = false; !hasEnded;) {
            hasEnded = random() % 8 == 0;
            const UnitFollower::Look look = follower.look(*soFar(daemons, messages, hasEnded), {});
            said += saidOf(look.report);
            judged += look.report.judged;
            for (std::size_t &count : messages)
                count = std::min<std::size_t>(12, count + random() % 4);
        }
        said.sort();
        expected.sort();
        QCOMPARE(said, expected);
        QCOMPARE(judged, judgeUnits(*soFar(daemons, {}, true), model, {}).judged);
    }
}

void TestUnitFollower::keepsToItsScore() {
    std::vector<DaemonMessage> faulty = usual;
    faulty[1].handlers = {"work", "reset"};
    const CallModel model = usualModel();
    const double score = judgeUnits(*soFar({faulty}, {}, true), model, {}).units.at(0).score;
    UnitFollower above(model, score + 1e-9);
    QVERIFY2(above.look(*soFar({faulty}, {}, true), {}).report.units.empty(), "no unit has such a score");
    UnitFollower exactly(model, score);
    QCOMPARE(exactly.look(*soFar({faulty}, {}, true), {}).report.units.size(), 1U);
}

void TestUnitFollower::judgesNobodyWhoHasNotSetUp() {
    DaemonTrace beginning(1);
    beginning.enter(0, "main").enter(0, "setup", 10).enter(0, "socket", 20, 0).leave(0, 3).call(0, "bind", 21, 3);
    const std::shared_ptr<Trace> trace = beginning.finish();
    trace->processes[0].end.kind = ProcessEnd::Kind::Running;
    const CallModel model = usualModel();
    UnitFollower follower(model, 0);
    const UnitFollower::Look look = follower.look(*trace, {});
    QVERIFY2(look.report.unknown.empty(), "it has not called listen yet, and will");
    QCOMPARE(look.report.judged, 0U);
}

void TestUnitFollower::remembersWhatTheRingHasLost() {
    CallModel model = usualModel();
    DaemonTrace other(1); // a second kind of process, whose signature a lost beginning would fit as well
    other.enter(0, "main").call(0, "connect", 3, 4, 0).call(0, "close", 4, 4).leave(0).exits(0);
    model.merge(learn(*other.finish(), {}).model);
    DaemonTrace later(1, 1000);
    later.enter(0, "main").enter(0, "serve", 11);
    for (int i = 0; i < 3; ++i)
        later.call(0, "poll", 30, -1, 1).enter(0, "welcome", 31).call(0, "accept", 40, 3, 5).call(0, "strange", 41).leave(0);
    later.call(0, "poll", 30).loses(0, 1001);
    const std::shared_ptr<Trace> turned = later.finish();
    turned->processes[0].pid = 100;
    turned->processes[0].end.kind = ProcessEnd::Kind::Running;
    UnitFollower late(model, 0);
    QCOMPARE(late.look(*turned, {}).report.undecided, RankSet{0});
    UnitFollower follower(model, 0);
    static_cast<void>(follower.look(*soFar({usual}, {2}, false), {}));
    const UnitFollower::Look look = follower.look(*turned, {});
    QVERIFY2(look.report.undecided.empty(), "what it is was seen by the first look");
    QCOMPARE(look.report.processes, 1U);
}

void TestUnitFollower::saysWhatWasOverwritten() {
    const CallModel model = usualModel();
    UnitFollower follower(model, 0);
    static_cast<void>(follower.look(*soFar({usual}, {2}, false), {}));
    const std::shared_ptr<Trace> next = soFar({usual}, {4}, false);
    next->processes[0].eventsFrom = 5;
    QVERIFY2(follower.look(*next, {}).overwritten.empty(), "all since the look before is there");
    next->processes[0].eventsFrom = next->locations[0].lastEvent + 1;
    QCOMPARE(follower.look(*next, {}).overwritten, RankSet{0});
}

QTEST_APPLESS_MAIN(TestUnitFollower)
#include "tst_unitfollower.moc"
