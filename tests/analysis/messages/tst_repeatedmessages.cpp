// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/messages/RepeatedMessages.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <random>

using namespace laggard;
using laggard::test::TraceBuilder;
using Evidence = RepeatedMessage::Evidence;

namespace {

/// All processes on one machine, or each on its own.
std::shared_ptr<Trace> onMachines(const TracePtr &trace, bool isOne = true) {
    auto changed = std::const_pointer_cast<Trace>(trace); // nobody else has it
    for (Process &process : changed->processes) {
        if (changed->systemNodes.empty() || !isOne)
            changed->systemNodes.push_back({"n" + std::to_string(changed->systemNodes.size()), "node", none});
        process.node = static_cast<SystemNodeId>(changed->systemNodes.size() - 1);
    }
    return changed;
}

/// As a recording of one machine, whose processes share a clock.
std::shared_ptr<Trace> asRecording(const TracePtr &trace) {
    auto recording = onMachines(trace);
    recording->tellsOpenCalls = true;
    return recording;
}

std::vector<RepeatedMessage> find(const TracePtr &trace) { return findRepeatedMessages(*trace, Work{}); }

/// Rank 0 sends at 10, 30 and 50; rank 1 has received at 12, 22 and 42.
TraceBuilder &threeMessages(TraceBuilder &builder, Rank from, Rank to, Tick late = 0) {
    builder.sendCall(from, 10, 11, to, 7).sendCall(from, 30, 31, to, 7).sendCall(from, 50, 51, to, 7);
    return builder.receiveCall(to, 9, 12 + late, from, 7)
        .receiveCall(to, 20 + late, 22 + late, from, 7)
        .receiveCall(to, 40 + late, 42 + late, from, 7);
}

/// Rank 0 sends `times`; message `repeated` (none: no one) comes twice. Rank 1 is ready for a receive some time after the one
/// before, which is done one tick after there is something to take.
struct Simulation {
    std::vector<Tick> sent;
    std::vector<Tick> received;
    std::uint32_t repeated;

    Simulation(std::mt19937 &random, std::uint32_t messages, std::uint32_t which) : repeated(which) {
        std::vector<Tick> arrivals;
        Tick time = 10;
        for (std::uint32_t i = 0; i < messages; ++i) {
            sent.push_back(time += 5 + random() % 40);
            arrivals.push_back(time + 2);
            if (i == repeated)
                arrivals.push_back(time + 3);
        }
        Tick ready = 10;
        for (std::uint32_t i = 0; i < messages; ++i) {
            begun.push_back(ready);
            received.push_back(std::max(ready, arrivals[i]) + 1);
            ready = received.back() + 1 + random() % 50;
        }
    }

    TracePtr trace(Rank from, Rank to, Tick shift) const {
        TraceBuilder builder(std::max(from, to) + 1);
        for (std::size_t i = 0; i < sent.size(); ++i) {
            builder.sendCall(from, shift + sent[i], shift + sent[i] + 1, to, 3);
            builder.receiveCall(to, shift + begun[i], shift + received[i], from, 3);
        }
        return asRecording(builder.finish(shift + std::max(sent.back(), received.back()) + 10));
    }

    /// The first receive that was done when as many had been sent, counted one by one; `none` if there is none.
    std::uint32_t firstTooEarly() const {
        for (std::uint32_t i = 0; i < received.size(); ++i)
            if (std::count_if(sent.begin(), sent.end(), [&](Tick t) { return t <= received[i]; }) <= i)
                return i;
        return none;
    }

    std::vector<Tick> begun;
};

} // namespace

