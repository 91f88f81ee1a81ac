// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/ComputationSlowness.h"
#include "tests/analysis/semimarkov/SharedProcessorJob.h"

#include <QTest>

#include <cmath>

using namespace laggard;
using test::SharedProcessorJob;

namespace {

ComputationSlowness slownessOf(const std::vector<TracePtr> &traces) {
    const auto plain = test::plain(traces);
    const Histories histories = buildHistories(plain, {});
    return computationSlowness(histories, findPhases(plain, histories, "", 0, {}), 0, {});
}

bool near(double value, double expected) { return std::abs(value - expected) < 1e-3; }

} // namespace

class TestComputationSlowness : public QObject {
    Q_OBJECT
  private slots:
    void againstReferences() {
        // In phase 2, rank 1 takes twice as long for the computation of 400,000 of 702,000 ticks.
        SharedProcessorJob job;
        job.noise = 0;
        job.phases = 4;
        job.burden = [](Rank rank, int number) { return rank == 1 && number == 9 ? 2.0 : 1.0; };
        std::vector<TracePtr> traces = test::withReferences(job, 3);
        // One of three references is slow as well: the median is not.
        job.burden = [](Rank, int) { return 3.0; };
        traces.back() = job.build();
        const ComputationSlowness slowness = slownessOf(traces);
        QCOMPARE(slowness.phases, (std::vector<std::uint32_t>{0, 1, 2, 3}));
        QVERIFY(slowness.hasReferences());
        for (std::size_t rank = 0; rank < 2; ++rank)
            for (std::size_t place = 0; place < 4; ++place) {
                QVERIFY(near(slowness.judged[rank][place], rank == 1 && place == 2 ? std::log(1102.0 / 702) : 0));
                QVERIFY(near(slowness.references[0][rank][place], 0));
                QVERIFY(near(slowness.references[2][rank][place], std::log(3)));
            }
    }

    void againstOtherRanks() {
        SharedProcessorJob job;
        job.noise = 0;
        job.ranks = 3;
        job.phases = 2;
        job.burden = [](Rank rank, int) { return 1.0 + 0.5 * rank; };
        const ComputationSlowness slowness = slownessOf({job.build()});
        QVERIFY(!slowness.hasReferences());
        // The median of the others: 1.75, 1.5 and 1.25.
        QVERIFY(near(slowness.judged[0][1], std::log(1 / 1.75)));
        QVERIFY(near(slowness.judged[1][1], std::log(1.5 / 1.5)));
        QVERIFY(near(slowness.judged[2][1], std::log(2 / 1.25)));
    }

    void aloneThereIsNothingToCompareWith() {
        SharedProcessorJob job;
        job.ranks = 1;
        const ComputationSlowness slowness = slownessOf({job.build()});
        for (const double value : slowness.judged[0])
            QVERIFY(std::isnan(value));
    }
};

QTEST_APPLESS_MAIN(TestComputationSlowness)
#include "tst_computationslowness.moc"
