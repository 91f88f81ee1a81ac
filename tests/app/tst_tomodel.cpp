// SPDX-License-Identifier: GPL-3.0-or-later
// A trace, the archive made from it, and the dump made from either give the same answer.
#include "analysis/progress/TraceModels.h"
#include "analysis/progress/TransitionTimes.h"
#include "app/convert/DumpText.h"
#include "app/convert/Otf2Export.h"
#include "app/convert/TraceDump.h"
#include "app/report/Report.h"
#include "app/report/WriteFile.h"
#include "ingest/Format.h"
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

} // namespace

class TestToModel : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

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
        const QString expected = answerOf(trace);
        const ModelDumpPtr dump = dumpOf(trace);
        QCOMPARE(answer(*analyse(dump, progressOnly(), {})), expected);

        const std::string archive = m_folder->filePath("archive").toStdString();
        static_cast<void>(writeOtf2(*trace, archive, {}));
        const TracePtr converted = openTrace(archive, {}, {});
        QCOMPARE(answerOf(converted), expected);
        QCOMPARE(answer(*analyse(dumpOf(converted), progressOnly(), {})), expected);
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

    void timesAreThoseBetweenTheCalls() {
        // Rank 0: barrier from 10 to 20 and from 50 to 56, in nanoseconds.
        const TracePtr trace = TraceBuilder(1)
                                   .enter(0, 0, "main")
                                   .collectiveCall(0, 10, 20, CollectiveOperation::Barrier)
                                   .collectiveCall(0, 50, 56, CollectiveOperation::Barrier)
                                   .finish(60);
        const ModelDumpPtr dump = dumpOf(trace);
        QCOMPARE(dump->times.size(), std::size_t{1});
        const std::vector<TransitionTimes> &times = dump->times[0].transitions;
        QCOMPARE(times.size(), std::size_t{3}); // start → in, in → after, after → in
        const auto inside = std::find_if(times.begin(), times.end(), [](const TransitionTimes &t) { return t.count == 2; });
        QVERIFY(inside != times.end());
        QVERIFY(std::fabs(inside->mean - 8e-9) < 1e-15);
        QVERIFY(std::fabs(inside->deviation - 2e-9) < 1e-15);
        QVERIFY(std::fabs(inside->shortest - 6e-9) < 1e-15);
        QVERIFY(std::fabs(inside->longest - 10e-9) < 1e-15);
        QCOMPARE(inside->histogram.used, std::uint64_t{2});
    }

    void manyRanksShareTheirTimes() {
        TraceBuilder builder(6);
        for (Rank rank = 0; rank < 6; ++rank)
            builder.enter(rank, 0, "main").collectiveCall(rank, 10, 20 + rank, CollectiveOperation::Barrier);
        const TracePtr trace = builder.finish(60);
        const ModelSet models = buildTraceModels(*trace, openEnd, {}).set;
        const auto together = transitionTimes(*trace, models, 4, {});
        QCOMPARE(together.size(), std::size_t{1});
        QCOMPARE(together[0].ranks, (RankSet{0, 1, 2, 3, 4, 5}));
        const auto inside = std::find_if(together[0].transitions.begin(), together[0].transitions.end(),
                                         [](const TransitionTimes &t) { return t.longest > 1.4e-8; });
        QVERIFY(inside != together[0].transitions.end());
        QCOMPARE(inside->count, std::uint64_t{6});
        QVERIFY(std::fabs(inside->mean - 12.5e-9) < 1e-15);
        QVERIFY(std::fabs(inside->deviation - std::sqrt(35.0 / 12) * 1e-9) < 1e-15);
        QCOMPARE(transitionTimes(*trace, models, 6, {}).size(), std::size_t{6});
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
        const std::string dump = dumpText(summarise(builder.finish(50), {}));
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
    /// Of progress alone: what delayed a job that goes on, only events tell.
    static QString answerOf(const TracePtr &trace) {
        Report report;
        report.trace = trace;
        report.waits = buildWaitForGraph(*trace, openEnd, {});
        report.progress = buildProgressGraph(*trace, report.waits, {});
        report.verdict = judge(*trace, report.waits, report.progress);
        return answer(report);
    }
    ModelDumpPtr dumpOf(const TracePtr &trace) {
        const std::string file = m_folder->filePath("dump.json").toStdString();
        writeFile(file, dumpText(summarise(trace, {})));
        return openInput(file, {}, {}).dump;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestToModel)
#include "tst_tomodel.moc"
