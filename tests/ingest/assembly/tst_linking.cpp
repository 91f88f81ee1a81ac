// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/Linking.h"
#include "ingest/assembly/LocationBuilder.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>
#include <algorithm>
#include <map>
#include <random>
#include <tuple>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// A job of `ranks` processes of `threads` threads, its events made at random; sends and receives only.
Trace randomJob(std::mt19937 &random, Rank ranks, unsigned threads) {
    Trace trace;
    CallPathTable paths;
    trace.processes.resize(ranks);
    trace.communicators.resize(2);
    for (Rank rank = 0; rank < ranks; ++rank)
        for (unsigned thread = 0; thread < threads; ++thread) {
            LocationBuilder builder(paths);
            Tick now = 0;
            for (unsigned i = random() % 60; i > 0; --i) {
                now += 1 + random() % 3 * threads + thread; // few equal times: their order is anyone's
                const Envelope envelope{static_cast<Rank>(random() % ranks), static_cast<CommunicatorId>(random() % 2),
                                        static_cast<std::uint32_t>(random() % 2), random() % 5};
                if (random() % 2 == 0)
                    builder.send(now * threads + thread, envelope);
                else
                    builder.receive(now * threads + thread, envelope);
            }
            Location location;
            location.rank = rank;
            location.events = builder.finish();
            trace.processes[rank].locations.push_back(static_cast<LocationIndex>(trace.locations.size()));
            trace.locations.push_back(std::move(location));
        }
    return trace;
}

/// Every end of a kind in order of time, by (sender, receiver, communicator, tag).
using Channel = std::tuple<Rank, Rank, CommunicatorId, std::uint32_t>;
std::map<Channel, std::vector<std::pair<LocationIndex, std::uint32_t>>>
byChannel(const Trace &trace, MessageEnds LocationEvents::*ends, bool isSend) {
    std::map<Channel, std::vector<std::pair<LocationIndex, std::uint32_t>>> result;
    for (LocationIndex l = 0; l < trace.locations.size(); ++l) {
        const Location &location = trace.locations[l];
        for (std::uint32_t i = 0; i < (location.events.*ends).size(); ++i) {
            const Envelope &e = location.events.envelopes[(location.events.*ends).envelope[i]];
            result[isSend ? Channel(location.rank, e.peer, e.communicator, e.tag)
                          : Channel(e.peer, location.rank, e.communicator, e.tag)]
                .emplace_back(l, i);
        }
    }
    for (auto &[channel, list] : result)
        std::stable_sort(list.begin(), list.end(), [&](const auto &a, const auto &b) {
            return (trace.locations[a.first].events.*ends).time[a.second] <
                   (trace.locations[b.first].events.*ends).time[b.second];
        });
    return result;
}

} // namespace

class TestLinking : public QObject {
    Q_OBJECT

  private slots:
    /// The second of three came twice, which the contents tell: the copy is nobody's, and the third was not taken.
    void aCopyIsNotTheNextMessage_data() {
        QTest::addColumn<bool>("isKnown");
        QTest::newRow("contents are known") << true;
        QTest::newRow("they are not") << false;
    }
    void aCopyIsNotTheNextMessage() {
        QFETCH(bool, isKnown);
        TraceBuilder job(2);
        job.send(0, 10, 1, 5).send(0, 20, 1, 5).send(0, 30, 1, 5).receive(1, 12, 0, 5).receive(1, 22, 0, 5).receive(1, 32, 0, 5);
        const auto trace = std::const_pointer_cast<Trace>(job.finish(100));
        for (Location &location : trace->locations)
            for (MessageEnds *ends : {&location.events.sends, &location.events.receives})
                ends->match.clear();
        for (const std::uint32_t contents : {1, 2, 3})
            trace->locations[0].events.sends.fingerprint.push_back(contents);
        for (const std::uint32_t contents : {1, 2, isKnown ? 2 : 0})
            trace->locations[1].events.receives.fingerprint.push_back(contents);
        linkMessages(*trace, Work{});
        const Column<std::uint32_t> &taken = trace->locations[0].events.sends.match;
        QCOMPARE(taken[0], 0U);
        QCOMPARE(taken[1], 1U);
        QCOMPARE(taken[2], isKnown ? std::uint32_t{none} : 2U);
        QCOMPARE(trace->locations[1].events.receives.match[2], isKnown ? std::uint32_t{none} : 2U);
        QCOMPARE(trace->messageCount, isKnown ? 2ULL : 3ULL);
        QCOMPARE(trace->unmatchedReceives, isKnown ? 1ULL : 0ULL);
    }

    void messagesInOrder() {
        TraceBuilder job(2);
        job.send(0, 10, 1, 5).send(0, 20, 1, 6).send(0, 30, 1, 5).send(0, 40, 1, 9);
        job.receive(1, 15, 0, 5).receive(1, 25, 0, 6).receive(1, 28, 0, 5).receive(1, 50, 0, 7);
        const TracePtr trace = job.finish(100);
        QCOMPARE(trace->messageCount, 3ULL);
        QCOMPARE(trace->unmatchedSends, 1ULL);
        QCOMPARE(trace->unmatchedReceives, 1ULL);
        QCOMPARE(trace->reversedMessages, 1ULL);
        QCOMPARE(trace->clock.resolution, Tick{2});
        QCOMPARE(trace->messageOfSend(0, 2).received, Tick{28});
        QCOMPARE(trace->messageOfReceive(1, 1).sent, Tick{20});
        QCOMPARE(trace->locations[0].events.sends.match[3], none);
    }

