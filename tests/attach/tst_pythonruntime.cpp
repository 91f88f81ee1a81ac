// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/PythonRuntime.h"

#include "attach/PythonLayout.h"

#include <QTest>

#include <cstring>

using namespace laggard::attach;

namespace {

constexpr std::uint64_t runtime = 0x100000, interpreter = 0x110000, threadState = 0x120000, holder = 0x130000,
                        firstFrame = 0x140000, firstCode = 0x200000;

/// Pages that are there when something is put on them.
class Pages final : public Memory {
  public:
    std::size_t read(std::uint64_t address, void *into, std::size_t size) const override {
        for (std::size_t i = 0; i < size; ++i) {
            if (address + i < begin || address + i >= begin + m_bytes.size())
                return i;
            static_cast<unsigned char *>(into)[i] = m_bytes[address + i - begin];
        }
        return size;
    }
    template <typename Value> void put(std::uint64_t address, Value value) {
        std::memcpy(m_bytes.data() + (address - begin), &value, sizeof value);
    }
    void putText(std::uint64_t address, const std::string &text, const PythonLayout &layout) {
        put(address + 16, static_cast<std::int64_t>(text.size()));
        put(address + 32, std::uint32_t{1U << 2U | 1U << 5U | 1U << 6U}); // kind 1, compact, ascii
        for (std::size_t i = 0; i < text.size(); ++i)
            put(address + layout.asciiText + i, text[i]);
    }
    [[nodiscard]] std::vector<unsigned char> &bytes() { return m_bytes; }

  private:
    static constexpr std::uint64_t begin = runtime;
    std::vector<unsigned char> m_bytes = std::vector<unsigned char>(0x200000);
};

/// A thread with `depth` functions "f0" (innermost) … in "job.py".
void putStack(Pages &memory, const PythonLayout &layout, unsigned depth) {
    memory.put(runtime + layout.interpretersHead, interpreter);
    memory.put(interpreter + layout.threadsHead, threadState);
    memory.put(threadState + layout.interpreter, interpreter);
    memory.put(threadState + layout.pthread, std::uint64_t{77});
    memory.put(threadState + layout.frameHolder, layout.isHeld ? holder : firstFrame);
    if (layout.isHeld)
        memory.put(holder + layout.heldFrame, firstFrame);
    for (unsigned i = 0; i < depth; ++i) {
        const std::uint64_t frame = firstFrame + i * 0x200;
        const std::uint64_t code = firstCode + i * 0x1000;
        memory.put(frame + layout.previous, i + 1 == depth ? 0 : frame + 0x200);
        memory.put(frame + layout.code, code);
        if (layout.entry != 0)
            memory.put(frame + layout.entry, static_cast<unsigned char>(i % 2));
        memory.put(code + layout.name, code + 0x400);
        memory.putText(code + 0x400, "f" + std::to_string(i), layout);
        memory.put(code + layout.fileName, code + 0x600);
        memory.putText(code + 0x600, "job.py", layout);
        memory.put(code + layout.firstLine, static_cast<std::int32_t>(10 + i));
    }
}

PythonLayout layoutOf(unsigned minor) {
    if (minor != 13)
        return *std::ranges::find(pythonLayouts, minor, &PythonLayout::minor);
    PythonLayout layout = *std::ranges::find(pythonLayouts, 12U, &PythonLayout::minor); // any that is told
    layout.minor = 13;
    layout.isHeld = false;
    layout.interpretersHead = 640;
    layout.threadsHead = 7344;
    return layout;
}

void putToldLayout(Pages &memory, const PythonLayout &layout) {
    using Offsets = PythonOffsets;
    for (std::size_t i = 0; i < 8; ++i)
        memory.put(runtime + i, "xdebugpy"[i]);
    memory.put(runtime + Offsets::version, std::uint64_t{0x030d00f0});
    const std::pair<std::uint16_t, std::uint16_t> told[] = {{Offsets::interpretersHead, layout.interpretersHead},
                                                            {Offsets::nextInterpreter, layout.nextInterpreter},
                                                            {Offsets::threadsHead, layout.threadsHead},
                                                            {Offsets::nextThread, layout.nextThread},
                                                            {Offsets::interpreter, layout.interpreter},
                                                            {Offsets::currentFrame, layout.frameHolder},
                                                            {Offsets::pthread, layout.pthread},
                                                            {Offsets::native, layout.native},
                                                            {Offsets::previous, layout.previous},
                                                            {Offsets::executable, layout.code},
                                                            {Offsets::instruction, layout.instruction},
                                                            {Offsets::owner, layout.owner},
                                                            {Offsets::fileName, layout.fileName},
                                                            {Offsets::name, layout.name},
                                                            {Offsets::lineTable, layout.lineTable},
                                                            {Offsets::firstLine, layout.firstLine},
                                                            {Offsets::instructions, layout.instructions}};
    for (const auto &[where, offset] : told)
        memory.put(runtime + where, std::uint64_t{offset});
}

std::vector<PythonThread> threadsOf(const Pages &memory, const PythonLayout &layout) {
    return PythonRuntime(layout, runtime, "/usr/bin/python3").threads(memory);
}

} // namespace

