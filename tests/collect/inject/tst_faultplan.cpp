// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/Plan.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace laggard::collect;

namespace {

FaultSpec specOf(const char *text, std::uint64_t seed) {
    FaultSpec spec = *parseFaultSpec(text).spec;
    spec.seed = seed;
    return spec;
}

Census exampleCensus() {
    Census census;
    census.calls = {{"MPI_Init", 1}, {"MPI_Send", 1000}, {"MPI_Barrier", 4}, {"MPI_Finalize", 1}};
    census.messages = {{"MPI_Send", 900}};
    census.functions = {{"/some where/app", 0x1100, 7}, {"/some where/app", 0x1200, 1}};
    return census;
}

} // namespace

class TestFaultPlan : public QObject {
    Q_OBJECT
  private slots:
    void isTheSameForTheSameSeed();
    void reachesEveryRankPlaceAndInstance();
    void keepsOtherChoicesWhenOneIsGiven();
    void drawsWhatTheRankExecutes();
    void saysWhyThereIsNone();
    void keepsACensus();
};

void TestFaultPlan::isTheSameForTheSameSeed() {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const FaultPlan one = drawPlan(specOf("FIN_LOOP", seed), 16, nullptr, true);
        const FaultPlan other = drawPlan(specOf("FIN_LOOP", seed), 16, nullptr, true);
        QCOMPARE(one.rank, other.rank);
        QCOMPARE(one.place, other.place);
        QCOMPARE(one.instance, other.instance);
        QCOMPARE(one.seconds, other.seconds);
        QCOMPARE(one.rank, drawRank(specOf("FIN_LOOP", seed), 16));
    }
}

void TestFaultPlan::reachesEveryRankPlaceAndInstance() {
    std::map<std::int32_t, int> ranks;
    std::map<FaultPlace, int> places;
    std::map<std::uint64_t, int> instances;
    std::map<double, int> lengths;
    constexpr int draws = 8000;
    for (int seed = 0; seed < draws; ++seed) {
        const FaultPlan plan = drawPlan(specOf("FIN_LOOP:range=3-22", static_cast<std::uint64_t>(seed)), 16, nullptr, true);
        ++ranks[plan.rank];
        ++places[plan.place];
        ++instances[plan.instance];
        ++lengths[plan.seconds];
    }
    QCOMPARE(ranks.size(), std::size_t{16});
    QCOMPARE(places.size(), std::size_t{4});
    QCOMPARE(instances.size(), std::size_t{20});
    QCOMPARE(instances.begin()->first, 3U);
    QCOMPARE(instances.rbegin()->first, 22U);
    QCOMPARE(lengths.size(), std::size_t{3});
    // Evenly: five standard deviations about the mean.
    for (const auto &[rank, number] : ranks)
        QVERIFY2(std::abs(number - draws / 16) < 110,
                 qPrintable(QString("rank %1 is drawn %2 times of 8000").arg(rank).arg(number)));
    std::set<FaultPlace> withoutFunctions;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        withoutFunctions.insert(drawPlan(specOf("FIN_LOOP", seed), 16, nullptr, false).place);
    QVERIFY(!withoutFunctions.contains(FaultPlace::Function));
}

void TestFaultPlan::keepsOtherChoicesWhenOneIsGiven() {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const FaultPlan drawn = drawPlan(specOf("INF_LOOP", seed), 16, nullptr, false);
        const FaultPlan given = drawPlan(specOf("INF_LOOP:rank=5", seed), 16, nullptr, false);
        QCOMPARE(given.rank, 5);
        QCOMPARE(given.place, drawn.place);
        QCOMPARE(given.instance, drawn.instance);
    }
}

void TestFaultPlan::drawsWhatTheRankExecutes() {
    const Census census = exampleCensus();
    std::map<std::string, int> operations;
    std::map<std::uint64_t, int> functions;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const FaultPlan plan = drawPlan(specOf("INF_LOOP:at=inside", seed), 4, &census, true);
        ++operations[plan.operation];
        QVERIFY(plan.instance >= 1 && plan.instance <= census.calls.at(plan.operation));
        const FaultPlan atFunction = drawPlan(specOf("INF_LOOP:at=function", seed), 4, &census, true);
        ++functions[atFunction.censusFunction.offset];
        QVERIFY(atFunction.instance >= 1 && atFunction.instance <= atFunction.censusFunction.count);
        const FaultPlan message = drawPlan(specOf("DROP_MESG", seed), 4, &census, true);
        QCOMPARE(message.operation, std::string("MPI_Send"));
        QVERIFY(message.instance <= 900);
    }
    // Rare operations as often as frequent ones; never MPI_Init or MPI_Finalize.
    QCOMPARE(operations.size(), std::size_t{2});
    QVERIFY(std::abs(operations["MPI_Barrier"] - 1000) < 120);
    QCOMPARE(functions.size(), std::size_t{2});
    QCOMPARE(drawPlan(specOf("INF_LOOP:op=MPI_Finalize,at=before", 1), 4, &census, true).operation, std::string("MPI_Finalize"));
}

void TestFaultPlan::saysWhyThereIsNone() {
    const Census census = exampleCensus();
    const Census empty;
    QCOMPARE(drawPlan(specOf("INF_LOOP:rank=4", 1), 4, nullptr, false).error, std::string("there is no rank 4 among 4"));
    QCOMPARE(drawPlan(specOf("INF_LOOP:op=MPI_Recv", 1), 4, &census, false).error,
             std::string("the census has no such operation of that rank"));
    QCOMPARE(drawPlan(specOf("INF_LOOP:at=function", 1), 4, &empty, false).error,
             std::string("the census has no function of that rank"));
    QCOMPARE(drawPlan(specOf("SLOW", 1), 4, &empty, false).error, std::string());
}

void TestFaultPlan::keepsACensus() {
    const QTemporaryDir folder;
    const std::string path = censusPath(folder.path().toStdString(), 3);
    const Census census = exampleCensus();
    QVERIFY(writeCensus(path, census));
    Census read;
    QVERIFY(readCensus(path, read));
    QCOMPARE(read.calls, census.calls);
    QCOMPARE(read.messages, census.messages);
    QCOMPARE(read.functions.size(), census.functions.size());
    QCOMPARE(read.functions[0].module, census.functions[0].module);
    QCOMPARE(read.functions[0].offset, census.functions[0].offset);
    QCOMPARE(read.functions[0].count, census.functions[0].count);
    QVERIFY(!readCensus(path + "x", read));
}

QTEST_APPLESS_MAIN(TestFaultPlan)
#include "tst_faultplan.moc"
