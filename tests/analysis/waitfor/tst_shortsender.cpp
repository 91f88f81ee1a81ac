// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

struct Case {
    int workers = 3;
    int asked = 0;           ///< messages that rank 0 has sent each of them
    int askedLess = 0;       ///< fewer of them to the last one
    int lastWords = 1;       ///< messages of another kind that each of them has sent rank 0 in the end …
    bool isUneven = false;   ///< … and rank 1 one more
    bool isFollowed = false; ///< … and another message after it
    bool isCut = false;      ///< the beginning of rank 0's records was overwritten
};

/// All have sent rank 0 different numbers of results, and the last rank has not sent its last word. Rank 0 waits for that of any
/// rank, and the others for rank 0.
WaitForVerdict verdictOf(const Case &what) {
    QTemporaryDir folder;
    constexpr std::int32_t result = 5;
    constexpr std::int32_t lastWord = 6;
    const std::int32_t ranks = 1 + what.workers;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RecordingWriter writer(rank, ranks);
        writer.call(1, 2, "MPI_Init");
        std::uint64_t time = 1000;
        const auto exchange = [&](std::int32_t worker, std::int32_t tag, bool isToWorker) {
            const bool sends = (rank == 0) == isToWorker;
            const auto peer = static_cast<std::uint32_t>(rank == 0 ? worker : 0);
            if (rank == 0 || rank == worker)
                sends ? writer.sendCall(time, time + 10, peer, tag) : writer.receiveCall(time + 20, time + 30, peer, tag);
            time += 100;
        };
        for (std::int32_t worker = 1; worker < ranks; ++worker) {
            const bool isLast = worker + 1 == ranks;
            for (int i = 0; i < what.asked - (isLast ? what.askedLess : 0); ++i)
                exchange(worker, 4, true);
            for (int i = 0; i < 3 * worker; ++i)
                exchange(worker, result, false);
            for (int i = 0; i < what.lastWords - (isLast ? 1 : 0) + (what.isUneven && worker == 1 ? 1 : 0); ++i)
                exchange(worker, lastWord, false);
            if (what.isFollowed)
                exchange(worker, result, false);
        }
        if (rank == 0)
            writer.begin(time, "MPI_Recv").receivePart(recording::anySource, lastWord);
        else
            writer.begin(time, "MPI_Barrier").collectivePart(0);
        writer.header.aliveTicks = time + 1'000'000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const auto trace = std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    trace->processes[0].eventsFrom = what.isCut ? 800 : 0;
    return buildWaitForGraph(*trace, openEnd, {}).verdict;
}

} // namespace

class TestShortSender : public QObject {
    Q_OBJECT
  private slots:
    void lastWords_data() {
        QTest::addColumn<Case>("what");
        QTest::addColumn<bool>("named");
        QTest::newRow("never sent it") << Case{} << true;
        QTest::newRow("sent one less") << Case{.lastWords = 3} << true;
        QTest::newRow("asked as often as the others") << Case{.asked = 2} << true;
        QTest::newRow("asked less often, so that it may owe nothing") << Case{.asked = 2, .askedLess = 1} << false;
        QTest::newRow("the others are not alike") << Case{.isUneven = true} << false;
        QTest::newRow("nobody has sent any") << Case{.lastWords = 0} << false;
        QTest::newRow("what was received before is lost") << Case{.isCut = true} << false;
    }
    void lastWords() {
        QFETCH(Case, what);
        QFETCH(bool, named);
        const WaitForVerdict verdict = verdictOf(what);
        const bool isShort = !verdict.missingSends.empty() && !verdict.missingSends.front().others.empty();
        QVERIFY2(isShort == named, verdict.why.c_str());
        if (!named)
            return;
        QCOMPARE(verdict.kind, Kind::MissingSend);
        QCOMPARE(verdict.ranks, RankSet{3});
        QCOMPARE(verdict.missingSends.front().others, (std::vector<Rank>{1, 2}));
        QCOMPARE(verdict.missingSends.front().tag, 6U);
        QVERIFY2(verdict.confidence >= 0.5 && verdict.confidence <= 0.6, qPrintable(QString::number(verdict.confidence)));
    }
    /// It happened once, and they sent other things since: by chance, perhaps.
    void onceIsNoHabit() {
        const WaitForVerdict verdict = verdictOf({.isFollowed = true});
        QVERIFY2(verdict.confidence < 0.5, qPrintable(QString::number(verdict.confidence)));
    }
    /// Of two senders, one may well have more to say.
    void twoSendersAreLessSure() {
        const WaitForVerdict verdict = verdictOf({.workers = 2});
        QCOMPARE(verdict.ranks, RankSet{2});
        QVERIFY2(verdict.confidence < 0.5, qPrintable(QString::number(verdict.confidence)));
    }
};

QTEST_APPLESS_MAIN(TestShortSender)
#include "tst_shortsender.moc"
