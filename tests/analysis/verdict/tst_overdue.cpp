// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Overdue.h"
#include "analysis/verdict/Standstill.h"
#include "analysis/words/VerdictWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

constexpr Tick millisecond = 1'000'000;
constexpr Tick second = 1000 * millisecond;

/// What a rank does between two collectives: nothing, one function, or one that calls another again and again.
struct Stretch {
    const char *function = nullptr;
    Tick length = millisecond;
    const char *called = nullptr; ///< every 10 ms
};

/// Ranks that compute and reduce, in rounds; in the last one rank 1 does not come, and the others wait for it.
class Job {
  public:
    explicit Job(Rank ranks = 3) : m_ranks(ranks), m_builder(ranks) {
        for (Rank rank = 0; rank < ranks; ++rank)
            m_builder.enter(rank, 1, "main").call(rank, 2, 3, "MPI_Init");
    }
    Job &round(const Stretch &work, Rank worker = 1) {
        doWork(work, worker);
        const Tick end = m_time + work.length;
        if (work.function != nullptr)
            m_builder.leave(worker, end, work.function);
        for (Rank rank = 0; rank < m_ranks; ++rank)
            m_builder.collectiveCall(rank, rank == worker ? end + 10 : m_time + 10, end + 20, CollectiveOperation::Allreduce);
        m_time = end + 30;
        return *this;
    }
    Job &rounds(std::size_t count, const Stretch &work) {
        for (std::size_t i = 0; i < count; ++i)
            round(work);
        return *this;
    }
    /// `isRecording`: it tells which calls were open, and that the processes were killed.
    TracePtr stuckIn(const Stretch &work, bool isRecording = true, const char *next = "MPI_Allreduce", Tick delay = 10) {
        doWork(work, 1);
        for (Rank rank = 0; rank < m_ranks; ++rank)
            if (rank != 1)
                m_builder.enter(rank, m_time + delay, next);
        const Tick end = m_time + work.length;
        const auto trace = std::const_pointer_cast<Trace>(m_builder.finish(end));
        trace->tellsOpenCalls = isRecording;
        for (Process &process : trace->processes)
            if (isRecording) {
                process.end.kind = ProcessEnd::Kind::Killed;
                process.end.time = end;
            }
        return trace;
    }

  private:
    void doWork(const Stretch &work, Rank worker) {
        if (work.function != nullptr)
            m_builder.enter(worker, m_time + 5, work.function);
        for (Tick time = m_time + 6; work.called != nullptr && time + 10 * millisecond < m_time + work.length;
             time += 10 * millisecond)
            m_builder.call(worker, time, time + 9 * millisecond, work.called);
    }
    Rank m_ranks;
    TraceBuilder m_builder;
    Tick m_time = second;
};

} // namespace

class TestOverdue : public QObject {
    Q_OBJECT

