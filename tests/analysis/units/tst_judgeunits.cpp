// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/JudgeUnits.h"
#include "analysis/units/LearnModel.h"
#include "tests/analysis/units/DaemonTrace.h"

#include <QTest>
#include <random>

using namespace laggard;
using namespace laggard::test;

namespace {

const std::vector<DaemonMessage> usual{{5, {"work", "answer"}}, {5, {"work", "answer"}}, {5, {"count"}}, {5, {"work", "answer"}}};

std::shared_ptr<Trace> run(const std::vector<std::vector<DaemonMessage>> &daemons, Tick start = 0) {
    DaemonTrace trace(static_cast<Rank>(daemons.size()), start);
    for (Rank rank = 0; rank < daemons.size(); ++rank)
        addDaemon(trace, rank, daemons[rank]);
    return trace.finish();
}

CallModel trained(const std::vector<std::shared_ptr<Trace>> &runs) {
    CallModel model;
    for (const auto &trace : runs)
        model.merge(learn(*trace, {}).model);
    return model;
}

/// What a report says, without ranks: to be compared between runs that differ in numbers alone.
QStringList saidOf(const UnitReport &report, Tick start) {
    QStringList said;
    for (const JudgedUnit &unit : report.units)
        said << QString("%1 at %2: %3, %4")
                    .arg(QString::fromStdString(std::string(nameOf(unit.kind))))
                    .arg(unit.start - start)
                    .arg(unit.score, 0, 'g', 17)
                    .arg(unit.differences.empty() ? "" : QString::fromStdString(unit.differences[0].function));
    return said;
}

std::vector<DaemonMessage> randomMessages(std::mt19937 &random) {
    std::vector<DaemonMessage> messages;
    for (int i = 0; i < 20; ++i) {
        DaemonMessage message{5, {}, 1 + static_cast<int>(random() % 2)};
        for (unsigned depth = random() % 4; depth > 0; --depth)
            message.handlers.push_back("f" + std::to_string(random() % 3));
        messages.push_back(message);
    }
    return messages;
}

} // namespace

class TestJudgeUnits : public QObject {
    Q_OBJECT
  private slots:
    void whatIsUsualScoresNothing();
    void namesTheCallThatDiffers();
    void tellsThePeerOfItsConnection();
    void anUnknownConnectionScoresOne();
    void anUnknownProcessScoresOne();
    void aProcessWithoutBeginningIsNoStranger();
    void ranksByScoreThenTime();
    void spansHaveAllUnits();
    void ranksDoNotMatter();
    void timeDoesNotMatter();
    void numbersOfCallsDoNotMatter();
    void orderOfRunsDoesNotMatter();
    void learnsOfWholeUnitsAlone();
    void aNodeIsInAUnitOnce();
    void aTurnWithoutMessageIsNoStranger();
};

void TestJudgeUnits::whatIsUsualScoresNothing() {
    const std::vector<DaemonMessage> always{{5, {"work"}}, {5, {"work"}}};
    const UnitReport report = judgeUnits(*run({always}), trained({run({always, always})}), {});
    QCOMPARE(report.suspicious, 0U);
    QVERIFY(report.units.empty());
    QCOMPARE(report.processes, 1U);
    QCOMPARE(report.judged, 5U); // initializer, accept, two messages, finalizer; the last turn is empty
}

void TestJudgeUnits::namesTheCallThatDiffers() {
    std::vector<DaemonMessage> faulty = usual;
    faulty[3].handlers = {"work", "reset"};
    const UnitReport report = judgeUnits(*run({usual, faulty}), trained({run({usual, usual, usual})}), {});
    const JudgedUnit &first = report.units.at(0);
    QCOMPARE(first.rank, 1U);
    QVERIFY(first.kind == UnitKind::Handler);
    QCOMPARE(first.descriptor, 5);
    const UnitDifference &call = first.differences.at(0);
    QVERIFY(call.kind == CallDifference::Kind::Unknown);
    QCOMPARE(call.function, std::string("reset"));
    QCOMPARE(call.file, std::string("reset.c"));
    QCOMPARE(call.site, std::string("work.c:51"));
    QCOMPARE(call.caller, std::string("work"));
    // dispatch 1, recv 1, work 3/4 called; reset unknown; answer 1 and count 1/4 missing: (0 + 0 + 1/4 + 1 + 1 + 1/4) / 6
    QVERIFY(qAbs(first.score - 2.5 / 6) < 1e-12);
}

