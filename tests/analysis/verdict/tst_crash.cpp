// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Crash.h"
#include "analysis/words/CrashWords.h"
#include "analysis/words/VerdictWords.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <functional>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

class Job {
  public:
    explicit Job(std::int32_t ranks) {
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            m_writers.emplace_back(rank, ranks);
            RecordingWriter &writer = m_writers.back();
            writer.header.pid = 0x7FFFFFF0; // nobody has it
            writer.header.aliveTicks = 10 * second;
            writer.enter(1, writer.address(0x10)).call(2, 3, "MPI_Init");
        }
    }
    RecordingWriter &operator[](std::size_t rank) { return m_writers[rank]; }
    Verdict verdict(std::size_t damaged = none, Tick at = openEnd) {
        for (std::size_t rank = 0; rank < m_writers.size(); ++rank)
            m_writers[rank].write(m_dir.path().toStdString() + '/' + std::to_string(rank) + ".laggard");
        m_trace = openTrace(m_dir.path().toStdString(), {}, {});
        if (change)
            change(*std::const_pointer_cast<Trace>(m_trace));
        if (damaged != none)
            std::const_pointer_cast<Trace>(m_trace)->locations[damaged].damaged = true;
        waits = buildWaitForGraph(*m_trace, at, {});
        return judgeInWords(*m_trace, waits, buildProgressGraph(*m_trace, waits, {}));
    }

    std::function<void(Trace &)> change; ///< changes what was read, before it is judged
    WaitForGraph waits;                  ///< of the last verdict

  private:
    QTemporaryDir m_dir;
    std::vector<RecordingWriter> m_writers;
    TracePtr m_trace;
};

void setError(RecordingWriter &writer, std::uint64_t time, const std::string &text) {
    writer.header.errorTicks = time;
    writer.header.errorThread = 0;
    writer.header.errorBytes = static_cast<std::uint32_t>(text.copy(writer.header.errorText, sizeof writer.header.errorText));
}

} // namespace

class TestCrash : public QObject {
    Q_OBJECT

  private slots:
    void fault() {
        Job job(3);
        job[0].begin(20, "MPI_Recv").receivePart(1);
        job[1].sendCall(20, 21, 2).signalled(10 * second, SIGSEGV);
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QCOMPARE(verdict.summary, std::string("Rank 1 crashed: segmentation fault (SIGSEGV) in [unknown]+0x10. Its last MPI call "
                                              "was MPI_Send, called from [unknown]+0x10."));
        QCOMPARE(verdict.confidence, 1.0);
        QCOMPARE(verdict.findings.front().method, std::string("crash"));
        QCOMPARE(verdict.findings.front().ranks, RankSet{1});
    }

    void waitsOfOthersAreNoReason_data() {
        QTest::addColumn<int>("crashes");
        QTest::newRow("all wait for the one that crashes") << 1;
        QTest::newRow("another one crashes") << 2;
    }
    void waitsOfOthersAreNoReason() {
        QFETCH(int, crashes);
        Job job(4);
        job[0].begin(20, "MPI_Recv").receivePart(1);
        job[3].begin(20, "MPI_Recv").receivePart(1);
        job[static_cast<std::size_t>(crashes)].signalled(10 * second, SIGSEGV);
        const Verdict verdict = job.verdict();
        QCOMPARE(verdict.crashed, RankSet{static_cast<Rank>(crashes)});
        QVERIFY2(!job.waits.verdict.why.empty(), "the others wait for rank 1");
        const std::string reason = reasonByWaits(verdict, job.waits.verdict);
        QVERIFY2(reason.empty() == (crashes == 2), reason.c_str());
    }

    void inACall() {
        Job job(1);
        job[0].begin(20, "MPI_Recv").receivePart(0).signalled(10 * second, SIGBUS);
        const Verdict verdict = job.verdict();
        QVERIFY2(verdict.summary.ends_with("It was in MPI_Recv, called from [unknown]+0x10."), verdict.summary.c_str());
    }

