// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/InnermostCalls.h"

#include <QTest>

#include <random>

using namespace laggard;

namespace {

/// Calls of random length within each other, some of no length, the last ones open; with gaps.
Track randomTrack(std::mt19937 &random) {
    Track track;
    std::vector<std::uint32_t> open;
    Tick now = 0;
    for (int i = 0; i < 300; ++i) {
        now += random() % 4;
        if (!open.empty() && random() % 2 == 0) {
            track.end[open.back()] = now;
            open.pop_back();
            continue;
        }
        const auto row = static_cast<std::uint32_t>(track.size());
        track.start.push_back(now);
        track.end.push_back(openEnd);
        track.callPath.push_back(row % 7);
        track.parent.push_back(open.empty() ? none : open.back());
        open.push_back(row);
    }
    return track;
}

} // namespace

class TestInnermostCalls : public QObject {
    Q_OBJECT
  private slots:
    void agreesWithSearching() {
        std::mt19937 random(5);
        for (int round = 0; round < 40; ++round) {
            const Track track = randomTrack(random);
            InnermostCalls calls(&track);
            for (Tick time = 0, step = 0; step < 200; ++step) {
                time = random() % 20 == 0 ? random() % 600 : time + random() % 9; // now and then it falls
                calls.moveTo(time);
                QVERIFY2(calls.row() == track.innermostAt(time), qPrintable(QString("round %1, tick %2").arg(round).arg(time)));
                QVERIFY2(calls.until() > time, "what is innermost stays so for a while");
                QCOMPARE(track.innermostAt(std::min<Tick>(calls.until(), 10'000) - 1), calls.row());
            }
        }
    }

    void nothingIsOpenInNoTrack() {
        InnermostCalls calls(nullptr);
        calls.moveTo(5);
        QCOMPARE(calls.row(), none);
        QCOMPARE(calls.callPath(), none);
        QCOMPARE(calls.until(), openEnd);
    }
};

QTEST_APPLESS_MAIN(TestInnermostCalls)
#include "tst_innermostcalls.moc"
