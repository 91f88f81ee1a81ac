// SPDX-License-Identifier: GPL-3.0-or-later
// Between whom amounts do not fit, from moments, against the matrices themselves.
#include "analysis/waitfor/PairAmounts.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <numeric>
#include <random>
#include <set>

using namespace laggard;
using laggard::test::TraceBuilder;
using Operation = CollectiveOperation;

namespace {

using Matrix = std::vector<std::vector<std::uint64_t>>; // [giver][taker], by place from 0

/// As the recorder adds up what a member gives (a row) or has room for (a column).
ShareMoments momentsOf(const std::vector<std::uint64_t> &amounts) {
    ShareMoments moments;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        moments.first += amounts[i] * (i + 1);
        moments.second += amounts[i] * (i + 1) * (i + 1);
    }
    return moments;
}

std::vector<std::uint64_t> columnOf(const Matrix &matrix, std::size_t taker) {
    std::vector<std::uint64_t> column;
    for (const auto &row : matrix)
        column.push_back(row[taker]);
    return column;
}

std::uint64_t sumOf(const std::vector<std::uint64_t> &amounts) {
    return std::accumulate(amounts.begin(), amounts.end(), std::uint64_t{0});
}

/// The communicator's members, in the order of their places in it.
std::shared_ptr<Trace> traceOf(const std::vector<Rank> &members) {
    TraceBuilder builder(static_cast<Rank>(members.size()));
    const auto trace = std::const_pointer_cast<Trace>(builder.finish(10));
    trace->communicators.assign(1, {});
    trace->communicators[0].members = members;
    return trace;
}

struct Found {
    bool isMisfit = false;
    std::uint64_t giver = 0;
    std::uint64_t taker = 0;
    std::int64_t tooMuch = 0;
    std::uint64_t fingerprint = 0;
};

Found alltoallv(const Matrix &given, const Matrix &room, const std::vector<Rank> &members) {
    const auto trace = traceOf(members);
    const MemberPlaces places(*trace, 0);
    AmountSums sums;
    Found found;
    for (std::size_t i = 0; i < members.size(); ++i) {
        CollectiveKind kind{.operation = Operation::Alltoallv, .communicator = 0};
        kind.bytesSent = sumOf(given[i]);
        kind.bytesReceived = sumOf(columnOf(room, i));
        kind.hasMoments = true;
        kind.sentMoments = momentsOf(given[i]);
        kind.receivedMoments = momentsOf(columnOf(room, i));
        sums.add(places, members[i], kind);
        AmountSums own;
        own.add(places, members[i], kind);
        found.fingerprint += own.fingerprint();
    }
    if (const auto misfit = sums.misfit(places)) {
        found.isMisfit = true;
        found.giver = misfit->giver;
        found.taker = misfit->taker;
        found.tooMuch = misfit->tooMuch;
    }
    return found;
}

} // namespace