    /// At whom of those that disagree MPI finds the error is chance: the sentence says about what they disagree, and who does.
    void errorOfADisagreement() {
        Job job(4);
        for (std::size_t rank = 0; rank < 4; ++rank)
            job[rank].begin(9 * second, rank == 3 ? "MPI_Barrier" : "MPI_Allreduce").collectivePart(0);
        setError(job[1], 9 * second + 10, "Message truncated, error stack:\nMPI_Allreduce failed\nx: Message truncated; 8 of 4");
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QVERIFY2(verdict.summary.starts_with("The ranks disagree about a collective"), verdict.summary.c_str());
        QVERIFY2(verdict.summary.find("Rank 1 was ended by MPI in MPI_Allreduce") != std::string::npos, verdict.summary.c_str());
        QVERIFY2(verdict.summary.find("rank 3") != std::string::npos && verdict.summary.find("MPI_Barrier") != std::string::npos,
                 verdict.summary.c_str());
    }

    /// An error in a call of its own has nothing to do with what the others disagree about.
    void errorBesideADisagreement() {
        Job job(4);
        for (std::size_t rank = 0; rank < 3; ++rank)
            job[rank].begin(9 * second, rank == 2 ? "MPI_Barrier" : "MPI_Allreduce").collectivePart(0);
        job[3].begin(9 * second, "MPI_Send").sendPart(nothing);
        setError(job[3], 9 * second + 10, "Invalid rank, error stack:\nx\ny: Invalid rank has value 8 but must be less than 4");
        const Verdict verdict = job.verdict();
        QVERIFY2(verdict.summary.find("MPI_Barrier") == std::string::npos, verdict.summary.c_str());
    }

    /// The launcher ends the others when one has crashed: they are not the cause.
    void othersAreEnded() {
        Job job(3);
        job[0].signalled(10 * second, SIGTERM);
        job[1].signalled(9 * second, SIGFPE);
        job[2].signalled(10 * second, SIGTERM);
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QVERIFY2(verdict.summary.starts_with("Rank 1 crashed: arithmetic error (SIGFPE)"), verdict.summary.c_str());
    }

    /// Time also runs out for those who wait, and for whole jobs.
    void limits_data() {
        QTest::addColumn<std::vector<int>>("fatal");
        QTest::addColumn<QString>("computing"); // a digit for each rank; 1: it computes; 0 and 2: it waits, 2 only just
        QTest::addColumn<QString>("begin");     // how the summary begins; empty: no crash
        QTest::addColumn<QString>("says");
        const int term = SIGTERM;
        QTest::newRow("CPU time of one that others wait for") << std::vector{term, SIGXCPU, term} << "010"
                                                              << "Rank 1 was ended by a CPU time limit (SIGXCPU)"
                                                              << "";
        QTest::newRow("CPU time of all, one of whom others wait for") << std::vector{SIGXCPU, SIGXCPU, SIGXCPU} << "010"
                                                                      << ""
                                                                      << "Ranks 0-2 were ended by a CPU time limit (SIGXCPU)";
        QTest::newRow("CPU time of all that compute, and the launcher ends most")
            << std::vector{term, SIGXCPU, term} << "111"
            << "Rank 1 was ended by a CPU time limit (SIGXCPU)"
            << "the limit may be the job's";
        QTest::newRow("an alarm of a rank that waits") << std::vector{SIGALRM, term, term} << "010"
                                                       << ""
                                                       << "Rank 0 was ended by an alarm (SIGALRM)";
        QTest::newRow("an alarm of a rank that is only just in a call") << std::vector{SIGALRM, term, term} << "222"
                                                                        << "Rank 0 was ended by an alarm (SIGALRM)"
                                                                        << "";
        QTest::newRow("an alarm") << std::vector{term, SIGALRM, term} << "010"
                                  << "Rank 1 was ended by an alarm (SIGALRM)"
                                  << "";
        QTest::newRow("two alarms") << std::vector{SIGALRM, SIGALRM, term} << "110"
                                    << "Ranks 0 and 1 were ended by an alarm (SIGALRM)"
                                    << "";
        QTest::newRow("the file size limit, the program's doing") << std::vector{term, SIGXFSZ, term} << "111"
                                                                  << "Rank 1 crashed: file size limit (SIGXFSZ)"
                                                                  << "";
        QTest::newRow("its own doing") << std::vector{term, SIGKILL, term} << "111"
                                       << "Rank 1 ended itself by SIGKILL"
                                       << "";
        QTest::newRow("a broken pipe, the program's doing") << std::vector{term, SIGPIPE, term} << "111"
                                                            << "Rank 1 crashed: broken pipe (SIGPIPE)"
                                                            << "";
        QTest::newRow("a broken pipe of MPI, to a launcher that is gone") << std::vector{SIGPIPE, SIGPIPE, term} << "001"
                                                                          << ""
                                                                          << "";
        QTest::newRow("from outside") << std::vector{term, SIGUSR1, term} << "010"
                                      << ""
                                      << "";
    }
    void limits() {
        QFETCH(std::vector<int>, fatal);
        QFETCH(QString, computing);
        QFETCH(QString, begin);
        QFETCH(QString, says);
        Job job(3);
        for (std::size_t rank = 0; rank < 3; ++rank) {
            const QChar doing = computing[static_cast<int>(rank)];
            if (doing != '1')
                job[rank].begin(doing == '2' ? 9 * second + 900'000'000 : 9 * second, "MPI_Barrier").collectivePart();
            job[rank].signalled(10 * second, fatal[rank]);
        }
        const Verdict verdict = job.verdict();
        QCOMPARE(verdict.state == Verdict::State::Crashed, !begin.isEmpty());
        QVERIFY2(begin.isEmpty() || verdict.summary.starts_with(begin.toStdString()), verdict.summary.c_str());
        QVERIFY2(verdict.summary.find(says.toStdString()) != std::string::npos, verdict.summary.c_str());
        QVERIFY2(begin.isEmpty() || (verdict.confidence < 0.5) == says.contains("may be the job's"), verdict.summary.c_str());
    }

