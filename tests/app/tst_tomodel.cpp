// SPDX-License-Identifier: GPL-3.0-or-later
// A trace, the archive made from it, and the dump made from either give the same answer.
#include "analysis/automaded/PhaseSummary.h"
#include "analysis/progress/TraceModels.h"
#include "analysis/semimarkov/Phases.h"
#include "analysis/words/VerdictWords.h"
#include "app/convert/DumpText.h"
#include "app/convert/Otf2Export.h"
#include "app/convert/TraceDump.h"
#include "app/report/Report.h"
#include "app/report/WriteFile.h"
#include "ingest/Format.h"
#include "tests/analysis/semimarkov/SyntheticJob.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/RecordingWriter.h"
#include "tests/support/SampleRecording.h"
#include "tests/support/TraceBuilder.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <sstream>

using namespace laggard;
using test::TraceBuilder;

namespace {

QString text(const std::string &string) { return QString::fromStdString(string); }

AnalysisOptions progressOnly() {
    AnalysisOptions options;
    options.choice = AnalysisChoice::progressOnly();
    return options;
}

/// Who waits for whom, and how sure it is.
QString waitsOf(const Report &report) {
    std::ostringstream out;
    for (const Wait &wait : report.waits.waits)
        out << formatRanges(wait.waiters) << (wait.anyOf ? " wait for any of " : " wait for ") << formatRanges(wait.on) << ' '
            << wait.confidence << '\n';
    return text(out.str());
}

/// What a report says of progress, without its heading.
QString answer(const Report &report) {
    std::ostringstream out;
    out << name(report.verdict.state) << '\n' << report.verdict.summary << '\n' << report.verdict.confidence << '\n';
    out << report.waits.verdict.why << '\n' << report.waits.verdict.since - report.trace->range.begin << '\n';
    for (const Finding &finding : report.verdict.findings)
        out << formatRanges(finding.ranks) << ' ' << finding.function << ' ' << finding.file << ':' << finding.line << ' '
            << finding.why << '\n';
    for (const Wait &wait : report.waits.waits)
        out << formatRanges(wait.waiters) << " wait for " << formatRanges(wait.on) << ' ' << wait.confidence << ": "
            << wait.evidence << '\n';
    for (const ProgressNode &node : report.progress.nodes) {
        out << "node " << formatRanges(node.ranks) << (node.leastProgressed ? " LP" : "");
        for (const Frame &frame : node.stack)
            out << " < " << frame.function << ' ' << frame.file << ':' << frame.line;
        out << '\n';
    }
    for (const ProgressEdge &edge : report.progress.edges)
        out << "edge " << edge.from << ' ' << edge.to << ' ' << static_cast<int>(edge.kind) << ' ' << edge.confidence << ' '
            << edge.evidence << '\n';
    return text(out.str());
}

using test::RecordingWriter;
constexpr std::uint64_t second = 1'000'000'000;

std::vector<RecordingWriter> initialised(std::int32_t ranks) {
    std::vector<RecordingWriter> writers;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RecordingWriter &writer = writers.emplace_back(rank, ranks);
        writer.header.aliveTicks = 10 * second;
        writer.enter(1, writer.address(0x10)).call(2, 3, "MPI_Init");
    }
    return writers;
}

/// Rank 0 asks rank 1 for an answer, as it has done `answers` times, and looks meanwhile for what anybody asks of it.
std::vector<RecordingWriter> servingMeanwhile(int answers) {
    std::vector<RecordingWriter> job = initialised(4);
    std::uint64_t time = 20;
    for (int i = 0; i < answers; ++i, time += 60) {
        const auto request = static_cast<std::uint64_t>(i) + 1;
        job[0].begin(time, "MPI_Irecv").receivePart(1, 3, request).end(time + 5);
        job[1].sendCall(time + 10, time + 12, 0, 3);
        job[0].begin(time + 20, "MPI_Test").awaited({request}).end(time + 30).received(1, 3, request);
    }
    job[0].begin(time, "MPI_Irecv").receivePart(1, 3, 99).end(time + 5);
    for (std::uint64_t i = 1; i <= 98; ++i) {
        const std::uint64_t at = time + i * second / 10;
        if (i % 2 == 0)
            job[0].polls(at, at, 1, "MPI_Iprobe").receivePart(recording::anySource, 5, 0, recording::probeOnly);
        else
            job[0].polls(at, at, 1, "MPI_Test").awaited({99});
    }
    for (std::size_t rank = 1; rank < job.size(); ++rank)
        job[rank].begin(time, "MPI_Recv").receivePart(0, 9);
    return job;
}