  private slots:
    void than_data() {
        QTest::addColumn<TracePtr>("trace");
        QTest::addColumn<int>("than");
        QTest::addColumn<int>("earlier");
        const auto row = [](const char *name, const TracePtr &trace, Overdue::Than than, int earlier) {
            QTest::newRow(name) << trace << static_cast<int>(than) << earlier;
        };
        using Than = Overdue::Than;
        const Stretch slow{nullptr, 4 * second};
        row("nothing before", Job().stuckIn(slow), Than::New, 0);
        row("one round before", Job().round({}).stuckIn(slow), Than::New, 0);
        row("after so many rounds", Job().rounds(5, {}).stuckIn(slow), Than::Long, 4);
        row("as long before", Job().rounds(5, {}).round(slow).round({}).stuckIn(slow), Than::Usual, 6);
        row("another rank took as long", Job().rounds(5, {}).round(slow, 2).round({}).stuckIn(slow), Than::Usual, 6);
        row("nearly as long before", Job().rounds(5, {}).round({nullptr, 3 * second}).stuckIn(slow), Than::Unusual, 5);
        row("as long, elsewhere", Job().round(slow).rounds(5, {}).stuckIn(slow), Than::Long, 5);
        row("the others have left their rounds as well", Job().rounds(5, {}).stuckIn(slow, true, "MPI_Bcast"), Than::New, 0);
        row("the others were late themselves", Job().rounds(5, {}).stuckIn(slow, true, "MPI_Allreduce", second), Than::New, 0);
        row("the others have left their rounds, but it is in a function that takes far longer than ever",
            Job().rounds(5, {"flux"}).stuckIn({"flux", 4 * second}, true, "MPI_Bcast"), Than::Long, 5);
        row("a new function", Job().rounds(5, {"flux"}).stuckIn({"write_checkpoint", 4 * second}), Than::New, 0);
        row("a new function that goes on", Job().rounds(5, {"flux"}).stuckIn({"write_checkpoint", 4 * second, "write_block"}),
            Than::New, 0);
        row("a function seen on the stack alone", Job().rounds(5, {}).stuckIn({"invert", 4 * second}), Than::Long, 4);
        row("a function that takes far longer than ever", Job().rounds(5, {"flux"}).stuckIn({"flux", 4 * second}), Than::Long, 5);
        row("a function that took as long", Job().rounds(5, {"flux", 3900 * millisecond}).stuckIn({"flux", 3800 * millisecond}),
            Than::Usual, 4);
        row("a function that takes far longer, in a place where other work takes as long",
            Job().rounds(4, {"flux"}).round(slow).round({}).stuckIn({"flux", 4 * second}), Than::Long, 4);
    }
    void than() {
        QFETCH(TracePtr, trace);
        QFETCH(int, than);
        QFETCH(int, earlier);
        const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, {});
        QVERIFY(waits.verdict.kind == WaitForVerdict::Kind::Computing);
        const Overdue overdue = overdueOf(*trace, waits);
        QCOMPARE(static_cast<int>(overdue.than), than);
        QCOMPARE(static_cast<int>(overdue.earlier), earlier);
        QCOMPARE(overdue.rank, Rank{1});
    }

    /// The rule of succession: of four earlier times all were shorter, and (4 + 1) / (4 + 2) is left; but only time tells that
    /// what follows a call is not some new work. A function that takes far longer than ever needs no such time.
    void confidence() {
        const TracePtr trace = Job().rounds(5, {}).stuckIn({nullptr, 4 * second});
        const double confidence = overdueOf(*trace, buildWaitForGraph(*trace, openEnd, {})).confidence;
        QVERIFY2(std::abs(confidence - 4.0 / 9) < 1e-6, "4 s of 4 s + 5 s");
        const TracePtr longer = Job().rounds(5, {}).stuckIn({nullptr, 60 * second});
        QCOMPARE(overdueOf(*longer, buildWaitForGraph(*longer, openEnd, {})).confidence, 5.0 / 6);
        const TracePtr ofFunction = Job().rounds(5, {"flux"}).stuckIn({"flux", 4 * second});
        QCOMPARE(overdueOf(*ofFunction, buildWaitForGraph(*ofFunction, openEnd, {})).confidence, 6.0 / 7);
    }

    /// What the recorder noticed by itself needs no comparison, nor does a process that was stopped. A time that its user chose
    /// (--hang-timeout) is no such notice.
    void noticed_data() {
        QTest::addColumn<int>("rank"); // the rank of which it is known; -1: all
        QTest::addColumn<bool>("isStopped");
        QTest::addColumn<int>("seconds"); // that it has stood
        QTest::addColumn<bool>("isKnown");
        QTest::newRow("all hang") << -1 << false << 64 << true;
        QTest::newRow("all are silent for as long as the user asked for") << -1 << false << 8 << false;
        QTest::newRow("the rank that computes hangs") << 1 << false << 64 << true;
        QTest::newRow("the rank that computes is silent for as long as the user asked for") << 1 << false << 8 << false;
        QTest::newRow("one that waits hangs") << 0 << false << 64 << false;
        QTest::newRow("the rank is stopped") << 1 << true << 4 << true;
        QTest::newRow("one that waits is stopped") << 0 << true << 4 << false;
    }
    void noticed() {
        QFETCH(int, rank);
        QFETCH(bool, isStopped);
        QFETCH(int, seconds);
        QFETCH(bool, isKnown);
        const auto trace = std::const_pointer_cast<Trace>(Job().stuckIn({nullptr, static_cast<Tick>(seconds) * second}));
        for (Rank each = 0; each < trace->processes.size(); ++each) {
            if (rank >= 0 && each != static_cast<Rank>(rank))
                continue;
            if (isStopped)
                trace->processes[each].end.lastSeen = ProcessEnd::Seen::Stopped;
            else
                trace->processes[each].hangNoticed = static_cast<Tick>(seconds - 1) * second;
        }
        const Overdue overdue = overdueOf(*trace, buildWaitForGraph(*trace, openEnd, {}));
        QCOMPARE(overdue.than == Overdue::Than::Long, isKnown);
        QCOMPARE(overdue.confidence == 1.0, isKnown);
    }

    /// The time that its user chose decides whether it is called hung; that work takes as long is as likely as before.
    void noticedSoon_data() {
        QTest::addColumn<bool>("isNoticed");
        QTest::newRow("noticed") << true;
        QTest::newRow("not noticed") << false;
    }
    void noticedSoon() {
        QFETCH(bool, isNoticed);
        const auto trace = std::const_pointer_cast<Trace>(Job().stuckIn({nullptr, 2 * second}));
        for (Process &process : trace->processes)
            process.hangNoticed = isNoticed ? 2 * second : openEnd;
        const WaitForGraph waits = buildWaitForGraph(*trace, momentToJudge(*trace), {});
        const Verdict verdict = judgeInWords(*trace, waits, buildProgressGraph(*trace, waits, {}));
        QVERIFY2((verdict.state == Verdict::State::Hung) == isNoticed, verdict.summary.c_str());
        QVERIFY2(verdict.confidence <= (isNoticed ? Overdue::undecided : 0.5), verdict.summary.c_str());
    }

    /// Calls that are missing would be a long time without calls.
    void lostBeginning() {
        const auto trace =
            std::const_pointer_cast<Trace>(Job().round({nullptr, 5 * second}).rounds(5, {}).stuckIn({nullptr, 4 * second}));
        for (Process &process : trace->processes)
            process.eventsFrom = 6 * second + 10 * millisecond;
        QVERIFY(overdueOf(*trace, buildWaitForGraph(*trace, openEnd, {})).than != Overdue::Than::Usual);
    }

    void verdicts_data() {
        QTest::addColumn<TracePtr>("trace");
        QTest::addColumn<bool>("isHung");
        QTest::addColumn<double>("most"); // confidence
        QTest::addColumn<QString>("says");
        const Stretch slow{nullptr, 4 * second};
        QTest::newRow("long") << Job().rounds(8, {}).stuckIn({nullptr, 60 * second}) << true << 0.9
                              << "Rank 1 has made the least progress";
        QTest::newRow("long, for a while") << Job().rounds(8, {}).stuckIn(slow) << true << 0.45
                                           << "this may also be work that comes now and then";
        QTest::newRow("usual") << Job().rounds(8, {}).round(slow).stuckIn(slow) << false << 0.5 << "still running";
        QTest::newRow("unusual")
            << Job().rounds(8, {}).round({nullptr, 3 * second}).stuckIn(slow) << false << 0.5
            << "Rank 1 in main (main.c:1): 2 ranks wait for it in MPI_Allreduce, for longer than ever before";
        QTest::newRow("new") << Job().rounds(8, {}).stuckIn({"write_checkpoint", 4 * second, "write_block"}) << true << 0.45
                             << "Rank 1 has not been there before: this may also be long work.";
        QTest::newRow("new to all") << Job().rounds(8, {}).stuckIn(slow, true, "MPI_Bcast") << true << 0.45
                                    << "The others are not in their usual rounds either: this may also be long work.";
        QTest::newRow("new, and only just") << Job().rounds(8, {"flux"}).stuckIn({"write_checkpoint", 700 * millisecond}) << false
                                            << 0.5
                                            << "Rank 1 has not been there before: whether it would have come cannot be told.";
        QTest::newRow("usual, in an archive") << Job().rounds(8, {}).round(slow).stuckIn(slow, false) << true << 0.5
                                              << "the job may as well have been ended while it ran";
        QTest::newRow("long, in an archive")
            << Job().rounds(8, {}).stuckIn({nullptr, 60 * second}, false) << true << 0.9 << "Rank 1 has made the least progress";
    }
    void verdicts() {
        QFETCH(TracePtr, trace);
        QFETCH(bool, isHung);
        QFETCH(double, most);
        QFETCH(QString, says);
        const WaitForGraph waits = buildWaitForGraph(*trace, momentToJudge(*trace), {});
        const Verdict verdict = judgeInWords(*trace, waits, buildProgressGraph(*trace, waits, {}));
        QVERIFY2((verdict.state == Verdict::State::Hung) == isHung, verdict.summary.c_str());
        QVERIFY2(verdict.summary.find(says.toStdString()) != std::string::npos, verdict.summary.c_str());
        QVERIFY2(verdict.confidence <= most, std::to_string(verdict.confidence).c_str());
        QVERIFY2(verdict.confidence >= most - 0.1, std::to_string(verdict.confidence).c_str());
        for (const Finding &finding : verdict.findings)
            QVERIFY2(finding.score <= most, std::to_string(finding.score).c_str());
    }
};

QTEST_APPLESS_MAIN(TestOverdue)
#include "tst_overdue.moc"
