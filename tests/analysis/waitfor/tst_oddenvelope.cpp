// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OddEnvelope.h"

#include "analysis/waitfor/JobView.h"
#include "ingest/Format.h"
#include "tests/support/Misfits.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using laggard::test::misfitOf;
using laggard::test::RecordingWriter;

namespace {

constexpr std::int32_t ranks = 6;
constexpr std::int32_t sendingRank = 1; // its message to rank 2 does not fit
constexpr std::int32_t receivingRank = 2;
constexpr std::int32_t old = 10;
constexpr std::int32_t changed = 20;

struct Case {
    std::int32_t sent = changed;         ///< by the sender, in the last round
    std::int32_t awaited = old;          ///< by the receiver
    std::vector<std::int32_t> others{};  ///< sent in that round by ranks 0, 3, 4, 5; 0: it has not come so far
    std::uint64_t before = 5;            ///< rounds in which all sent `old`
    std::vector<std::int32_t> earlier{}; ///< what ranks 0, 3, 4, 5 sent in these, if not that
    bool isCommunicator = false;         ///< `changed` stands for another communicator, not for another tag
    bool isCut = false;                  ///< the beginning of the sender's records was overwritten
    int shift = 0;                       ///< ranks are renumbered
};

std::size_t placeOf(std::int32_t rank) { return rank == 0 ? 0 : static_cast<std::size_t>(rank) - 2; }

/// A ring of messages, each received by the next rank, until a last round in which the receiver waits.
std::optional<OddEnvelope> oddOf(const Case &what) {
    QTemporaryDir folder;
    const auto numbered = [&](std::int32_t rank) { return (rank + what.shift) % ranks; };
    const std::uint64_t last = 1000 * (what.before + 1);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RecordingWriter writer(numbered(rank), ranks);
        const std::uint32_t other = writer.communicator(7, {0, 1, 2, 3, 4, 5});
        const auto send = [&](std::uint64_t time, std::int32_t label) {
            const bool isOther = what.isCommunicator && label == changed;
            writer.begin(time, "MPI_Send")
                .sendPart(static_cast<std::uint32_t>(numbered((rank + 1) % ranks)), what.isCommunicator ? old : label, 0, 0,
                          isOther ? other : 0)
                .end(time + 10);
        };
        writer.call(1, 2, "MPI_Init");
        const bool isEnd = rank == sendingRank || rank == receivingRank;
        for (std::uint64_t time = 1000; time < last; time += 1000) {
            send(time, isEnd || what.earlier.empty() ? old : what.earlier[placeOf(rank)]);
            const std::int32_t from = (rank + ranks - 1) % ranks;
            const bool isOfEnd = from == sendingRank || from == receivingRank || what.earlier.empty();
            writer.receiveCall(time + 20, time + 100, static_cast<std::uint32_t>(numbered(from)),
                               what.isCommunicator || isOfEnd ? old : what.earlier[placeOf(from)]);
        }
        const std::int32_t label = rank == sendingRank ? what.sent : rank == receivingRank ? old : what.others[placeOf(rank)];
        if (label != 0)
            send(last, label);
        if (rank == receivingRank) {
            const bool isOther = what.isCommunicator && what.awaited == changed;
            writer.begin(last + 20, "MPI_Recv")
                .receivePart(static_cast<std::uint32_t>(numbered(sendingRank)), what.isCommunicator ? old : what.awaited, 0, 0,
                             isOther ? other : 0);
        }
        writer.header.aliveTicks = last + 1'000'000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const auto trace = std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    const auto from = static_cast<Rank>(numbered(sendingRank));
    trace->processes[from].eventsFrom = what.isCut ? 50 : 0;
    JobState state = observeJob(*trace, trace->range.end, {});
    const JobView job(*trace, state);
    const std::size_t send = trace->mainEvents(from)->sends.size() - 1;
    const auto awaited = static_cast<std::uint32_t>(what.isCommunicator ? old : what.awaited);
    MisfitMessage misfit = misfitOf(*trace, from, send, static_cast<Rank>(numbered(receivingRank)), awaited);
    misfit.otherCommunicator = what.isCommunicator;
    return oddEndByPeers(job, misfit);
}

} // namespace

class TestOddEnvelope : public QObject {
    Q_OBJECT
  private slots:
    void ends_data() {
        QTest::addColumn<Case>("what");
        QTest::addColumn<int>("odd"); // -1: none
        QTest::addColumn<double>("confidence");
        const auto row = [](const char *name, Case what, int odd, double confidence) {
            QTest::newRow(name) << what << odd << confidence;
        };
        const std::vector<std::int32_t> allNew{changed, changed, changed, changed};
        const std::vector<std::int32_t> allOld{old, old, old, old};
        row("all have changed, the receiver not", {.others = allNew}, receivingRank, 0.6);
        row("all have changed, the sender not", {.sent = old, .awaited = changed, .others = allNew}, sendingRank, 0.6);
        row("the sender alone has changed", {.others = allOld}, sendingRank, 0.6);
        row("the receiver alone has changed: no other one tells", {.sent = old, .awaited = changed, .others = allOld}, -1, 0);
        row("communicators likewise: the receiver", {.others = allNew, .isCommunicator = true}, receivingRank, 0.6);
        row("communicators likewise: the sender", {.others = allOld, .isCommunicator = true}, sendingRank, 0.6);
        row("some have not come so far", {.others = {changed, 0, 0, changed}}, receivingRank, 0.45);
        row("one alone may be the odd one", {.others = {0, 0, 0, changed}}, -1, 0);
        row("the others do not agree", {.others = {changed, changed, old, old}}, -1, 0);
        row("a third tag", {.others = {changed, changed, changed, 30}}, -1, 0);
        row("two rounds before are no course", {.others = allNew, .before = 2}, -1, 0);
        row("the others' tags were never the sender's", {.others = allNew, .earlier = {11, 12, 13, 14}}, -1, 0);
        row("what was before is lost", {.others = allNew, .isCut = true}, -1, 0);
        row("ranks renumbered", {.others = allNew, .shift = 3}, receivingRank, 0.6);
    }

    void ends() {
        QFETCH(Case, what);
        QFETCH(int, odd);
        QFETCH(double, confidence);
        const std::optional<OddEnvelope> found = oddOf(what);
        QCOMPARE(found ? static_cast<int>(found->rank) : -1, odd < 0 ? -1 : (odd + what.shift) % ranks);
        QCOMPARE(found ? found->confidence : 0, confidence);
    }
};

QTEST_APPLESS_MAIN(TestOddEnvelope)
#include "tst_oddenvelope.moc"
