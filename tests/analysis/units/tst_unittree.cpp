// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/LearnModel.h"
#include "analysis/units/UnitTree.h"
#include "tests/analysis/units/DaemonTrace.h"

#include <QTest>
#include <random>

using namespace laggard;
using namespace laggard::test;

namespace {

std::shared_ptr<Trace> run(const std::vector<DaemonMessage> &messages) {
    DaemonTrace trace(1);
    addDaemon(trace, 0, messages);
    return trace.finish();
}

/// "work unexpected 1.00" and the like, indented by depth.
QStringList drawn(const UnitTree &tree) {
    QStringList lines;
    std::vector<int> depth;
    for (const UnitTreeCall &call : tree.calls) {
        depth.push_back(call.parent == none ? 0 : depth[call.parent] + 1);
        const char *presence = call.presence == UnitTreeCall::Presence::Both       ? "both"
                               : call.presence == UnitTreeCall::Presence::UnitOnly ? "unit only"
                                                                                   : "model only";
        lines << QString(2 * depth.back(), ' ') + QString("%1: %2, p %3%4")
                                                      .arg(QString::fromStdString(call.function), presence)
                                                      .arg(call.probability)
                                                      .arg(call.counts ? QString(", counts %1").arg(call.score) : QString());
    }
    return lines;
}

} // namespace

class TestUnitTree : public QObject {
    Q_OBJECT
  private slots:
    void showsUnitBesideModel();
    void ofAnUnknownConnectionThereIsTheUnitAlone();
    void itsNodesMakeTheScore();
    void thereIsNoneOfWhatIsNotThere();
};

void TestUnitTree::showsUnitBesideModel() {
    const std::vector<DaemonMessage> usual{
        {5, {"work", "answer"}}, {5, {"work", "answer"}}, {5, {"count", "log"}}, {5, {"work", "answer"}}};
    std::vector<DaemonMessage> faulty = usual;
    faulty[3].handlers = {"work", "reset", "wipe"};
    const CallModel model = learn(*run(usual), {}).model;
    const std::shared_ptr<Trace> trace = run(faulty);
    const JudgedUnit found = judgeUnits(*trace, model, {}).units.at(0);
    const std::optional<UnitTree> tree = unitTree(*trace, model, found, {});
    QVERIFY(tree);
    QCOMPARE(tree->modelUnits, 4U);
    QCOMPARE(tree->score, found.score);
    // Below what is unknown, and below what is missing, nothing counts.
    const QStringList expected{"dispatch: both, p 1, counts 0",
                               "  recv: both, p 1, counts 0",
                               "  work: both, p 0.75, counts 0.25",
                               "    reset: unit only, p 0, counts 1",
                               "      wipe: unit only, p 0",
                               "    answer: model only, p 1, counts 1",
                               "  count: model only, p 0.25, counts 0.25",
                               "    log: model only, p 1"};
    QCOMPARE(drawn(*tree), expected);
}

void TestUnitTree::ofAnUnknownConnectionThereIsTheUnitAlone() {
    const CallModel model = learn(*run({{5, {"work"}}}), {}).model;
    const std::shared_ptr<Trace> trace = run({{5, {"work"}}, {9, {"work"}}});
    const JudgedUnit found = judgeUnits(*trace, model, {}).units.at(0);
    QVERIFY(found.reason == JudgedUnit::Reason::UnknownConnection);
    const std::optional<UnitTree> tree = unitTree(*trace, model, found, {});
    QVERIFY(tree);
    QCOMPARE(tree->score, 1.0);
    QCOMPARE(tree->modelUnits, 0U);
    for (const UnitTreeCall &call : tree->calls)
        QVERIFY2(call.presence == UnitTreeCall::Presence::UnitOnly, "there is no model of such units");
}

void TestUnitTree::itsNodesMakeTheScore() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        const auto messages = [&random] {
            std::vector<DaemonMessage> made;
            for (int i = 0; i < 20; ++i) {
                DaemonMessage message{5, {}, 1 + static_cast<int>(random() % 2)};
                for (unsigned depth = random() % 4; depth > 0; --depth)
                    message.handlers.push_back("f" + std::to_string(random() % 4));
                made.push_back(message);
            }
            return made;
        };
        const CallModel model = learn(*run(messages()), {}).model;
        const std::shared_ptr<Trace> trace = run(messages());
        for (const JudgedUnit &unit : judgeUnits(*trace, model, {}).units) {
            const std::optional<UnitTree> tree = unitTree(*trace, model, unit, {});
            QVERIFY(tree);
            double sum = 0;
            int effective = 0;
            for (std::size_t i = 0; i < tree->calls.size(); ++i) {
                const UnitTreeCall &call = tree->calls[i];
                QVERIFY2(call.parent == none || call.parent < i, "callers come first");
                sum += call.score;
                effective += call.counts ? 1 : 0;
            }
            QVERIFY(qAbs(sum / effective - unit.score) < 1e-12); // equation 6.2
        }
    }
}

void TestUnitTree::thereIsNoneOfWhatIsNotThere() {
    const CallModel model = learn(*run({{5, {"work"}}}), {}).model;
    const std::shared_ptr<Trace> trace = run({{5, {"work"}}});
    JudgedUnit strange;
    strange.rank = 0;
    strange.location = 0;
    strange.row = 100'000;
    QVERIFY(!unitTree(*trace, model, strange, {}));
}

QTEST_APPLESS_MAIN(TestUnitTree)
#include "tst_unittree.moc"
