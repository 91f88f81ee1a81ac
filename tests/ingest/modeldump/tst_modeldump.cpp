// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/answer/Analyse.h"
#include "analysis/behaviour/SemiMarkov.h"
#include "analysis/verdict/DumpVerdict.h"
#include "analysis/words/DumpWords.h"
#include "analysis/words/VerdictWords.h"
#include "ingest/Format.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace laggard;

namespace {

/// Four ranks: 0 computes, 1 and 2 wait in a barrier, 3 for a message of 2.
const char *const hung = R"({
"schema":"laggard.model/2",
"job":{"ranks":4,"ticks_per_second":1000,"ticks":5000,"creator":"a hand"},
"functions":[{"name":"main","file":"a.c","line":3},{"name":"compute","file":"a.c","line":9,"module":"/bin/a","offset":66},
             {"name":"MPI_Barrier","mpi":true},{"name":"MPI_Recv","mpi":true}],
"sites":[["a.c",20]],
"call_paths":[[null,0],[0,1],[0,2,0],[0,3]],
"hosts":[{"name":"n1","ranks":"0-1"},{"name":"n2","ranks":"2-3"}],
"pids":[11,12,13,14],
"ends":[{"ranks":"2","kind":"killed","value":0,"ticks":4000},
        {"ranks":"3","kind":"running","value":0,"ticks":4000,"mpi_error":"MPI_ERR_TAG: invalid tag","mpi_error_ticks":3500}],
"communicators":[{"name":"MPI_COMM_WORLD","members":[[0,4]]},{"name":"odd","members":[[1,2,2]]}],
"world":0,
"states":[{"kind":"start"},{"kind":"communication","call_path":2},{"kind":"computation","call_path":2},
          {"kind":"communication","call_path":3,"datatype":"MPI_INT"}],
"models":[{"ranks":"0","transitions":[[0,1,1],[1,2,1]]},{"ranks":"1-2","transitions":[[0,1,1],[1,2,1],[2,1,1]]},
          {"ranks":"3","transitions":[[0,1,1],[1,2,1],[2,3,1]]}],
"tasks":[{"ranks":"0","state":2,"last":2},{"ranks":"1-2","state":1,"last":1},{"ranks":"3","state":3,"last":3}],
"semi_markov":{"source":"MPI_Pcontrol","region":"MPI_Pcontrol","call_path":null,"coverage":1,"sets":[{"level":1}],
  "states":[{"kind":"after mark","level":1},{"kind":"communication","call_path":2},{"kind":"computation","call_path":2},
            {"kind":"not returned"}],
  "transitions":[[0,1],[1,2],[2,1],[2,3]],
  "ranks":[{"rank":0,"end":5000,"open":true,"open_path":1,"phases":[
      {"set":0,"begin":100,"end":900,"transitions":[[0,40,100,null],[1,3,20,200,30,150,2,[10,1,20,1,30,1]],[2,2,350,245000,700,180,1,[0,1,700,1]]],
       "as_if_cut":[[0,40,100,null],[1,10,140,null],[3,0,150,null]]},
      {"set":0,"begin":900,"end":5000,"transitions":[[0,30,900,null],[1,70,930,2],[3,4000,1000,1]]}]}]},
"waits":{"ticks":5000,"last_event_ticks":3000,
  "activities":[{"ranks":"0","doing":"computing","call_path":1},{"ranks":"1-2","doing":"collective","call_path":2,"mpi_call_path":2},
                {"ranks":"3","doing":"point-to-point","call_path":3,"mpi_call_path":3}],
  "since_ticks":[1000,2000,2100,3000],
  "open_calls":[{"ranks":"1-2","known":"recorded","confidence":1,"collective":{"operation":"Barrier","communicator":0,"root":null}},
                {"ranks":"3","relative":true,"known":"recorded","confidence":1,"receives":[[-1,0,7,1]]}],
  "collectives":[{"ranks":"0,3","counts":[[0,1,1]]},{"ranks":"1-2","counts":[[0,2,1]]}],
  "messages":[{"ranks":"2","relative":true,"sent":[[1,0,7,3,24]],"received":[]},{"ranks":"3","sent":[],"received":[[2,0,7,3]]}]},
"pending":[{"ranks":"3","relative":true,"requests":[["receive",-1,0,7,80,3],["send",-3,0,1,8,3]]}]
})";

