// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;

namespace {

constexpr std::uint32_t ranks = 3;

/// One call on the window, closed unless `isOpen`.
struct Call {
    EpochKind kind;
    std::uint32_t target = nothing;
    std::vector<std::uint32_t> group = {};
    bool exclusive = false;
    bool isOpen = false;
};
using Calls = std::vector<std::vector<Call>>; // by rank

Call lock(std::uint32_t target, bool exclusive, bool isOpen = false) { return {EpochKind::Lock, target, {}, exclusive, isOpen}; }
Call on(EpochKind kind, std::vector<std::uint32_t> group = {}, bool isOpen = false) {
    return {kind, nothing, std::move(group), false, isOpen};
}
Call at(EpochKind kind, std::uint32_t target, bool isOpen = false) { return {kind, target, {}, false, isOpen}; }
constexpr bool open = true;

const char *nameOf(EpochKind kind) {
    switch (kind) {
    case EpochKind::Post:
        return "MPI_Win_post";
    case EpochKind::Start:
        return "MPI_Win_start";
    case EpochKind::Complete:
        return "MPI_Win_complete";
    case EpochKind::Wait:
        return "MPI_Win_wait";
    case EpochKind::LockAll:
        return "MPI_Win_lock_all";
    case EpochKind::Unlock:
        return "MPI_Win_unlock";
    case EpochKind::Flush:
        return "MPI_Win_flush";
    case EpochKind::UnlockAll:
        return "MPI_Win_unlock_all";
    default:
        return "MPI_Win_lock";
    }
}

/// Every rank makes its calls, 10 ns each; who has none open goes on computing, or waits for a message of itself (`inMpi`).
WaitForGraph graphOf(const Calls &calls, bool inMpi, TracePtr &trace) {
    QTemporaryDir folder;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        RecordingWriter writer(static_cast<std::int32_t>(rank), ranks);
        const std::uint32_t window = writer.window(77);
        const std::uint32_t main = writer.address(0x10);
        writer.enter(1, main).call(2, 3, "MPI_Init");
        std::uint64_t time = 10;
        bool isOpen = false;
        for (const Call &call : calls[rank]) {
            const std::uint32_t group = call.group.empty() ? nothing : writer.group(call.group);
            writer.begin(time, nameOf(call.kind)).epochPart(call.kind, window, call.target, group, call.exclusive);
            if (!call.isOpen)
                writer.end(time + 5);
            isOpen |= call.isOpen;
            time += 10;
        }
        if (!isOpen && inMpi)
            writer.begin(time, "MPI_Recv").receivePart((rank + 1) % ranks, 9);
        writer.header.aliveTicks = 1000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    trace = openTrace(folder.path().toStdString(), {}, {});
    return buildWaitForGraph(*trace, openEnd, {});
}

/// "0>1,2 1>0": rank 0 waits for ranks 1 and 2, rank 1 for rank 0.
QString waitsOf(const WaitForGraph &graph) {
    QStringList parts;
    for (const Wait &wait : graph.waits)
        if (wait.kind == Wait::Kind::OneSided)
            parts << QString::fromStdString(formatRanges(wait.waiters) + ">" + formatRanges(wait.on));
    parts.sort();
    return parts.join(' ');
}

} // namespace

