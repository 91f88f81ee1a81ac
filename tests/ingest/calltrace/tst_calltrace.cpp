// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "ingest/MemoryEstimate.h"
#include "tests/support/ArchiveWriter.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <unistd.h>

using namespace laggard;
using laggard::test::setFileBytes;

namespace {

/// Records in short: "+a 5" is an entry of function 0xa at time 5, "-a 7" the return from it; of process 10, thread 10, or as
/// "@pid.tid" says.
std::string records(const QString &text) {
    std::string lines;
    QString pid = "10";
    QString tid = "10";
    const QStringList words = text.split(' ', Qt::SkipEmptyParts);
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i].startsWith('@')) {
            pid = words[i].mid(1).section('.', 0, 0);
            tid = words[i].section('.', 1, 1);
            continue;
        }
        lines += (words[i].startsWith('+') ? "ENTER 0x" : "LEAVE 0x") + words[i].mid(1).toStdString() + " pid " +
                 pid.toStdString() + " tid " + tid.toStdString() + " timestamp " + words[i + 1].toStdString() + '\n';
        ++i;
    }
    return lines;
}

/// The calls of a location in order of entry: "a[5,9] a/b[6,7] …"; open ones end in "…".
QString calls(const Trace &trace, const Location &location) {
    QStringList all;
    const Track &track = location.events.track;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        QStringList path;
        for (const RegionId region : trace.callPaths.regions(track.callPath[row]))
            path.append(QString::fromStdString(trace.regions[region].name).remove("0x"));
        all.append(path.join('/') + '[' + QString::number(track.start[row]) + ',' +
                   (track.isOpen(row) ? QString("…") : QString::number(track.end[row])) + ']');
    }
    return all.join(' ');
}

QString warnings(const Trace &trace) {
    QStringList all;
    for (const Warning &warning : trace.warnings)
        all.append(QString::fromStdString(warning.place + ": " + warning.message));
    return all.join('\n');
}

const std::string unit = "# ticks-per-second 1000\n";

} // namespace