class TestPythonRuntime : public QObject {
    Q_OBJECT
  private slots:
    void readsEachVersion_data() {
        QTest::addColumn<unsigned>("minor");
        for (unsigned minor = 8; minor <= 13; ++minor)
            QTest::addRow("3.%u", minor) << minor;
    }
    void readsEachVersion() {
        QFETCH(unsigned, minor);
        const PythonLayout layout = layoutOf(minor);
        Pages memory;
        putStack(memory, layout, 3);
        if (minor == 13)
            putToldLayout(memory, layout);
        const std::vector<PythonThread> threads = threadsOf(memory, layout);
        QCOMPARE(threads.size(), std::size_t{1});
        QCOMPARE(threads[0].pthread, std::uint64_t{77});
        QVERIFY(!threads[0].isCut);
        QCOMPARE(threads[0].frames.size(), std::size_t{3});
        QCOMPARE(threads[0].frames[0].function, std::string("f0"));
        QCOMPARE(threads[0].frames[2].function, std::string("f2"));
        QCOMPARE(threads[0].frames[2].file, std::string("job.py"));
        QCOMPARE(threads[0].frames[2].firstLine, 12U);
    }

    void listsThatNeverEnd_data() { readsEachVersion_data(); }
    void listsThatNeverEnd() {
        QFETCH(unsigned, minor);
        const PythonLayout layout = layoutOf(minor);
        Pages memory;
        putStack(memory, layout, 3);
        if (minor == 13)
            putToldLayout(memory, layout);
        memory.put(firstFrame + 2 * 0x200 + layout.previous, firstFrame);
        memory.put(threadState + layout.nextThread, threadState);
        memory.put(interpreter + layout.nextInterpreter, interpreter);
        const std::vector<PythonThread> threads = threadsOf(memory, layout);
        QVERIFY2(threads.size() <= 4096, "the list of threads is followed without end");
        QVERIFY(threads[0].isCut);
        QCOMPARE(threads[0].frames.size(), std::size_t{3});
    }

    void damagedMemory_data() { readsEachVersion_data(); }
    void damagedMemory() {
        QFETCH(unsigned, minor);
        const PythonLayout layout = layoutOf(minor);
        std::uint32_t state = minor;
        for (int i = 0; i < 60; ++i) {
            Pages memory;
            putStack(memory, layout, 5);
            if (minor == 13)
                putToldLayout(memory, layout);
            for (int change = 0; change < 3000; ++change) {
                state = state * 1664525U + 1013904223U;
                memory.bytes()[(state >> 3U) % memory.bytes().size()] = static_cast<unsigned char>(state >> 24U);
            }
            for (const PythonThread &each : threadsOf(memory, layout))
                QVERIFY(each.frames.size() <= 1024);
        }
    }

    void refusesAnotherLayout() {
        const PythonLayout layout = layoutOf(13);
        Pages memory;
        putStack(memory, layout, 3);
        QVERIFY(threadsOf(memory, layout).empty()); // no cookie
        putToldLayout(memory, layout);
        memory.put(runtime + PythonOffsets::freeThreaded, std::uint64_t{1});
        QVERIFY(threadsOf(memory, layout).empty());
    }

    void lines_data() {
        QTest::addColumn<unsigned>("minor");
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<unsigned>("offset");
        QTest::addColumn<unsigned>("line");
        // Worked out by hand from Objects/lnotab_notes.txt, PEP 626 and Objects/locations.md; the function begins in line 10.
        QTest::newRow("3.8, first") << 8U << QByteArray::fromHex("00010a01") << 4U << 11U;
        QTest::newRow("3.8, second") << 8U << QByteArray::fromHex("00010a01") << 10U << 12U;
        QTest::newRow("3.9, back") << 9U << QByteArray::fromHex("000506fe") << 8U << 13U;
        QTest::newRow("3.10, first") << 10U << QByteArray::fromHex("04010602") << 2U << 11U;
        QTest::newRow("3.10, second") << 10U << QByteArray::fromHex("04010602") << 4U << 13U;
        QTest::newRow("3.10, none") << 10U << QByteArray::fromHex("04800602") << 0U << 0U;
        QTest::newRow("3.11, one line on") << 11U << QByteArray::fromHex("d90000") << 2U << 11U;
        QTest::newRow("3.11, long form") << 11U << QByteArray::fromHex("f104000000d00000") << 4U << 12U;
        QTest::newRow("3.11, back") << 11U << QByteArray::fromHex("f103000000") << 0U << 9U;
        QTest::newRow("3.12, none") << 12U << QByteArray::fromHex("f8") << 0U << 0U;
        QTest::newRow("empty") << 11U << QByteArray() << 6U << 10U;
        QTest::newRow("cut off") << 11U << QByteArray::fromHex("f1c0") << 6U << 10U;
    }
    void lines() {
        QFETCH(unsigned, minor);
        QFETCH(QByteArray, table);
        QFETCH(unsigned, offset);
        QTEST(pythonLine(minor, {table.begin(), table.end()}, 10, offset), "line");
    }
};

QTEST_APPLESS_MAIN(TestPythonRuntime)
#include "tst_pythonruntime.moc"