class TestPairAmounts : public QObject {
    Q_OBJECT
  private slots:
    /// Random changes of random matrices: the rows and columns that differ are found where there is one, and only there.
    void againstTheMatrices_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("changes");
        for (const int ranks : {2, 3, 7, 64})
            for (const int changes : {0, 1, 2, 5})
                QTest::addRow("%d ranks, %d changes", ranks, changes) << ranks << changes;
    }
    void againstTheMatrices() {
        QFETCH(int, ranks);
        QFETCH(int, changes);
        std::mt19937_64 random(static_cast<std::uint64_t>(ranks * 100 + changes));
        for (int round = 0; round < (ranks < 10 ? 200 : 20); ++round) {
            const auto n = static_cast<std::size_t>(ranks);
            Matrix given(n, std::vector<std::uint64_t>(n));
            for (auto &row : given)
                for (std::uint64_t &amount : row)
                    amount = random() % 4 == 0 ? 0 : random() % 1'000'000;
            Matrix room = given;
            const bool inRow = random() % 2 == 0;
            const std::size_t line = random() % n;
            for (int i = 0; i < changes; ++i) {
                const std::size_t giver = inRow ? line : random() % n;
                const std::size_t taker = inRow ? random() % n : line;
                room[giver][taker] = random() % 1'000'000;
            }
            std::set<std::size_t> givers;
            std::set<std::size_t> takers;
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j)
                    if (given[i][j] != room[i][j]) {
                        givers.insert(i + 1);
                        takers.insert(j + 1);
                    }
            std::vector<Rank> members(n);
            std::iota(members.begin(), members.end(), Rank{0});
            std::ranges::shuffle(members, random);
            const Found found = alltoallv(given, room, members);
            QCOMPARE(found.isMisfit, !givers.empty());
            QCOMPARE(found.fingerprint != 0, !givers.empty());
            QCOMPARE(found.giver, givers.size() == 1 ? std::uint64_t{*givers.begin()} : 0U);
            QCOMPARE(found.taker, takers.size() == 1 ? std::uint64_t{*takers.begin()} : 0U);
            if (givers.size() == 1 && takers.size() == 1)
                QCOMPARE(found.tooMuch, static_cast<std::int64_t>(given[*givers.begin() - 1][*takers.begin() - 1] -
                                                                  room[*givers.begin() - 1][*takers.begin() - 1]));
        }
    }

    /// By hand: places 1 to 3; the second gives the third 8 bytes less than it has room for.
    void oneGivesLess() {
        const Matrix room{{4, 4, 4}, {4, 4, 12}, {4, 4, 4}};
        const Matrix given{{4, 4, 4}, {4, 4, 4}, {4, 4, 4}};
        const Found found = alltoallv(given, room, {0, 1, 2});
        QCOMPARE(found.giver, 2U);
        QCOMPARE(found.taker, 3U);
        QCOMPARE(found.tooMuch, std::int64_t{-8});
    }

    /// The sums are equal, and yet what one member has for the others is not what they have room for.
    void exchangedAmounts() {
        const Matrix room{{0, 8, 2}, {1, 0, 1}, {1, 1, 0}};
        const Matrix given{{0, 2, 8}, {1, 0, 1}, {1, 1, 0}};
        const Found found = alltoallv(given, room, {5, 3, 9});
        QVERIFY(found.isMisfit);
        QCOMPARE(found.giver, 1U);
        QCOMPARE(found.taker, 0U);
    }

    void rooted_data() {
        QTest::addColumn<int>("operation");
        QTest::addColumn<QList<quint64>>("each"); // of members that are not the root, which is the second
        QTest::addColumn<QList<quint64>>("root"); // what the root has for each, or room for
        QTest::addColumn<int>("odd");             // place; 0: nobody
        QTest::newRow("gatherv fits") << int(Operation::Gatherv) << QList<quint64>{4, 8, 2} << QList<quint64>{4, 8, 2} << 0;
        QTest::newRow("gatherv, less") << int(Operation::Gatherv) << QList<quint64>{4, 8, 0} << QList<quint64>{4, 8, 2} << 3;
        QTest::newRow("gatherv, more") << int(Operation::Gatherv) << QList<quint64>{6, 8, 2} << QList<quint64>{4, 8, 2} << 1;
        QTest::newRow("scatterv fits") << int(Operation::Scatterv) << QList<quint64>{4, 8, 2} << QList<quint64>{4, 8, 2} << 0;
        QTest::newRow("scatterv, less room")
            << int(Operation::Scatterv) << QList<quint64>{4, 8, 1} << QList<quint64>{4, 8, 2} << 3;
        QTest::newRow("gather fits") << int(Operation::Gather) << QList<quint64>{4, 4, 4} << QList<quint64>{4, 4, 4} << 0;
        QTest::newRow("gather, less") << int(Operation::Gather) << QList<quint64>{4, 4, 1} << QList<quint64>{4, 4, 4} << 3;
        QTest::newRow("scatter, less room") << int(Operation::Scatter) << QList<quint64>{1, 4, 4} << QList<quint64>{4, 4, 4} << 1;
    }
    void rooted() {
        QFETCH(int, operation);
        QFETCH(QList<quint64>, each);
        QFETCH(QList<quint64>, root);
        QFETCH(int, odd);
        const auto trace = traceOf({7, 8, 9});
        const MemberPlaces places(*trace, 0);
        const auto of = static_cast<Operation>(operation);
        const bool gathers = of == Operation::Gather || of == Operation::Gatherv;
        const std::vector<std::uint64_t> ofRoot(root.begin(), root.end());
        AmountSums sums;
        for (Rank i = 0; i < 3; ++i) {
            CollectiveKind kind{.operation = of, .communicator = 0, .root = 8};
            (gathers ? kind.bytesSent : kind.bytesReceived) = each[i];
            if (i == 1) {
                (gathers ? kind.bytesReceived : kind.bytesSent) = sumOf(ofRoot);
                kind.hasMoments = of == Operation::Gatherv || of == Operation::Scatterv;
                if (kind.hasMoments)
                    (gathers ? kind.receivedMoments : kind.sentMoments) = momentsOf(ofRoot);
            }
            sums.add(places, 7 + i, kind);
        }
        const auto misfit = sums.misfit(places);
        QCOMPARE(misfit.has_value(), odd != 0);
        if (!misfit)
            return;
        QCOMPARE(gathers ? misfit->giver : misfit->taker, static_cast<std::uint64_t>(odd));
        QCOMPARE(gathers ? misfit->taker : misfit->giver, 2U);
    }

    void withoutMomentsOnlyTheSumsTell() {
        const auto trace = traceOf({0, 1});
        const MemberPlaces places(*trace, 0);
        AmountSums sums;
        sums.add(places, 0, {.operation = Operation::Alltoallv, .communicator = 0, .bytesSent = 8, .bytesReceived = 8});
        sums.add(places, 1, {.operation = Operation::Alltoallv, .communicator = 0, .bytesSent = 8, .bytesReceived = 9});
        const auto misfit = sums.misfit(places);
        QVERIFY(misfit);
        QCOMPARE(misfit->giver, 0U);
        QCOMPARE(misfit->taker, 0U);
        QCOMPARE(misfit->given, 16U);
        QCOMPARE(misfit->room, 17U);
    }
};

QTEST_APPLESS_MAIN(TestPairAmounts)
#include "tst_pairamounts.moc"
