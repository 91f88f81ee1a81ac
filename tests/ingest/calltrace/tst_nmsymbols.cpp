// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/Symbols.h"

#include <QTest>

using namespace laggard::calltrace;

/// What nm prints, as functions.
class TestNmSymbols : public QObject {
    Q_OBJECT

  private slots:
    void formats_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<quint64>("address");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("place");
        const auto row = [](const char *name, const char *text, quint64 address, const char *function, const char *place = ":0") {
            QTest::newRow(name) << QByteArray(text) << address << QString(function) << QString(place);
        };
        row("plain", "0819967c T freeze_sending\n", 0x819967c, "freeze_sending");
        row("64 bits", "000000000819967c t freeze_sending\n", 0x819967c, "freeze_sending");
        row("not at its beginning", "0819967c T freeze_sending\n", 0x819967d, "");
        row("before all", "0819967c T freeze_sending\n", 0x8, "");
        row("size", "0819967c 00000020 T freeze_sending\n", 0x819969b, "freeze_sending");
        row("behind its end", "0819967c 00000020 T freeze_sending\n", 0x819969c, "");
        row("mangled", "0819967c T _ZN5score5panicEi\n", 0x819967c, "score::panic(int)");
        row("demangled", "0819967c 00000020 W score::panic(int, char const*)\n", 0x819967c, "score::panic(int, char const*)");
        row("line", "0819967c T panic\t/src/score.c:41\n", 0x819967c, "panic", "/src/score.c:41");
        row("file without line", "0819967c T panic\t/src/score.c:?\n", 0x819967c, "panic", "/src/score.c:0");
        row("unknown line", "0819967c T panic\t??:0\n", 0x819967c, "panic");
        row("carriage returns", "0819967c T panic\t/src/score.c:41\r\n", 0x819967c, "panic", "/src/score.c:41");
        row("no line feed", "0819967c T panic", 0x819967c, "panic");
        row("data", "0819967c D panic\n", 0x819967c, "");
        row("undefined", "         U write@GLIBC\n0819967c T panic\n", 0x819967c, "panic");
        row("several names", "0819967c t _panic\n0819967c T panic\n0819967c W aaa\n", 0x819967c, "panic");
    }
    void formats() {
        QFETCH(QByteArray, text);
        QFETCH(quint64, address);
        QFETCH(QString, name);
        QFETCH(QString, place);
        const SymbolTable table(text.toStdString());
        QCOMPARE(table.unreadableLines(), 0ULL);
        const Symbol *symbol = table.find(address);
        QCOMPARE(symbol == nullptr ? QString() : QString::fromStdString(symbol->name), name);
        if (symbol != nullptr)
            QCOMPARE(QString::fromStdString(symbol->file) + ':' + QString::number(symbol->line), place);
    }

    void linesThatAreNone() {
        const SymbolTable table("nm: no symbols\n0819967c\n0819967c T\n0819967c T \nxyz T a\n0819967c T panic\n");
        QCOMPARE(table.unreadableLines(), 5ULL);
        QCOMPARE(table.size(), std::size_t{1});
    }

    /// Static functions of one name are different functions.
    void sameNameTwice() {
        const SymbolTable table("00001000 t helper\n00002000 t helper\n");
        QCOMPARE(table.find(0x1000)->copy, 0U);
        QCOMPARE(table.find(0x2000)->copy, 1U);
    }
};

QTEST_APPLESS_MAIN(TestNmSymbols)
#include "tst_nmsymbols.moc"
