// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/CalledFunction.h"

#include <QTest>

#include <algorithm>

using namespace laggard::attach;

namespace {

constexpr std::uint64_t begin = 0x1000;    ///< of the code
constexpr std::uint64_t slot = 0x3000;     ///< of the global offset table
constexpr std::uint64_t function = 0x7000; ///< what lies there

} // namespace

class TestCalledFunction : public QObject {
    Q_OBJECT
  private slots:
    void calledAddress_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<qulonglong>("returnAddress");
        QTest::addColumn<qulonglong>("expected"); // 0: nothing
        QTest::newRow("call of a function") << QByteArray("e8fb0f000090") << qulonglong{begin + 5} << qulonglong{0x2000};
        QTest::newRow("call by a slot") << QByteArray("ff15fa1f000090") << qulonglong{begin + 6} << qulonglong{function};
        QTest::newRow("call of an entry") << QByteArray("e801000000") + "90" + "ff25f41f0000" << qulonglong{begin + 5}
                                          << qulonglong{function};
        QTest::newRow("entry with endbr64 and bnd")
            << QByteArray("e801000000") + "90" + "f30f1efa" + "f2ff25ef1f0000" << qulonglong{begin + 5} << qulonglong{function};
        QTest::newRow("call by a register") << QByteArray("909090ffd090") << qulonglong{begin + 5} << qulonglong{0};
        QTest::newRow("no code there") << QByteArray("e8") << qulonglong{begin + 5} << qulonglong{0};
    }
    void calledAddress() {
        QFETCH(QByteArray, code);
        QFETCH(qulonglong, returnAddress);
        QFETCH(qulonglong, expected);
        const QByteArray bytes = QByteArray::fromHex(code);
        const auto codeAt = [&](std::uint64_t address, std::size_t size) -> std::span<const unsigned char> {
            if (address < begin || address - begin + size > static_cast<std::size_t>(bytes.size()))
                return {};
            return {reinterpret_cast<const unsigned char *>(bytes.constData()) + (address - begin), size};
        };
        const auto memory = [](std::uint64_t address) { return address == slot ? std::optional(function) : std::nullopt; };
        const auto called = laggard::attach::calledAddress(returnAddress, codeAt, memory);
#if defined(__x86_64__)
        QCOMPARE(qulonglong(called.value_or(0)), expected);
#else
        QVERIFY(!called);
#endif
    }
};

QTEST_APPLESS_MAIN(TestCalledFunction)
#include "tst_calledfunction.moc"
