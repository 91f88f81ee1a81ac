// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/SemiMarkov.h"
#include "ingest/Format.h"
#include "tests/analysis/semimarkov/SetUpJob.h"
#include "tests/analysis/semimarkov/SharedProcessorJob.h"
#include "tests/analysis/semimarkov/SyntheticJob.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace laggard;
using test::setUpJob;
using test::SyntheticJob;
using Kind = SemiMarkovVerdict::Kind;

/// The whole analysis, on made-up jobs with a known fault and on real ones.
class TestSemiMarkov : public QObject {
    Q_OBJECT
  private slots:
    void delay_data();
    void delay();
    void stallInACollective_data();
    void stallInACollective();
    void usualTimesWithoutReferences_data();
    void usualTimesWithoutReferences();
    void slowRankStays_data();
    void slowRankStays();
    void sharedProcessor_data();
    void sharedProcessor();
    void oneComputationOfThoseOfARank();
    void interferenceInTheFirstPhasesOnly();
    void hang_data();
    void hang();
    void aHangInsideMpi();
    void aHangInACallThatWasNeverMadeBefore();
    void aHangTellsWhereItShouldHaveGone();
    void whoSentWhatIsAwaited();
    void aHangBeforeTheFirstPhase();
    void aHangBeforeTheRanksFirstPhase();
    void oneOfTenReferencesMayHaveTheFault();
    void cleanRunsAreNotUnusual_data();
    void cleanRunsAreNotUnusual();
    void doesNotDependOnTimeShift();
    void doesNotDependOnThreads();
    void followsTheRankNumbers();
    void referenceWithOtherRanksIsLeftOut();
    void emptyTrace();
    void slowMasterWorker();
    void joinedPhasesOfASlowWorker();
    void hungStencil();
    void realRunsThatAreClean_data();
    void realRunsThatAreClean();
};

namespace {

std::vector<TracePtr> cleanReferences(int count) {
    std::vector<TracePtr> result;
    for (int i = 0; i < count; ++i) {
        SyntheticJob job;
        job.seed = 100U + static_cast<unsigned>(i);
        result.push_back(job.build());
    }
    return result;
}

SemiMarkovReport analysed(const SyntheticJob &job, int references = 0, SemiMarkovOptions options = {}) {
    return analyseSemiMarkov(*job.build(), cleanReferences(references), options, {});
}

void verifyNamed(const SemiMarkovReport &report, Kind kind, Rank rank, std::uint32_t phase, const char *function) {
    QVERIFY2(report.verdict.kind == kind, report.verdict.why.c_str());
    QCOMPARE(report.verdict.ranks, RankSet{rank});
    QCOMPARE(report.verdict.phase, std::optional<std::uint32_t>(phase));
    QCOMPARE(QString::fromStdString(report.verdict.occurrence->function), QString(function));
    QVERIFY(report.verdict.confidence > 0.3 && report.verdict.confidence <= 1);
    QVERIFY(!report.verdict.why.empty());
    QCOMPARE(report.shownPhase, phase);
    QVERIFY(report.faultyCluster.has_value());
    const RankSet &cluster = report.clusters[*report.faultyCluster].ranks;
    QVERIFY(std::find(cluster.begin(), cluster.end(), rank) != cluster.end());
    QVERIFY(report.models.size() == report.clusters.size());
}

TracePtr realTrace(const QString &name) {
    const QString folder = QString(LAGGARD_TRACES) + "/" + name;
    return QFileInfo::exists(folder) ? openTrace(folder.toStdString(), {}, {}) : nullptr;
}

} // namespace

void TestSemiMarkov::delay_data() {
    QTest::addColumn<int>("references");
    QTest::addColumn<int>("kind");
    for (const int references : {0, 1, 3})
        for (const auto kind : {DistributionKind::Gaussian, DistributionKind::Histogram})
            QTest::addRow("%d references, %s", references, kind == DistributionKind::Gaussian ? "Gaussian" : "histogram")
                << references << static_cast<int>(kind);
}