class tst_RepeatedMessages : public QObject {
    Q_OBJECT
  private slots:
    void aReceiveBeforeItsSend() {
        TraceBuilder builder(2);
        const TracePtr trace = asRecording(threeMessages(builder, 0, 1).finish(100));
        const std::vector<RepeatedMessage> found = find(trace);
        QCOMPARE(found.size(), 1U);
        const RepeatedMessage &message = found.front();
        QCOMPARE(message.evidence, Evidence::ReceivedEarly);
        QCOMPARE(message.from, Rank{0});
        QCOMPARE(message.to, Rank{1});
        QCOMPARE(message.tag, 7U);
        QCOMPARE(message.sends, 1U); // two received at 22, when one had been sent
        QCOMPARE(message.candidates, 1U);
        QCOMPARE(message.sent, Tick{10});
        QCOMPARE(message.noticed, Tick{22});
        QCOMPARE(message.early, Tick{8});
        QCOMPARE(QString::fromStdString(trace->region(message.callPath).name), QString("MPI_Send"));
        QVERIFY2(message.why.find("rank 1 had received 2 of which 1 had been sent") != std::string::npos, message.why.c_str());
    }

    void inOrderNothingIsSaid() {
        TraceBuilder builder(2);
        builder.sendCall(0, 10, 11, 1).sendCall(0, 30, 31, 1);
        builder.receiveCall(1, 5, 12, 0).receiveCall(1, 20, 32, 0);
        QVERIFY(find(asRecording(builder.finish(100))).empty());
    }

    /// One pair of ranks on two machines: nothing tells a clock that is off from a message that came twice.
    void otherMachinesSayNothing() {
        TraceBuilder builder(2);
        const auto trace = onMachines(threeMessages(builder, 0, 1).finish(100), false);
        trace->tellsOpenCalls = true;
        QVERIFY(find(trace).empty());
        for (Process &process : trace->processes)
            process.node = none;
        QVERIFY2(find(trace).empty(), "the machines are not known");
    }

    /// Clocks that are off are so in many places, by about as much.
    void clocksThatDisagree_data() {
        QTest::addColumn<int>("late"); // ticks by which the other pair's receives are later than 8 ticks too early
        QTest::addColumn<bool>("isFound");
        QTest::newRow("both pairs by 8") << 0 << false;
        QTest::newRow("the other by 6, a third is 2") << 2 << false;
        QTest::newRow("the other by 2, a third is more") << 6 << true;
    }
    void clocksThatDisagree() {
        QFETCH(int, late);
        QFETCH(bool, isFound);
        TraceBuilder builder(4);
        threeMessages(builder, 0, 1);
        threeMessages(builder, 2, 3, static_cast<Tick>(late));
        const std::vector<RepeatedMessage> found = find(onMachines(builder.finish(100)));
        QCOMPARE(!found.empty(), isFound);
        if (isFound)
            QVERIFY(found.size() == 1 && found.front().to == 1 && found.front().confidence < 0.6);
    }

    void oneMoreWasWaitingAtTheEnd_data() {
        QTest::addColumn<bool>("receivesAll");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("all were received") << true << true;
        QTest::newRow("one was never asked for") << false << false;
    }
    void oneMoreWasWaitingAtTheEnd() {
        QFETCH(bool, receivesAll);
        QFETCH(bool, isFound);
        TraceBuilder builder(2);
        builder.sendCall(0, 10, 11, 1, 7).sendCall(0, 30, 31, 1, 7).receiveCall(1, 5, 12, 0, 7);
        if (receivesAll)
            builder.receiveCall(1, 40, 41, 0, 7);
        builder.call(0, 60, 70, "MPI_Finalize").call(1, 60, 70, "MPI_Finalize");
        const auto trace = asRecording(builder.finish(100));
        trace->processes[1].leftOver = {{0, 0, 7, 1, 4, 0}};
        const std::vector<RepeatedMessage> found = find(trace);
        QCOMPARE(!found.empty(), isFound);
        if (!isFound)
            return;
        QCOMPARE(found.front().evidence, Evidence::LeftOver);
        QCOMPARE(found.front().sends, 2U);
        // The first was waited for; that it came again would have been taken for the second.
        QCOMPARE(found.front().candidates, 2U);
        QCOMPARE(found.front().earliest, Tick{10});
    }

