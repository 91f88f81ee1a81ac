// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/Agreement.h"
#include "app/across/Tree.h"
#include "tests/app/across/ThreadTransport.h"
#include "trace/Work.h"

#include <QTest>
#include <random>

using namespace laggard;

class TestTree : public QObject {
    Q_OBJECT

  private slots:
    void sizes_data();
    void sizes();
    void traffic();
    void exchange();
    void failure_data();
    void failure();
};

void TestTree::sizes_data() {
    QTest::addColumn<unsigned>("size");
    for (const unsigned size : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 13U, 16U, 33U})
        QTest::addRow("%u", size) << size;
}

/// A join that is associative and not commutative: the order of the processes shows in the result.
void TestTree::sizes() {
    QFETCH(unsigned, size);
    std::mt19937 random(size);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::vector<std::string>> given(size);
        std::vector<std::string> plain;
        for (auto &values : given)
            for (std::size_t i = random() % 5; i > 0; --i) {
                values.emplace_back(random() % 40, static_cast<char>('a' + random() % 26));
                plain.push_back(values.back());
            }
        const auto join = [](std::vector<std::string> &own, const std::vector<std::string> &other) {
            own.insert(own.end(), other.begin(), other.end());
        };
        std::vector<std::vector<std::string>> forAll(size);
        std::vector<std::string> first;
        runTogether(size, [&](Transport &transport) {
            std::vector<std::string> own = given[transport.rank()];
            reduceToFirst(transport, own, join);
            if (transport.rank() == 0)
                first = own;
            forAll[transport.rank()] = reduceForAll(transport, given[transport.rank()], join);
        });
        QCOMPARE(first, plain);
        for (const std::vector<std::string> &each : forAll)
            QCOMPARE(each, plain);
    }
}

/// A binomial tree: everybody but the first sends once, and the first hears from as many as the number of rounds.
void TestTree::traffic() {
    for (const unsigned size : {1U, 2U, 6U, 8U, 16U}) {
        std::vector<std::uint64_t> sent(size);
        runTogether(size, [&](Transport &transport) {
            std::uint64_t own = transport.rank();
            reduceToFirst(transport, own, [](std::uint64_t &a, std::uint64_t b) { a += b; });
            sent[transport.rank()] = transport.sent().messages;
        });
        for (unsigned rank = 0; rank < size; ++rank)
            QCOMPARE(sent[rank], rank == 0 ? 0U : 1U);
    }
}

void TestTree::exchange() {
    constexpr unsigned size = 6;
    std::vector<std::vector<std::string>> received(size);
    runTogether(size, [&](Transport &transport) {
        std::vector<std::string> own;
        for (unsigned to = 0; to < size; ++to)
            own.push_back(std::string(to, 'x') + std::to_string(transport.rank()));
        received[transport.rank()] = transport.exchange(own);
    });
    for (unsigned to = 0; to < size; ++to)
        for (unsigned from = 0; from < size; ++from)
            QCOMPARE(received[to][from], std::string(to, 'x') + std::to_string(from));
}

void TestTree::failure_data() {
    QTest::addColumn<QList<int>>("failing");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("nobody") << QList<int>{} << QString();
    QTest::newRow("one") << QList<int>{2} << "process 2 of 4: broken";
    QTest::newRow("several") << QList<int>{1, 3} << "process 1 of 4: broken";
    QTest::newRow("all say the same") << QList<int>{0, 1, 2, 3} << "broken";
}

/// What one process cannot do ends the work of all, and none waits for it.
void TestTree::failure() {
    QFETCH(QList<int>, failing);
    QFETCH(QString, sentence);
    std::vector<std::string> told(4);
    runTogether(4, [&](Transport &transport) {
        try {
            doTogether(transport, [&] {
                if (failing.contains(static_cast<int>(transport.rank())))
                    throw ReadError("broken");
            });
        } catch (const TogetherError &error) {
            told[transport.rank()] = error.what();
        }
    });
    for (const std::string &each : told)
        QCOMPARE(QString::fromStdString(each), sentence);
}

QTEST_GUILESS_MAIN(TestTree)
#include "tst_tree.moc"
