// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/Profiles.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

using Shares = QMap<QString, double>;

Shares sharesOf(const ProfileSet &set, std::size_t row) {
    Shares shares;
    for (std::size_t c = 0; c < set.components.size(); ++c) {
        QString name;
        for (const std::string &function : set.components[c].stack)
            name += (name.isEmpty() ? "" : "<") + QString::fromStdString(function);
        if (set.row(row)[c] != 0)
            shares[name] += std::round(set.share(row, c) * 1e6) / 1e6;
    }
    return shares;
}

/// Rank 0: main 0-100, in it solve 10-40 with work 20-30, work 50-80, MPI_Recv 80-90. Rank 1: main 0-50, all of it in work.
TracePtr twoRanks() {
    TraceBuilder builder(2);
    builder.enter(0, 0, "main").enter(0, 10, "solve").call(0, 20, 30, "work").leave(0, 40, "solve").call(0, 50, 80, "work");
    builder.call(0, 80, 90, "MPI_Recv").leave(0, 100, "main");
    builder.enter(1, 0, "main").call(1, 0, 50, "work").leave(1, 50, "main");
    return builder.finish(100);
}

} // namespace

class tst_Profiles : public QObject {
    Q_OBJECT
  private slots:
    void sharesOfTime_data() {
        QTest::addColumn<int>("by");
        QTest::addColumn<int>("measure");
        QTest::addColumn<bool>("withMpi");
        QTest::addColumn<Shares>("expected");
        using By = ProfileOptions::By;
        using Measure = ProfileOptions::Measure;
        QTest::newRow("by function") << int(By::Function) << int(Measure::Time) << true
                                     << Shares{{"main", 0.3}, {"solve", 0.2}, {"work", 0.4}, {"MPI_Recv", 0.1}};
        QTest::newRow("by call path")
            << int(By::CallPath) << int(Measure::Time) << true
            << Shares{{"main", 0.3}, {"solve<main", 0.2}, {"work<solve<main", 0.1}, {"work<main", 0.3}, {"MPI_Recv<main", 0.1}};
        QTest::newRow("without MPI, shares of the whole")
            << int(By::Function) << int(Measure::Time) << false << Shares{{"main", 0.3}, {"solve", 0.2}, {"work", 0.4}};
        QTest::newRow("coverage") << int(By::Function) << int(Measure::Coverage) << true
                                  << Shares{{"main", 1}, {"solve", 1}, {"work", 1}, {"MPI_Recv", 1}};
    }
    void sharesOfTime() {
        QFETCH(int, by);
        QFETCH(int, measure);
        QFETCH(bool, withMpi);
        QFETCH(Shares, expected);
        const ProfileSet set =
            makeProfiles(*twoRanks(), {}, {ProfileOptions::By(by), ProfileOptions::Measure(measure), withMpi}, Work{});
        QCOMPARE(set.rows(), std::size_t{2});
        QCOMPARE(sharesOf(set, 0), expected);
    }

    void referencesShareComponents() {
        TraceBuilder other(1);
        other.enter(0, 0, "other").leave(0, 10, "other").call(0, 10, 40, "work");
        const TracePtr reference = other.finish(40);
        const ProfileSet set = makeProfiles(*twoRanks(), std::span(&reference, 1), {.by = ProfileOptions::By::Function}, Work{});
        QCOMPARE(set.rows(), std::size_t{3});
        QCOMPARE(set.source[2], 1U);
        const auto works = std::count_if(set.components.begin(), set.components.end(),
                                         [](const ProfileComponent &c) { return c.stack.front() == "work"; });
        QVERIFY2(works == 1, "a function of both traces is one component");
        QCOMPARE(sharesOf(set, 2), (Shares{{"other", 0.25}, {"work", 0.75}}));
    }

    void openCallsRunToTheEnd() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").enter(0, 25, "stuck");
        builder.call(1, 0, 100, "main");
        const ProfileSet set = makeProfiles(*builder.finish(100), {}, {.by = ProfileOptions::By::Function}, Work{});
        QCOMPARE(sharesOf(set, 0), (Shares{{"main", 0.25}, {"stuck", 0.75}}));
    }

    /// Nobody knows what a rank did after the last of its events that could be read.
    void lostTimeIsInNoShare() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").call(0, 25, 50, "work").call(1, 0, 100, "main");
        const auto whole = std::const_pointer_cast<Trace>(builder.finish(100));
        Trace &trace = *whole;
        Location &damaged = trace.locations[trace.processes[0].mainLocation];
        damaged.damaged = true;
        damaged.lastEvent = 50;
        const ProfileSet set = makeProfiles(trace, {}, {.by = ProfileOptions::By::Function}, Work{});
        QCOMPARE(sharesOf(set, 0), (Shares{{"main", 0.5}, {"work", 0.5}}));
    }

    void timeOfACall() {
        TraceBuilder builder(1);
        builder.enter(0, 0, "main").call(0, 10, 30, "work").call(0, 40, 80, "work").leave(0, 100, "main");
        const TracePtr trace = builder.finish(100);
        const ProfileSet set = makeProfiles(*trace, {}, {.by = ProfileOptions::By::Function}, Work{});
        for (std::size_t c = 0; c < set.components.size(); ++c) {
            const double expected = set.components[c].stack.front() == "work" ? 30e-9 : 40e-9;
            QVERIFY2(std::abs(set.secondsPerCall(0, c) - expected) < 1e-12, set.components[c].stack.front().c_str());
        }
        const ProfileSet coverage =
            makeProfiles(*trace, {}, {ProfileOptions::By::Function, ProfileOptions::Measure::Coverage}, Work{});
        QCOMPARE(coverage.secondsPerCall(0, 0), 0.0);
    }

    void aRankWithoutTimeHasNoProfile() {
        TraceBuilder builder(2);
        builder.call(1, 0, 100, "main");
        const ProfileSet set = makeProfiles(*builder.finish(100), {}, {}, Work{});
        QCOMPARE(set.rank, std::vector<Rank>{1});
    }
};

QTEST_APPLESS_MAIN(tst_Profiles)
#include "tst_profiles.moc"