void TestSemiMarkov::delay() {
    QFETCH(int, references);
    QFETCH(int, kind);
    SyntheticJob job;
    job.extra = [](Rank rank, int step) { return rank == 5 && step == 7 ? Tick{2'000'000} : 0; };
    SemiMarkovOptions options;
    options.distribution = static_cast<DistributionKind>(kind);
    const SemiMarkovReport report = analysed(job, references, options);
    verifyNamed(report, Kind::Temporary, 5, 7, "flux");
    const std::uint32_t transition = report.verdict.occurrence->transition;
    for (const TransitionAnswer &answer : report.transitionAnswers)
        if (answer.method == TransitionAnswer::Method::Characteristic)
            QVERIFY2(std::find(answer.transitions.begin(), answer.transitions.end(), transition) != answer.transitions.end(),
                     "the delayed transition is among the five most characteristic ones");
    QCOMPARE(report.clusters[*report.faultyCluster].ranks, RankSet{5});
    for (const PhaseAnswer &answer : report.phaseAnswers)
        if (!answer.permanent && !answer.clusterMetric)
            QCOMPARE(answer.phase, std::optional<std::uint32_t>(7));
    QVERIFY(std::abs(report.verdict.excess - 2e-3) < 1e-4);
}

/// Steps of a computation and an all-reduce; in step 7 nobody returns from it for 9 ms, and rank 5 is the first to do so.
void TestSemiMarkov::stallInACollective_data() {
    QTest::addColumn<int>("references");
    QTest::newRow("without references") << 0;
    QTest::newRow("with references") << 2;
}

