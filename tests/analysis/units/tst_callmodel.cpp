// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/CallModel.h"

#include <QTest>
#include <random>

using namespace laggard;

namespace {

CallModel::UnitModel handler(const std::string &connection, std::uint64_t units, std::vector<CallModel::Call> calls) {
    return {UnitKind::Handler, {{"main", connection}}, units, std::move(calls)};
}

CallModel modelOf(const std::string &signature, std::vector<CallModel::UnitModel> units) {
    CallModel own;
    own.runs = 1;
    own.roles.push_back({{{"main", signature}}, 1, {{"main", "poll"}}, std::move(units)});
    CallModel model;
    model.merge(own);
    return model;
}

CallModel randomModel(std::mt19937 &random) {
    std::vector<CallModel::Call> calls;
    for (std::uint32_t i = 0; i < 12; ++i) {
        const std::uint32_t parent = i == 0 || random() % 3 == 0 ? none : static_cast<std::uint32_t>(random() % i);
        const CallModel::Call call{
            parent, "f" + std::to_string(random() % 3), "", std::to_string(random() % 2) + ".c", 1, 1 + random() % 9};
        const bool isThere = std::any_of(calls.begin(), calls.end(), [&](const CallModel::Call &other) {
            return other.parent == parent && other.identity() == call.identity();
        });
        if (!isThere && (parent == none || parent < calls.size()))
            calls.push_back(call);
    }
    return modelOf("s" + std::to_string(random() % 2), {handler("c" + std::to_string(random() % 2), 10, calls)});
}

} // namespace

class TestCallModel : public QObject {
    Q_OBJECT
  private slots:
    void countsAddUp();
    void orderDoesNotMatter();
    void doesNotGrowWithProcesses();
    void functionsOfOneNameAreToldApart();
    void handlersTogether();
    void kindsHaveNames();
};

void TestCallModel::countsAddUp() {
    CallModel model = modelOf("bind", {handler("accept", 4, {{none, "a", "", "a.c", 7, 4}, {0, "b", "x.c:3", "", 0, 1}})});
    model.merge(modelOf("bind", {handler("accept", 6, {{none, "a", "", "a.c", 7, 6}, {0, "c", "", "", 0, 3}})}));
    QCOMPARE(model.runs, 2U);
    QCOMPARE(model.roles.size(), 1U);
    QCOMPARE(model.roles[0].processes, 2U);
    const CallModel::UnitModel &unit = model.roles[0].units.at(0);
    QCOMPARE(unit.units, 10U);
    QCOMPARE(unit.calls.size(), 3U);
    QCOMPARE(unit.calls[0].file, std::string("a.c"));
    QCOMPARE(unit.probability(0), 1.0);
    QCOMPARE(unit.probability(1), 0.1); // share of the units in which its caller was called (thesis 6.1.3)
    QCOMPARE(unit.probability(2), 0.3);
}

void TestCallModel::orderDoesNotMatter() {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        std::vector<CallModel> parts;
        for (int i = 0; i < 5; ++i)
            parts.push_back(randomModel(random));
        CallModel forwards;
        for (const CallModel &part : parts)
            forwards.merge(part);
        std::shuffle(parts.begin(), parts.end(), random);
        CallModel left;
        left.merge(parts[0]);
        left.merge(parts[1]);
        CallModel right;
        for (std::size_t i = 2; i < parts.size(); ++i)
            right.merge(parts[i]);
        right.merge(left);
        QVERIFY2(forwards == right, "models that are merged in another order are another model");
    }
}

void TestCallModel::doesNotGrowWithProcesses() {
    const CallModel one = modelOf("bind", {handler("accept", 4, {{none, "a", "", "", 0, 4}})});
    CallModel model;
    for (int i = 0; i < 1000; ++i)
        model.merge(one);
    QCOMPARE(model.roles.size(), 1U);
    QCOMPARE(model.roles[0].units.size(), 1U);
    QCOMPARE(model.roles[0].units[0].calls.size(), 1U);
    QCOMPARE(model.roles[0].processes, 1000U);
}

/// A pointer to functions of one name, each in a file of its own: from one site.
void TestCallModel::functionsOfOneNameAreToldApart() {
    const CallModel one = modelOf("bind", {handler("accept", 4, {{none, "run", "x.c:3", "a.c", 7, 4}})});
    CallModel model = modelOf("bind", {handler("accept", 4, {{none, "run", "x.c:3", "b.c", 7, 4}})});
    model.merge(one);
    const CallModel::UnitModel &unit = model.roles.at(0).units.at(0);
    QCOMPARE(unit.calls.size(), 2U);
    QCOMPARE(unit.calls[0].file, std::string("a.c"));
    QCOMPARE(unit.probability(0), 0.5);
    QCOMPARE(unit.probability(1), 0.5);
}

void TestCallModel::handlersTogether() {
    const CallModel model = modelOf("bind", {{UnitKind::Initializer, {}, 1, {{none, "init", "", "", 0, 1}}},
                                             handler("accept", 4, {{none, "a", "", "", 0, 4}, {0, "b", "", "", 0, 1}}),
                                             handler("connect", 2, {{none, "a", "", "", 0, 1}, {none, "c", "", "", 0, 2}})});
    const CallModel::UnitModel any = model.roles.at(0).anyHandler();
    QVERIFY(any.kind == UnitKind::Handler && any.connection.empty());
    QCOMPARE(any.units, 6U);
    QCOMPARE(any.calls.size(), 3U);
    QCOMPARE(any.calls[0].units, 5U);
    QCOMPARE(any.calls[2].function, std::string("c"));
}

void TestCallModel::kindsHaveNames() {
    for (const UnitKind kind : {UnitKind::Initializer, UnitKind::Handler, UnitKind::Turn, UnitKind::Finalizer, UnitKind::Thread})
        QCOMPARE(unitKindNamed(nameOf(kind)), std::optional(kind));
    QVERIFY(!unitKindNamed("loop"));
}

QTEST_APPLESS_MAIN(TestCallModel)
#include "tst_callmodel.moc"