    void communicatorsKeepMessagesApart() {
        TraceBuilder job(2);
        const CommunicatorId other = job.communicator({1, 0});
        job.send(0, 10, 1, 0, 0).send(0, 11, 1, 0, other).receive(1, 20, 0, 0, other).receive(1, 21, 0, 0, 0);
        const TracePtr trace = job.finish(100);
        QCOMPARE(trace->messageOfSend(0, 0).received, Tick{21});
        QCOMPARE(trace->messageOfSend(0, 1).received, Tick{20});
    }

    void agreesWithASlowMatcher_data() {
        QTest::addColumn<uint>("ranks");
        QTest::addColumn<uint>("threads");
        QTest::newRow("single") << 4U << 1U;
        QTest::newRow("to itself") << 1U << 1U;
        QTest::newRow("threads") << 3U << 3U;
    }
    void agreesWithASlowMatcher() {
        QFETCH(uint, ranks);
        QFETCH(uint, threads);
        std::mt19937 random(11);
        for (int round = 0; round < 100; ++round) {
            Trace trace = randomJob(random, ranks, threads);
            linkMessages(trace, {});
            const auto sends = byChannel(trace, &LocationEvents::sends, true);
            const auto receives = byChannel(trace, &LocationEvents::receives, false);
            std::uint64_t matched = 0;
            for (const auto &[channel, list] : sends) {
                const auto other = receives.find(channel);
                const std::size_t pairs = other == receives.end() ? 0 : std::min(list.size(), other->second.size());
                matched += pairs;
                for (std::size_t i = 0; i < list.size(); ++i) {
                    const auto [location, index] = list[i];
                    if (i >= pairs) {
                        QCOMPARE(trace.locations[location].events.sends.match[index], none);
                        continue;
                    }
                    const Message message = trace.messageOfSend(location, index);
                    QCOMPARE(message.receiver, other->second[i].first);
                    QCOMPARE(message.received, trace.locations[message.receiver].events.receives.time[other->second[i].second]);
                    const Message back = trace.messageOfReceive(other->second[i].first, other->second[i].second);
                    QCOMPARE(back.sender, location);
                    QCOMPARE(back.sent, message.sent);
                }
            }
            QCOMPARE(trace.messageCount, matched);
        }
    }

    void collectiveInstances() {
        TraceBuilder job(3);
        const CommunicatorId pair = job.communicator({2, 0});
        for (Rank rank = 0; rank < 3; ++rank)
            job.collectiveCall(rank, 10 + rank, 20, CollectiveOperation::Barrier);
        job.collectiveCall(0, 30, 40, CollectiveOperation::Bcast, pair, 2)
            .collectiveCall(2, 32, 41, CollectiveOperation::Bcast, pair, 2);
        job.collectiveCall(0, 50, 60, CollectiveOperation::Allreduce).collectiveCall(1, 51, 61, CollectiveOperation::Barrier);
        const TracePtr trace = job.finish(100);
        QCOMPARE(trace->collectives.size(), std::size_t{3});
        const auto of = [&](Rank rank, std::size_t index) {
            return trace->collectives[trace->locations[rank].events.collectives.instance[index]];
        };
        const CollectiveInstance barrier = of(1, 0);
        QCOMPARE(barrier.completed, 3U);
        QCOMPARE(barrier.firstEnter, Tick{10});
        QCOMPARE(barrier.lastEnter, Tick{12});
        QVERIFY(!barrier.mismatch);
        QCOMPARE(of(2, 1).communicator, pair);
        QCOMPARE(of(2, 1).root, Rank{2});
        QCOMPARE(of(0, 2).number, 1U);
        QCOMPARE(of(0, 2).completed, 2U);
        QVERIFY2(of(0, 2).mismatch, "one rank is in an Allreduce, the other in a Barrier");
    }

    void unknownCommunicatorsHaveNoInstances() {
        const TracePtr trace = TraceBuilder(1).collectiveCall(0, 1, 2, CollectiveOperation::Barrier, none).finish(10);
        QVERIFY(trace->collectives.empty());
        QCOMPARE(trace->locations[0].events.collectives.instance[0], none);
    }

    void callPathNumbersDoNotDependOnTheTables() {
        const auto build = [](bool shared) {
            Trace trace;
            std::vector<CallPathTable> tables(shared ? 1 : 2);
            for (const bool second : {false, true}) {
                LocationBuilder builder(tables[shared ? 0 : second]);
                for (const RegionId region : second ? std::vector<RegionId>{5, 1} : std::vector<RegionId>{9, 5, 1})
                    builder.enter(region, region);
                Location location;
                location.events = builder.finish();
                trace.locations.push_back(std::move(location));
            }
            linkCallPaths(trace, tables, shared ? std::vector<std::uint32_t>{0, 0} : std::vector<std::uint32_t>{0, 1}, {});
            std::vector<CallPathId> numbers;
            for (const Location &location : trace.locations)
                numbers.insert(numbers.end(), location.events.track.callPath.begin(), location.events.track.callPath.end());
            return std::pair(trace.callPaths.size(), numbers);
        };
        QCOMPARE(build(true), build(false));
        QCOMPARE(build(true).first, std::size_t{5});
    }
};

QTEST_APPLESS_MAIN(TestLinking)
#include "tst_linking.moc"