    /// What a rank sends itself is its own doing; what comes from outside strikes wherever the rank is.
    void signalsOfItsOwn_data() {
        QTest::addColumn<std::vector<int>>("fatal");
        QTest::addColumn<std::vector<int>>("times"); // tenths of a second
        QTest::addColumn<QString>("sending");        // a digit for each rank; 1: in `call` when it ended
        QTest::addColumn<QString>("call");           // what these are in
        QTest::addColumn<QString>("outermost");      // the stack's outermost function
        QTest::addColumn<QString>("begin");          // how the summary begins; empty: no crash
        const int term = SIGTERM;
        const auto row = [](const char *name, std::vector<int> fatal, std::vector<int> times, const char *sending,
                            const char *call, const char *outermost, const char *begin) {
            QTest::newRow(name) << std::move(fatal) << std::move(times) << sending << call << outermost << begin;
        };
        const std::vector<int> others{100, 90, 100};
        const std::vector<int> together{100, 100, 100};
        row("raise", {term, SIGINT, term}, others, "010", "raise", "main", "Rank 1 ended itself by SIGINT in check_stop");
        row("kill", {term, SIGHUP, term}, others, "010", "kill", "main", "Rank 1 ended itself by SIGHUP in check_stop");
        row("pthread_kill", {term, SIGUSR1, term}, others, "010", "pthread_kill", "main", "Rank 1 ended itself by SIGUSR1");
        row("a limit that it makes", {term, SIGXCPU, term}, others, "010", "raise", "main", "Rank 1 ended itself by SIGXCPU");
        row("the launcher's signal", {term, term, term}, others, "010", "raise", "main", "Rank 1 ended itself by SIGTERM");
        row("a fault stays one", {term, SIGSEGV, term}, others, "010", "raise", "main", "Rank 1 crashed: segmentation fault");
        row("two", {SIGINT, SIGINT, term}, {90, 90, 100}, "110", "raise", "main", "Ranks 0 and 1 ended themselves by SIGINT");
        row("from outside", {term, SIGINT, term}, together, "000", "", "main", "");
        row("all: from outside, and passed on", {SIGINT, SIGINT, SIGINT}, together, "111", "raise", "main", "");
        row("passed on, as another had it before", {SIGINT, SIGINT, term}, {99, 100, 100}, "010", "raise", "main", "");
        row("passed on by a handler", {term, SIGINT, term}, together, "010", "raise", "__restore_rt", "");
        row("passed on by a handler, without names", {term, SIGINT, term}, together, "010", "raise", "libc.so.6+0x3c050", "");
    }
    void signalsOfItsOwn() {
        QFETCH(std::vector<int>, fatal);
        QFETCH(std::vector<int>, times);
        QFETCH(QString, sending);
        QFETCH(QString, call);
        QFETCH(QString, outermost);
        QFETCH(QString, begin);
        Job job(3);
        for (std::size_t rank = 0; rank < 3; ++rank) {
            if (sending[static_cast<int>(rank)] == '1')
                job[rank].enter(8 * second, job[rank].address(0x20));
            job[rank].signalled(static_cast<std::uint64_t>(times[rank]) * (second / 10), fatal[rank]);
        }
        job.change = [&](Trace &trace) {
            for (Region &region : trace.regions)
                if (region.name.ends_with("+0x20"))
                    region.name = call.toStdString();
            for (std::size_t rank = 0; rank < 3; ++rank)
                if (sending[static_cast<int>(rank)] == '1')
                    trace.processes[rank].end.stack = {{"check_stop", "", 0}, {outermost.toStdString(), "", 0}};
        };
        const Verdict verdict = job.verdict();
        QCOMPARE(verdict.state == Verdict::State::Crashed, !begin.isEmpty());
        QVERIFY2(verdict.summary.starts_with(begin.toStdString()), verdict.summary.c_str());
        const bool isOwn = begin.contains("itself") || begin.contains("themselves");
        QVERIFY(!isOwn || verdict.facts.ending == HeadlineFacts::Ending::OwnSignal);
        QVERIFY(!isOwn || verdict.confidence == 0.9); // it may have passed on what came from outside
    }