    void moreReceivesThanSends() {
        TraceBuilder builder(2);
        builder.sendCall(0, 10, 11, 1, 7).receiveCall(1, 5, 12, 0, 7).receiveCall(1, 20, 22, 0, 7);
        const TracePtr archive = builder.finish(100);
        QVERIFY2(find(archive).empty(), "an archive may lack sends");
        const std::vector<RepeatedMessage> found = find(asRecording(archive));
        QCOMPARE(found.size(), 1U);
        QCOMPARE(found.front().evidence, Evidence::ReceivedMore);
        QCOMPARE(found.front().noticed, Tick{22});
    }

    /// Four messages of contents `sent`; the receives take `received`, each after its send, so that times show nothing.
    void contentsTell_data() {
        QTest::addColumn<QList<unsigned>>("sent");
        QTest::addColumn<QList<unsigned>>("received");
        QTest::addColumn<int>("repeated"); ///< the latest that can have come twice; 0: nothing is said
        QTest::addColumn<int>("candidates");
        using List = QList<unsigned>;
        QTest::newRow("as sent") << List{5, 6, 7, 8} << List{5, 6, 7, 8} << 0 << 0;
        QTest::newRow("the second twice") << List{5, 6, 7, 8} << List{5, 6, 6, 7} << 2 << 1;
        QTest::newRow("and then the job hangs") << List{5, 6, 7, 8} << List{5, 6, 6} << 2 << 1;
        QTest::newRow("one of two that are equal") << List{5, 6, 6, 8} << List{5, 6, 6, 6} << 3 << 2;
        QTest::newRow("the second was lost") << List{5, 6, 7, 8} << List{5, 7, 8} << 0 << 0;
    }
    void contentsTell() {
        QFETCH(QList<unsigned>, sent);
        QFETCH(QList<unsigned>, received);
        QFETCH(int, repeated);
        QFETCH(int, candidates);
        TraceBuilder builder(2);
        for (Tick i = 0; i < 4; ++i)
            builder.sendCall(0, 10 + 10 * i, 11 + 10 * i, 1, 7);
        for (Tick i = 0; i < static_cast<Tick>(received.size()); ++i)
            builder.receiveCall(1, 12 + 10 * i, 15 + 10 * i, 0, 7);
        const auto trace = onMachines(builder.finish(100), false);
        for (const unsigned fingerprint : sent)
            trace->locations[0].events.sends.fingerprint.push_back(fingerprint);
        for (const unsigned fingerprint : received)
            trace->locations[1].events.receives.fingerprint.push_back(fingerprint);
        const std::vector<RepeatedMessage> found = find(trace);
        QCOMPARE(!found.empty(), repeated != 0);
        if (repeated == 0)
            return;
        QCOMPARE(found.front().evidence, Evidence::SameContents);
        QCOMPARE(found.front().sends, static_cast<std::uint64_t>(repeated));
        QCOMPARE(found.front().candidates, static_cast<std::uint64_t>(candidates));
        QCOMPARE(found.front().sent, static_cast<Tick>(10 * repeated));
        QCOMPARE(found.front().noticed, static_cast<Tick>(15 + 10 * repeated));
    }

    /// All was received, and nothing was left over: a copy would have been. The receives were done in another order.
    void whoHasEndedWithAllHasNoCopy() {
        TraceBuilder builder(2);
        for (Tick i = 0; i < 3; ++i)
            builder.sendCall(0, 10 + 10 * i, 11 + 10 * i, 1, 7).receiveCall(1, 12 + 10 * i, 15 + 10 * i, 0, 7);
        const auto trace = asRecording(builder.finish(100));
        for (const std::uint32_t fingerprint : {5, 6, 7})
            trace->locations[0].events.sends.fingerprint.push_back(fingerprint);
        for (const std::uint32_t fingerprint : {5, 5, 6})
            trace->locations[1].events.receives.fingerprint.push_back(fingerprint);
        QCOMPARE(find(trace).size(), 1U);
        trace->processes[1].end.kind = ProcessEnd::Kind::Exited;
        QVERIFY(find(trace).empty());
        trace->processes[1].leftOver = {{0, 0, 7, 1, 4, 0}};
        QCOMPARE(find(trace).size(), 1U);
    }

