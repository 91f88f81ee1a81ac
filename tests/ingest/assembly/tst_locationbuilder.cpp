// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/LocationBuilder.h"

#include <QTest>
#include <random>

using namespace laggard;

class TestLocationBuilder : public QObject {
    Q_OBJECT

  private slots:
    void nestedCalls() {
        CallPathTable paths;
        LocationBuilder builder(paths);
        builder.enter(1, 7);
        builder.enter(2, 8);
        builder.leave(3, 8);
        builder.enter(4, 8);
        builder.leave(5, 8);
        builder.leave(6, 7);
        const Track track = builder.finish().track;
        QCOMPARE(track.size(), std::size_t{3});
        QCOMPARE(track.callPath[1], track.callPath[2]);
        QCOMPARE(paths.regions(track.callPath[1]), (std::vector<RegionId>{7, 8}));
        QCOMPARE(track.parent[2], 0U);
        QCOMPARE(track.end[0], Tick{6});
    }

    void recursionMakesDeeperPaths() {
        CallPathTable paths;
        LocationBuilder builder(paths);
        for (Tick t = 0; t < 5; ++t)
            builder.enter(t, 3);
        QCOMPARE(paths.size(), std::size_t{5});
        builder.leave(9, 3);
        const Track track = builder.finish().track;
        QVERIFY(!track.isOpen(4) && track.isOpen(3));
        QCOMPARE(track.innermostOpen(), 3U);
    }

    void leaveFromFurtherOutClosesWhatIsWithin() {
        CallPathTable paths;
        LocationBuilder builder(paths);
        builder.enter(1, 1);
        builder.enter(2, 2);
        builder.enter(3, 3);
        builder.leave(4, 1);
        QCOMPARE(builder.unbalancedLeaves(), 2ULL);
        builder.leave(5, 2);
        QCOMPARE(builder.strayLeaves(), 1ULL);
        const Track track = builder.finish().track;
        for (std::uint32_t row = 0; row < 3; ++row)
            QCOMPARE(track.end[row], Tick{4});
    }

    void leaveWithoutEnterIsDropped() {
        CallPathTable paths;
        LocationBuilder builder(paths);
        builder.leave(1, 1);
        QCOMPARE(builder.strayLeaves(), 1ULL);
        QVERIFY(builder.finish().track.empty());
    }

    void requests() {
        CallPathTable paths;
        LocationBuilder builder(paths);
        builder.enter(1, 1);
        builder.send(2, {3, 0, 9, 100}, 50);
        builder.postReceive(3, 51);
        builder.postCollective(4, 52);
        QVERIFY(builder.complete(51));
        QVERIFY2(!builder.complete(51), "it is not pending any more");
        builder.postReceive(5, 51); // numbers are used again
        const LocationEvents events = builder.finish();
        QCOMPARE(events.pending.size(), std::size_t{3});
        QCOMPARE(events.pending[0].kind, PendingRequest::Kind::Send);
        QCOMPARE(events.pending[0].row, 0U);
        QCOMPARE(events.pending[0].sendIndex, 0U);
        QCOMPARE(events.envelopes[events.pending[0].envelope].peer, Rank{3});
        QCOMPARE(events.pending[1].kind, PendingRequest::Kind::Collective);
        QCOMPARE(events.pending[2].posted, Tick{5});
    }

    void envelopesAreStoredOnce() {
        CallPathTable paths;
        LocationBuilder builder(paths);
        for (std::uint32_t i = 0; i < 100'000; ++i)
            builder.send(i, {i % 1000, 0, 5, 8});
        const LocationEvents events = builder.finish();
        QCOMPARE(events.envelopes.size(), std::size_t{1000});
        for (std::uint32_t i = 0; i < 100'000; ++i)
            QCOMPARE(events.envelopes[events.sends.envelope[i]].peer, i % 1000);
    }

    void collectiveKnowsItsCall() {
        CallPathTable paths;
        LocationBuilder builder(paths);
        builder.enter(1, 1);
        builder.enter(2, 2);
        builder.collective(5, {CollectiveOperation::Barrier, 0, none, 0, 0});
        builder.leave(5, 2);
        QCOMPARE(builder.finish().collectives.row[0], 1U);
    }

    /// Random streams, balanced or not, against a stack kept by hand.
    void randomStreams() {
        std::mt19937 random(5);
        for (int round = 0; round < 200; ++round) {
            CallPathTable paths;
            LocationBuilder builder(paths);
            std::vector<RegionId> regions; // regions of the rows
            std::vector<Tick> ends;
            std::vector<std::uint32_t> stack;
            for (Tick t = 0; t < 100; ++t) {
                const RegionId region = random() % 4;
                if (random() % 2 == 0) {
                    builder.enter(t, region);
                    stack.push_back(static_cast<std::uint32_t>(regions.size()));
                    regions.push_back(region);
                    ends.push_back(openEnd);
                    continue;
                }
                builder.leave(t, region);
                const auto open =
                    std::find_if(stack.rbegin(), stack.rend(), [&](std::uint32_t row) { return regions[row] == region; });
                if (open == stack.rend())
                    continue;
                for (const std::uint32_t target = *open; !stack.empty();) {
                    const std::uint32_t row = stack.back();
                    stack.pop_back();
                    ends[row] = t;
                    if (row == target)
                        break;
                }
            }
            const Track track = builder.finish().track;
            QCOMPARE(track.size(), regions.size());
            for (std::uint32_t row = 0; row < track.size(); ++row) {
                QCOMPARE(paths[track.callPath[row]].region, regions[row]);
                QCOMPARE(track.end[row], ends[row]);
            }
            QCOMPARE(track.innermostOpen(), stack.empty() ? none : stack.back());
        }
    }
};

QTEST_APPLESS_MAIN(TestLocationBuilder)
#include "tst_locationbuilder.moc"