    void severalFaults() {
        Job job(3);
        job[0].signalled(10 * second, SIGSEGV);
        job[2].signalled(9 * second, SIGSEGV);
        const Verdict verdict = job.verdict();
        QVERIFY2(verdict.summary.starts_with("Ranks 0 and 2 crashed: "), verdict.summary.c_str());
        QVERIFY2(verdict.summary.find("The first was rank 2.") != std::string::npos, verdict.summary.c_str());
    }

    void abort() {
        Job job(2);
        job[1].begin(20, "MPI_Abort");
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QCOMPARE(verdict.summary, std::string("Rank 1 called MPI_Abort in [unknown]+0x10."));
    }

    /// MPI says what is wrong, and the launcher kills all before any of them can say how it ended.
    void errorThatMpiFound() {
        Job job(3);
        job[0].begin(20, "MPI_Recv").receivePart(1);
        job[1].begin(9 * second, "MPI_Send").sendPart(nothing);
        setError(job[1], 9 * second + 10,
                 "Invalid rank, error stack:\ninternal_Send(120): MPI_Send(…) failed\n"
                 "internal_Send(78).: Invalid rank has value 8 but must be less than 4");
        job[2].signalled(10 * second, SIGTERM);
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QCOMPARE(verdict.summary,
                 std::string("Rank 1 was ended by MPI in MPI_Send, called from [unknown]+0x10, for an error in the call: "
                             "Invalid rank has value 8 but must be less than 4."));
        QCOMPARE(verdict.confidence, 1.0);
        QCOMPARE(verdict.findings.front().ranks, RankSet{1});
        QCOMPARE(verdict.findings.front().function, std::string("MPI_Send"));
    }

    void firstErrorThatMpiFound() {
        Job job(3);
        for (const std::size_t rank : {1U, 2U}) {
            job[rank].begin(8 * second, "MPI_Bcast").collectivePart();
            setError(job[rank], 9 * second - rank, "MPI_ERR_ROOT: invalid root");
            job[rank].exited(9 * second, 8);
        }
        const Verdict verdict = job.verdict();
        QCOMPARE(verdict.summary,
                 std::string("Ranks 1 and 2 were ended by MPI in MPI_Bcast, called from [unknown]+0x10, for an error in the call"
                             ": MPI_ERR_ROOT: invalid root. The first was rank 2."));
    }

    /// An exception of the program's error handler left the call, as later calls show.
    void errorThatTheProgramHandled() {
        Job job(2);
        job[1].begin(20, "MPI_Send").sendPart(nothing).end(30, callFailed).begin(40, "MPI_Recv").receivePart(0);
        setError(job[1], 25, "MPI_ERR_RANK: invalid rank");
        QVERIFY(job.verdict().state == Verdict::State::Hung);
    }

