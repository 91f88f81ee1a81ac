// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/CallModel.h"

#include <QtTest>
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
        const std::string name = "f" + std::to_string(random() % 5);
        const bool isThere = std::any_of(calls.begin(), calls.end(), [&](const CallModel::Call &call) {
            return call.parent == parent && call.function == name;
        });
        if (!isThere && (parent == none || parent < calls.size()))
            calls.push_back({parent, name, "", name + ".c", 1, 1 + random() % 9});
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
    void kindsHaveNames();
};

void TestCallModel::countsAddUp() {
    CallModel model = modelOf("bind", {handler("accept", 4, {{none, "a", "", "", 0, 4}, {0, "b", "x.c:3", "", 0, 1}})});
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

void TestCallModel::kindsHaveNames() {
    for (const UnitKind kind : {UnitKind::Initializer, UnitKind::Handler, UnitKind::Turn, UnitKind::Finalizer, UnitKind::Thread})
        QCOMPARE(unitKindNamed(nameOf(kind)), std::optional(kind));
    QVERIFY(!unitKindNamed("loop"));
}

QTEST_APPLESS_MAIN(TestCallModel)
#include "tst_callmodel.moc"