void TestSemiMarkov::stallInACollective() {
    QFETCH(int, references);
    const auto job = [](unsigned seed, bool stalls) {
        test::TraceBuilder builder(8);
        std::mt19937 random(seed);
        std::uniform_int_distribution<Tick> noise(0, 4000);
        for (Rank r = 0; r < 8; ++r)
            builder.enter(r, 0, "main");
        Tick now = 10;
        for (int step = 0; step < 12; ++step, now += 120'000) {
            const Tick stall = stalls && step == 7 ? 9'000'000 : 0;
            for (Rank r = 0; r < 8; ++r) {
                const Tick met = now + 100'000 + noise(random);
                builder.enter(r, now, "step").call(r, now + 1, met, "flux");
                builder.collectiveCall(r, met + 1, now + 110'000 + stall + (r == 5 ? 0 : 100 + r),
                                       CollectiveOperation::Allreduce);
                builder.leave(r, now + 119'000 + stall, "step");
            }
            now += stall;
        }
        for (Rank r = 0; r < 8; ++r)
            builder.leave(r, now, "main");
        return builder.finish(now);
    };
    std::vector<TracePtr> samples;
    for (int i = 0; i < references; ++i)
        samples.push_back(job(100U + static_cast<unsigned>(i), false));
    const SemiMarkovReport report = analyseSemiMarkov(*job(1, true), samples, {}, {});
    verifyNamed(report, Kind::Temporary, 5, 7, "MPI_Allreduce");
    // All ranks spent the same time there, so that no distance between their models tells them apart.
    QCOMPARE(report.clusters[*report.faultyCluster].ranks, (RankSet{0, 1, 2, 3, 4, 5, 6, 7}));
    QVERIFY(report.setApart.has_value());
    QCOMPARE(report.setApart->ranks, RankSet{5});
    QVERIFY(!report.setApart->byBranch && !report.setApart->characteristic.empty());
    QCOMPARE(QString::fromStdString(describe(*report.setApart, report.clusters[*report.faultyCluster].ranks)),
             QString("The verdict's rank 5 is in the cluster of ranks 0-7: the cut alone does not set it apart."));
    QVERIFY(analyseSemiMarkov(*job(2, false), samples, {}, {}).verdict.kind == Kind::NothingUnusual);
}

/// What is usual without references: the paper looks at the first phase; all other phases are another answer.
void TestSemiMarkov::usualTimesWithoutReferences_data() {
    QTest::addColumn<int>("step");
    QTest::addColumn<int>("references");
    QTest::addColumn<QStringList>("answers"); // what the methods that look at single transitions say of rank 5
    const QString paper = "earliest abnormal transition";
    const QString ours = "earliest abnormal transition, by all other phases (ours)";
    QTest::newRow("a later phase") << 7 << 0 << QStringList{paper + ": 5", ours + ": 5"};
    QTest::newRow("the first phase is not compared with itself") << 0 << 0 << QStringList{paper + ": none", ours + ": 5"};
    QTest::newRow("references") << 7 << 2 << QStringList{paper + ": 5"};
}

void TestSemiMarkov::usualTimesWithoutReferences() {
    QFETCH(int, step);
    QFETCH(int, references);
    QFETCH(QStringList, answers);
    SyntheticJob job;
    job.extra = [step](Rank rank, int now) { return rank == 5 && now == step ? Tick{2'000'000} : 0; };
    const SemiMarkovReport report = analysed(job, references);
    QCOMPARE(report.shownPhase, static_cast<std::uint32_t>(step));
    QStringList found;
    for (const TransitionAnswer &answer : report.transitionAnswers)
        if (answer.name().find("abnormal") != std::string::npos)
            found << QString::fromStdString(answer.name()) + ": " + (answer.rank ? QString::number(*answer.rank) : "none");
    QCOMPARE(found, answers);
    QCOMPARE(std::count_if(report.clusterAnswers.begin(), report.clusterAnswers.end(), [](const auto &a) { return a.isOurs(); }),
             std::ptrdiff_t{references > 0 ? 0 : 1});
}

void TestSemiMarkov::slowRankStays_data() {
    QTest::addColumn<int>("references");
    QTest::newRow("without references") << 0;
    QTest::newRow("with references") << 3;
}

void TestSemiMarkov::slowRankStays() {
    QFETCH(int, references);
    SyntheticJob job;
    job.extra = [](Rank rank, int step) { return rank == 2 && step >= 6 ? Tick{300'000} : 0; };
    const SemiMarkovReport report = analysed(job, references);
    verifyNamed(report, Kind::Permanent, 2, 6, "flux");
    QVERIFY(report.verdict.shift && report.verdict.shift->factor > 2);
}

void TestSemiMarkov::sharedProcessor_data() {
    QTest::addColumn<unsigned>("references");
    QTest::newRow("without references") << 0U;
    QTest::newRow("with references") << 3U;
}

/// A thread starts at the end of phase 5, is noticed there, and takes part of the processor from then on.
void TestSemiMarkov::sharedProcessor() {
    QFETCH(unsigned, references);
    test::SharedProcessorJob job;
    job.burden = [](Rank rank, int number) { return rank == 1 && number >= 24 ? 1.6 : 1.0; };
    job.heldUp = [](Rank rank, int number) { return rank == 1 && number == 23 ? Tick{30'000} : Tick{0}; };
    std::vector<TracePtr> traces = test::withReferences(job, references);
    const TracePtr trace = traces.front();
    traces.erase(traces.begin());
    const SemiMarkovReport report = analyseSemiMarkov(*trace, traces, {}, {});
    QCOMPARE(report.verdict.kind, Kind::Permanent);
    QCOMPARE(report.verdict.phase, std::optional<std::uint32_t>(5));
    QCOMPARE(report.verdict.ranks, RankSet{1});
    QVERIFY(std::abs(report.verdict.shift->factor - 1.6) < 0.1);
    QCOMPARE(describeTransition(report.histories.table, report.verdict.occurrence->transition),
             "after MPI_Barrier in main → after MPI_Pcontrol(1)");
    QVERIFY2(report.verdict.why.starts_with("From phase 5 (MPI_Pcontrol) on, rank 1 computes 1."), report.verdict.why.c_str());
}

/// What is slow is named, and not what shows first that the rank is.
void TestSemiMarkov::oneComputationOfThoseOfARank() {
    test::SharedProcessorJob job;
    job.burden = [](Rank rank, int number) { return rank == 1 && number >= 24 && number % 4 == 2 ? 5.0 : 1.0; };
    std::vector<TracePtr> traces = test::withReferences(job, 4);
    const TracePtr trace = traces.front();
    traces.erase(traces.begin());
    const SemiMarkovReport report = analyseSemiMarkov(*trace, traces, {}, {});
    QCOMPARE(report.verdict.phase, std::optional<std::uint32_t>(6));
    QVERIFY(std::abs(report.verdict.shift->factor - 5) < 0.5);
    QCOMPARE(describeTransition(report.histories.table, report.verdict.occurrence->transition),
             "after MPI_Allreduce in main → MPI_Barrier in main");
}

void TestSemiMarkov::interferenceInTheFirstPhasesOnly() {
    // AutomaDeD §5.3: the processes of an earlier job disturb the beginning of this one, on all ranks.
    SyntheticJob job;
    job.extra = [](Rank rank, int step) { return step < 3 ? Tick{80'000 + 5'000 * rank} : 0; };
    const SemiMarkovReport report = analysed(job, 5);
    double band = 0;
    for (const auto &reference : report.deviation.ofReferences)
        band = std::max(band, *std::max_element(reference.begin(), reference.end()));
    QCOMPARE(report.deviation.ofReferences.size(), std::size_t{5});
    for (std::size_t p = 0; p < report.phases.size(); ++p) {
        const double score = report.deviation.samples[p];
        QVERIFY2(p < 3 ? score > 3 * band : score < 2 * band,
                 qPrintable(QString("phase %1 has a score of %2; references reach %3").arg(p).arg(score).arg(band)));
    }
    QVERIFY(report.verdict.kind != Kind::NothingUnusual && *report.verdict.phase < 3);
}

void TestSemiMarkov::hang_data() {
    QTest::addColumn<Tick>("silence");
    QTest::addColumn<int>("references");
    QTest::newRow("the trace ends with the last event") << Tick{0} << 0;
    QTest::newRow("the trace saw the hang last") << Tick{50'000'000} << 0;
    QTest::newRow("with references") << Tick{50'000'000} << 3;
}

void TestSemiMarkov::hang() {
    QFETCH(Tick, silence);
    QFETCH(int, references);
    SyntheticJob job;
    job.hangStep = 8;
    job.hangRank = 4;
    job.silence = silence;
    const SemiMarkovReport report = analysed(job, references);
    verifyNamed(report, Kind::Hang, 4, 8, "flux");
    QVERIFY(report.histories.table.isCensored(report.verdict.occurrence->transition));
    QVERIFY(report.verdict.occurrence->open);
    if (silence > 0)
        QCOMPARE(report.clusters[*report.faultyCluster].ranks, RankSet{4});
}

/// Nobody is outside MPI: MPI_Send never lasts long, MPI_Allreduce does wherever somebody is late.
void TestSemiMarkov::aHangInsideMpi() {
    const TracePtr trace = test::hungInSend().build();
    const SemiMarkovReport report = analyseSemiMarkov(*trace, {}, {}, {});
    QCOMPARE(report.verdict.kind, Kind::HangInMpi);
    QCOMPARE(report.verdict.phase, std::optional<std::uint32_t>(8));
    QCOMPARE(report.verdict.ranks, RankSet{4});
    QCOMPARE(report.clusters[*report.faultyCluster].ranks, RankSet{4});
    SemiMarkovOptions options;
    options.leastProgressed = {6};
    QCOMPARE(analyseSemiMarkov(*trace, {}, options, {}).verdict.ranks, RankSet{6}); // whom the waits lead to goes first
}

/// Nothing is known of how long it takes: no time is said to be usual.
void TestSemiMarkov::aHangInACallThatWasNeverMadeBefore() {
    test::TraceBuilder builder(4);
    for (Rank r = 0; r < 4; ++r) {
        builder.enter(r, 0, "main").call(r, 1, 5, "MPI_Init");
        for (Tick t = 100; t < 2000; t += 100)
            builder.call(r, t, t + 10, "MPI_Send");
        builder.enter(r, 2100, "MPI_Finalize");
    }
    const SemiMarkovReport report = analyseSemiMarkov(*builder.finish(9'000'000), {}, {}, {});
    QCOMPARE(report.verdict.kind, Kind::HangInMpi);
    QVERIFY2(report.verdict.why.find(" has been in MPI_Finalize in main for 9 ms. ") != std::string::npos,
             report.verdict.why.c_str());
}

void TestSemiMarkov::aHangTellsWhereItShouldHaveGone() {
    SyntheticJob job;
    job.hangStep = 8;
    job.hangRank = 4;
    job.silence = 50'000'000;
    const SemiMarkovReport report = analysed(job);
    QCOMPARE(report.verdict.related.size(), std::size_t{1});
    const RelatedTransition &expected = report.verdict.related.front();
    QCOMPARE(expected.role, RelatedTransition::Role::Expected);
    QCOMPARE(QString::fromStdString(describe(report.histories.table.to(expected.transition))), QString("MPI_Allreduce in step"));
    QVERIFY2(report.verdict.why.find("should have come to MPI_Allreduce in step: rank 4 went on so 8 of 8 times before") !=
                 std::string::npos,
             report.verdict.why.c_str());
}

void TestSemiMarkov::whoSentWhatIsAwaited() {
    const TracePtr trace = test::hungInSend().build();
    SemiMarkovOptions options;
    options.leastProgressed = {6};
    const Track &track = trace->mainEvents(2)->track;
    auto row = static_cast<std::uint32_t>(track.size() - 1);
    while (trace->region(track.callPath[row]).name != "MPI_Send")
        --row;
    options.awaited = {{2, 6, track.start[row]}, {1, 7, track.start[row]}}; // nobody has named rank 7
    const SemiMarkovVerdict verdict = analyseSemiMarkov(*trace, {}, options, {}).verdict;
    QCOMPARE(verdict.related.size(), std::size_t{2});
    for (const RelatedTransition &one : verdict.related) {
        QCOMPARE(one.role, RelatedTransition::Role::Sending);
        QCOMPARE(one.ranks, RankSet{2});
    }
    QCOMPARE(verdict.related[0].phase, 8U);
    QCOMPARE(verdict.related[1].phase, 7U); // what comes before the call begins with the end of step 7
    QVERIFY2(verdict.why.find("waits for a message that rank 2 sent in MPI_Send in step") != std::string::npos,
             verdict.why.c_str());
}

/// The references have phases, the judged run never came to its first one.
void TestSemiMarkov::aHangBeforeTheFirstPhase() {
    const SemiMarkovReport report = analyseSemiMarkov(*setUpJob(2, false), {{setUpJob(4, false), setUpJob(4, false)}}, {}, {});
    QVERIFY(!report.empty());
    QVERIFY(report.phases.beforeFirst);
    QCOMPARE(report.phases.size(), std::size_t{1});
    verifyNamed(report, Kind::Hang, 2, 0, "set_up");
    QVERIFY2(report.verdict.why.find("in the time before the first phase (MPI_Pcontrol)") != std::string::npos,
             report.verdict.why.c_str());
    // One phase is little to train a threshold with.
    QCOMPARE(report.clusters[*report.faultyCluster].ranks, (RankSet{0, 1, 2, 3}));
    QCOMPARE(report.setApart->ranks, RankSet{2});
    QCOMPARE(QString::fromStdString(describe(report.histories.table.to(report.verdict.related.front().transition))),
             QString("MPI_Comm_split in main"));
    QCOMPARE(report.phases.span(1, 0, 3).end, Tick{300}); // from the references: what comes before the first phase
}

/// Others are in the first phase already.
void TestSemiMarkov::aHangBeforeTheRanksFirstPhase() {
    const SemiMarkovReport report = analyseSemiMarkov(*setUpJob(2, true), {{setUpJob(4, false)}}, {}, {});
    QVERIFY(!report.phases.beforeFirst);
    QVERIFY(report.verdict.kind == Kind::Hang);
    QCOMPARE(report.verdict.ranks, RankSet{2});
    QVERIFY(!report.verdict.phase);
    QVERIFY(!report.faultyCluster);
    QVERIFY2(report.verdict.why.find("in the time before the first phase") != std::string::npos, report.verdict.why.c_str());
}

void TestSemiMarkov::oneOfTenReferencesMayHaveTheFault() {
    SyntheticJob job;
    job.extra = [](Rank rank, int step) { return rank == 3 && step == 7 ? Tick{1'000'000} : Tick{0}; };
    const TracePtr trace = job.build();
    std::vector<TracePtr> references;
    for (unsigned seed = 10; seed < 20; ++seed) {
        SyntheticJob other;
        other.seed = seed;
        if (seed == 15)
            other.extra = [](Rank rank, int step) { return rank == 1 && step == 4 ? Tick{1'000'000} : Tick{0}; };
        references.push_back(other.build());
    }
    const SemiMarkovReport report = analyseSemiMarkov(*trace, references, {}, {});
    verifyNamed(report, Kind::Temporary, 3, 7, "flux");
}

void TestSemiMarkov::cleanRunsAreNotUnusual_data() {
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<int>("references");
    for (unsigned seed = 1; seed <= 6; ++seed)
        for (const int references : {0, 3})
            QTest::addRow("seed %u, %d references", seed, references) << seed << references;
}

void TestSemiMarkov::cleanRunsAreNotUnusual() {
    QFETCH(unsigned, seed);
    QFETCH(int, references);
    SyntheticJob job;
    job.seed = seed;
    const SemiMarkovReport report = analysed(job, references);
    QVERIFY2(report.verdict.kind == Kind::NothingUnusual, report.verdict.why.c_str());
    QVERIFY(report.verdict.ranks.empty() && !report.faultyCluster);
    QVERIFY2(!report.models.empty(), "the ranking and the models are there all the same");
}

void TestSemiMarkov::doesNotDependOnTimeShift() {
    SyntheticJob job;
    job.extra = [](Rank rank, int step) { return rank == 5 && step == 7 ? Tick{2'000'000} : 0; };
    const SemiMarkovReport here = analysed(job);
    job.shift = 1'000'000'000'000;
    const SemiMarkovReport there = analysed(job);
    QCOMPARE(here.deviation.self, there.deviation.self);
    QCOMPARE(here.clusterOf, there.clusterOf);
}

void TestSemiMarkov::doesNotDependOnThreads() {
    SyntheticJob job;
    job.ranks = 33;
    const TracePtr trace = job.build();
    Work one, four;
    one.threads = 1;
    four.threads = 4;
    const SemiMarkovReport a = analyseSemiMarkov(*trace, {}, {}, one);
    const SemiMarkovReport b = analyseSemiMarkov(*trace, {}, {}, four);
    QCOMPARE(a.deviation.self, b.deviation.self);
    QCOMPARE(a.clusterOf, b.clusterOf);
    QCOMPARE(a.verdict.why, b.verdict.why);
}

void TestSemiMarkov::followsTheRankNumbers() {
    SyntheticJob job;
    job.extra = [](Rank rank, int step) { return rank == 5 && step == 7 ? Tick{2'000'000} : 0; };
    const SemiMarkovReport before = analysed(job);
    job.rotate = 3; // rank 2 does what rank 5 did
    const SemiMarkovReport after = analysed(job);
    verifyNamed(after, Kind::Temporary, 2, 7, "flux");
    for (std::size_t p = 0; p < before.phases.size(); ++p)
        QVERIFY(std::abs(before.deviation.self[p] - after.deviation.self[p]) <= 1e-3 * before.deviation.self[p]);
}

void TestSemiMarkov::referenceWithOtherRanksIsLeftOut() {
    SyntheticJob other;
    other.ranks = 4;
    const std::vector<TracePtr> references{other.build()};
    const SemiMarkovReport report = analyseSemiMarkov(*SyntheticJob{}.build(), references, {}, {});
    QCOMPARE(report.histories.references(), std::size_t{0});
    QVERIFY(std::any_of(report.notes.begin(), report.notes.end(),
                        [](const std::string &n) { return n.find("4 ranks") != std::string::npos; }));
}

void TestSemiMarkov::emptyTrace() {
    const SemiMarkovReport report = analyseSemiMarkov(*test::TraceBuilder(2).finish(10), {}, {}, {});
    QVERIFY(report.empty());
    QVERIFY(!report.verdict.why.empty());
}

void TestSemiMarkov::slowMasterWorker() {
    const TracePtr trace = realTrace("slow-master-worker");
    if (trace == nullptr)
        QSKIP("There is no trace slow-master-worker.");
    const SemiMarkovReport report = analyseSemiMarkov(*trace, {}, {}, {});
    QCOMPARE(QString::fromStdString(report.phases.region), QString("process_batch"));
    verifyNamed(report, Kind::Permanent, 7, 20, "busy"); // batch 21, counted from 0
    QCOMPARE(report.clusters[*report.faultyCluster].ranks, RankSet{7});
    QVERIFY2(report.verdict.occurrence->usual < 3e-3, "one that was held up once in phase 9 is said to be usual");
    QCOMPARE(QString::fromStdString(describeTransition(report.histories.table,
                                                       report.models[*report.faultyCluster].characteristic.front().transition)),
             QString("after MPI_Recv in run_worker → MPI_Send in run_worker"));
}

/// Iterations 16 to 23 are joined, of which the last four are slow: it began there.
void TestSemiMarkov::joinedPhasesOfASlowWorker() {
    const TracePtr trace = realTrace("slow-master-worker");
    if (trace == nullptr)
        QSKIP("There is no trace slow-master-worker.");
    SemiMarkovOptions options;
    options.group = 5;
    const SemiMarkovReport report = analyseSemiMarkov(*trace, {}, options, {});
    QCOMPARE(report.phases.size(), std::size_t{5});
    verifyNamed(report, Kind::Permanent, 7, 2, "busy");
}

void TestSemiMarkov::hungStencil() {
    const TracePtr trace = realTrace("hung-stencil");
    if (trace == nullptr)
        QSKIP("There is no trace hung-stencil.");
    const SemiMarkovReport report = analyseSemiMarkov(*trace, {}, {}, {});
    verifyNamed(report, Kind::Hang, 3, 40, "compute_flux"); // iteration 41, counted from 0
    QCOMPARE(report.clusters[*report.faultyCluster].ranks, RankSet{3});
}

void TestSemiMarkov::realRunsThatAreClean_data() {
    QTest::addColumn<QString>("name");
    for (const char *name : {"sstmacro-otf2test", "tracer-stencil4d-64", "pipit-pingpong-papi", "ember-otf2", "fastotf2-mi300"})
        QTest::newRow(name) << name;
}

void TestSemiMarkov::realRunsThatAreClean() {
    QFETCH(QString, name);
    const TracePtr trace = realTrace(name);
    if (trace == nullptr)
        QSKIP(qPrintable("There is no trace " + name + "."));
    for (const auto kind : {DistributionKind::Gaussian, DistributionKind::Histogram}) {
        SemiMarkovOptions options;
        options.distribution = kind;
        const SemiMarkovReport report = analyseSemiMarkov(*trace, {}, options, {});
        QVERIFY2(report.verdict.kind == Kind::NothingUnusual, report.verdict.why.c_str());
    }
}

QTEST_APPLESS_MAIN(TestSemiMarkov)
#include "tst_semimarkov.moc"
