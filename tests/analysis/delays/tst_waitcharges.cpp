// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/WaitCharges.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <map>
#include <random>
#include <tuple>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

constexpr Rank ranks = 6;
constexpr Tick end = 300;

using Charged = std::map<std::tuple<Rank, CallPathId, bool>, Tick>;

struct Job {
    TracePtr trace;
    std::vector<WaitSegments> waits;
    std::vector<TimeRange> parts;
};

/// Calls, up to three deep, and waits for anybody, the rank itself and those that wait for it included.
Job randomJob(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t limit) { return static_cast<Tick>(random() % limit); };
    TraceBuilder builder(ranks);
    Job job;
    for (Rank rank = 0; rank < ranks; ++rank) {
        for (Tick now = below(20); rank != 1 && now + 30 < end; now += 30 + below(10)) { // rank 1 has no calls
            builder.enter(rank, now, "outer");
            for (Tick inner = now + below(5); inner + 6 < now + 30; inner += 7 + below(9))
                builder.enter(rank, inner, "middle")
                    .call(rank, inner + 1, inner + 1 + below(4), "inner")
                    .leave(rank, inner + 6, "middle");
            builder.leave(rank, now + 30, "outer");
        }
        WaitSegments &waits = job.waits.emplace_back();
        for (Tick now = below(30); now < end - 1;) {
            const Tick until = std::min(end, now + 1 + below(25));
            waits.push_back({now, until, static_cast<Rank>(random() % ranks)});
            now = until + (random() % 3 == 0 ? 0 : below(20));
        }
        const Tick begin = below(100);
        job.parts.push_back({begin, begin + below(250)});
    }
    job.trace = builder.finish(end);
    return job;
}

/// Tick by tick, waiting rank by waiting rank.
Charged slowly(const Job &job) {
    Charged result;
    const auto waitAt = [&](Rank rank, Tick time) -> const WaitSegment * {
        for (const WaitSegment &wait : job.waits[rank])
            if (wait.begin <= time && time < wait.end)
                return &wait;
        return nullptr;
    };
    for (Rank waiter = 0; waiter < ranks; ++waiter)
        for (Tick time = 0; time < end; ++time) {
            const WaitSegment *wait = waitAt(waiter, time);
            if (wait == nullptr)
                continue;
            Rank rank = wait->cause;
            for (int steps = 0; steps < 16; ++steps) {
                const WaitSegment *further = waitAt(rank, time);
                if (further == nullptr || further->cause == rank)
                    break;
                rank = further->cause;
            }
            const Track &track = job.trace->mainEvents(rank)->track;
            const std::uint32_t row = track.innermostAt(time);
            const bool once = time < job.parts[rank].begin || time >= job.parts[rank].end;
            ++result[{rank, row == none ? none : track.callPath[row], once}];
        }
    return result;
}

} // namespace

class TestWaitCharges : public QObject {
    Q_OBJECT
  private slots:
    void agreesWithGoingTickByTick() {
        for (unsigned seed = 1; seed <= 60; ++seed) {
            const Job job = randomJob(seed);
            Work work;
            work.threads = 1 + seed % 3;
            const auto charges = chargeWaits(*job.trace, job.waits, job.parts, work);
            Charged charged;
            for (Rank rank = 0; rank < ranks; ++rank)
                for (const WaitCharge &charge : charges[rank]) {
                    QVERIFY2(!charged.contains({rank, charge.callPath, charge.once}), "each call path is listed once");
                    charged[{rank, charge.callPath, charge.once}] = charge.ticks;
                }
            QVERIFY2(charged == slowly(job), qPrintable(QString("seed %1").arg(seed)));
        }
    }
};

QTEST_APPLESS_MAIN(TestWaitCharges)
#include "tst_waitcharges.moc"
