// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/CallingCode.h"

#include <QTest>

#include <map>

using namespace laggard::attach;

namespace {

constexpr unsigned rdi = 5, rsi = 4, rdx = 1, rcx = 2; // DWARF's numbers
constexpr std::uint64_t frameBase = 0x7000;

std::vector<unsigned char> bytes(const char *hex) {
    const QByteArray raw = QByteArray::fromHex(hex);
    return {raw.begin(), raw.end()};
}

} // namespace

class TestCallingCode : public QObject {
    Q_OBJECT
  private slots:
    void followsLoads_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<unsigned>("number");
        QTest::addColumn<qlonglong>("expected"); // -1: nothing
        // e8 00000000 is the call itself; [rbp-4] has 7, [rbp-8] has 9.
        QTest::newRow("constant") << QByteArray("bf2a000000e800000000") << rdi << qlonglong{42};
        QTest::newRow("of the stack") << QByteArray("8b45fc89c1e800000000") << rcx << qlonglong{7};
        QTest::newRow("address of the stack") << QByteArray("488d55fce800000000") << rdx << qlonglong(frameBase - 4);
        QTest::newRow("sum") << QByteArray("8b55fc8b45f801d089c6e800000000") << rsi << qlonglong{16};
        QTest::newRow("and one") << QByteArray("8b45fc83c00189c6e800000000") << rsi << qlonglong{8};
        QTest::newRow("nothing") << QByteArray("31ffe800000000") << rdi << qlonglong{0};
        QTest::newRow("sign extended") << QByteArray("8b45fc48984889c6e800000000") << rsi << qlonglong{7};
        QTest::newRow("relative to the code") << QByteArray("8b3d00010000e800000000") << rdi << qlonglong{11};
        QTest::newRow("global after a nested call") << QByteArray("e8000000008b3d00010000e800000000") << rdi << qlonglong{12};
        QTest::newRow("lost in a nested call") << QByteArray("bf2a000000e800000000e800000000") << rdi << qlonglong{-1};
        QTest::newRow("stored after it was loaded") << QByteArray("8b7dfc836dfc01e800000000") << rdi << qlonglong{-1};
        QTest::newRow("stored elsewhere") << QByteArray("8b7dfc836df801e800000000") << rdi << qlonglong{7};
        QTest::newRow("jump") << QByteArray("7405bf2a000000e800000000") << rdi << qlonglong{-1};
        QTest::newRow("return") << QByteArray("c3bf2a000000e800000000") << rdi << qlonglong{-1};
        QTest::newRow("vector instruction") << QByteArray("f20f1045f8bf2a000000e800000000") << rdi << qlonglong{-1};
        QTest::newRow("cut off") << QByteArray("bf2a00") << rdi << qlonglong{-1};
        QTest::newRow("not set") << QByteArray("bf2a000000e800000000") << rsi << qlonglong{-1};
        QTest::newRow("register that was thought to stay") << QByteArray("bb2a00000089dfe800000000") << rdi << qlonglong{-1};
    }
    void followsLoads() {
        QFETCH(QByteArray, code);
        QFETCH(unsigned, number);
        QFETCH(qlonglong, expected);
        constexpr std::uint64_t address = 0x1000;
        const std::map<std::uint64_t, std::uint64_t> memory = {
            {frameBase - 4, 7}, {frameBase - 8, 9}, {address + 6 + 0x100, 11}, {address + 11 + 0x100, 12}};
        const auto value = valueAfter(
            bytes(code), address, number, [](unsigned asked) { return asked == 6 ? std::optional(frameBase) : std::nullopt; },
            [&](std::uint64_t at, std::size_t) -> std::optional<std::uint64_t> {
                const auto found = memory.find(at);
                return found == memory.end() ? std::nullopt : std::optional(found->second);
            });
        QCOMPARE(value ? static_cast<qlonglong>(*value) : -1, expected);
    }

    void endsOnAnyBytes() {
        std::uint32_t state = 1;
        for (int i = 0; i < 20000; ++i) {
            std::vector<unsigned char> code(i % 40);
            for (unsigned char &each : code)
                each = static_cast<unsigned char>((state = state * 1664525U + 1013904223U) >> 24U);
            static_cast<void>(valueAfter(
                code, 0, rdi, [](unsigned) { return std::optional(frameBase); },
                [](std::uint64_t, std::size_t) { return std::optional<std::uint64_t>(1); }));
        }
    }
};

QTEST_APPLESS_MAIN(TestCallingCode)
#include "tst_callingcode.moc"