    /// It prints, waits for a lock, or hangs: the job is killed much later.
    void errorHandlerDoesNotReturn() {
        Job job(2);
        job[1].begin(20, "MPI_Send").sendPart(nothing);
        setError(job[1], 25, "MPI_ERR_RANK: invalid rank");
        QVERIFY2(job.verdict().summary.starts_with("Rank 1 did not return from the error handler of MPI_Send, "),
                 job.verdict().summary.c_str());
    }

    void errorBeforeTheMomentAskedAbout() {
        Job job(2);
        job[1].begin(5 * second, "MPI_Send").sendPart(nothing);
        setError(job[1], 6 * second, "MPI_ERR_RANK: invalid rank");
        QVERIFY(job.verdict(none, 6 * second - 1).state != Verdict::State::Crashed);
        QVERIFY(job.verdict(none, 6 * second).state == Verdict::State::Crashed);
    }

    /// MPI's own message says less than both calls of the message do.
    void errorOfAMessageThatIsTooLarge_data() {
        QTest::addColumn<QString>("error");
        QTest::addColumn<bool>("isExplained");
        QTest::newRow("MPICH") << "Message truncated, error stack:\nx(1): Message from rank 0 and tag 5 truncated" << true;
        QTest::newRow("Open MPI") << "MPI_ERR_TRUNCATE: message truncated" << true;
        QTest::newRow("MPICH, of several requests") << "See the MPI_ERROR field in MPI_Status for the error code" << true;
        QTest::newRow("Open MPI, of several requests") << "MPI_ERR_IN_STATUS: error code in status" << true;
        QTest::newRow("something else") << "MPI_ERR_RANK: invalid rank" << false;
    }
    void errorOfAMessageThatIsTooLarge() {
        QFETCH(QString, error);
        QFETCH(bool, isExplained);
        Job job(2);
        job[0].begin(20, "MPI_Send").sendPart(1, 5, 0, 0, 0, 40).end(21);
        job[1].begin(30, "MPI_Recv").receivePart(0, 5, 0, 0, 0, 8);
        setError(job[1], 40, error.toStdString());
        const std::string summary = job.verdict().summary;
        QVERIFY2((summary.find("(tag 5, 40 bytes, sent in MPI_Send") != std::string::npos) == isExplained, summary.c_str());
    }

    void exitInACall() {
        Job job(2);
        job[1].begin(20, "MPI_Send").sendPart(nothing).exited(10 * second, 6);
        const Verdict verdict = job.verdict();
        QVERIFY2(verdict.summary.starts_with("Rank 1 exited with status 6 in MPI_Send, called from [unknown]+0x10, before the "
                                             "call returned: "),
                 verdict.summary.c_str());
    }

    void failed() {
        Job job(2);
        job[1].exited(10 * second, 3);
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QVERIFY2(verdict.summary.starts_with("Rank 1 exited with status 3 before MPI_Finalize."), verdict.summary.c_str());
    }

    /// Nothing is wrong with the status, but MPI was not finalized.
    void exitWithoutFinalize() {
        Job job(3);
        job[0].begin(20, "MPI_Recv").receivePart(1);
        job[1].exited(9 * second, 0).header.exitKind = static_cast<std::uint32_t>(ExitKind::AtOnce);
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QVERIFY2(verdict.summary.starts_with("Rank 1 exited with status 0 before MPI_Finalize, by _exit()"),
                 verdict.summary.c_str());
        QCOMPARE(verdict.findings.front().ranks, RankSet{1});
    }

    void returnFromMain() {
        Job job(2);
        job[1].exited(9 * second, 0).header.exitKind = static_cast<std::uint32_t>(ExitKind::Normal);
        QVERIFY2(job.verdict().summary.starts_with("Rank 1 exited with status 0 before MPI_Finalize, by return from main."),
                 job.verdict().summary.c_str());
    }

    void exitAfterFinalize() {
        Job job(2);
        for (std::size_t rank = 0; rank < 2; ++rank) {
            job[rank].call(20, 21, "MPI_Finalize").exited(10 * second, 0);
            job[rank].header.exitKind = static_cast<std::uint32_t>(ExitKind::Normal);
            job[rank].header.finalized = 1;
        }
        QVERIFY(job.verdict().state == Verdict::State::Finished);
    }

