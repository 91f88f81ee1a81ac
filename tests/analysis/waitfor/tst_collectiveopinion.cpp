// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveOpinion.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;
using Difference = CollectiveDifference;
using Operation = CollectiveOperation;

namespace {

/// A collective of 8 bytes on communicator 0.
struct Kind : CollectiveKind {
    explicit Kind(Operation what = Operation::Allreduce) {
        operation = what;
        communicator = 0;
        bytesSent = bytesReceived = 8;
    }
    Kind with(std::uint32_t CollectiveKind::*field, std::uint32_t value) const {
        Kind changed = *this;
        changed.*field = value;
        return changed;
    }
    Kind of(std::uint64_t sent, std::uint64_t received) const {
        Kind changed = *this;
        changed.bytesSent = sent;
        changed.bytesReceived = received;
        return changed;
    }
    Kind begun() const {
        Kind changed = *this;
        changed.nonBlocking = true;
        return changed;
    }
};

/// Rank 0: a barrier at 10, a broadcast posted at 20, an MPI_Allreduce at 30; the broadcast is completed at 45, or never.
std::shared_ptr<Trace> posted(bool isCompleted) {
    TraceBuilder builder(1);
    builder.collectiveCall(0, 10, 15, Operation::Barrier)
        .call(0, 20, 22, "MPI_Ibcast")
        .collectiveCall(0, 30, 35, Operation::Allreduce);
    if (isCompleted)
        builder.enter(0, 40, "MPI_Wait").collective(0, 45, Operation::Bcast).leave(0, 46, "MPI_Wait");
    auto trace = std::const_pointer_cast<Trace>(builder.finish(100));
    LocationEvents &events = trace->locations[0].events;
    if (isCompleted) { // as a recording has it: the row is that of the call that posted it, and the number goes by posting
        events.collectives.row[2] = 1;
        std::swap(events.collectives.instance[1], events.collectives.instance[2]);
        std::swap(trace->collectives[1].operation, trace->collectives[2].operation);
    } else {
        PendingRequest request;
        request.kind = PendingRequest::Kind::Collective;
        request.posted = 20;
        request.row = 1;
        request.collectiveKind = static_cast<std::uint32_t>(events.collectiveKinds.size());
        events.pending.push_back(request);
        events.collectiveKinds.push_back(Kind(Operation::Bcast).begun());
        trace->collectives[1].number = 2; // MPI_Allreduce: begun after the broadcast
    }
    return trace;
}

} // namespace

class TestCollectiveOpinion : public QObject {
    Q_OBJECT
  private slots:
    void differences_data() {
        QTest::addColumn<CollectiveKind>("a");
        QTest::addColumn<CollectiveKind>("b");
        QTest::addColumn<int>("difference");
        const auto row = [](const char *name, const CollectiveKind &a, const CollectiveKind &b, Difference difference) {
            QTest::newRow(name) << a << b << static_cast<int>(difference);
        };
        const Kind reduce(Operation::Reduce);
        const Kind gather(Operation::Gather);
        row("the same", Kind(), Kind(), Difference::None);
        row("operation", Kind(), reduce, Difference::Operation);
        row("calls of one kind", Kind(Operation::CreateHandle).with(&CollectiveKind::call, 1),
            Kind(Operation::CreateHandle).with(&CollectiveKind::call, 2), Difference::Operation);
        row("blocking", Kind(), Kind().begun(), Difference::NonBlocking);
        row("root", reduce.with(&CollectiveKind::root, 0), reduce.with(&CollectiveKind::root, 1), Difference::Root);
        row("unknown root", reduce.with(&CollectiveKind::root, 0), reduce, Difference::None);
        row("operator", Kind().with(&CollectiveKind::reduction, 1), Kind().with(&CollectiveKind::reduction, 2),
            Difference::Reduction);
        row("unknown operator", Kind().with(&CollectiveKind::reduction, 1), Kind(), Difference::None);
        row("type", Kind().with(&CollectiveKind::basicType, 1), Kind().with(&CollectiveKind::basicType, 2), Difference::Type);
        row("amount", Kind(), Kind().of(16, 16), Difference::Amount);
        row("the root receives, the others send", reduce.of(8, 8), reduce.of(8, 0), Difference::None);
        row("amounts that may differ", gather.of(8, 8), gather.of(16, 0), Difference::None);
        const Kind allgather(Operation::Allgather);
        row("each gives as much as any other", allgather.of(8, 32), allgather.of(8, 32), Difference::None);
        row("one gives less", allgather.of(8, 32), allgather.of(6, 24), Difference::Amount);
        const Kind bcast(Operation::Bcast);
        row("the root gives what the others have room for", bcast.of(8, 0), bcast.of(0, 8), Difference::None);
        row("less room than the root gives", bcast.of(8, 0), bcast.of(0, 6), Difference::Amount);
        row("beside the root between two groups", bcast.of(8, 0), bcast.of(0, 0), Difference::None);
        const Kind scattered(Operation::ReduceScatter);
        row("parts of a sum may differ", scattered.of(24, 8), scattered.of(24, 16), Difference::None);
        row("the whole of a sum may not", scattered.of(24, 8), scattered.of(32, 8), Difference::Amount);
        row("neighbours, of whom one has more", allgather.with(&CollectiveKind::call, 1).of(8, 32),
            allgather.with(&CollectiveKind::call, 1).of(16, 48), Difference::None);
        row("the gravest is said", reduce.with(&CollectiveKind::root, 0).of(8, 8),
            reduce.with(&CollectiveKind::root, 1).of(16, 0), Difference::Root);
    }

