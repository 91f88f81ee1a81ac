// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Blame.h"

#include <QTest>

using namespace laggard;
using State = Verdict::State;

namespace {

/// Three ranks that were killed while they ran, of which the waits would name rank 2.
Trace killedJob() {
    Trace trace;
    trace.processes.resize(3);
    for (Process &process : trace.processes)
        process.end.kind = ProcessEnd::Kind::Killed;
    return trace;
}

ProgressGraph namesRank2() {
    ProgressGraph graph;
    graph.nodes.resize(2);
    graph.nodes[0].ranks = {0, 1};
    graph.nodes[1].ranks = {2};
    graph.nodes[1].leastProgressed = true;
    graph.leastProgressed = {2};
    graph.confidence = 0.9;
    return graph;
}

Verdict verdictOf(State state) {
    Verdict verdict;
    verdict.state = state;
    verdict.confidence = 0.5;
    return verdict;
}

Finding crashOf(Rank rank, double score) {
    Finding finding;
    finding.method = "crash";
    finding.ranks = {rank};
    finding.score = score;
    return finding;
}

} // namespace

class TestBlame : public QObject {
    Q_OBJECT
  private slots:
    /// The others were ended wherever they were: who they waited for then says nothing.
    void crashed() {
        ProgressGraph graph = namesRank2();
        Verdict verdict;
        verdict.state = State::Crashed;
        verdict.crashed = {0};
        verdict.findings.push_back(crashOf(0, 0.8));
        settleBlame(killedJob(), verdict, true, graph);
        QCOMPARE(graph.leastProgressed, RankSet{0});
        QCOMPARE(graph.confidence, 0.8);
        QVERIFY2(!graph.nodes[0].leastProgressed && !graph.nodes[1].leastProgressed, "no node holds rank 0 alone");
    }

    /// What MPI found at rank 0 comes from what the waits tell of rank 2.
    void crashedBecauseOfAnother() {
        ProgressGraph graph = namesRank2();
        Verdict verdict;
        verdict.state = State::Crashed;
        verdict.crashed = {2};
        verdict.findings.push_back(crashOf(0, 1));
        settleBlame(killedJob(), verdict, true, graph);
        QCOMPARE(graph.leastProgressed, RankSet{2});
    }

    void killedWhileItRan() {
        ProgressGraph graph = namesRank2();
        settleBlame(killedJob(), verdictOf(State::Running), true, graph);
        QVERIFY2(graph.leastProgressed.empty() && !graph.nodes[1].leastProgressed, "nobody is to blame for a kill");
    }

    void stillRuns() {
        ProgressGraph graph = namesRank2();
        Trace trace = killedJob();
        for (Process &process : trace.processes)
            process.end.kind = ProcessEnd::Kind::Running;
        settleBlame(trace, verdictOf(State::Running), true, graph);
        QVERIFY2(graph.leastProgressed.empty() && !graph.nodes[1].leastProgressed,
                 "in a job that runs, somebody is always behind");
    }

    void archiveThatEndsWhileTheJobRuns() {
        ProgressGraph graph = namesRank2();
        Trace trace = killedJob();
        for (Process &process : trace.processes)
            process.end.kind = ProcessEnd::Kind::Unknown;
        settleBlame(trace, verdictOf(State::Running), true, graph);
        QCOMPARE(graph.leastProgressed, RankSet{2});
        QVERIFY2(graph.confidence <= 0.5, "no surer than the verdict");
    }

    /// How long it has lasted counts for the ranks as it does for the job: there is one confidence.
    void noSurerThanThatItHangs() {
        ProgressGraph graph = namesRank2();
        Verdict verdict = verdictOf(State::Hung);
        verdict.confidence = 0.45;
        verdict.findings.push_back(crashOf(2, 0.9));
        settleBlame(killedJob(), verdict, true, graph);
        QCOMPARE(graph.leastProgressed, RankSet{2});
        QCOMPARE(graph.confidence, 0.45);
    }

    void otherwiseNothingChanges() {
        for (const auto &[state, isEnd] : {std::pair(State::Hung, true), std::pair(State::Running, false)}) {
            ProgressGraph graph = namesRank2();
            Verdict verdict = verdictOf(state);
            verdict.confidence = 0.95;
            verdict.findings.push_back(crashOf(2, 0.9));
            verdict.findings.front().method = "progress";
            settleBlame(killedJob(), verdict, isEnd, graph);
            QCOMPARE(graph.leastProgressed, RankSet{2});
            QCOMPARE(graph.confidence, 0.9);
        }
    }

    /// "Nobody can be singled out", and a graph that sets somebody apart, would be two answers.
    void hungAndNobodyKnown() {
        ProgressGraph graph = namesRank2();
        settleBlame(killedJob(), verdictOf(State::Hung), true, graph);
        QVERIFY2(graph.leastProgressed.empty() && !graph.nodes[1].leastProgressed, graph.why.c_str());
    }
};

QTEST_APPLESS_MAIN(TestBlame)
#include "tst_blame.moc"