/// The accept that made descriptor 5 tells who is at its other end; a datagram tells it itself.
void TestJudgeUnits::tellsThePeerOfItsConnection() {
    std::vector<DaemonMessage> faulty = usual;
    faulty[3].handlers = {"work", "reset"};
    const std::shared_ptr<Trace> trace = run({faulty});
    LocationEvents &events = trace->locations[0].events;
    std::uint32_t accept = none;
    for (const DescriptorCall &call : events.descriptorCalls)
        if (trace->region(events.track.callPath[call.row]).name == "accept" && call.result == 5)
            accept = call.row;
    QVERIFY(accept != none);
    events.descriptorDetails = {{{accept, 0}}, {"10.0.0.3:4711", "10.0.0.4:99"}, {}};
    const CallModel model = trained({run({usual, usual, usual})});
    const JudgedUnit first = judgeUnits(*trace, model, {}).units.at(0);
    QCOMPARE(first.descriptor, 5);
    QCOMPARE(first.peer, std::string("10.0.0.3:4711"));
    events.descriptorDetails.addresses.push_back({first.row, 1});
    QCOMPARE(judgeUnits(*trace, model, {}).units.at(0).peer, std::string("10.0.0.4:99"));
}

void TestJudgeUnits::anUnknownConnectionScoresOne() {
    std::vector<DaemonMessage> strange = usual;
    strange.push_back({9, {"work", "answer"}});
    const UnitReport report = judgeUnits(*run({strange}), trained({run({usual})}), {});
    QVERIFY(report.units.at(0).reason == JudgedUnit::Reason::UnknownConnection);
    QCOMPARE(report.units[0].score, 1.0);
    QCOMPARE(report.units[0].descriptor, 9);
}

void TestJudgeUnits::anUnknownProcessScoresOne() {
    DaemonTrace trace(1);
    trace.enter(0, "main").enter(0, "join", 9).call(0, "connect", 70, 3, 0).leave(0);
    trace.call(0, "poll", 10).call(0, "recv", 11, 3, 8).call(0, "poll", 10).leave(0).exits(0);
    const UnitReport report = judgeUnits(*trace.finish(), trained({run({usual})}), {});
    QCOMPARE(report.unknown, RankSet{0});
    QCOMPARE(report.units.size(), 1U);
    QVERIFY(report.units[0].reason == JudgedUnit::Reason::UnknownProcess);
    QCOMPARE(report.units[0].score, 1.0);
    QCOMPARE(report.units[0].differences.at(0).function, std::string("connect"));
    QCOMPARE(report.units[0].differences[0].site, std::string("join.c:70"));
}

void TestJudgeUnits::aProcessWithoutBeginningIsNoStranger() {
    const CallModel model = trained({run({usual})});
    DaemonTrace ring(1);
    ring.enter(0, "main").enter(0, "serve", 11);
    for (int i = 0; i < 3; ++i)
        ring.call(0, "poll", 30, -1, 1).enter(0, "dispatch", 32).call(0, "recv", 50, 5, 8).leave(0);
    ring.call(0, "poll", 30).loses(0, 1);
    const UnitReport report = judgeUnits(*ring.finish(), model, {});
    QVERIFY(report.unknown.empty());
    QVERIFY2(report.undecided.empty(), "there is one role that it can have");
    QVERIFY2(report.units.empty(), "how descriptor 5 came about is missing: that makes it no stranger");
    QCOMPARE(report.unplaced, 3U);

    CallModel two = model;
    DaemonTrace other(1);
    other.enter(0, "main").call(0, "connect", 3, 4, 0).leave(0).exits(0);
    two.merge(learn(*other.finish(), {}).model);
    QCOMPARE(judgeUnits(*ring.finish(), two, {}).undecided, RankSet{0});
}