    void differences() {
        QFETCH(CollectiveKind, a);
        QFETCH(CollectiveKind, b);
        QTEST(static_cast<int>(differenceOf(a, b)), "difference");
        QTEST(static_cast<int>(differenceOf(b, a)), "difference");
    }

    /// Who knows nothing agrees with everybody, but makes no two others agree.
    void learning() {
        CollectiveKind known = Kind();
        learn(known, Kind().with(&CollectiveKind::reduction, 1));
        QCOMPARE(static_cast<int>(differenceOf(known, Kind().with(&CollectiveKind::reduction, 2))),
                 static_cast<int>(Difference::Reduction));
        learn(known, Kind().with(&CollectiveKind::reduction, 2));
        QCOMPARE(known.reduction, 1U);
    }

    void descriptions() {
        Trace trace;
        trace.names = {"MPI_SUM", "Comm_dup"};
        const Kind reduce = Kind(Operation::Reduce).with(&CollectiveKind::root, 2).with(&CollectiveKind::reduction, 0);
        const auto text = [&](const CollectiveKind &kind, Difference difference) {
            return QString::fromStdString(describeCollective(trace, kind, difference));
        };
        QCOMPARE(text(reduce, Difference::Root), QString("MPI_Reduce (root 2)"));
        QCOMPARE(text(reduce, Difference::Reduction), QString("MPI_Reduce (MPI_SUM)"));
        QCOMPARE(text(reduce, Difference::Amount), QString("MPI_Reduce (8 bytes)"));
        QCOMPARE(text(Kind(Operation::Barrier).begun(), Difference::NonBlocking), QString("MPI_Ibarrier"));
        QCOMPARE(text(Kind(Operation::CreateHandle).with(&CollectiveKind::call, 1), Difference::Operation),
                 QString("MPI_Comm_dup"));
        trace.communicators.resize(1); // the program counts the root within it
        trace.communicators[0].members = {3, 2, 4};
        QCOMPARE(text(reduce, Difference::Root), QString("MPI_Reduce (root 1 of its communicator, rank 2)"));
        trace.communicators[0].members = {0, 1, 2};
        QCOMPARE(text(reduce, Difference::Root), QString("MPI_Reduce (root 2)"));
        QCOMPARE(text(reduce.with(&CollectiveKind::reduction, 77), Difference::Reduction), QString("MPI_Reduce"));
    }

    void partOfTheRank_data() {
        QTest::addColumn<bool>("isCompleted");
        QTest::addColumn<std::uint32_t>("number");
        QTest::addColumn<std::uint32_t>("completed");
        QTest::addColumn<Tick>("at");
        QTest::addColumn<QString>("part");
        for (const bool isCompleted : {false, true}) {
            const QByteArray when = isCompleted ? ", waited for later" : ", never waited for";
            QTest::newRow("completed" + when) << isCompleted << 0U << 2U << Tick{38} << "Barrier completed";
            QTest::newRow("posted" + when) << isCompleted << 1U << 2U << Tick{38} << "Bcast posted";
            QTest::newRow("completed after it" + when) << isCompleted << 2U << 2U << Tick{38} << "Allreduce completed";
            QTest::newRow("posted, and in the next" + when) << isCompleted << 1U << 1U << Tick{32} << "Bcast posted";
            QTest::newRow("in it" + when) << isCompleted << 2U << 1U << Tick{32} << "";
            QTest::newRow("not yet posted" + when) << isCompleted << 1U << 1U << Tick{17} << "";
            QTest::newRow("there is none" + when) << isCompleted << 3U << 2U << Tick{38} << "";
        }
        QTest::newRow("has waited for it") << true << 1U << 3U << Tick{90} << "Bcast completed";
    }

    void partOfTheRank() {
        QFETCH(bool, isCompleted);
        QFETCH(std::uint32_t, number);
        QFETCH(std::uint32_t, completed);
        QFETCH(Tick, at);
        const auto trace = posted(isCompleted);
        const auto part = partOf(*trace, 0, 0, number, completed, at);
        const QString text = part ? QString::fromStdString(std::string(name(part->kind.operation))) +
                                        (part->state == CollectivePart::State::Posted ? " posted" : " completed")
                                  : QString();
        QTEST(text, "part");
        QVERIFY(!partOf(*trace, 0, 5, 0, 0, 100));
    }
};

QTEST_APPLESS_MAIN(TestCollectiveOpinion)
#include "tst_collectiveopinion.moc"
