// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/Snapshot.h"
#include "attach/StackWalk.h"

#include <QTest>

#include <algorithm>

using namespace laggard::attach;

namespace {

constexpr std::uint64_t top = 0x10000; ///< where the stack begins

/// A copy of the stack from `from` on, up to `end`, whose bytes tell their address, but for `changed`.
ThreadSnapshot copyOf(std::uint64_t from, std::uint64_t end, std::uint64_t changed = 0) {
    ThreadSnapshot thread;
    thread.stackAddress = from;
    for (std::uint64_t address = from; address < end; ++address)
        thread.stack.push_back(static_cast<unsigned char>(address % 251 + (address == changed ? 1 : 0)));
    return thread;
}

/// main, work, and a function that work calls, with the stack pointers of the first two always the same.
std::vector<WalkedFrame> framesTo(std::uint64_t innermost) {
    std::vector<WalkedFrame> frames;
    for (const std::uint64_t pointer : {innermost, top - 0x200, top - 0x100}) {
        WalkedFrame frame;
        frame.counter = frame.stackPointer = pointer;
        frame.isReturnAddress = pointer != innermost;
        frames.push_back(frame);
    }
    return frames;
}

} // namespace

class TestStackWalk : public QObject {
    Q_OBJECT
  private slots:
    void framesThatWereNotLeft_data() {
        QTest::addColumn<quint64>("end"); // of the second copy
        QTest::addColumn<quint64>("changed");
        QTest::addColumn<bool>("areComplete");
        QTest::addColumn<int>("expected");
        QTest::newRow("nothing changed above") << quint64{top} << quint64{0} << false << 3;
        QTest::newRow("the copy has a limit, and ends elsewhere") << quint64{top - 0x40} << quint64{0} << false << 3;
        QTest::newRow("work has changed something of its own") << quint64{top} << quint64{top - 0x150} << true << 2;
        QTest::newRow("main may have") << quint64{top} << quint64{top - 0x80} << false << 1;
        QTest::newRow("what lies above the first frame has changed") << quint64{top} << quint64{top - 0x80} << true << 3;
        QTest::newRow("no byte is in both") << quint64{top - 0x400} << quint64{0} << false << 0;
    }
    void framesThatWereNotLeft() {
        QFETCH(quint64, end);
        QFETCH(quint64, changed);
        QFETCH(bool, areComplete);
        // The innermost function is another one, or deeper, each time: so a copy of so many bytes ends elsewhere.
        const ThreadSnapshot before = copyOf(top - 0x300, top);
        const ThreadSnapshot after = copyOf(std::min<std::uint64_t>(top - 0x380, end - 0x10), end, changed);
        QFETCH(int, expected);
        QCOMPARE(int(framesNotLeft(before, framesTo(top - 0x300), after, framesTo(top - 0x380), areComplete)), expected);
    }
};

QTEST_APPLESS_MAIN(TestStackWalk)
#include "tst_stackwalk.moc"