/// What all events told of the same job: that rank 2 holds the others up.
const char *const answer = R"("answer":{"state":"hung","confidence":0.6,"summary":"Rank 2 sent nothing.",
"headline":{"kind":"missing_send","ranks":"2","others":3,"at":0.5,"job":4,"known":4,"job_seconds":5},
"waits":{"kind":"missing_send","ranks":"2","confidence":0.6,"why":"it sent before","waiting":3,"everybody_waits":true,"since_ticks":2100},
"least_progressed":{"ranks":"2","confidence":0.55,"why":"the others wait for it"},
"findings":[{"method":"progress","ranks":"2","function":"compute","file":"a.c","line":9,"score":0.6,"call_path":2,"ticks":[2,4],
  "why":"it was due here"}]},
"pending":)";

QByteArray hungWithAnswer() { return QByteArray(hung).replace("\"pending\":", answer); }

QString text(const std::string &string) { return QString::fromStdString(string); }

QByteArray without(const char *section) {
    QByteArray json(hung);
    const qsizetype begin = json.indexOf(QByteArray("\"") + section + "\":");
    const qsizetype end = json.indexOf("]}]},\n\"pending\"", begin);
    Q_ASSERT(begin > 0 && end > 0);
    return json.remove(begin, end + 6 - begin);
}

} // namespace

