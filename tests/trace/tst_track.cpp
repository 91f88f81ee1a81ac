// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/LocationBuilder.h"
#include "trace/Track.h"

#include <QTest>
#include <random>

using namespace laggard;

class TestTrack : public QObject {
    Q_OBJECT

  private slots:
    void emptyTrack() {
        const Track track;
        QCOMPARE(track.innermostAt(5), none);
        QCOMPARE(track.innermostOpen(), none);
        QCOMPARE(track.bytes(), std::size_t{0});
    }

    void innermost() {
        CallPathTable paths;
        LocationBuilder builder(paths);
        builder.enter(10, 1);
        builder.enter(20, 2);
        builder.leave(30, 2);
        builder.enter(30, 3);
        const Track track = builder.finish().track;
        QCOMPARE(track.innermostAt(9), none);
        QCOMPARE(track.innermostAt(10), 0U);
        QCOMPARE(track.innermostAt(29), 1U);
        QCOMPARE(track.innermostAt(30), 2U);
        QCOMPARE(track.innermostAt(1'000'000), 2U);
        QCOMPARE(track.innermostOpen(), 2U);
        QCOMPARE(track.bytes(), 3 * std::size_t{24});
    }

    void innermostAgreesWithALinearSearch() {
        std::mt19937 random(7);
        for (int round = 0; round < 100; ++round) {
            CallPathTable paths;
            LocationBuilder builder(paths);
            Tick now = 0;
            for (int i = 0; i < 80; ++i) {
                now += random() % 3;
                const RegionId region = random() % 3;
                random() % 2 == 0 ? builder.enter(now, region) : builder.leave(now, region);
            }
            const Track track = builder.finish().track;
            for (Tick t = 0; t <= now + 1; ++t) {
                std::uint32_t expected = none; // the latest row that contains t is the innermost
                for (std::uint32_t row = 0; row < track.size(); ++row)
                    if (track.start[row] <= t && t < track.end[row])
                        expected = row;
                QCOMPARE(track.innermostAt(t), expected);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestTrack)
#include "tst_track.moc"
