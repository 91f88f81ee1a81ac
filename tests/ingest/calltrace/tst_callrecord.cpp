// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/Record.h"

#include <QTest>

using namespace laggard;
using namespace laggard::calltrace;

/// Lines of call traces.
class TestCallRecord : public QObject {
    Q_OBJECT

  private slots:
    void lines_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("isRecord");
        QTest::addColumn<bool>("isUsual");
        const auto row = [](const char *name, const char *line, bool isRecord, bool isUsual) {
            QTest::newRow(name) << QByteArray(line) << isRecord << isUsual;
        };
        row("the figure's", "ENTER 0x819967c pid 5095 tid 4 timestamp 12131002746163258", true, true);
        row("a return", "LEAVE 0x819967c pid 5095 tid 4 timestamp 12131002746163258", true, true);
        row("blanks", "  ENTER\t0x819967C  pid 5095 tid 4 timestamp 12131002746163258 ", true, false);
        row("no 0x", "ENTER 819967c pid 5095 tid 4 timestamp 12131002746163258", true, false);
        row("further fields", "LEAVE 0x819967c pid 5095 tid 4 timestamp 12131002746163258 -1 errno 11", true, false);
        row("thread number is a pointer", "ENTER 0x819967c pid 5095 tid 0x4 timestamp 12131002746163258", true, false);
        row("nothing", "", false, false);
        row("its beginning is missing", "c pid 5095 tid 4 timestamp 12131002746163258", false, false);
        row("its end is missing", "ENTER 0x819967c pid 5095 tid 4 timesta", false, false);
        row("no stamp", "ENTER 0x819967c pid 5095 tid 4 timestamp ", false, false);
        row("negative process", "ENTER 0x819967c pid -5095 tid 4 timestamp 12131002746163258", false, false);
        row("process too large", "ENTER 0x819967c pid 50955095509 tid 4 timestamp 12131002746163258", false, false);
        row("stamp too large", "ENTER 0x819967c pid 5095 tid 4 timestamp 18446744073709551615", false, false);
        row("stamp with a letter", "ENTER 0x819967c pid 5095 tid 4 timestamp 1213100274616x258", false, false);
        row("another word", "ENTRY 0x819967c pid 5095 tid 4 timestamp 12131002746163258", false, false);
    }
    void lines() {
        QFETCH(QByteArray, line);
        QFETCH(bool, isRecord);
        QFETCH(bool, isUsual);
        CallRecord record;
        QCOMPARE(parseRecord({line.constData(), static_cast<std::size_t>(line.size())}, record), isRecord);
        const auto expect = [&] {
            QCOMPARE(record.isEnter, line.contains("ENTER"));
            QCOMPARE(record.address, 0x819967cULL);
            QCOMPARE(record.pid, 5095);
            QCOMPARE(record.tid, 4ULL);
            QCOMPARE(record.stamp, Tick{12131002746163258});
            QCOMPARE(record.hasMore, line.contains("errno"));
        };
        if (isRecord)
            expect();
        const QByteArray whole = line + '\n';
        record = {};
        const char *next = parseUsualRecord(whole.constData(), whole.constData() + whole.size(), record);
        QCOMPARE(next != nullptr, isUsual);
        if (isUsual) {
            QCOMPARE(next, whole.constData() + whole.size());
            expect();
        }
    }

    /// Never reads beyond the end, wherever that is.
    void cutOffAnywhere() {
        const std::string line = "ENTER 0x819967c pid 5095 tid 4 timestamp 12131002746163258\n";
        CallRecord record;
        for (std::size_t size = 0; size < line.size(); ++size) {
            const std::vector<char> cut(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(size));
            QVERIFY(parseUsualRecord(cut.data(), cut.data() + cut.size(), record) == nullptr);
        }
    }
};

QTEST_APPLESS_MAIN(TestCallRecord)
#include "tst_callrecord.moc"
