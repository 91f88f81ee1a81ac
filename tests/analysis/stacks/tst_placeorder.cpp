// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/PlaceOrder.h"

#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <functional>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

using Order = PlaceOrder::Order;

/// A run in which all ranks do the same, one MPI call in a function after the other.
class Run {
  public:
    explicit Run(Rank ranks) : m_ranks(ranks), m_builder(ranks) {}

    Run &call(const std::string &function, const std::string &mpi) {
        return in(function, [&](Rank rank) { m_builder.call(rank, m_now + 1, m_now + 2, mpi); });
    }
    Run &collective(const std::string &function, CollectiveOperation operation, CommunicatorId communicator = 0) {
        return in(function, [&](Rank rank) { m_builder.collectiveCall(rank, m_now + 1, m_now + 2, operation, communicator); });
    }
    CommunicatorId communicator(std::vector<Rank> members) { return m_builder.communicator(std::move(members)); }
    TracePtr finish() { return m_builder.finish(m_now + 10); }

  private:
    Run &in(const std::string &function, const std::function<void(Rank)> &inside) {
        for (Rank rank = 0; rank < m_ranks; ++rank) {
            m_builder.enter(rank, m_now, function);
            inside(rank);
            m_builder.leave(rank, m_now + 3, function);
        }
        m_now += 10;
        return *this;
    }
    Rank m_ranks;
    TraceBuilder m_builder;
    Tick m_now = 10;
};

/// The places of a call of MPI in a function, as another job has it.
std::vector<std::uint32_t> placesOf(const PlaceOrder &order, const std::string &function, const std::string &mpi) {
    const TracePtr job = TraceBuilder(1).enter(0, 1, function).enter(0, 2, mpi).finish(10);
    for (CallPathId path = 0; path < job->callPaths.size(); ++path)
        if (job->region(path).isMpi())
            return order.placesOf(*job, path);
    return {};
}
std::uint32_t placeOf(const PlaceOrder &order, const std::string &function, const std::string &mpi) {
    const std::vector<std::uint32_t> places = placesOf(order, function, mpi);
    return places.size() == 1 ? places.front() : none;
}

} // namespace

class TestPlaceOrder : public QObject {
    Q_OBJECT
  private slots:
    void oneAfterTheOther() {
        const TracePtr run = Run(2).call("read", "MPI_Recv").call("solve", "MPI_Recv").finish();
        const PlaceOrder order(*run, Work());
        const std::uint32_t read = placeOf(order, "read", "MPI_Recv"), solve = placeOf(order, "solve", "MPI_Recv");
        QVERIFY(read != none && solve != none);
        QCOMPARE(order.compare(read, solve), Order::Before);
        QCOMPARE(order.compare(solve, read), Order::After);
    }

    // Twice round: exchange, Allreduce, output. A rank in `output` has passed an Allreduce that one in `exchange` of the next
    // round has passed too: no other can be between them. So `output` comes first, whatever the lines say.
    void aCollectiveOfAllCutsTheLoop() {
        Run run(3);
        for (int round = 0; round < 2; ++round)
            run.call("exchange", "MPI_Recv").collective("residual", CollectiveOperation::Allreduce).call("output", "MPI_Send");
        const TracePtr reference = run.finish();
        const PlaceOrder order(*reference, Work());
        const std::uint32_t exchange = placeOf(order, "exchange", "MPI_Recv"), all = placeOf(order, "residual", "MPI_Allreduce"),
                            output = placeOf(order, "output", "MPI_Send");
        QCOMPARE(order.compare(output, exchange), Order::Before);
        QCOMPARE(order.compare(exchange, all), Order::Before);
        QCOMPARE(order.compare(output, all), Order::Before);
        QCOMPARE(order.compare(all, output), Order::After);
    }

    void collectivesThatJoinNotAll_data() {
        QTest::addColumn<int>("operation");
        QTest::addColumn<bool>("isOfSome");
        QTest::newRow("of some ranks") << int(CollectiveOperation::Allreduce) << true;
        QTest::newRow("the root of a broadcast goes on") << int(CollectiveOperation::Bcast) << false;
        QTest::newRow("a scan is done from rank to rank") << int(CollectiveOperation::Scan) << false;
    }
    // Twice round: exchange, the collective, output. A rank in `output` may be a round behind one in `exchange`, or not.
    void collectivesThatJoinNotAll() {
        QFETCH(int, operation);
        QFETCH(bool, isOfSome);
        Run run(3);
        const CommunicatorId some = run.communicator({0, 1});
        for (int round = 0; round < 2; ++round) {
            run.call("exchange", "MPI_Recv");
            run.collective("middle", static_cast<CollectiveOperation>(operation), isOfSome ? some : 0);
            run.call("output", "MPI_Send");
        }
        const TracePtr reference = run.finish();
        const PlaceOrder order(*reference, Work());
        QCOMPARE(order.compare(placeOf(order, "exchange", "MPI_Recv"), placeOf(order, "output", "MPI_Send")), Order::Open);
    }

    // One rank goes one way and the other the other: neither comes first.
    void ways() {
        TraceBuilder builder(2);
        builder.enter(0, 1, "left").call(0, 2, 3, "MPI_Recv").leave(0, 4, "left");
        builder.enter(1, 1, "right").call(1, 2, 3, "MPI_Recv").leave(1, 4, "right");
        const TracePtr run = builder.finish(10);
        const PlaceOrder order(*run, Work());
        QCOMPARE(order.compare(placeOf(order, "left", "MPI_Recv"), placeOf(order, "right", "MPI_Recv")), Order::Open);
    }

    void places() {
        const TracePtr run = Run(1).call("read", "MPI_Recv").call("read", "MPI_Recv").finish();
        const PlaceOrder order(*run, Work());
        QCOMPARE(placesOf(order, "read", "MPI_Recv").size(), std::size_t{1});
        QVERIFY2(placesOf(order, "solve", "MPI_Recv").empty(), "the run has no such caller");
        QVERIFY2(placesOf(order, "read", "MPI_Send").empty(), "the run has no such call");
        QCOMPARE(placesOf(order, "read", "mpi_recv_").size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestPlaceOrder)
#include "tst_placeorder.moc"
