// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveTotals.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <limits>

using namespace laggard;
using laggard::test::TraceBuilder;
using Operation = CollectiveOperation;

namespace {

struct Amount {
    std::uint64_t given = 0;
    std::uint64_t room = 0;
};
using Amounts = std::vector<Amount>; // by rank

std::optional<TotalsMisfit> misfitOf(Operation operation, Rank root, const Amounts &amounts) {
    TraceBuilder builder(static_cast<Rank>(amounts.size()));
    for (Rank rank = 0; rank < amounts.size(); ++rank)
        builder.collectiveCall(rank, 1, 5, Operation::Barrier, 0).collectiveCall(rank, 11, 15, operation, 0, root);
    const auto trace = std::const_pointer_cast<Trace>(builder.finish(1000));
    trace->tellsOpenCalls = true;
    trace->format = "recording";
    for (Rank rank = 0; rank < amounts.size(); ++rank)
        for (CollectiveKind &kind : trace->locations[trace->processes[rank].mainLocation].events.collectiveKinds)
            if (kind.operation == operation) {
                kind.bytesSent = amounts[rank].given;
                kind.bytesReceived = amounts[rank].room;
            }
    return findTotalsMisfit(*trace, {});
}

} // namespace

class TestCollectiveTotals : public QObject {
    Q_OBJECT
  private slots:
    void amounts_data() {
        QTest::addColumn<int>("operation");
        QTest::addColumn<int>("root"); // -1: none
        QTest::addColumn<Amounts>("amounts");
        QTest::addColumn<QString>("odd"); // "-": nothing is wrong; "?": somebody is
        QTest::newRow("fits") << int(Operation::Alltoallv) << -1 << Amounts{{8, 4}, {4, 8}, {2, 2}} << "-";
        QTest::newRow("one gives less") << int(Operation::Alltoallv) << -1 << Amounts{{8, 4}, {4, 8}, {1, 2}} << "?";
        QTest::newRow("gatherv") << int(Operation::Gatherv) << 0 << Amounts{{4, 12}, {4, 0}, {4, 0}} << "-";
        QTest::newRow("gatherv, less") << int(Operation::Gatherv) << 0 << Amounts{{4, 12}, {4, 0}, {2, 0}} << "?";
        QTest::newRow("scatterv, more") << int(Operation::Scatterv) << 1 << Amounts{{0, 4}, {12, 4}, {0, 8}} << "?";
        QTest::newRow("gather") << int(Operation::Gather) << 0 << Amounts{{4, 12}, {4, 0}, {2, 0}} << "2";
        QTest::newRow("allgatherv") << int(Operation::Allgatherv) << -1 << Amounts{{4, 10}, {4, 10}, {2, 10}} << "-";
        QTest::newRow("allgatherv, room") << int(Operation::Allgatherv) << -1 << Amounts{{4, 10}, {4, 12}, {2, 10}} << "1";
        QTest::newRow("the root's amount is not known") << int(Operation::Gatherv) << 0 << Amounts{{4, 0}, {4, 0}, {2, 0}} << "-";
    }
    void amounts() {
        QFETCH(int, operation);
        QFETCH(int, root);
        QFETCH(Amounts, amounts);
        QFETCH(QString, odd);
        const auto found = misfitOf(static_cast<Operation>(operation), root < 0 ? Rank{none} : static_cast<Rank>(root), amounts);
        QString text = found ? "?" : "-";
        if (found && !found->odd.empty())
            text = QString::fromStdString(formatRanges(found->odd));
        QCOMPARE(text, odd);
    }

    /// Damaged archives may say any number; tested under the sanitizer of undefined behaviour.
    void theLeastDifferenceIsTold() {
        AmountMisfit amounts;
        amounts.tooMuch = std::numeric_limits<std::int64_t>::min();
        const std::string text = describeAmounts(amounts, 0, 1);
        QVERIFY2(text.find(" less than it has room for") != std::string::npos && text.find('-') == std::string::npos,
                 text.c_str());
    }

    void nothingIsSaidOfThoseThatSomeHaveNotCompleted() {
        TraceBuilder builder(2);
        builder.collectiveCall(0, 1, 5, Operation::Alltoallv, 0).enter(1, 1, "MPI_Alltoallv");
        const auto trace = std::const_pointer_cast<Trace>(builder.finish(1000));
        trace->tellsOpenCalls = true;
        trace->locations[0].events.collectiveKinds.front().bytesSent = 8;
        QVERIFY(!findTotalsMisfit(*trace, {}));
    }
};

QTEST_APPLESS_MAIN(TestCollectiveTotals)
#include "tst_collectivetotals.moc"