/// Call traces in text form.
class TestCallTrace : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

    std::string fresh(const char *name = "run") {
        const std::string folder = m_dir.path().toStdString() + '/' + name;
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        return folder;
    }

  private slots:
    void theFigure() {
        const std::string file = fresh() + "/scored.trace";
        setFileBytes(file, "ENTER 0x819967c pid 5095 tid 4 timestamp 12131002746163258\n"
                           "LEAVE 0x819967c pid 5095 tid 4 timestamp 12131002746163936\n"
                           "LEAVE 0x80de590 pid 5095 tid 4 timestamp 12131002746166938\n"
                           "ENTER 0x80de750 pid 5095 tid 4 timestamp 12131002746180027\n"
                           "ENTER 0x811b070 pid 5095 tid 4 timestamp 12131002746180691\n");
        const TracePtr trace = openTrace(file, {}, {});
        QCOMPARE(trace->format, std::string("call trace"));
        QCOMPARE(trace->eventCount, 5ULL);
        QCOMPARE(trace->clock.ticksPerSecond, 1'000'000'000ULL);
        QCOMPARE(trace->processes.size(), std::size_t{1});
        QCOMPARE(trace->processes[0].pid, 5095);
        QCOMPARE(calls(*trace, trace->locations[0]),
                 QString("80de590[12131002746163258,12131002746166938] 80de590/819967c[12131002746163258,12131002746163936] "
                         "80de750[12131002746180027,…] 80de750/811b070[12131002746180691,…]"));
        QVERIFY2(warnings(*trace).contains("1 call was open when the records begin"), qPrintable(warnings(*trace)));
        QVERIFY2(warnings(*trace).contains("nanoseconds are assumed"), qPrintable(warnings(*trace)));
        QVERIFY(!trace->hasDataLoss());
    }

    void nesting_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *text, const char *expected, const char *says = "") {
            QTest::newRow(name) << QString(text) << QString(expected) << QString(says);
        };
        row("nested", "+a 1 +b 2 -b 3 +c 4 -c 5 -a 6", "a[1,6] a/b[2,3] a/c[4,5]");
        row("open at the end", "+a 1 +b 2 -b 3 +c 4", "a[1,…] a/b[2,3] a/c[4,…]");
        row("recursion", "+a 1 +a 2 +a 3 -a 4 -a 5 -a 6", "a[1,6] a/a[2,5] a/a/a[3,4]");
        row("lost head", "-c 3 -b 4 +d 5 -d 6 -a 7", "a[3,7] a/b[3,4] a/b/c[3,3] a/d[5,6]", "3 calls were open");
        row("lost head, recursion", "-a 3 -a 4", "a[3,4] a/a[3,3]", "2 calls were open");
        row("returns missing", "+a 1 +b 2 +c 3 -a 4 +d 5 -d 6", "a[1,4] a/b[2,4] a/b/c[3,4] d[5,6]", "2 calls have no return");
        row("stray return", "+a 1 -f 2 -a 3", "a[1,3]", "1 return is from calls that were not open");
        row("time steps back", "+a 10 +b 20 -b 15 +c 30 -c 31 -a 32", "a[10,32] a/b[15,15] a/c[30,31]",
            "1 time stamp steps back");
        row("one stamp is far ahead", "+a 10 +b 99999 -b 15 -a 32", "a[10,32] a/b[15,15]", "1 time stamp steps back");
        row("one stamp is far behind", "+a 10 +b 20 -b 2 -a 32", "a[10,32] a/b[20,20]", "1 time stamp steps back");
    }
    void nesting() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QFETCH(QString, says);
        const std::string file = fresh() + "/a.trace";
        setFileBytes(file, unit + records(text));
        const TracePtr trace = openTrace(file, {}, {});
        QCOMPARE(calls(*trace, trace->locations[0]), expected);
        if (says.isEmpty())
            QCOMPARE(warnings(*trace), QString());
        else
            QVERIFY2(warnings(*trace).contains(says), qPrintable(warnings(*trace)));
    }

    void processesAndThreadsInOneFile() {
        const std::string file = fresh() + "/a.trace";
        setFileBytes(file, unit + records("@20.7 +a 1 @10.12 +b 2 @20.20 +c 3 @10.11 +d 4 @20.7 -a 5 @10.12 -b 6 @20.20 -c 7"));
        const TracePtr trace = openTrace(file, {}, {});
        QCOMPARE(trace->processes.size(), std::size_t{2});
        QCOMPARE(trace->processes[0].pid, 10);
        QCOMPARE(trace->processes[1].pid, 20);
        QCOMPARE(trace->processes[0].locations.size(), std::size_t{2});
        // The main thread is the one with the process's number, or that with the smallest.
        QCOMPARE(trace->locations[trace->processes[0].mainLocation].name, std::string("thread 11"));
        QCOMPARE(trace->locations[trace->processes[1].mainLocation].name, std::string("thread 20"));
        QCOMPARE(calls(*trace, trace->locations[trace->processes[1].locations[1]]), QString("a[1,5]"));
        QCOMPARE(trace->range, (TimeRange{1, 7}));
    }

    void damagedLines_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::addColumn<bool>("isLoss");
        const QByteArray good = QByteArray::fromStdString(records("+a 1 +b 2 -b 3 -a 4"));
        const QByteArray head = QByteArray::fromStdString(unit);
        const auto row = [](const char *name, const QByteArray &text, const char *says, bool isLoss) {
            QTest::newRow(name) << text << QString(says) << isLoss;
        };
        row("one", head + good.left(20) + "rubbish\n" + good, "a.trace: Line 2 is no record of a call", true);
        row("several", head + good + "rubbish\n\x01\x02\nENTER\n", "a.trace: 3 lines, the first of them line 6, are no records",
            true);
        row("overlong", head + good + QByteArray(5000, 'x') + '\n', "Line 6 is longer than 4096 characters", true);
        row("overlong beyond all buffers", head + good + QByteArray(3'000'000, 'x') + '\n' + "x\n", "Line 6 is longer", true);
        row("overlong to the end", head + good + QByteArray(3'000'000, 'x'), "Line 6 is longer", true);
        row("first is a part", "7c pid 10 tid 10 timestamp 1\n" + good, "The first line is a part of one", false);
        row("last is a part", head + good + "ENTER 0xa pid 10 ti", "The last line is cut off", false);
        row("last stamp is a part", head + good + "ENTER 0xa pid 10 tid 10 timestamp 1", "The last line is cut off", false);
        row("zeros behind the end", head + good + QByteArray(5000, '\0'), "The last line is cut off", false);
    }
    void damagedLines() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        QFETCH(bool, isLoss);
        const std::string file = fresh() + "/a.trace";
        setFileBytes(file, text.toStdString());
        const TracePtr trace = openTrace(file, {}, {});
        QVERIFY2(warnings(*trace).contains(says), qPrintable(warnings(*trace)));
        QCOMPARE(trace->hasDataLoss(), isLoss);
        QVERIFY(calls(*trace, trace->locations[0]).startsWith("a[1,4] a/b[2,3]"));
    }

    /// What is no damage.
    void harmless() {
        const std::string file = fresh() + "/a.trace";
        QString text = QString::fromStdString(unit + "\n# more\n" + records("+a 1 +b 2 -b 3 -a 4"));
        text.chop(1); // the last line is complete without its end, as time goes on in it
        setFileBytes(file, text.replace('\n', "\r\n").toStdString());
        const TracePtr trace = openTrace(file, {}, {});
        QCOMPARE(calls(*trace, trace->locations[0]), QString("a[1,4] a/b[2,3]"));
        QCOMPARE(warnings(*trace), QString());
    }

    void furtherFieldsAreCounted() {
        const std::string file = fresh() + "/a.trace";
        setFileBytes(file, unit + "ENTER 0xa pid 10 tid 10 timestamp 1\nLEAVE 0xa pid 10 tid 10 timestamp 2 -1\n");
        const TracePtr trace = openTrace(file, {}, {});
        QCOMPARE(trace->unshown.at("further fields of call records"), 1ULL);
    }

    void descriptorsAndLinesAreRead() {
        const std::string folder = fresh();
        const std::string file = folder + "/a.trace";
        const std::string who = " pid 10 tid 10 timestamp ";
        setFileBytes(file, unit + "ENTER 0xa" + who + "1\nENTER 0xb" + who + "2 fd 7 line 41\nLEAVE 0xb" + who +
                               "3 result -1 errno 11\nENTER 0xc" + who + "4\nLEAVE 0xc" + who +
                               "5 fd 8 second 9 result 0\nLEAVE 0xa" + who + "6\n");
        setFileBytes(folder + "/a.nm", "000000000000000a T main\t/src/server.c:3\n000000000000000b T recv\n");
        const TracePtr trace = openTrace(file, {}, {});
        const std::vector<DescriptorCall> expected{{1, 7, -1, 11, -1}, {2, 8, 9, 0, 0}};
        QVERIFY2(trace->locations[0].events.descriptorCalls == expected, "what the calls were given and returned");
        const CallPathId path = trace->locations[0].events.track.callPath[1];
        const CallSite *site = trace->siteOf(path);
        QVERIFY2(site != nullptr && site->file == "/src/server.c" && site->line == 41,
                 "recv is called in line 41 of main's file");
        QVERIFY(trace->siteOf(trace->locations[0].events.track.callPath[2]) == nullptr);
        QVERIFY(trace->unshown.empty());

        OpenOptions part;
        part.time = SecondsRange{0.003, 0.004};
        const TracePtr cut = openTrace(file, part, {});
        for (const DescriptorCall &call : cut->locations[0].events.descriptorCalls)
            QCOMPARE(call.descriptor,
                     QString::fromStdString(cut->region(cut->locations[0].events.track.callPath[call.row]).name) == "recv" ? 7
                                                                                                                           : 8);
    }

    void hosts_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QStringList>("hosts");
        const auto row = [](const char *name, const QStringList &files, const QStringList &hosts) {
            QTest::newRow(name) << files << hosts;
        };
        row("names", {"n10.trace", "n2.trace"}, {"n2", "n10"});
        row("program before, number behind", {"scored.n2.77.trace", "scored.n1.99.trace"}, {"n1", "n2"});
        row("domain behind", {"n2.example.org.trace", "n1.example.org.trace"}, {"n1", "n2"});
        row("folders", {"n2/scored.trace", "n1/scored.trace"}, {"n1", "n2"});
        row("numbers only", {"77.trace", "99.trace"}, {"unknown host", "unknown host"});
        row("one file", {"scored.trace"}, {"unknown host"});
    }
    void hosts() {
        QFETCH(QStringList, files);
        QFETCH(QStringList, hosts);
        const std::string folder = fresh();
        int pid = 50;
        for (const QString &file : files) {
            const std::filesystem::path path = folder + '/' + file.toStdString();
            std::filesystem::create_directories(path.parent_path());
            setFileBytes(path.string(), unit + records(QString("@%1.1 +a 1 -a 2").arg(--pid)));
        }
        const TracePtr trace = openTrace(folder, {}, {});
        QStringList found;
        for (Rank rank = 0; rank < trace->processes.size(); ++rank)
            found.append(QString::fromStdString(trace->hostOf(rank)));
        QCOMPARE(found, hosts);
    }

    void theHeaderSaysTheHost() {
        const std::string folder = fresh();
        setFileBytes(folder + "/a.trace", "# host n007\n" + unit + records("+a 1 -a 2"));
        QCOMPARE(openTrace(folder, {}, {})->hostOf(0), std::string("n007"));
    }

    void clocksAreBroughtTogether() {
        const std::string folder = fresh();
        // Both enter 0xa one second after 2000 s of 1970, the second by a clock of half the pace that began 1000 s later.
        setFileBytes(folder + "/n1.trace",
                     "# ticks-per-second 1000\n# zero-utc 1000000000000\n" + records("+a 1001000 -a 1002000"));
        setFileBytes(folder + "/n2.trace", "# ticks-per-second 500\n# zero-utc 2000000000000\n" + records("+a 500 -a 1000"));
        const TracePtr trace = openTrace(folder, {}, {});
        QCOMPARE(trace->clock.startNanosecondsUtc, 2'001'000'000'000ULL);
        for (const Location &location : trace->locations) {
            QCOMPARE(trace->seconds(location.firstEvent), 0.0);
            QCOMPARE(trace->seconds(location.lastEvent), 1.0);
        }
        QCOMPARE(warnings(*trace), QString());
    }

    void foreignClocksAreNoticed() {
        const std::string folder = fresh();
        setFileBytes(folder + "/n1.trace", unit + records("+a 1000 -a 2000"));
        setFileBytes(folder + "/n2.trace", unit + records("+a 900000 -a 901000"));
        QVERIFY(warnings(*openTrace(folder, {}, {})).contains("clocks count from different moments"));
    }

    void symbolFiles_data() {
        QTest::addColumn<QString>("name");
        for (const char *name : {"n1.trace.nm", "n1.nm", "scored.nm", "symbols.nm"})
            QTest::addRow("%s", name) << QString(name);
    }
    void symbolFiles() {
        QFETCH(QString, name);
        const std::string folder = fresh();
        setFileBytes(folder + "/n1.trace", "# program /usr/sbin/scored\n# load-address 0x555500000000\n" + unit +
                                               records("+555500001000 1 +555500002000 2"));
        setFileBytes(folder + '/' + name.toStdString(),
                     "0000000000001000 0000000000000010 T _ZN5score4loopEv\t/src/loop.cpp:7\n");
        const TracePtr trace = openTrace(folder + "/n1.trace", {}, {});
        QCOMPARE(trace->regions[0].name, std::string("score::loop()"));
        QCOMPARE(trace->regions[0].file, std::string("/src/loop.cpp"));
        QCOMPARE(trace->regions[0].line, 7U);
        QCOMPARE(trace->regions[1].name, std::string("0x2000"));
        QCOMPARE(warnings(*trace), QString());
    }

    /// The same function at other addresses is the same function.
    void functionsOfSeveralProcesses() {
        const std::string folder = fresh();
        setFileBytes(folder + "/symbols.nm", "1000 10 T loop\n2000 10 T work\n");
        setFileBytes(folder + "/n1.trace",
                     "# load-address 0x500000\n" + unit + records("+501000 1 +502000 2 -502000 3 +502004 4"));
        setFileBytes(folder + "/n2.trace", "# load-address 0x700000\n" + unit + records("+701000 1 +702000 2"));
        const TracePtr trace = openTrace(folder, {}, {});
        QCOMPARE(trace->regions.size(), std::size_t{2});
        QCOMPARE(calls(*trace, trace->locations[0]), QString("loop[1,…] loop/work[2,3] loop/work[4,…]"));
        QCOMPARE(trace->callPaths.size(), std::size_t{2});
    }

    void symbolsOfAnotherProgram() {
        const std::string folder = fresh();
        setFileBytes(folder + "/symbols.nm", "1000 T loop\nnonsense\n");
        setFileBytes(folder + "/n1.trace", unit + records("+501000 1"));
        const QString said = warnings(*openTrace(folder, {}, {}));
        QVERIFY2(said.contains("No function of the symbol file begins at an address"), qPrintable(said));
        QVERIFY2(said.contains("1 line of the symbol file is not as nm prints it"), qPrintable(said));
    }

    void emptyFilesOfAFolder() {
        const std::string folder = fresh();
        setFileBytes(folder + "/n1.trace", unit + records("+a 1"));
        setFileBytes(folder + "/n2.trace", "");
        setFileBytes(folder + "/notes.txt", "about the run\n");
        const TracePtr trace = openTrace(folder, {}, {});
        QCOMPARE(trace->processes.size(), std::size_t{1});
        QVERIFY(trace->hasDataLoss());
        QVERIFY2(warnings(*trace).contains("n2.trace: The file has no records"), qPrintable(warnings(*trace)));
        QVERIFY(!warnings(*trace).contains("notes.txt"));
    }

    /// A file that may not be read is no file without records.
    void withheldFileIsNamed() {
        if (::geteuid() == 0)
            QSKIP("root may read everything");
        const std::string folder = fresh();
        const std::string line = "ENTER 0x10 pid 1 tid 1 timestamp 10\n";
        setFileBytes(folder + "/n1.trace", line);
        setFileBytes(folder + "/n2.trace", line);
        std::filesystem::permissions(folder + "/n2.trace", std::filesystem::perms::none);
        const TracePtr trace = openTrace(folder, {}, {});
        QVERIFY(trace->hasDataLoss());
        QVERIFY2(warnings(*trace).contains("Permission denied") || warnings(*trace).contains("permission"),
                 qPrintable(warnings(*trace)));
    }

    void parts() {
        const std::string folder = fresh();
        for (int i = 0; i < 4; ++i)
            setFileBytes(folder + "/n" + std::to_string(i) + ".trace",
                         unit + records(QString("+a %1 +b 2000 -b 3000 +c 4000 -c 5000 -a 9000").arg(1000 + i)));
        const TracePtr two = openTrace(folder, {.ranks = RankSet{1, 3}, .time = {}}, {});
        QCOMPARE(two->processes.size(), std::size_t{4});
        QCOMPARE(two->locations.size(), std::size_t{2});
        QCOMPARE(two->range, (TimeRange{1000, 9000}));
        QVERIFY(two->isRead(3) && !two->isRead(2));
        QCOMPARE(two->hostOf(2), std::string("n2"));
        const TracePtr late = openTrace(folder, {.ranks = {}, .time = SecondsRange{3.5, 5}}, {});
        QCOMPARE(calls(*late, late->locations[0]), QString("a[1000,9000] a/c[4000,5000]"));
        const TracePtr early = openTrace(folder, {.ranks = {}, .time = SecondsRange{0, 0.5}}, {});
        QVERIFY2(!calls(*early, early->locations[0]).contains("a/c"), qPrintable(calls(*early, early->locations[0])));
    }

    void outlines() {
        const std::string folder = fresh();
        setFileBytes(folder + "/n1.trace", unit + records("@7.7 +a 1000 @7.8 +a 2000 @7.7 -a 3000"));
        setFileBytes(folder + "/n2.trace", unit + records("@9.9 +a 1000 @9.9 -a 4000"));
        const TraceOutline outline = outlineTrace(folder, {});
        QCOMPARE(outline.eventBytes.size(), std::size_t{2});
        QCOMPARE(outline.locations, 3ULL);
        QCOMPARE(outline.seconds, 3.0);
    }

    void progressAndCancel() {
        const std::string file = fresh() + "/a.trace";
        std::string text = unit;
        while (text.size() < 5'000'000)
            text += "ENTER 0xa pid 1 tid 1 timestamp 5\nLEAVE 0xa pid 1 tid 1 timestamp 6\n";
        setFileBytes(file, text);
        Progress last;
        int reports = 0;
        Work work;
        work.report = [&](const Progress &progress) { last = progress, ++reports; };
        static_cast<void>(openTrace(file, {}, work));
        QVERIFY(reports > 3);
        QCOMPARE(last.done, last.total);
        std::stop_source stop;
        work.stop = stop.get_token();
        work.report = [&](const Progress &) { stop.request_stop(); };
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(openTrace(file, {}, work)), Cancelled);
    }

    /// The result does not depend on how many threads read.
    void anyNumberOfThreads() {
        const std::string folder = fresh();
        for (int i = 0; i < 9; ++i)
            setFileBytes(folder + "/n" + std::to_string(i) + ".trace",
                         unit + records(QString("+%1 1 +b 2 -b 3 +%2 4").arg(9 - i).arg(i)));
        Work one;
        one.threads = 1;
        Work four;
        four.threads = 4;
        const TracePtr a = openTrace(folder, {}, one);
        const TracePtr b = openTrace(folder, {}, four);
        QCOMPARE(a->regions.size(), b->regions.size());
        for (std::size_t i = 0; i < a->locations.size(); ++i) {
            QCOMPARE(calls(*a, a->locations[i]), calls(*b, b->locations[i]));
            for (std::size_t row = 0; row < a->locations[i].events.track.size(); ++row)
                QCOMPARE(a->locations[i].events.track.callPath[row], b->locations[i].events.track.callPath[row]);
        }
    }

    void refusals() {
        const std::string folder = fresh();
        const auto complaint = [](const std::string &path) {
            try {
                static_cast<void>(openTrace(path, {}, {}));
            } catch (const ReadError &error) {
                return QString(error.what());
            }
            return QString();
        };
        setFileBytes(folder + "/empty.trace", "");
        QVERIFY(complaint(folder + "/empty.trace").contains("is empty"));
        setFileBytes(folder + "/text.trace", "ENTER the room\nLEAVE it\n");
        QVERIFY(complaint(folder + "/text.trace").contains("is a text file"));
        QVERIFY(complaint(folder).contains("does not contain a trace"));
        setFileBytes(folder + "/good.trace", unit + records("+a 1"));
        QVERIFY(complaint(folder).isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestCallTrace)
#include "tst_calltrace.moc"