    /// MPI ends a process that calls it after MPI_Finalize: that is told as the error that it is.
    void callAfterFinalize() {
        Job job(2);
        for (std::size_t rank = 0; rank < 2; ++rank) {
            job[rank].call(20, 21, "MPI_Finalize").exited(10 * second, rank == 1 ? 1 : 0);
            job[rank].header.exitKind = static_cast<std::uint32_t>(ExitKind::Normal);
            job[rank].header.finalized = 1;
        }
        job.change = [](Trace &trace) {
            Frame called;
            called.function = "PMPI_Barrier";
            trace.processes[1].end.stack = {called};
        };
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QVERIFY2(verdict.summary.find("an error of the program, as MPI must not be called any more") != std::string::npos,
                 verdict.summary.c_str());
    }

    /// The others' errors are what becomes of the first one's.
    void errorsOfVictims() {
        Job job(3);
        for (std::size_t rank = 0; rank < 3; ++rank) {
            job[rank].begin(8 * second, "MPI_Allreduce").collectivePart();
            setError(job[rank], 8 * second + 10 - rank, rank == 2 ? "Invalid count" : "Communication error with rank 2");
            job[rank].exited(9 * second, 8);
        }
        const Verdict verdict = job.verdict();
        QVERIFY2(verdict.summary.starts_with("Rank 2 was ended by MPI in MPI_Allreduce"), verdict.summary.c_str());
        QCOMPARE(verdict.findings.front().ranks, RankSet{2});
    }

    /// Its last calls may be what was lost: nobody knows whether MPI_Finalize was among them.
    void failedAfterWhatWasLost() {
        Job job(2);
        job[1].exited(10 * second, 3);
        const Verdict verdict = job.verdict(1);
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QVERIFY2(verdict.summary.starts_with("Rank 1 exited with status 3; whether MPI_Finalize came before"),
                 verdict.summary.c_str());
        QCOMPARE(verdict.confidence, 0.5);
    }

    void statusAfterFinalizeIsNoCrash() {
        Job job(2);
        for (std::size_t rank = 0; rank < 2; ++rank)
            job[rank].call(20, 21, "MPI_Finalize").exited(10 * second, 3);
        QVERIFY(job.verdict().state == Verdict::State::Finished);
    }