    void ranksWithLostEventsSayNothing() {
        TraceBuilder builder(2);
        const auto trace = asRecording(threeMessages(builder, 0, 1).finish(100));
        trace->locations[0].damaged = true; // a send may be among what was lost
        QVERIFY(find(trace).empty());
    }

    /// Received before anything was sent at all: no message can have come twice.
    void beforeTheFirstSend() {
        TraceBuilder builder(2);
        builder.sendCall(0, 50, 51, 1, 7).receiveCall(1, 5, 12, 0, 7);
        QVERIFY(find(asRecording(builder.finish(100))).empty());
    }

    /// In a call that waits for several messages, one that comes early does not show as long as another is missing.
    void otherMessagesOfTheCallHideIt() {
        TraceBuilder builder(3);
        builder.sendCall(0, 10, 11, 2, 7).sendCall(0, 30, 31, 2, 7).sendCall(0, 60, 61, 2, 7);
        builder.sendCall(1, 10, 11, 2, 7).sendCall(1, 40, 41, 2, 7).sendCall(1, 50, 51, 2, 7);
        for (const auto &[begin, end] : {std::pair<Tick, Tick>{5, 12}, {20, 42}, {45, 55}})
            builder.enter(2, begin, "MPI_Waitall").receive(2, end, 0, 7).receive(2, end, 1, 7).leave(2, end, "MPI_Waitall");
        const std::vector<RepeatedMessage> found = find(asRecording(builder.finish(100)));
        QCOMPARE(found.size(), 1U);
        QCOMPARE(found.front().from, Rank{0});
        QCOMPARE(found.front().sends, 2U);
        QCOMPARE(found.front().candidates, 2U); // which of the two messages a call waits for is not known
    }

    /// Against counting one by one, on random jobs; and the true message is among the candidates.
    void randomJobs() {
        std::mt19937 random(7);
        int noticed = 0;
        for (int round = 0; round < 300; ++round) {
            const std::uint32_t messages = 2 + random() % 30;
            const Simulation simulation(random, messages, round % 5 == 0 ? none : random() % messages);
            const std::vector<RepeatedMessage> found = find(simulation.trace(0, 1, 0));
            const std::uint32_t early = simulation.firstTooEarly();
            QCOMPARE(!found.empty(), early != none);
            if (found.empty())
                continue;
            ++noticed;
            QCOMPARE(found.front().sends, std::uint64_t{early});
            const std::uint64_t last = found.front().sends - 1;
            QVERIFY2(simulation.repeated <= last && simulation.repeated + found.front().candidates > last,
                     qPrintable(QString("message %1 came twice; %2 candidates up to %3 are named")
                                    .arg(simulation.repeated)
                                    .arg(found.front().candidates)
                                    .arg(last)));
            // Renumbering the ranks and shifting the time change nothing.
            const std::vector<RepeatedMessage> same = find(simulation.trace(3, 2, 1000));
            QCOMPARE(same.size(), found.size());
            QCOMPARE(same.front().sends, found.front().sends);
            QCOMPARE(same.front().candidates, found.front().candidates);
            QCOMPARE(same.front().sent, found.front().sent + 1000);
        }
        QVERIFY2(noticed > 50, qPrintable(QString("only %1 of the random jobs show the repetition").arg(noticed)));
    }
};

QTEST_APPLESS_MAIN(tst_RepeatedMessages)
#include "tst_repeatedmessages.moc"
