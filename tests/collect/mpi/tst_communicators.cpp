// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/mpi/RecordedJob.h"

#include <QTest>

#include <map>
#include <set>

using namespace laggard::recording;

/// A job of four ranks that makes communicators in every way (programs/calls.c, communicators).
class TestCommunicators : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void hasEqualKeysOnAllMembers();
    void hasDifferentKeysForDifferentOnes();
    void knowsMembers_data();
    void knowsMembers();
    void translatesPeersToWorldRanks();
    void knowsRootsOfIntercommunicators();

  private:
    static constexpr int ranks = 4;
    RecordedJob m_job;
};

void TestCommunicators::initTestCase() {
    m_job.ranks = ranks;
    const QStringList command{RecordedJob::program("calls"), "communicators"};
    const RecordedJob::Result plain = m_job.runPlain(command);
    const RecordedJob::Result recorded = m_job.run(command);
    QCOMPARE(recorded.status, plain.status);
    QCOMPARE(recorded.output, plain.output);
    QCOMPARE(m_job.warnings(), QStringList());
}

void TestCommunicators::hasEqualKeysOnAllMembers() {
    std::map<QString, std::set<std::uint64_t>> keys;
    std::map<QString, int> holders;
    for (int rank = 0; rank < ranks; ++rank) {
        for (const auto &[name, key] : m_job.communicatorKeys(rank)) {
            if (name == "SELF")
                continue;
            // Those without name are copies of "even" or "odd".
            const QString fullName = name.startsWith('c') && name.size() == 2 ? name + (rank % 2 ? " odd" : " even") : name;
            keys[fullName].insert(key);
            ++holders[fullName];
        }
    }
    for (const auto &[name, found] : keys)
        QVERIFY2(found.size() == 1, qPrintable("the members of '" + name + "' do not agree on its key"));
    const std::map<QString, int> expected{{"WORLD", 4},  {"copy", 4},      {"icopy", 4},      {"even", 2},
                                          {"odd", 2},    {"typed", 3},     {"of group", 2},   {"created", 2},
                                          {"cart", 4},   {"inter", 4},     {"inter copy", 4}, {"of group again", 2},
                                          {"merged", 4}, {"upper row", 2}, {"lower row", 2}};
    for (const auto &[name, number] : expected)
        QVERIFY2(holders[name] == number,
                 qPrintable(QString("'%1' is known to %2 ranks, not %3").arg(name).arg(holders[name]).arg(number)));
}

void TestCommunicators::hasDifferentKeysForDifferentOnes() {
    std::map<std::uint64_t, std::set<QString>> names;
    for (int rank = 0; rank < ranks; ++rank) {
        QCOMPARE(m_job.communicatorKeys(rank).size(), m_job.file(rank).definitions().communicators.size());
        for (const auto &[name, key] : m_job.communicatorKeys(rank)) {
            const bool isUnnamed = name.startsWith('c') && name.size() == 2;
            names[key].insert(name == "SELF" ? QString("SELF of %1").arg(rank)
                              : isUnnamed    ? name + (rank % 2 ? "o" : "e")
                                             : name);
        }
    }
    for (const auto &[key, found] : names)
        QVERIFY2(found.size() == 1, qPrintable(*found.begin() + " and " + *found.rbegin() + " have the same key"));
}

void TestCommunicators::knowsMembers_data() {
    QTest::addColumn<int>("rank");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<quint32>>("expected");
    QTest::newRow("world") << 1 << "MPI_COMM_WORLD" << QList<quint32>{0, 1, 2, 3};
    QTest::newRow("self") << 1 << "MPI_COMM_SELF" << QList<quint32>{1};
    QTest::newRow("copy") << 0 << "copy" << QList<quint32>{0, 1, 2, 3};
    QTest::newRow("non-blocking copy") << 0 << "icopy" << QList<quint32>{0, 1, 2, 3};
    QTest::newRow("split in reverse order") << 0 << "even" << QList<quint32>{2, 0};
    QTest::newRow("other part") << 3 << "odd" << QList<quint32>{3, 1};
    QTest::newRow("split by type") << 2 << "typed" << QList<quint32>{1, 2, 3};
    QTest::newRow("of a group") << 2 << "of group" << QList<quint32>{0, 2};
    QTest::newRow("Comm_create") << 0 << "created" << QList<quint32>{0, 2};
    QTest::newRow("grid") << 3 << "cart" << QList<quint32>{0, 1, 2, 3};
    QTest::newRow("row of the grid") << 3 << "lower row" << QList<quint32>{2, 3};
    QTest::newRow("intercommunicator: the others") << 0 << "inter" << QList<quint32>{3, 1};
    QTest::newRow("from the other side") << 1 << "inter" << QList<quint32>{2, 0};
    QTest::newRow("copy of it") << 1 << "inter copy" << QList<quint32>{2, 0};
    QTest::newRow("merged") << 1 << "merged" << QList<quint32>{2, 0, 3, 1};
}

void TestCommunicators::knowsMembers() {
    QFETCH(int, rank);
    QFETCH(QString, name);
    QFETCH(QList<quint32>, expected);
    QList<quint32> members;
    std::uint32_t flags = 0;
    for (const FileDefinitions::Communicator &communicator : m_job.file(rank).definitions().communicators) {
        if (QString::fromStdString(communicator.name) != name)
            continue;
        flags = communicator.flags;
        for (const FileDefinitions::Run &run : communicator.members)
            for (std::uint32_t i = 0; i < run.length; ++i)
                members << run.first + i;
    }
    QCOMPARE(members, expected);
    QCOMPARE((flags & isIntercommunicator) != 0, name.startsWith("inter"));
}

void TestCommunicators::translatesPeersToWorldRanks() {
    // Rank 1 of the odd ones, which are in reverse order, is rank 1 of the world; rank 0 of it is 3.
    QVERIFY(m_job.calls(0).contains("MPI_Send send 1 tag 5 inter 4B MPI_INT ->"));
    QVERIFY(m_job.calls(1).contains("MPI_Recv receive any tag 5 inter 4B MPI_INT -> from 0 tag 5 inter 4B"));
}

void TestCommunicators::knowsRootsOfIntercommunicators() {
    QVERIFY(m_job.calls(2).contains("MPI_Bcast collective inter root 2 4B 0B ->"));
    QVERIFY(m_job.calls(1).contains("MPI_Bcast collective inter root 2 0B 4B ->"));
    QVERIFY(m_job.calls(0).contains("MPI_Bcast collective inter root null 0B 0B ->"));
}

QTEST_GUILESS_MAIN(TestCommunicators)
#include "tst_communicators.moc"
