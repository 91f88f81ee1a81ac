// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/ShiftOnset.h"
#include "tests/analysis/semimarkov/SharedProcessorJob.h"

#include <QTest>

#include <cmath>

using namespace laggard;
using test::SharedProcessorJob;

class TestShiftOnset : public QObject {
    Q_OBJECT
  private slots:
    /// Computations are counted from 0; phase 6 has numbers 24 to 27.
    void found_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("heldUp");
        QTest::addColumn<std::size_t>("slowPhase");
        QTest::addColumn<int>("expected");
        QTest::addColumn<bool>("references");
        for (const bool references : {true, false}) {
            const char *how = references ? "with references" : "without";
            QTest::addRow("at the beginning of a phase, %s", how) << 24 << -1 << std::size_t{6} << 24 << references;
            QTest::addRow("within a phase, %s", how) << 25 << -1 << std::size_t{6} << 25 << references;
            QTest::addRow("within the phase before, %s", how) << 22 << -1 << std::size_t{6} << 22 << references;
            QTest::addRow("within the phase after, %s", how) << 29 << -1 << std::size_t{6} << 29 << references;
            QTest::addRow("held up at the end of the phase before, %s", how) << 24 << 23 << std::size_t{6} << 23 << references;
            QTest::addRow("held up too long ago, %s", how) << 26 << 23 << std::size_t{6} << 26 << references;
        }
        QTest::addRow("from the first phase on") << 0 << -1 << std::size_t{0} << 0 << true;
    }
    void found() {
        QFETCH(int, from);
        QFETCH(int, heldUp);
        QFETCH(std::size_t, slowPhase);
        QFETCH(bool, references);
        std::vector<std::vector<Tick>> starts;
        SharedProcessorJob job;
        job.starts = &starts;
        job.burden = [=](Rank rank, int number) { return rank == 1 && number >= from ? 1.7 : 1.0; };
        job.heldUp = [=](Rank rank, int number) { return rank == 1 && number == heldUp ? Tick{30'000} : Tick{0}; };
        const std::vector<TracePtr> traces = test::withReferences(job, references ? 3 : 0);
        const auto plain = test::plain(traces);
        const Histories histories = buildHistories(plain, {});
        const PhaseTable phases = findPhases(plain, histories, "", 0, {});
        const ShiftOnset onset =
            shiftOnset(histories, phases, computationSlowness(histories, phases, 0, {}), {1, slowPhase, 0}, {});
        QFETCH(int, expected);
        QCOMPARE(histories.runs[0].ranks[1].start[onset.row], starts[1][static_cast<std::size_t>(expected)]);
        QCOMPARE(onset.phase, static_cast<std::uint32_t>(expected / 4));
    }

    /// What happens now and then in the run is no sign of a beginning.
    void heldUpBeforeToo() {
        std::vector<std::vector<Tick>> starts;
        SharedProcessorJob job;
        job.starts = &starts;
        job.burden = [](Rank rank, int number) { return rank == 1 && number >= 24 ? 1.7 : 1.0; };
        job.heldUp = [](Rank rank, int number) {
            return rank == 0 && number == 3 ? Tick{40'000} : rank == 1 && number == 23 ? Tick{30'000} : Tick{0};
        };
        const std::vector<TracePtr> traces = test::withReferences(job, 3);
        const auto plain = test::plain(traces);
        const Histories histories = buildHistories(plain, {});
        const PhaseTable phases = findPhases(plain, histories, "", 0, {});
        const ShiftOnset onset = shiftOnset(histories, phases, computationSlowness(histories, phases, 0, {}), {1, 6, 0}, {});
        QCOMPARE(histories.runs[0].ranks[1].start[onset.row], starts[1][24]);
    }
};

QTEST_APPLESS_MAIN(TestShiftOnset)
#include "tst_shiftonset.moc"