/// Who holds the lock that another waits for, who has not posted, who has not completed.
class TestOneSidedWaits : public QObject {
    Q_OBJECT
  private slots:
    void waits_data() {
        QTest::addColumn<Calls>("calls");
        QTest::addColumn<bool>("inMpi");
        QTest::addColumn<QString>("waits");
        const bool exclusive = true;
        const bool shared = false;
        QTest::newRow("exclusive lock held") << Calls{{lock(2, exclusive)}, {lock(2, exclusive, open)}, {}} << true << "1>0";
        QTest::newRow("exclusive lock was given back")
            << Calls{{lock(2, exclusive), at(EpochKind::Unlock, 2)}, {lock(2, exclusive, open)}, {}} << true << "";
        QTest::newRow("of another rank's part") << Calls{{lock(1, exclusive)}, {lock(2, exclusive, open)}, {}} << true << "";
        QTest::newRow("shared by both") << Calls{{lock(2, shared)}, {lock(2, shared, open)}, {}} << true << "";
        QTest::newRow("shared held, exclusive wanted")
            << Calls{{lock(2, shared)}, {lock(2, exclusive, open)}, {}} << true << "1>0";
        QTest::newRow("exclusive held, shared wanted")
            << Calls{{lock(2, exclusive)}, {lock(2, shared, open)}, {}} << true << "1>0";
        QTest::newRow("all locked, exclusive wanted")
            << Calls{{on(EpochKind::LockAll)}, {lock(2, exclusive, open)}, {}} << true << "1>0";
        QTest::newRow("all locked, shared wanted") << Calls{{on(EpochKind::LockAll)}, {lock(2, shared, open)}, {}} << true << "";
        QTest::newRow("all were unlocked") << Calls{{on(EpochKind::LockAll), on(EpochKind::UnlockAll)},
                                                    {lock(2, exclusive, open)},
                                                    {}}
                                           << true << "";
        QTest::newRow("one held, all wanted")
            << Calls{{lock(2, exclusive)}, {on(EpochKind::LockAll, {}, open)}, {}} << true << "1>0";
        QTest::newRow("the lock comes late: in the unlock")
            << Calls{{lock(2, exclusive)}, {lock(2, exclusive), at(EpochKind::Unlock, 2, open)}, {}} << true << "1>0";
        QTest::newRow("in the flush") << Calls{{lock(2, exclusive)}, {lock(2, exclusive), at(EpochKind::Flush, 2, open)}, {}}
                                      << true << "1>0";
        QTest::newRow("it holds the lock itself")
            << Calls{{lock(2, exclusive), lock(2, exclusive, open)}, {lock(2, exclusive, open)}, {}} << true << "0>0 1>0";
        QTest::newRow("it has given it back")
            << Calls{{lock(2, exclusive), at(EpochKind::Unlock, 2), lock(2, exclusive, open)}, {}, {}} << true << "";
        QTest::newRow("it holds that of another part")
            << Calls{{lock(1, exclusive), lock(2, exclusive, open)}, {}, {}} << true << "";
        QTest::newRow("two locks in opposite order")
            << Calls{{lock(1, exclusive), lock(0, exclusive, open)}, {lock(0, exclusive), lock(1, exclusive, open)}, {}} << true
            << "0>1 1>0";
        QTest::newRow("nobody holds it, the target computes") << Calls{{}, {lock(2, exclusive, open)}, {}} << false << "1>2";
        QTest::newRow("nobody holds it, the target is in MPI") << Calls{{}, {lock(2, exclusive, open)}, {}} << true << "";
        QTest::newRow("all unlocked, the others compute")
            << Calls{{}, {on(EpochKind::LockAll), on(EpochKind::UnlockAll, {}, open)}, {}} << false << "1>0,2";
        QTest::newRow("all unlocked, the others are in MPI")
            << Calls{{}, {on(EpochKind::LockAll), on(EpochKind::UnlockAll, {}, open)}, {}} << true << "";
        QTest::newRow("start without post") << Calls{{on(EpochKind::Start, {1, 2}, open)}, {on(EpochKind::Post, {0})}, {}} << true
                                            << "0>2";
        QTest::newRow("complete without post")
            << Calls{{on(EpochKind::Start, {1}), on(EpochKind::Complete, {}, open)}, {}, {}} << true << "0>1";
        QTest::newRow("complete, and all was posted")
            << Calls{{on(EpochKind::Start, {1}), on(EpochKind::Complete, {}, open)}, {on(EpochKind::Post, {0})}, {}} << true
            << "";
        QTest::newRow("posted for another") << Calls{{on(EpochKind::Start, {1}, open)}, {on(EpochKind::Post, {2})}, {}} << true
                                            << "0>1";
        QTest::newRow("posted once, started twice")
            << Calls{{on(EpochKind::Start, {1}), on(EpochKind::Complete), on(EpochKind::Start, {1}, open)},
                     {on(EpochKind::Post, {0}), on(EpochKind::Wait)},
                     {}}
            << true << "0>1";
        QTest::newRow("wait without complete") << Calls{{on(EpochKind::Post, {1, 2}), on(EpochKind::Wait, {}, open)},
                                                        {on(EpochKind::Start, {0}), on(EpochKind::Complete)},
                                                        {on(EpochKind::Start, {0})}}
                                               << true << "0>2";
        QTest::newRow("wait without start") << Calls{{on(EpochKind::Post, {1}), on(EpochKind::Wait, {}, open)}, {}, {}} << true
                                            << "0>1";
        QTest::newRow("complete is under way") << Calls{{on(EpochKind::Post, {1}), on(EpochKind::Wait, {}, open)},
                                                        {on(EpochKind::Start, {0}), on(EpochKind::Complete, {}, open)},
                                                        {}}
                                               << true << "0>1";
        QTest::newRow("rank that the job does not have")
            << Calls{{lock(9, exclusive)}, {lock(9, exclusive, open)}, {}} << true << "";
        QTest::newRow("group of nobody") << Calls{{on(EpochKind::Start, {9}, open)}, {on(EpochKind::Wait, {}, open)}, {}} << true
                                         << "";
    }