void TestJudgeUnits::ranksByScoreThenTime() {
    std::vector<DaemonMessage> faulty = usual;
    faulty.push_back({5, {"reset"}});
    faulty.push_back({5, {"work", "answer"}});
    faulty.push_back({5, {"reset"}});
    const UnitReport report = judgeUnits(*run({faulty, faulty}), trained({run({usual})}), {});
    QVERIFY(report.units.size() >= 4);
    for (std::size_t i = 1; i < report.units.size(); ++i) {
        const JudgedUnit &before = report.units[i - 1];
        const JudgedUnit &unit = report.units[i];
        QVERIFY(std::tuple(-before.score, before.start, before.rank) <= std::tuple(-unit.score, unit.start, unit.rank));
    }
    QCOMPARE(report.units[0].differences.at(0).function, std::string("reset"));
}

/// The spans have every unit that was judged, with the scores that the list has.
void TestJudgeUnits::spansHaveAllUnits() {
    std::vector<DaemonMessage> faulty = usual;
    faulty.push_back({5, {"reset"}});
    const UnitReport report = judgeUnits(*run({faulty, usual}), trained({run({usual})}), {});
    QVERIFY(report.spans != nullptr);
    std::size_t count = 0, suspicious = 0, found = 0;
    for (const UnitSpans::Thread &thread : report.spans->threads) {
        QVERIFY(std::ranges::is_sorted(thread.start));
        QVERIFY(thread.finish.size() == thread.start.size() && thread.score.size() == thread.start.size());
        count += thread.start.size();
        suspicious += thread.suspicious.size();
    }
    QCOMPARE(count, static_cast<std::size_t>(report.judged));
    for (const JudgedUnit &unit : report.units) {
        const UnitSpans::Thread &thread = report.spans->threads[unit.location];
        for (std::size_t i = 0; i < thread.start.size(); ++i)
            found += thread.start[i] == unit.start && thread.finish[i] == unit.finish &&
                     thread.score[i] == static_cast<float>(unit.score) && thread.kind[i] == unit.kind;
    }
    QCOMPARE(found, report.units.size());
    QCOMPARE(suspicious, static_cast<std::size_t>(std::ranges::count_if(
                             report.units, [](const JudgedUnit &unit) { return unit.score >= usualUnitThreshold; })));
}

void TestJudgeUnits::ranksDoNotMatter() {
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::vector<DaemonMessage>> daemons;
        for (int i = 0; i < 4; ++i)
            daemons.push_back(randomMessages(random));
        const CallModel model = trained({run({randomMessages(random), randomMessages(random)})});
        QStringList before = saidOf(judgeUnits(*run(daemons), model, {}), 0);
        const CallModel learned = trained({run(daemons)});
        std::shuffle(daemons.begin(), daemons.end(), random);
        QStringList after = saidOf(judgeUnits(*run(daemons), model, {}), 0);
        before.sort();
        after.sort();
        QCOMPARE(after, before);
        QVERIFY2(trained({run(daemons)}) == learned, "a model depends on which process has which number");
    }
}

void TestJudgeUnits::timeDoesNotMatter() {
    std::mt19937 random(4);
    for (int round = 0; round < 20; ++round) {
        const std::vector<DaemonMessage> messages = randomMessages(random);
        const CallModel model = trained({run({randomMessages(random)})});
        QCOMPARE(saidOf(judgeUnits(*run({messages}, 5'000'000), model, {}), 5'000'000),
                 saidOf(judgeUnits(*run({messages}), model, {}), 0));
        QVERIFY(trained({run({messages}, 77)}) == trained({run({messages})}));
    }
}

/// A process that comes first gives call paths and regions other numbers.
void TestJudgeUnits::numbersOfCallsDoNotMatter() {
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        const std::vector<DaemonMessage> messages = randomMessages(random);
        const CallModel model = trained({run({randomMessages(random)})});
        DaemonTrace trace(2);
        trace.enter(0, "other").call(0, "f2", 1).call(0, "recv", 2, 5, 1).call(0, "f0", 3).leave(0);
        addDaemon(trace, 1, messages);
        UnitReport report = judgeUnits(*trace.finish(), model, {});
        std::erase_if(report.units, [](const JudgedUnit &unit) { return unit.rank == 0; });
        QCOMPARE(saidOf(report, 0), saidOf(judgeUnits(*run({messages}), model, {}), 0));
    }
}