class TestModelDump : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void readsAllTables() {
        const ModelDumpPtr dump = open(hung);
        const Trace &job = *dump->job;
        QCOMPARE(job.processes.size(), std::size_t{4});
        QCOMPARE(text(job.hostOf(3)), QString("n2"));
        QCOMPARE(job.processes[1].pid, 12);
        QVERIFY(job.processes[2].end.kind == ProcessEnd::Kind::Killed);
        QCOMPARE(text(job.processes[3].end.mpiError), QString("MPI_ERR_TAG: invalid tag"));
        QCOMPARE(job.processes[3].end.mpiErrorTime, Tick{3500});
        QVERIFY(!job.isDamaged(0));
        QCOMPARE(job.durationSeconds(), 5.0);
        QCOMPARE(job.communicators[1].members.ranks(), (std::vector<Rank>{1, 3}));
        QCOMPARE(text(dump->places[1].module), QString("/bin/a"));
        QCOMPARE(dump->places[1].offset, std::uint64_t{66});
        QCOMPARE(text(dump->datatypeOfState[3]), QString("MPI_INT"));
        QCOMPARE(dump->models.states[1].stack.size(), std::size_t{2});
        QCOMPARE(dump->models.states[1].stack[1].line, 20U); // where main has come to
        QVERIFY(job.phaseModels != nullptr);
        const PhaseModels &models = *job.phaseModels;
        QCOMPARE(models.ranks.at(0).phases.at(0).transitions.at(1).mean, 20.0);
        QCOMPARE(models.ranks.at(0).phases.at(0).transitions.at(1).buckets.size(), std::size_t{3});
        QCOMPARE(models.ranks.at(0).phases.at(1).transitions.at(2).longest, 4000.0);
        QCOMPARE(models.ranks.at(0).openPath, CallPathId{1});
        QVERIFY(models.ranks.at(1).phases.empty());
        QCOMPARE(dump->pending[3].at(1).peer, Rank{0});
        QCOMPARE(dump->pending[3].at(0).bytes, std::uint64_t{80});
    }

    void countsMessagesOnTheirWay() {
        QByteArray json(hung);
        QVERIFY(open(json)->state.unreceived[2].empty());
        const ModelDumpPtr dump = open(json.replace("[[1,0,7,3,24]]", "[[1,0,7,5,40,1]]"));
        QCOMPARE(dump->state.unreceived[2].size(), std::size_t{1});
        QCOMPARE(dump->state.unreceived[2][0].peer, Rank{3});
        QCOMPARE(dump->state.unreceived[2][0].messages, std::uint64_t{2});
        QCOMPARE(dump->state.unreceived[2][0].held, std::uint64_t{1});
        QCOMPARE(dump->state.unreceived[2][0].bytes, std::uint64_t{16});
        const ModelDumpPtr large = open(QByteArray(hung).replace("[[1,0,7,3,24]]", "[[-2,0,7,3,18446744073709551615]]"));
        QCOMPARE(large->state.unreceived[2].at(0).messages, std::uint64_t{3});
        QCOMPARE(large->state.unreceived[2].at(0).bytes, std::numeric_limits<std::uint64_t>::max());
    }

    void namesWhoHoldsTheOthersUp() {
        const ModelDumpPtr dump = open(hung);
        const WaitForGraph waits = buildWaitForGraph(*dump->job, dump->state, dump->missingSends, {});
        const ProgressGraph progress = buildProgressGraph(*dump, &waits, {});
        const Verdict verdict = judgeInWords(*dump->job, waits, progress);
        QVERIFY(verdict.state == Verdict::State::Hung);
        QCOMPARE(progress.leastProgressed, RankSet{0});
        QVERIFY2(verdict.summary.starts_with("Rank 0 has made the least progress: it is in compute (a.c:9)"),
                 verdict.summary.c_str());
        QVERIFY(waits.verdict.everybodyWaits);
    }

    /// What was found with all events counts, and not what the rest of the dump would tell.
    void answerOfAllEventsIsKept() {
        const ReportPtr report = laggard::analyse(open(hungWithAnswer()), AnalysisOptions(), {});
        QCOMPARE(text(report->verdict.summary), QString("Rank 2 sent nothing."));
        QCOMPARE(report->verdict.confidence, 0.6);
        QVERIFY(report->verdict.state == Verdict::State::Hung && report->verdict.facts.kind == HeadlineFacts::Kind::MissingSend);
        QCOMPARE(report->verdict.facts.at.value_or(0), 0.5);
        QCOMPARE(report->progress.leastProgressed, RankSet{2});
        QCOMPARE(report->progress.confidence, 0.55);
        for (const ProgressNode &node : report->progress.nodes)
            QVERIFY2(node.leastProgressed == (node.ranks == RankSet{2}), "another node than that of rank 2 is marked");
        QCOMPARE(report->waits.verdict.ranks, RankSet{2});
        QCOMPARE(report->waits.verdict.since, Tick{2100});
        const Finding &finding = report->verdict.findings.front();
        QCOMPARE(finding.ranks, RankSet{2});
        QCOMPARE(text(finding.why), QString("it was due here"));
        QVERIFY((finding.time == TimeRange{2, 4}));
        QCOMPARE(text(report->trace->region(finding.callPath).name), QString("MPI_Barrier"));
    }

    /// Where it may not be what was found, or is not of all of the job, the rest is asked.
    void answerIsLeftAside_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        const auto row = [](const char *name, const char *from, const char *to) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to);
        };
        row("it was changed", "\n})", ",\n\"check\":\"0123456789abcdef\"\n}");
        row("a state of a later version", "\"state\":\"hung\"", "\"state\":\"asleep\"");
        row("a headline of a later version", "\"headline\":{\"kind\":\"missing_send\"", "\"headline\":{\"kind\":\"starving\"");
        row("waits of a later version", "\"waits\":{\"kind\":\"missing_send\"", "\"waits\":{\"kind\":\"starving\"");
        row("a part is missing", "\"summary\":\"Rank 2 sent nothing.\",", "");
        row("two answers", "\"answer\":{", "\"answer\":{\"state\":\"finished\"},\"answer\":{");
    }
    void answerIsLeftAside() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QByteArray json = hungWithAnswer() + ')';
        QVERIFY(json.contains(from));
        json.replace(from, to);
        if (json.endsWith(')'))
            json.chop(1);
        const ReportPtr report = laggard::analyse(open(json), AnalysisOptions(), {});
        QCOMPARE(report->progress.leastProgressed, RankSet{0});
        QVERIFY2(report->verdict.confidence < 0.9, "a summary alone is sure");
    }

    void modelsAloneNameWhoIsBehind() {
        const ModelDumpPtr dump = open(without("waits"));
        QVERIFY(!dump->hasWaits);
        const ProgressGraph progress = buildProgressGraph(*dump, nullptr, {});
        QCOMPARE(progress.nodes.size(), std::size_t{3});
        Verdict verdict = judge(*dump, progress);
        sayIt(*dump, progress, verdict);
        QVERIFY(verdict.state == Verdict::State::Hung);
        QVERIFY(!verdict.summary.empty());
    }

    void aFileForEachRank() {
        // Two files with tables of their own: functions in another order, other numbers of states.
        write("0.json",
              R"({"schema":"laggard.model/1","job":{"ranks":2},"functions":[{"name":"main"},{"name":"MPI_Send","mpi":true}],
            "call_paths":[[null,0],[0,1]],"states":[{"kind":"start"},{"kind":"communication","call_path":1}],
            "models":[{"ranks":"0","transitions":[[0,1,1]]}],"tasks":[{"ranks":"0","state":1,"last":1}],
            "communicators":[{"key":"world","name":"MPI_COMM_WORLD"}],"world":0,
            "waits":{"activities":[{"ranks":"0","doing":"point-to-point","call_path":1,"mpi_call_path":1}],
            "messages":[{"ranks":"0","sent":[[1,0,5,4]]}]}})");
        write("1.json",
              R"({"schema":"laggard.model/1","job":{"ranks":2},"functions":[{"name":"MPI_Recv","mpi":true},{"name":"main"}],
            "call_paths":[[null,1],[0,0]],"states":[{"kind":"communication","call_path":1},{"kind":"start"}],
            "models":[{"ranks":"1","transitions":[[1,0,1]]}],"tasks":[{"ranks":"1","state":0,"last":0}],
            "communicators":[{"key":"other","members":[[1,1]]},{"key":"world","name":"MPI_COMM_WORLD"}],"world":1,
            "waits":{"activities":[{"ranks":"1","doing":"point-to-point","call_path":1,"mpi_call_path":1}],
            "messages":[{"ranks":"1","received":[[0,1,5,3]]}]}})");
        write("notes.txt", "not a dump");
        const Opened opened = openInput(m_folder->path().toStdString(), {}, {});
        QVERIFY(opened.dump != nullptr);
        const ModelDump &dump = *opened.dump;
        QCOMPARE(dump.models.states.size(), std::size_t{3}); // the start is one state
        QCOMPARE(dump.job->regions.size(), std::size_t{3});
        QCOMPARE(dump.job->communicators.size(), std::size_t{2});
        QCOMPARE(text(dump.job->region(dump.state.tasks[1].activity.callPath).name), QString("MPI_Recv"));
        QCOMPARE(dump.state.unreceived[0].at(0).messages, std::uint64_t{1});
    }

    /// A dump of the first version has no models by phase: the rest is read.
    void olderVersionIsRead() {
        QByteArray json(hung);
        json.replace("laggard.model/2", "laggard.model/1");
        const qsizetype begin = json.indexOf("\"semi_markov\"");
        json.replace(begin, json.indexOf("\"waits\"") - begin,
                     "\"times\":[{\"ranks\":\"0\",\"phase\":0,\"transitions\":[[0,1,1,0.5,0,0.5,0.5,[[0.5,1]]]]}],\n");
        const ModelDumpPtr dump = open(json);
        QVERIFY(dump->job->phaseModels == nullptr);
        QCOMPARE(dump->models.models.size(), std::size_t{3});
        QVERIFY(analyseSemiMarkov(*dump->job, {}, {}, {}).empty());
    }

    void tooManyPhasesAreRefused() {
        QByteArray phases;
        for (int i = 0; i < 700; ++i)
            phases += QByteArray(i == 0 ? "" : ",") + R"({"set":0,"begin":1,"end":2,"transitions":[[0,1,1,null]]})";
        try {
            static_cast<void>(open(R"({"schema":"laggard.model/2","job":{"ranks":100000},"semi_markov":{"source":"MPI_Pcontrol",
                "region":"MPI_Pcontrol","sets":[{"level":1}],"states":[{"kind":"start"},{"kind":"finished"}],
                "transitions":[[0,1]],"ranks":[{"rank":5,"end":9,"phases":[)" +
                                   phases + "]}]}}"));
            QFAIL("a dump was opened that takes gigabytes to analyse");
        } catch (const ReadError &error) {
            QVERIFY2(QByteArray(error.what()).contains("so many phases of so many ranks"), error.what());
        }
    }

    /// By hand: rank 0 of the dump above computes in its second phase for 4,000 ticks and did not return.
    void phasesAreAnalysed() {
        const ModelDumpPtr dump = open(hung);
        const SemiMarkovReport report = analyseSemiMarkov(*dump->job, {}, {}, {});
        QVERIFY(report.phases.source == PhaseSource::Pcontrol);
        QCOMPARE(report.phases.size(), std::size_t{2});
        const PhaseSpan &cut = report.phases.span(0, 1, 0);
        QVERIFY(cut.cut && !report.phases.span(0, 0, 0).cut);
        QCOMPARE(statesIn(report.histories.runs[0].ranks[0], cut), 3.0);
        QCOMPARE(statesIn(report.histories.runs[0].ranks[0], report.phases.span(0, 0, 0)), 6.0);
        const SemiMarkovModel whole = mergedModel(report, 0, 0, {0});
        QCOMPARE(whole.transitions.size(), std::size_t{3});
        ModelMaker maker(report.histories.table, false);
        const SemiMarkovModel asIfCut = maker.makeCut(report.histories.runs[0], 0, report.phases.span(0, 0, 0), 3);
        QCOMPARE(asIfCut.transitions.size(), std::size_t{3});
        QVERIFY(std::any_of(asIfCut.transitions.begin(), asIfCut.transitions.end(),
                            [&](const ModelTransition &t) { return report.histories.table.isCensored(t.transition); }));
    }

    void isRecognisedByContent() {
        const QString file = write("anything", hung);
        QVERIFY(openInput(file.toStdString(), {}, {}).dump != nullptr);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(openTrace(file.toStdString(), {}, {})), ReadError);
    }

    void damageIsNamed_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char *name, const char *from, const char *to, const char *said) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(said);
        };
        row("other schema", "laggard.model/2", "laggard.model/9", "not \"laggard.model/2\"");
        row("phases without delimiter", "\"region\":\"MPI_Pcontrol\"", "\"region\":\"\"",
            "without the region that delimits them");
        row("unknown set", "{\"set\":0,\"begin\":100", "{\"set\":4,\"begin\":100",
            "(semi_markov.ranks): number 4 does not exist");
        row("unknown transition", "[1,70,930,2]", "[8,70,930,2]", "(semi_markov.ranks): number 8 does not exist");
        row("half a transition", "[1,70,930,2]", "[1.5,70,930,2]", "a whole number below");
        row("transition with five parts", "[1,70,930,2]", "[1,70,930,2,1]", "a transition has four or eight parts");
        row("negative time", "[1,70,930,2]", "[1,-70,930,2]", "a time that cannot be");
        row("endless time", "[1,70,930,2]", "[1,1e300,930,2]", "a time that cannot be");
        row("phases backward", "\"begin\":900", "\"begin\":90", "its phases are not in order of time");
        row("left a target", "[[0,1],[1,2]", "[[3,1],[1,2]", "a state that is none was left");
        row("mark without path", "{\"kind\":\"after mark\",\"level\":1}", "{\"kind\":\"communication\"}",
            "(semi_markov): a number is missing");
        row("rank without events", "\"rank\":0", "\"rank\":7", "the job has no such rank");
        row("half a time in a bucket", "[10,1,20,1,30,1]", "[10,1.5,20,0.5,30,1]", "does not hold a whole number");
        row("too few times in buckets", "[10,1,20,1,30,1]", "[10,1,20,1]", "do not hold as many times");
        row("level of another world", "\"sets\":[{\"level\":1}]", "\"sets\":[{\"level\":4294967297}]", "4294967297 is too large");
        row("precedents beyond counting", "\"known\":\"recorded\"", "\"known\":\"recorded\",\"precedent\":[4294967298,1,1]",
            "4294967298 is too large");
        row("nothing joined", "{\"level\":1}],", "{\"level\":1,\"joined\":0}],", "cannot be joined");
        row("no ranks", "\"ranks\":4,", "", "a job without ranks");
        row("too many ranks", "\"ranks\":4,", "\"ranks\":99999999999,", "more than can be");
        row("cut off", "\"tasks\":[{\"ranks\":\"0\",\"state\":2", "\"tasks\":[{\"ranks\":\"0", "is not valid JSON");
        row("text for a number", "\"ticks\":5000,", "\"ticks\":\"long\",",
            "in line 3 (job.ticks): a number without sign was expected");
        row("unknown state", "[2,3,1]", "[2,9,1]", "(models): number 9 does not exist");
        row("unknown function", "[0,2,0]", "[0,8,0]", "(call_paths): number 8 does not exist");
        row("circle of callers", "[0,1],[0,2,0]", "[2,1],[0,2,0]", "(call_paths): number 2 does not exist");
        row("rank that is not there", "\"ranks\":\"2-3\"", "\"ranks\":\"2-4\"", "(hosts): the job has no rank 4");
        row("ranks backward", "\"ranks\":\"2-3\"", "\"ranks\":\"3-2\"", "does not name ranks in rising order");
        row("no ranks at all", "\"ranks\":\"2-3\"", "\"ranks\":\"all\"", "\"all\" is not a list of ranks");
        row("peer that is not there", "[[-1,0,7,1]]", "[[-4,0,7,1]]", "(waits.open_calls): the job has no rank -1");
        row("word that is none", "\"doing\":\"computing\"", "\"doing\":\"sleeping\"", "\"sleeping\" is not one of the words");
        row("members beyond the job", "[[1,2,2]]", "[[1,3,2]]", "(communicators): the job has no rank 5");
        row("members without end", "[[1,2,2]]", "[[1,4000000000,0]]", "unfolds to more than can be read");
        row("call without path", ",\"mpi_call_path\":3", "", "without the call's path");
        row("transition twice", "[[0,1,1],[1,2,1]]", "[[0,1,1],[0,1,1]]", "a transition is listed twice");
        row("clock that stands", "\"ticks_per_second\":1000", "\"ticks_per_second\":0", "a clock without ticks");
        row("too many buckets", "[10,1,20,1,30,1]",
            "[1,1,2,1,3,1,4,1,5,1,6,1,7,1,8,1,9,1,10,1,11,1,12,1,13,1,14,1,15,1,16,1,17,1,18,1,19,1,20,1,21,1]",
            "has 1 to 20 buckets");
        row("surer than sure", "\"confidence\":0.55", "\"confidence\":55",
            "(answer.least_progressed.confidence): it is not between 0 and 1");
        row("an answer about others", "\"method\":\"progress\",\"ranks\":\"2\"", "\"method\":\"progress\",\"ranks\":\"9\"",
            "(answer): the job has no rank 9");
        row("an answer about other code", "\"call_path\":2,\"ticks\"", "\"call_path\":77,\"ticks\"",
            "(answer.findings): number 77 does not exist");
        row("a finding that ends before", "\"ticks\":[2,4]", "\"ticks\":[4,2]", "it ends before it begins");
        row("an answer of another job", "\"job\":4", "\"job\":5", "(answer): it is not of this job");
        row("more known than there are", "\"known\":4", "\"known\":5", "(answer): it is not of this job");
        row("more waiting than there are", "\"waiting\":3", "\"waiting\":4294967294", "(answer): it is not of this job");
        row("an answer from after the end", "\"since_ticks\":2100", "\"since_ticks\":18446744073709551615",
            "(answer): it is not of this job");
        row("a time that cannot be", "\"at\":0.5", "\"at\":-1e300", "(answer.headline.at): it is no amount that can be");
        row("hung and finished", "\"kind\":\"missing_send\",\"ranks\":\"2\",\"others\"",
            "\"kind\":\"finished\",\"ranks\":\"2\",\"others\"", "(answer): what it says of the job contradicts itself");
        row("about nobody", "\"kind\":\"missing_send\",\"ranks\":\"2\",\"others\"",
            "\"kind\":\"missing_send\",\"ranks\":\"\",\"others\"", "(answer): what it says of the job contradicts itself");
        row("not UTF-8", "a hand", "a \xff\xfe", "is not valid JSON");
    }
    void damageIsNamed() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, said);
        QByteArray json = hungWithAnswer();
        QVERIFY2(json.contains(from), "the test changes something that is not there");
        json.replace(json.indexOf(from), from.size(), to);
        const QString file = write("dump.json", json);
        try {
            static_cast<void>(openInput(file.toStdString(), {}, {}));
            QFAIL("a damaged dump was opened");
        } catch (const ReadError &error) {
            const QByteArray sentence(error.what());
            QVERIFY2(sentence.contains(said), sentence.constData());
            QVERIFY2(sentence.contains(file.toUtf8()) && !sentence.contains('\n'), sentence.constData());
            QVERIFY2(sentence.endsWith('.') && !sentence.endsWith(".."), sentence.constData());
        }
    }

    /// Whatever bytes change, a dump opens or is refused in words, and what opens can be analysed.
    void randomDamageIsSurvived() {
        std::mt19937 random(20261121);
        const QByteArray sound = hungWithAnswer();
        int opened = 0;
        for (int round = 0; round < 3000; ++round) {
            QByteArray json = sound;
            const int changes = 1 + static_cast<int>(random() % 3);
            for (int i = 0; i < changes; ++i) {
                const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(json.size()));
                switch (random() % 4) {
                case 0:
                    json[at] = static_cast<char>(random());
                    break;
                case 1:
                    json[at] = "0123456789[]{},:\"-"[random() % 18];
                    break;
                case 2:
                    json.remove(at, static_cast<qsizetype>(random() % 20));
                    break;
                default:
                    json.insert(at, json.mid(static_cast<qsizetype>(random() % static_cast<unsigned>(json.size())), 30));
                }
            }
            const QString file = write("dump.json", json);
            try {
                const Opened input = openInput(file.toStdString(), {}, {});
                if (!input.dump)
                    continue;
                ++opened;
                analyse(*input.dump);
                QVERIFY(laggard::analyse(input.dump, AnalysisOptions(), {})->verdict.confidence <= 1);
            } catch (const ReadError &error) {
                QVERIFY(error.what()[0] != '\0');
            }
        }
        QVERIFY2(opened > 100, "hardly any dump survived: the test shows nothing");
    }

  private:
    static void analyse(const ModelDump &dump) {
        static_cast<void>(analyseSemiMarkov(*dump.job, {}, {}, {}));
        if (dump.hasWaits) {
            const WaitForGraph waits = buildWaitForGraph(*dump.job, dump.state, dump.missingSends, {});
            static_cast<void>(judgeInWords(*dump.job, waits, buildProgressGraph(dump, &waits, {})));
        } else {
            const ProgressGraph progress = buildProgressGraph(dump, nullptr, {});
            Verdict verdict = judge(dump, progress);
            sayIt(dump, progress, verdict);
        }
    }

    QString write(const char *name, const QByteArray &content) {
        const QString path = m_folder->filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write the test's file");
        return path;
    }
    ModelDumpPtr open(const QByteArray &content) { return openInput(write("dump.json", content).toStdString(), {}, {}).dump; }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestModelDump)
#include "tst_modeldump.moc"