    void waits() {
        QFETCH(Calls, calls);
        QFETCH(bool, inMpi);
        TracePtr trace;
        QTEST(waitsOf(graphOf(calls, inMpi, trace)), "waits");
    }

    void theHolderIsToldWithItsWindow() {
        TracePtr trace;
        const WaitForGraph graph = graphOf({{lock(2, true)}, {lock(2, true, open)}, {}}, true, trace);
        const auto wait = std::ranges::find_if(graph.waits, [](const Wait &w) { return w.kind == Wait::Kind::OneSided; });
        QVERIFY(wait != graph.waits.end());
        QVERIFY2(wait->evidence.starts_with("rank 1 waits in MPI_Win_lock for the lock of rank 2's part of window"),
                 wait->evidence.c_str());
        QVERIFY2(wait->evidence.find("rank 0 holds it") != std::string::npos, wait->evidence.c_str());
        QCOMPARE(trace->region(wait->startedBy).name, std::string("MPI_Win_lock"));
        QCOMPARE(graph.activities[1].need, Activity::Need::Missing);
    }

    /// A rank that calls MPI all the time, but nothing of it lets the others go on, is what they wait for.
    void whoSyncsForEver_data() {
        QTest::addColumn<int>("turns");
        QTest::addColumn<QString>("waits");
        QTest::newRow("for long") << 40 << "0>1";
        QTest::newRow("a few times") << 3 << "";
    }
    void whoSyncsForEver() {
        QFETCH(int, turns);
        QTemporaryDir folder;
        for (std::uint32_t rank = 0; rank < 2; ++rank) {
            RecordingWriter writer(static_cast<std::int32_t>(rank), 2);
            const std::uint32_t window = writer.window(77);
            writer.collectiveCall(2, 10, "MPI_Barrier");
            writer.begin(12, "MPI_Win_lock_all").epochPart(EpochKind::LockAll, window).end(14);
            if (rank == 0)
                writer.begin(20, "MPI_Win_unlock_all").epochPart(EpochKind::UnlockAll, window);
            for (int i = 0; rank == 1 && i < turns; ++i)
                writer.call(static_cast<std::uint64_t>(20 + 10 * i), static_cast<std::uint64_t>(25 + 10 * i), "MPI_Win_sync");
            if (rank == 1)
                writer.begin(static_cast<std::uint64_t>(20 + 10 * turns), "MPI_Win_sync");
            writer.header.aliveTicks = static_cast<std::uint64_t>(30 + 10 * turns);
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
        QTEST(waitsOf(buildWaitForGraph(*trace, openEnd, {})), "waits");
    }

    /// Where early epochs were overwritten, their number tells nothing: the one that is open does.
    void epochsThatWereOverwritten_data() {
        QTest::addColumn<bool>("isPosted");
        QTest::addColumn<QString>("waits");
        QTest::newRow("the last one is posted") << true << "";
        QTest::newRow("it is not") << false << "0>1";
    }

    void epochsThatWereOverwritten() {
        QFETCH(bool, isPosted);
        TracePtr trace;
        const Call complete = on(EpochKind::Complete);
        const Call post = on(EpochKind::Post, {0});
        Calls calls{{on(EpochKind::Start, {1}), complete, on(EpochKind::Start, {1}, open)}, {}, {}};
        if (isPosted)
            calls[1].push_back(post);
        static_cast<void>(graphOf(calls, true, trace));
        auto changed = std::const_pointer_cast<Trace>(trace);
        changed->processes[1].eventsFrom = 5;
        QTEST(waitsOf(buildWaitForGraph(*changed, openEnd, {})), "waits");
    }
};

QTEST_APPLESS_MAIN(TestOneSidedWaits)
#include "tst_onesidedwaits.moc"
