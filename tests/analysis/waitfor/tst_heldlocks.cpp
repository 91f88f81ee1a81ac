// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;

namespace {

/// What rank 0 does with the lock of rank 2's part, round by round, before and after its message to rank 2.
struct Habit {
    int rounds = 4;            ///< before the last one
    bool keepsItThere = false; ///< it always sends with the lock in its hands
    bool sends = true;         ///< before the last round too
    bool computes = false;     ///< in the end it is in no call
    bool isTwofold = false;    ///< rank 2 holds a lock as well, that rank 3 waits for
    bool isOfFile = false;     ///< no window is locked, and rank 1 is outside MPI
};

constexpr std::uint32_t ranks = 4;

class Writer {
  public:
    explicit Writer(std::uint32_t rank) : m_file(static_cast<std::int32_t>(rank), ranks), m_window(m_file.window(77)) {
        m_file.enter(1, m_file.address(0x10)).call(2, 3, "MPI_Init");
    }
    void lock(std::uint32_t target, bool isOpen = false) { epoch("MPI_Win_lock", EpochKind::Lock, target, isOpen); }
    void unlock(std::uint32_t target) { epoch("MPI_Win_unlock", EpochKind::Unlock, target, false); }
    void send(std::int32_t to, bool isOpen = false) {
        m_file.begin(m_time, "MPI_Ssend").sendPart(to, 5);
        close(isOpen);
    }
    void receive(std::int32_t from, bool isOpen = false) {
        m_file.begin(m_time, "MPI_Recv").receivePart(from, 5);
        if (!isOpen)
            m_file.end(m_time + 5).received(from, 5);
        m_time += 10;
    }
    void write(const QString &path) {
        m_file.header.aliveTicks = 5000;
        m_file.write(path.toStdString());
    }

  private:
    void epoch(const char *call, EpochKind kind, std::uint32_t target, bool isOpen) {
        m_file.begin(m_time, call).epochPart(kind, m_window, target, nothing, kind == EpochKind::Lock);
        close(isOpen);
    }
    void close(bool isOpen) {
        if (!isOpen)
            m_file.end(m_time + 5);
        m_time += 10;
    }
    RecordingWriter m_file;
    std::uint32_t m_window;
    std::uint64_t m_time = 10;
};

/// Rank 0 takes the lock, gives it back and sends to rank 2; then it sends with the lock, which rank 1 waits for, and rank 2
/// waits for rank 1 before it receives.
WaitForGraph graphOf(const Habit &habit, TracePtr &trace) {
    QTemporaryDir folder;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        Writer writer(rank);
        for (int round = 0; round < habit.rounds; ++round) {
            if (rank == 0) {
                if (!habit.isOfFile)
                    writer.lock(2);
                if (!habit.keepsItThere && !habit.isOfFile)
                    writer.unlock(2);
                if (habit.sends)
                    writer.send(2);
                if (habit.keepsItThere)
                    writer.unlock(2);
            }
            if (rank == 1)
                writer.send(2);
            if (rank == 2)
                writer.receive(1);
            if (rank == 2 && habit.sends)
                writer.receive(0);
        }
        if (rank == 0) {
            if (!habit.isOfFile)
                writer.lock(2);
            if (!habit.computes)
                writer.send(2, true);
        } else if (rank == 1) {
            if (!habit.isOfFile)
                writer.lock(2, true);
        } else if (rank == 2) {
            if (habit.isTwofold)
                writer.lock(1);
            writer.receive(1, true);
        } else if (habit.isTwofold) {
            writer.lock(1, true);
        } else {
            writer.receive(2, true);
        }
        writer.write(folder.filePath(QString::number(rank) + ".laggard"));
    }
    trace = openTrace(folder.path().toStdString(), {}, {});
    return buildWaitForGraph(*trace, openEnd, {});
}

QString text(const WaitForVerdict &verdict) {
    return QString::fromStdString(formatRanges(verdict.ranks) + " (" + std::to_string(verdict.confidence) + "): " + verdict.why);
}

} // namespace

/// Who keeps a lock that others wait for, in a call that it made without one before, is named; who always does so is not.
class TestHeldLocks : public QObject {
    Q_OBJECT
  private slots:
    void whoIsTold_data() {
        QTest::addColumn<Habit>("habit");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("not given back this time") << Habit{} << true;
        QTest::newRow("it sent once before") << Habit{.rounds = 1} << true;
        QTest::newRow("it always sends with the lock") << Habit{.keepsItThere = true} << false;
        QTest::newRow("it never sent before") << Habit{.sends = false} << false;
        QTest::newRow("it computes") << Habit{.computes = true} << false;
        QTest::newRow("two hold a lock") << Habit{.isTwofold = true} << false;
    }
    void whoIsTold() {
        QFETCH(Habit, habit);
        QFETCH(bool, isTold);
        TracePtr trace;
        const WaitForGraph graph = graphOf(habit, trace);
        QVERIFY2(graph.verdict.heldLock.has_value() == isTold, qPrintable("the verdict names " + text(graph.verdict)));
        if (!isTold)
            return;
        QCOMPARE(graph.verdict.ranks, RankSet{0});
        QCOMPARE(graph.verdict.heldLock->holder, Rank{0});
        QCOMPARE(graph.verdict.heldLock->waiters, RankSet{1});
        QCOMPARE(graph.verdict.heldLock->times, static_cast<std::uint32_t>(habit.rounds));
        QCOMPARE(trace->region(graph.verdict.heldLock->takenBy).name, std::string("MPI_Win_lock"));
    }

    /// The rule of succession, up to 0.85.
    void confidenceGrowsWithTheRounds() {
        TracePtr trace;
        QCOMPARE(graphOf({.rounds = 1}, trace).verdict.confidence, 2.0 / 3);
        const WaitForVerdict thrice = graphOf({.rounds = 3}, trace).verdict;
        QVERIFY2(thrice.heldLock && qFuzzyCompare(thrice.confidence, 0.8), qPrintable("0.8 by the lock: " + text(thrice)));
        const double most = graphOf({.rounds = 30}, trace).verdict.confidence;
        QVERIFY2(most >= 0.85 && most < 0.95, qPrintable("0.85, or what else tells of it: " + QString::number(most)));
    }

    /// Which calls were made with the lock of a file is not recorded: its holder is told, with no more than 0.6.
    void lockOfAFile() {
        TracePtr trace;
        static_cast<void>(graphOf({.isOfFile = true}, trace));
        auto changed = std::const_pointer_cast<Trace>(trace);
        changed->processes[1].fileLockOf = 0;
        changed->processes[1].fileLockSeen = 0;
        const WaitForVerdict verdict = buildWaitForGraph(*changed, openEnd, {}).verdict;
        QVERIFY2(verdict.heldLock.has_value(), qPrintable("the verdict names " + text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{0});
        QCOMPARE(verdict.heldLock->takenBy, CallPathId{none});
        QVERIFY2(verdict.confidence <= 0.6, qPrintable(text(verdict)));
    }
};

QTEST_APPLESS_MAIN(TestHeldLocks)
#include "tst_heldlocks.moc"
