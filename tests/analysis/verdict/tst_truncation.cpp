// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Truncation.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using laggard::test::RecordingWriter;

namespace {

/// Rank 0 sends 8 bytes, which arrive, and then `bytes`, all with tag 5. Rank 1 is as `finish` leaves it.
template <typename Finish> std::optional<Truncation> jobWith(std::uint64_t bytes, Finish finish) {
    const QTemporaryDir folder;
    RecordingWriter sender(0, 2);
    sender.sendCall(10, 12, 1, 5)
        .begin(20, "MPI_Send")
        .sendPart(1, 5, 0, 0, 0, bytes)
        .end(22)
        .begin(30, "MPI_Barrier")
        .collectivePart();
    RecordingWriter receiver(1, 2);
    receiver.receiveCall(9, 15, 0, 5);
    finish(receiver);
    sender.write((folder.path() + "/0.laggard").toStdString());
    receiver.write((folder.path() + "/1.laggard").toStdString());
    return findTruncation(*openTrace(folder.path().toStdString(), {}, {}));
}

} // namespace

class tst_Truncation : public QObject {
    Q_OBJECT
  private slots:
    void blockingReceive_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("room");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("larger than the buffer") << 72 << 32 << true;
        QTest::newRow("as large as the buffer") << 32 << 32 << false;
        QTest::newRow("smaller than the buffer") << 8 << 32 << false;
    }
    void blockingReceive() {
        QFETCH(int, bytes);
        QFETCH(int, room);
        QFETCH(bool, isFound);
        const auto found = jobWith(static_cast<std::uint64_t>(bytes), [&](RecordingWriter &receiver) {
            receiver.begin(18, "MPI_Recv").receivePart(0, 5, 0, 0, 0, static_cast<std::uint64_t>(room));
        });
        QCOMPARE(found.has_value(), isFound);
        if (!isFound)
            return;
        QCOMPARE(found->from, Rank{0});
        QCOMPARE(found->to, Rank{1});
        QCOMPARE(found->tag, 5U);
        QCOMPARE(found->bytes, std::uint64_t{72});
        QCOMPARE(found->room, std::uint64_t{32});
        QCOMPARE(found->sent, Tick{20});
    }

    /// The first buffer that was posted gets the first message: the second one's size does not matter.
    void postedReceives_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("the first is too small") << 8 << 100 << true;
        QTest::newRow("the second is too small") << 100 << 8 << false;
    }
    void postedReceives() {
        QFETCH(int, first);
        QFETCH(int, second);
        QFETCH(bool, isFound);
        const auto found = jobWith(72, [&](RecordingWriter &receiver) {
            receiver.begin(16, "MPI_Irecv").receivePart(0, 5, 1, 0, 0, static_cast<std::uint64_t>(first)).end(17);
            receiver.begin(17, "MPI_Irecv").receivePart(0, 5, 2, 0, 0, static_cast<std::uint64_t>(second)).end(18);
            receiver.begin(19, "MPI_Waitall").awaited({1, 2});
        });
        QCOMPARE(found.has_value(), isFound);
    }

    void wildcardsSayNothing() {
        const auto found = jobWith(
            72, [](RecordingWriter &receiver) { receiver.begin(18, "MPI_Recv").receivePart(0, recording::anyTag, 0, 0, 0, 32); });
        QVERIFY(!found);
    }

    /// A message with another tag is none of the receive's.
    void anotherChannel() {
        const auto found =
            jobWith(72, [](RecordingWriter &receiver) { receiver.begin(18, "MPI_Recv").receivePart(0, 6, 0, 0, 0, 32); });
        QVERIFY(!found);
    }
};

QTEST_APPLESS_MAIN(tst_Truncation)
#include "tst_truncation.moc"