/// Rank 0 looks for a message again and again, without which it went on `times` before.
std::vector<RecordingWriter> probingByTheWay(int times) {
    std::vector<RecordingWriter> job = initialised(2);
    for (int i = 0; i < times; ++i) {
        const std::uint64_t time = 1000 + 1000 * static_cast<std::uint64_t>(i);
        job[0].polls(time, time + 50, 6, "MPI_Iprobe").receivePart(recording::anySource, 7, 0, recording::probeOnly);
        job[0].sendCall(time + 100, time + 110, 1, 8).receiveCall(time + 120, time + 400, 1, 8);
        job[1].sendCall(time + 200, time + 210, 0, 8).receiveCall(time + 220, time + 230, 0, 8);
    }
    job[0].polls(20'000, 10 * second, 5000, "MPI_Iprobe").receivePart(recording::anySource, 7, 0, recording::probeOnly);
    job[1].begin(20'200, "MPI_Recv").receivePart(0, 8);
    return job;
}

} // namespace

class TestToModel : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    /// A dump of a damaged recording is no surer than that.
    void damageSurvives() {
        const std::string folder = m_folder->path().toStdString();
        test::sampleOf(1).write(folder + "/1.laggard");
        std::string bytes = test::sampleOf(0).bytes();
        bytes.replace(bytes.size() - 5 * recording::chunkUnit, 64, 64, '\0');
        test::setFileBytes(folder + "/0.laggard", bytes);
        const TracePtr original = openTrace(folder, {}, {});
        const std::string file = folder + "/job.model";
        writeFile(file, dumpText(summarise(original, {}, {})));
        const auto read = openInput(file, {}, {});
        QVERIFY(read.trace->isDamaged(0));
        QVERIFY(!read.trace->isDamaged(1));
        QVERIFY(read.trace->hasDataLoss());
        const ReportPtr report = analyse(read.dump, progressOnly(), {});
        QVERIFY(report->verdict.fromDamaged);
        QVERIFY(report->verdict.confidence <= analyse(original, progressOnly(), {})->verdict.confidence);
    }

    /// A changed digit makes valid JSON that says something else.
    void changesAreNamed_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<bool>("isNamed");
        QTest::newRow("nothing") << QByteArray("\"job\"") << QByteArray("\"job\"") << false;
        QTest::newRow("a function") << QByteArray("MPI_Send") << QByteArray("MPI_Semd") << true;
        QTest::newRow("a key") << QByteArray("\"tasks\"") << QByteArray("\"taskz\"") << true;
        QTest::newRow("a blank") << QByteArray("{\n") << QByteArray("{ \n") << true;
        QTest::newRow("the check") << QByteArray("\"check\":\"") << QByteArray("\"check\":\"0") << true;
    }
    void changesAreNamed() {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QFETCH(bool, isNamed);
        const std::string folder = m_folder->path().toStdString();
        for (const Rank rank : {0U, 1U})
            test::sampleOf(rank).write(folder + '/' + std::to_string(rank) + ".laggard");
        QByteArray text = QByteArray::fromStdString(dumpText(summarise(openTrace(folder, {}, {}), {}, {})));
        const qsizetype at = text.indexOf(before);
        QVERIFY2(at >= 0, text.constData());
        const std::string file = folder + "/job.model";
        writeFile(file, text.replace(at, before.size(), after).toStdString());
        const TracePtr read = openInput(file, {}, {}).trace;
        QCOMPARE(read->hasDataLoss(), isNamed);
        QCOMPARE(std::ranges::any_of(read->warnings,
                                     [](const Warning &w) { return w.message.find("changed after") != std::string::npos; }),
                 isNamed);
    }

    void sameAnswer_data() {
        QTest::addColumn<QString>("folder");
        for (const char *name : {"hung-stencil", "hung-buffered-io", "hung-wavefront", "slow-master-worker", "sstmacro-otf2test",
                                 "pipit-pingpong-papi"})
            QTest::newRow(name) << QStringLiteral(LAGGARD_TRACES "/") + name;
        QTest::newRow("example") << QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil");
    }
    void sameAnswer() {
        QFETCH(QString, folder);
        if (!QDir(folder).exists())
            QSKIP("the real traces are not on this machine");
        const TracePtr trace = openTrace(folder.toStdString(), {}, {});
        // A dump keeps what all analyses of the trace have found.
        QCOMPARE(answer(*analyse(dumpOf(trace), progressOnly(), {})), answer(*analyse(trace, AnalysisOptions(), {})));

        const std::string archive = m_folder->filePath("archive").toStdString();
        static_cast<void>(writeOtf2(*trace, archive, {}));
        const TracePtr converted = openTrace(archive, {}, {});
        QCOMPARE(answerOf(converted), answerOf(trace));
        QCOMPARE(answer(*analyse(dumpOf(converted), progressOnly(), {})), answer(*analyse(converted, AnalysisOptions(), {})));
    }

    /// A model dump has no events, and tells all the same what a rank that polls did in such places before.
    void polls_data() {
        QTest::addColumn<std::vector<RecordingWriter>>("job");
        QTest::newRow("serves others meanwhile") << servingMeanwhile(4);
        QTest::newRow("an order that may come at any time") << servingMeanwhile(0);
        QTest::newRow("goes on without a message") << probingByTheWay(4);
        QTest::newRow("has never gone on without") << probingByTheWay(0);
    }
    void polls() {
        QFETCH(std::vector<RecordingWriter>, job);
        for (std::size_t rank = 0; rank < job.size(); ++rank)
            job[rank].write(m_folder->filePath(QString::number(rank) + ".laggard").toStdString());
        const TracePtr trace = openTrace(m_folder->path().toStdString(), {}, {});
        QVERIFY(!waitsOf(*analyse(trace, progressOnly(), {})).isEmpty());
        const ReportPtr ofTrace = analyse(trace, progressOnly(), {});
        const ReportPtr ofDump = analyse(dumpOf(trace), progressOnly(), {});
        QCOMPARE(waitsOf(*ofDump), waitsOf(*ofTrace));
        // What follows from its calls before is told by the answer that is kept.
        QCOMPARE(text(ofDump->verdict.summary), text(ofTrace->verdict.summary));
        QCOMPARE(ofDump->verdict.confidence, ofTrace->verdict.confidence);
        QCOMPARE(ofDump->progress.leastProgressed, ofTrace->progress.leastProgressed);
    }

    /// The check does not cover what stands behind it.
    void nothingBehindTheCheckCounts() {
        const std::vector<RecordingWriter> job = servingMeanwhile(0);
        for (std::size_t rank = 0; rank < job.size(); ++rank)
            job[rank].write(m_folder->filePath(QString::number(rank) + ".laggard").toStdString());
        std::string dump = dumpText(summarise(openTrace(m_folder->path().toStdString(), {}, {}), {}, {}));
        const std::string file = m_folder->filePath("job.model").toStdString();
        writeFile(file, dump);
        QVERIFY(openInput(file, {}, {}).dump->answer != nullptr);
        dump.resize(dump.rfind('}'));
        writeFile(file, dump + ",\"pending\":[]}");
        const ModelDumpPtr changed = openInput(file, {}, {}).dump;
        QVERIFY2(changed->answer == nullptr && changed->job->hasDataLoss(),
                 "something was added behind the check, and nobody knows");
    }

    void modelsSurvive() {
        const TracePtr trace = openTrace(LAGGARD_EXAMPLES "/hung-stencil", {}, {});
        const ModelSet expected = buildTraceModels(*trace, openEnd, {}).set;
        const ModelDumpPtr dump = dumpOf(trace);
        QCOMPARE(dump->models.states.size(), expected.states.size());
        for (std::size_t i = 0; i < expected.states.size(); ++i) {
            QVERIFY(dump->models.states[i].kind == expected.states[i].kind);
            QVERIFY(dump->models.states[i].stack == expected.states[i].stack);
        }
        QCOMPARE(dump->models.stateOfRank, expected.stateOfRank);
        QCOMPARE(dump->models.lastStateOfRank, expected.lastStateOfRank);
        for (Rank rank = 0; rank < expected.modelOfRank.size(); ++rank)
            QVERIFY(dump->models.models[dump->models.modelOfRank[rank]] == expected.models[expected.modelOfRank[rank]]);
    }

    /// By hand: the models of two phases, each a barrier between marks, in ticks.
    void modelsByPhase() {
        // Marks at 5 and 45; barriers from 10 to 20, 22 to 28 and 50 to 56, in nanoseconds.
        const TracePtr trace = TraceBuilder(1)
                                   .enter(0, 0, "main")
                                   .phase(0, 5)
                                   .collectiveCall(0, 10, 20, CollectiveOperation::Barrier)
                                   .collectiveCall(0, 22, 28, CollectiveOperation::Barrier)
                                   .phase(0, 45)
                                   .collectiveCall(0, 50, 56, CollectiveOperation::Barrier)
                                   .finish(60);
        const ModelDumpPtr dump = dumpOf(trace);
        QVERIFY(dump->job->phaseModels != nullptr);
        const PhaseModels &models = *dump->job->phaseModels;
        QVERIFY(models.source == PhaseSource::Pcontrol);
        QCOMPARE(models.sets.size(), std::size_t{1});
        QVERIFY(models.sets[0].isMark);
        QCOMPARE(models.ranks[0].phases.size(), std::size_t{2});
        QVERIFY(models.ranks[0].open);
        const RankPhase &first = models.ranks[0].phases[0];
        QCOMPARE(first.begin, Tick{5});
        QCOMPARE(first.end, Tick{45});
        const auto kind = [&](const PhaseTransition &t) { return models.states[models.transitions[t.transition].first].kind; };
        const auto inside = std::find_if(first.transitions.begin(), first.transitions.end(),
                                         [&](const PhaseTransition &t) { return kind(t) == PhaseState::Kind::Communication; });
        QVERIFY(inside != first.transitions.end());
        QCOMPARE(inside->count, std::uint64_t{2});
        QCOMPARE(inside->mean, 8.0);
        QCOMPARE(inside->squares, 8.0); // 2² + 2²
        QCOMPARE(inside->longest, 10.0);
        QCOMPARE(inside->longestBegin, Tick{10});
        QCOMPARE(inside->buckets.size(), std::size_t{2});
        // The second phase is cut off after three states: after the mark, in the barrier, after it.
        double states = 0;
        for (const PhaseTransition &t : first.asIfCut)
            states += static_cast<double>(t.count);
        QCOMPARE(states, 3.0);
        QVERIFY(models.ranks[0].phases[1].asIfCut.empty());
        const auto open =
            std::find_if(models.ranks[0].phases[1].transitions.begin(), models.ranks[0].phases[1].transitions.end(),
                         [&](const PhaseTransition &t) {
                             return models.states[models.transitions[t.transition].second].kind == PhaseState::Kind::NotReturned;
                         });
        QVERIFY(open != models.ranks[0].phases[1].transitions.end());
        QCOMPARE(open->longest, 4.0); // from 56 to the end
    }

    void sameSemiMarkovAnswer_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("hung, OTF2") << QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil");
        QTest::newRow("hung, recorded") << QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil-recorded");
        for (const char *name : {"hung-wavefront", "slow-master-worker"})
            QTest::newRow(name) << QStringLiteral(LAGGARD_TRACES "/") + name;
    }
    /// Events, and the model dump made of them: the same phases, clusters, transitions and verdict.
    void sameSemiMarkovAnswer() {
        QFETCH(QString, folder);
        if (!QDir(folder).exists())
            QSKIP("the real traces are not on this machine");
        const TracePtr trace = openTrace(folder.toStdString(), {}, {});
        // Some ranks take a transition more often than there are buckets in a histogram.
        for (const DistributionKind kind : {DistributionKind::Gaussian, DistributionKind::Histogram})
            compareSemiMarkov(*trace, *dumpOf(trace)->job, {}, {}, kind, 5e-3);
    }

    void sameSemiMarkovAnswerOfFaults_data() {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<bool>("withReference");
        for (const char *fault : {"none", "temporary", "permanent", "hang"})
            for (const bool withReference : {false, true})
                QTest::addRow("%s%s", fault, withReference ? ", with a reference" : "") << QString(fault) << withReference;
    }
    void sameSemiMarkovAnswerOfFaults() {
        QFETCH(QString, fault);
        QFETCH(bool, withReference);
        test::SyntheticJob job;
        test::SyntheticJob healthy;
        healthy.seed = 2;
        if (fault == "temporary")
            job.extra = [](Rank rank, int step) { return rank == 5 && step == 7 ? Tick{900'000} : Tick{0}; };
        if (fault == "permanent")
            job.extra = [](Rank rank, int step) { return rank == 3 && step >= 6 ? Tick{400'000} : Tick{0}; };
        if (fault == "hang") {
            job.hangStep = 8;
            job.hangRank = 2;
            job.silence = 5'000'000;
        }
        const TracePtr trace = job.build();
        const TracePtr reference = withReference ? healthy.build() : nullptr;
        const ModelDumpPtr referenceDump = withReference ? dumpOf(reference) : nullptr;
        const ModelDumpPtr dump = dumpOf(trace);
        const auto asList = [](const TracePtr &one) { return one ? std::vector<TracePtr>{one} : std::vector<TracePtr>{}; };
        compareSemiMarkov(*trace, *dump->job, asList(reference), asList(reference), DistributionKind::Gaussian);
        // A dump of another run serves as reference too. What is cut off by a hang has no equally cut counterpart there.
        if (withReference && fault != "hang")
            compareSemiMarkov(*trace, *dump->job, asList(reference), asList(referenceDump->job), DistributionKind::Gaussian);
    }

    /// With more occurrences than buckets the times are binned: what is named stays, times become coarser.
    void binnedTimesNameTheSame() {
        test::SyntheticJob job;
        job.steps = 120;
        job.extra = [](Rank rank, int step) { return rank == 6 && step == 77 ? Tick{900'000} : Tick{0}; };
        const TracePtr trace = job.build();
        const std::vector<const Trace *> traces{trace.get()};
        PhaseModels models = summarisePhases(*trace, "", {}, 900); // joins 8 iterations
        QVERIFY(models.sets.at(0).joined > 1);
        ModelDump summary = summarise(trace, "", {});
        summary.phaseModels = std::make_shared<PhaseModels>(std::move(models));
        const ModelDumpPtr dump = read(dumpText(summary));
        const SemiMarkovReport report = analyseSemiMarkov(*dump->job, {}, {}, {});
        const std::uint32_t joined = report.phases.sets[0].joined;
        QVERIFY(report.verdict.kind == SemiMarkovVerdict::Kind::Temporary);
        QCOMPARE(report.verdict.ranks, RankSet{6});
        const Phase &named = report.phases.phases[report.verdict.phase.value()];
        QVERIFY(named.firstIteration <= 77 && 77 < named.endIteration);
        QCOMPARE(named.endIteration - named.firstIteration, joined);
        QCOMPARE(text(report.verdict.occurrence->function), QString("flux"));
        QVERIFY(report.verdict.occurrence->seconds > 9e-4);
        // Means and spreads are exact all the same.
        SemiMarkovOptions grouped;
        grouped.group = static_cast<std::uint32_t>(report.phases.size());
        const SemiMarkovReport exact = analyseSemiMarkov(*trace, {}, grouped, {});
        QCOMPARE(report.phases.size(), exact.phases.size());
        const SemiMarkovModel a = mergedModel(report, 0, 0, {1});
        const SemiMarkovModel b = mergedModel(exact, 0, 0, {1});
        QCOMPARE(a.transitions.size(), b.transitions.size());
        for (std::size_t i = 0; i < a.transitions.size(); ++i) {
            QCOMPARE(a.transitions[i].times.count, b.transitions[i].times.count);
            QVERIFY(isClose(a.transitions[i].times.mean, b.transitions[i].times.mean));
            QVERIFY(isClose(a.transitions[i].times.sigma(), b.transitions[i].times.sigma()));
        }
    }

    /// Sets of phases that take turns: a dump that joins iterations has the phases and states that a report with `group` has.
    void joinedSetsThatTakeTurns_data() {
        QTest::addColumn<QString>("levels"); // levels of the marks
        QTest::addColumn<uint>("group");
        QTest::newRow("one by one") << "1212121212121212" << 2U;
        QTest::newRow("four by four") << "1111222211112222" << 2U;
    }
    void joinedSetsThatTakeTurns() {
        QFETCH(QString, levels);
        QFETCH(uint, group);
        TraceBuilder builder(1);
        builder.enter(0, 0, "main");
        Tick t = 0;
        for (const QChar level : levels) {
            builder.phase(0, t += 100, level.digitValue());
            if (level == '1')
                builder.call(0, t + 10, t + 20, "MPI_Send");
        }
        const TracePtr trace = builder.phase(0, t + 100, 0).leave(0, t + 200, "main").finish(t + 200);
        ModelDump summary = summarise(trace, "", {});
        summary.phaseModels = std::make_shared<PhaseModels>(summarisePhases(*trace, "", {}, 1));
        const ModelDumpPtr dump = read(dumpText(summary));
        const auto phasesOf = [](const Trace &of, std::uint32_t grouped) {
            const std::vector<const Trace *> runs{&of};
            const Histories histories = buildHistories(runs, {});
            const PhaseTable phases = findPhases(runs, histories, "", grouped, {});
            QStringList result;
            for (std::size_t p = 0; p < phases.size(); ++p)
                result << QString("set %1, iterations %2 to %3, %4 states")
                              .arg(phases.phases[p].set)
                              .arg(phases.phases[p].firstIteration)
                              .arg(phases.phases[p].endIteration)
                              .arg(statesIn(histories.runs[0].ranks[0], phases.span(0, p, 0)));
            return result;
        };
        QCOMPARE(phasesOf(*dump->job, 0), phasesOf(*trace, group));
    }

    void otherPhasesAreRefused() {
        const TracePtr trace = test::SyntheticJob().build();
        const ModelDumpPtr dump = dumpOf(trace);
        SemiMarkovOptions options;
        options.phase = "MPI_Send";
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(analyseSemiMarkov(*dump->job, {}, options, {})), std::invalid_argument);
        options.phase = "step";
        QVERIFY(!analyseSemiMarkov(*dump->job, {}, options, {}).empty());
        // Chosen when the dump is made, they are there.
        const ModelDumpPtr chosen = read(dumpText(summarise(trace, "MPI_Send", {})));
        options.phase = "MPI_Send";
        QVERIFY(analyseSemiMarkov(*chosen->job, {}, options, {}).phases.source == PhaseSource::Chosen);
    }

    void aReportOfADumpHasPhases() {
        test::SyntheticJob job;
        job.extra = [](Rank rank, int step) { return rank == 5 && step == 7 ? Tick{900'000'000} : Tick{0}; };
        const TracePtr trace = job.build();
        const ReportPtr report = analyse(dumpOf(trace), {}, {});
        QVERIFY(report->models && report->choice.phases && !report->choice.outliers && !report->choice.delays);
        const SemiMarkovVerdict &verdict = report->models->verdict;
        QCOMPARE(verdict.ranks, RankSet{5});
        QVERIFY(verdict.occurrence && verdict.occurrence->function == "flux");
        // At the top stands what the trace's own report says: it has weighed the phases with the delays.
        const ReportPtr ofTrace = analyse(trace, AnalysisOptions(), {});
        QCOMPARE(text(report->verdict.summary), text(ofTrace->verdict.summary));
        QCOMPARE(report->verdict.findings.size(), ofTrace->verdict.findings.size());
        QVERIFY(report->verdict.facts == ofTrace->verdict.facts);
    }

    /// Ranks that do alike share their entries, whoever their neighbours are.
    void entriesAreShared() {
        constexpr Rank ranks = 64;
        TraceBuilder builder(ranks);
        for (Rank rank = 0; rank < ranks; ++rank) {
            builder.enter(rank, 0, "main");
            if (rank + 1 < ranks)
                builder.sendCall(rank, 10, 11, rank + 1);
            if (rank != 0)
                builder.receiveCall(rank, 20, 21, rank - 1);
            builder.enter(rank, 30, "MPI_Barrier");
        }
        const std::string dump = dumpText(summarise(builder.finish(50), "", {}));
        QVERIFY2(dump.find("\"ranks\":\"1-62\",\"relative\":true,\"sent\":[[1,") != std::string::npos,
                 "inner ranks do not share an entry");
    }

    void dumpsCannotBeConverted() {
        const TracePtr trace = openTrace(LAGGARD_EXAMPLES "/hung-stencil", {}, {});
        const ModelDumpPtr dump = dumpOf(trace);
        AnalysisOptions options;
        options.at = 5;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(analyse(dump, options, {})), std::invalid_argument);
    }

  private:
    /// The answer from progress alone: only events tell what delayed a job that goes on.
    static QString answerOf(const TracePtr &trace) {
        Report report;
        report.trace = trace;
        report.waits = buildWaitForGraph(*trace, openEnd, {});
        report.progress = buildProgressGraph(*trace, report.waits, {});
        report.verdict = judgeInWords(*trace, report.waits, report.progress);
        return answer(report);
    }
    ModelDumpPtr dumpOf(const TracePtr &trace) { return read(dumpText(summarise(trace, "", {}))); }
    ModelDumpPtr read(const std::string &json) {
        const std::string file = m_folder->filePath("dump.json").toStdString();
        writeFile(file, json);
        return openInput(file, {}, {}).dump;
    }

    static bool isClose(double a, double b, double relative = 1e-6) {
        return std::fabs(a - b) <= relative * std::max({std::fabs(a), std::fabs(b), 1e-9});
    }
    static void compareNumbers(const std::vector<double> &found, const std::vector<double> &expected, double relative) {
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY2(isClose(found[i], expected[i], relative),
                     qPrintable(QString("number %1: %2, not %3").arg(i).arg(found[i], 0, 'g', 12).arg(expected[i], 0, 'g', 12)));
    }

    static void compareSemiMarkov(const Trace &trace, const Trace &dump, const std::vector<TracePtr> &references,
                                  const std::vector<TracePtr> &ofDump, DistributionKind kind, double relative = 1e-6) {
        SemiMarkovOptions options;
        options.distribution = kind;
        const SemiMarkovReport expected = analyseSemiMarkov(trace, references, options, {});
        const SemiMarkovReport found = analyseSemiMarkov(dump, ofDump, options, {});
        QCOMPARE(found.phases.size(), expected.phases.size());
        QCOMPARE(text(found.phases.region), text(expected.phases.region));
        QVERIFY(found.phases.source == expected.phases.source);
        for (std::size_t p = 0; p < expected.phases.size(); ++p)
            QCOMPARE(found.phases.range(0, p).begin + trace.range.begin, expected.phases.range(0, p).begin);
        compareNumbers(found.deviation.self, expected.deviation.self, relative);
        compareNumbers(found.deviation.samples, expected.deviation.samples, relative);
        compareNumbers(found.times.seconds, expected.times.seconds, relative);
        compareNumbers(found.rankDeviation, expected.rankDeviation, relative);
        QCOMPARE(found.clusterOf, expected.clusterOf);
        QCOMPARE(found.faultyCluster.value_or(none), expected.faultyCluster.value_or(none));
        for (std::size_t c = 0; c < expected.models.size(); ++c) {
            QCOMPARE(found.models[c].characteristic.size(), expected.models[c].characteristic.size());
            for (std::size_t i = 0; i < expected.models[c].characteristic.size(); ++i)
                QVERIFY(
                    isClose(found.models[c].characteristic[i].contribution, expected.models[c].characteristic[i].contribution));
        }
        const SemiMarkovVerdict &a = found.verdict;
        const SemiMarkovVerdict &b = expected.verdict;
        QVERIFY2(a.kind == b.kind, (a.why + " / " + b.why).c_str());
        QCOMPARE(a.phase.value_or(none), b.phase.value_or(none));
        QCOMPARE(a.ranks, b.ranks);
        QCOMPARE(a.occurrence.has_value(), b.occurrence.has_value());
        if (b.occurrence) {
            QCOMPARE(text(describeTransition(found.histories.table, a.occurrence->transition)),
                     text(describeTransition(expected.histories.table, b.occurrence->transition)));
            QCOMPARE(text(a.occurrence->function), text(b.occurrence->function));
            QVERIFY(isClose(a.occurrence->seconds, b.occurrence->seconds));
            QCOMPARE(a.occurrence->time.begin + trace.range.begin, b.occurrence->time.begin);
        }
        QVERIFY2(std::fabs(a.confidence - b.confidence) < 0.02, (a.why + " / " + b.why).c_str());
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestToModel)
#include "tst_tomodel.moc"
