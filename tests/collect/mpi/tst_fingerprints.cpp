// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/collect/mpi/RecordedJob.h"
#include "trace/Trace.h"

#include <QTest>

using namespace laggard;

/// What is recorded of the contents of messages (programs/contents.c), from rank 0 to rank 1.
class TestFingerprints : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void bothEndsAgree_data();
    void bothEndsAgree();
    void someAreNotKnown_data();
    void someAreNotKnown();
    void differWithTheContents_data();
    void differWithTheContents();
    void noneOfMatchedMessages();
    void noneWithoutSize();
    void canBeLeftOut();

  private:
    using Fingerprints = std::map<std::uint32_t, std::vector<std::uint32_t>>; ///< by tag, in order
    static Fingerprints fingerprints(const LocationEvents &events, const MessageEnds &ends) {
        Fingerprints found;
        for (std::size_t i = 0; i < ends.size(); ++i)
            found[events.envelopes[ends.envelope[i]].tag].push_back(ends.fingerprintOf(i));
        return found;
    }
    static void record(RecordedJob &job, Fingerprints &sent, Fingerprints &received) {
        job.ranks = 2;
        QCOMPARE(job.run({RecordedJob::program("contents")}).status, 0);
        QCOMPARE(job.warnings(), QStringList());
        const TracePtr trace = openTrace(job.folder().toStdString(), {}, Work{});
        const auto eventsOf = [&](Rank rank) -> const LocationEvents & {
            return trace->locations[trace->processes[rank].mainLocation].events;
        };
        sent = fingerprints(eventsOf(0), eventsOf(0).sends);
        received = fingerprints(eventsOf(1), eventsOf(1).receives);
    }

    Fingerprints m_sent;
    Fingerprints m_received;
};

void TestFingerprints::initTestCase() {
    RecordedJob job;
    record(job, m_sent, m_received);
    QCOMPARE(m_sent.size(), m_received.size());
}

void TestFingerprints::bothEndsAgree_data() {
    QTest::addColumn<unsigned>("tag");
    QTest::addColumn<std::size_t>("messages");
    QTest::newRow("three bytes") << 1U << std::size_t{1};
    QTest::newRow("more than is looked at") << 2U << std::size_t{1};
    QTest::newRow("MPI_Isend, MPI_Irecv") << 3U << std::size_t{3};
    QTest::newRow("persistent requests") << 4U << std::size_t{3};
    QTest::newRow("MPI_Sendrecv") << 5U << std::size_t{1};
    QTest::newRow("MPI_Sendrecv_replace") << 6U << std::size_t{1};
    QTest::newRow("zeros") << 8U << std::size_t{3};
    QTest::newRow("columns to a row") << 10U << std::size_t{1};
    QTest::newRow("a row to columns") << 11U << std::size_t{1};
    QTest::newRow("columns of bytes to columns of numbers") << 12U << std::size_t{1};
    QTest::newRow("contiguous type") << 13U << std::size_t{1};
    if (m_sent.contains(23))
        QTest::newRow("columns, made with large counts") << 23U << std::size_t{1};
}

void TestFingerprints::bothEndsAgree() {
    QFETCH(unsigned, tag);
    QFETCH(std::size_t, messages);
    QCOMPARE(m_sent[tag].size(), messages);
    QCOMPARE(m_sent[tag], m_received[tag]);
    for (const std::uint32_t fingerprint : m_sent[tag])
        QVERIFY2(fingerprint != 0, "the contents could be read, and there is no fingerprint");
}

void TestFingerprints::someAreNotKnown_data() {
    QTest::addColumn<unsigned>("tag");
    QTest::newRow("columns of columns") << 20U;
    QTest::newRow("structure") << 21U;
    QTest::newRow("MPI_DOUBLE_INT, which has a gap") << 22U;
    QTest::newRow("nothing is sent") << 24U;
    QTest::newRow("type of Fortran") << 26U;
}

void TestFingerprints::someAreNotKnown() {
    QFETCH(unsigned, tag);
    QCOMPARE(m_sent[tag], (std::vector<std::uint32_t>{0}));
}

void TestFingerprints::differWithTheContents_data() {
    QTest::addColumn<unsigned>("tag");
    QTest::addColumn<bool>("firstTwo");
    QTest::newRow("each other contents") << 3U << true;
    QTest::newRow("each other contents, persistent") << 4U << true;
    QTest::newRow("twice the same, then more of it") << 8U << false;
}

void TestFingerprints::differWithTheContents() {
    QFETCH(unsigned, tag);
    QFETCH(bool, firstTwo);
    const std::vector<std::uint32_t> &sent = m_sent[tag];
    QCOMPARE(sent.size(), std::size_t{3});
    QCOMPARE(sent[0] != sent[1], firstTwo);
    QVERIFY(sent[1] != sent[2]);
}

/// Matched probes take messages, and receives may come in any order after them.
void TestFingerprints::noneOfMatchedMessages() {
    QVERIFY(m_sent[7].front() != 0);
    QCOMPARE(m_received[7], (std::vector<std::uint32_t>{0}));
}

void TestFingerprints::noneWithoutSize() {
    if (!m_sent.contains(25))
        QSKIP("This MPI has no MPI_Isendrecv.");
    QVERIFY(m_sent[25].front() != 0);
    QCOMPARE(m_received[25], (std::vector<std::uint32_t>{0}));
}

void TestFingerprints::canBeLeftOut() {
    RecordedJob job;
    job.options << "--fingerprints"
                << "off";
    Fingerprints sent;
    Fingerprints received;
    record(job, sent, received);
    for (const Fingerprints &all : {sent, received})
        for (const auto &[tag, fingerprints] : all)
            for (const std::uint32_t fingerprint : fingerprints)
                QCOMPARE(fingerprint, 0U);
}

QTEST_GUILESS_MAIN(TestFingerprints)
#include "tst_fingerprints.moc"