void TestJudgeUnits::orderOfRunsDoesNotMatter() {
    std::mt19937 random(6);
    std::vector<std::shared_ptr<Trace>> runs;
    for (int i = 0; i < 6; ++i)
        runs.push_back(run({randomMessages(random), randomMessages(random)}));
    const CallModel model = trained(runs);
    std::shuffle(runs.begin(), runs.end(), random);
    QVERIFY(trained(runs) == model);
    QCOMPARE(model.roles.size(), 1U);
    QCOMPARE(model.roles[0].processes, 12U);
}

void TestJudgeUnits::learnsOfWholeUnitsAlone() {
    DaemonTrace trace(2);
    addDaemon(trace, 0, usual);
    trace.enter(1, "main").call(1, "bind", 3, 4, 0);
    const Lesson lesson = learn(*trace.finish(), {});
    QCOMPARE(lesson.incomplete, 1U);
    QCOMPARE(lesson.withoutLoop, RankSet{1});
    QVERIFY(lesson.withoutBeginning.empty());
    QCOMPARE(lesson.model.roles.size(), 1U); // how rank 1 would have gone on is not known
    DaemonTrace ring(1);
    addDaemon(ring, 0, usual);
    ring.loses(0, 2);
    const Lesson none = learn(*ring.finish(), {});
    QCOMPARE(none.withoutBeginning, RankSet{0});
    QVERIFY(none.model.roles.empty());
}

/// However many paths of a trace are one node: n_g <= n_f (thesis 6.1.3), and what was learnt is all known.
void TestJudgeUnits::aNodeIsInAUnitOnce() {
    std::mt19937 random(8);
    for (int round = 0; round < 30; ++round) {
        DaemonTrace made(2);
        addRandomDaemon(made, 0, random);
        addRandomDaemon(made, 1, random);
        const std::shared_ptr<Trace> trace = made.finish();
        const CallModel model = learn(*trace, {}).model;
        for (const CallModel::Role &role : model.roles)
            for (const CallModel::UnitModel &unit : role.units)
                for (std::uint32_t call = 0; call < unit.calls.size(); ++call)
                    QVERIFY2(unit.probability(call) <= 1, qPrintable(QString::fromStdString(unit.calls[call].function)));
        const UnitReport report = judgeUnits(*trace, model, {});
        QVERIFY(report.unknown.empty());
        for (const JudgedUnit &unit : report.units)
            for (const UnitDifference &call : unit.differences)
                QVERIFY2(call.kind != CallDifference::Kind::Unknown, qPrintable(QString::fromStdString(call.function)));
    }
}

/// In the runs that were learnt from there was always something to receive.
void TestJudgeUnits::aTurnWithoutMessageIsNoStranger() {
    const auto run = [](bool isIdle, const char *inTurn) {
        DaemonTrace trace(1);
        trace.enter(0, "main").call(0, "bind", 21, 3).enter(0, "serve", 11);
        for (int turn = 0; turn < 4; ++turn) {
            trace.call(0, "poll", 30, -1, 1).call(0, "prepare", 31);
            if (turn % 2 == 0 || !isIdle)
                trace.enter(0, "dispatch", 32).call(0, "recv", 50, 5, 8).leave(0);
            else if (*inTurn != '\0')
                trace.call(0, inTurn, 33);
        }
        return trace.leave(0).leave(0).exits(0).finish();
    };
    const CallModel model = learn(*run(false, ""), {}).model;
    const UnitReport idle = judgeUnits(*run(true, ""), model, {});
    QVERIFY2(idle.units.empty(),
             qPrintable(QString("a turn does what is done around each receive, but scores %1").arg(idle.suspicious)));
    const UnitReport strange = judgeUnits(*run(true, "repair"), model, {});
    QCOMPARE(strange.units.size(), 2U);
    QVERIFY(strange.units[0].kind == UnitKind::Turn && strange.units[0].reason == JudgedUnit::Reason::Calls);
    QCOMPARE(strange.units[0].differences.size(), 1U);
    QCOMPARE(strange.units[0].differences[0].function, std::string("repair"));
    QCOMPARE(strange.units[0].score, 0.5); // prepare, which all handlers call, and repair
}

QTEST_APPLESS_MAIN(TestJudgeUnits)
#include "tst_judgeunits.moc"