    /// One is gone early, the others lived on and waited.
    void killed() {
        Job job(3);
        job[1].header.aliveTicks = 3 * second;
        job[0].begin(20, "MPI_Recv").receivePart(1);
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Crashed);
        QVERIFY2(verdict.summary.starts_with("Rank 1 was killed (SIGKILL, while others of its machine lived on: by hand, or for "
                                             "want of memory) in [unknown]+0x10."),
                 verdict.summary.c_str());
        QCOMPARE(verdict.confidence, 1.0);
    }

    /// By a clock whose two seconds are more ticks than there are, nobody has died two seconds before others.
    void killedByTheFastestClock() {
        Job job(3);
        job[1].header.aliveTicks = 3 * second;
        job[0].begin(20, "MPI_Recv").receivePart(1);
        job.change = [](Trace &trace) { trace.clock.ticksPerSecond = openEnd; };
        QVERIFY(job.verdict().state != Verdict::State::Crashed);
    }

    /// Open MPI ends the others a second later: less than two signs of life are missed, so that it is less sure.
    void killedAndTheOthersAfterIt_data() {
        QTest::addColumn<quint64>("silent"); // ms
        QTest::addColumn<bool>("isCrash");
        QTest::newRow("usual distance of signs of life") << quint64{600} << false;
        QTest::newRow("a launcher's delay") << quint64{1000} << true;
    }
    void killedAndTheOthersAfterIt() {
        QFETCH(quint64, silent);
        QFETCH(bool, isCrash);
        Job job(4);
        job[1].header.aliveTicks = 10 * second - silent * (second / 1000);
        for (const std::size_t rank : {0U, 2U, 3U})
            job[rank].begin(8 * second, "MPI_Recv").receivePart(1);
        const Verdict verdict = job.verdict();
        QCOMPARE(verdict.state == Verdict::State::Crashed, isCrash);
        if (isCrash)
            QCOMPARE(verdict.confidence, 0.8);
    }

    /// An interpreter that makes an exception of SIGINT ends with 130 of all ranks: nobody has crashed.
    void statusOfASignal() {
        Job job(3);
        for (std::size_t rank = 0; rank < 3; ++rank)
            job[rank].exited(10 * second, 128 + SIGINT);
        QVERIFY2(job.verdict().state != Verdict::State::Crashed, job.verdict().summary.c_str());
        job[1].exited(9 * second, 1);
        QVERIFY(job.verdict().state == Verdict::State::Crashed);
        QCOMPARE(job.verdict().crash->ranks, RankSet{1});
    }

    /// Why it aborted, by the function of a library that the program's own code had called; a stack that is full of one function.
    void reasons_data() {
        QTest::addColumn<QStringList>("stack"); // innermost first; "own" has a line
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("reason");
        QTest::newRow("assert") << QStringList{"__assert_fail", "own"} << SIGABRT << "an assertion does not hold";
        QTest::newRow("throw") << QStringList{"__cxa_throw", "own"} << SIGABRT << "an exception is thrown that nobody catches";
        QTest::newRow("new") << QStringList{"operator new(unsigned long)", "own"} << SIGABRT << "std::bad_alloc";
        QTest::newRow("library without names") << QStringList{"libstdc++.so.6+0x9d4f6", "own"} << SIGABRT << "the C++ library";
        QTest::newRow("plain abort") << QStringList{"abort", "own"} << SIGABRT << "";
        QTest::newRow("a function of that name in the program") << QStringList{"freedom", "own"} << SIGABRT << "";
        QTest::newRow("recursion") << QStringList(20, "own") << SIGSEGV << "stack overflow";
        QTest::newRow("two in turn") << QString("own other ").repeated(12).split(' ', Qt::SkipEmptyParts) << SIGSEGV
                                     << "stack overflow";
        QTest::newRow("a few calls of itself") << QStringList(5, "own") << SIGSEGV << "";
    }
    void reasons() {
        QFETCH(QStringList, stack);
        QFETCH(int, signal);
        QFETCH(QString, reason);
        Job job(1);
        job[0].signalled(10 * second, signal);
        job.change = [&](Trace &trace) {
            for (const QString &function : stack)
                trace.processes[0].end.stack.push_back(
                    {function.toStdString(), function == "own" ? "own.c" : "", function == "own" ? 7U : 0U});
        };
        const QString summary = QString::fromStdString(job.verdict().summary);
        QVERIFY2(reason.isEmpty() ? !summary.contains("own.c:7) (") : summary.contains(reason), qPrintable(summary));
    }

    /// A job that hangs is killed as a whole: that is no crash, and what it hung in counts.
    void allKilled() {
        Job job(2);
        job[0].begin(20, "MPI_Recv").receivePart(1);
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Hung);
        QVERIFY2(verdict.summary.starts_with("Rank 1 has made the least progress"), verdict.summary.c_str());
    }

    void allEnded() {
        Job job(2);
        for (std::size_t rank = 0; rank < 2; ++rank)
            job[rank].signalled(10 * second, SIGTERM);
        job[0].begin(20, "MPI_Recv").receivePart(1);
        QVERIFY(job.verdict().state == Verdict::State::Hung);
    }

    /// What has only just begun is no hang: a job that runs looks like that at any moment.
    void waitsThatHaveJustBegun() {
        Job job(2);
        job[0].header.aliveTicks = job[1].header.aliveTicks = second;
        job[0].begin(second - 2'000'000, "MPI_Recv").receivePart(1);
        const Verdict verdict = job.verdict();
        QVERIFY(verdict.state == Verdict::State::Running);
        QVERIFY2(
            verdict.summary.starts_with("The job was still running when its processes ended, at 1 s. Nobody is known to have "
                                        "held it up: the longest wait then was 2 ms, in MPI_Recv"),
            verdict.summary.c_str());
    }

    void signalsWithoutAName() { QCOMPARE(describeSignal(63), std::string("signal 63")); }
};

QTEST_APPLESS_MAIN(TestCrash)
#include "tst_crash.moc"
