// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/Decomposition.h"
#include "ingest/Format.h"
#include "ingest/recording/Processes.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <netinet/in.h>
#include <poll.h>

using namespace laggard;

namespace {

struct Outcome {
    QString output;
    int status = -1;
};

Outcome runProgram(const QString &program, const QStringList &arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(program, arguments);
    process.waitForFinished(60'000);
    return {QString::fromLocal8Bit(process.readAllStandardOutput()),
            process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode()};
}

/// "main > serve > select", outermost first.
QString stackText(const Trace &trace, CallPathId path) {
    QStringList names;
    for (const RegionId region : trace.callPaths.regions(path))
        names.append(QString::fromStdString(trace.regions[region].name));
    return names.join(" > ");
}

/// The calls of a process's main thread: "main > serve > recv = 8".
QStringList callsOf(const Trace &trace, Rank rank) {
    QStringList calls;
    const LocationEvents &events = trace.locations[trace.processes[rank].mainLocation].events;
    for (const DescriptorCall &call : events.descriptorCalls)
        calls.append(stackText(trace, events.track.callPath[call.row]) +
                     (call.result == DescriptorCall::notReturned ? QString() : " = " + QString::number(call.result)) +
                     (call.error == 0 ? QString() : " errno " + QString::number(call.error)));
    return calls;
}

struct RawRecord {
    recording::RecordKind kind;
    std::uint32_t argument;
    std::vector<std::uint64_t> words;
};

/// The records of these kinds of the first process that began.
std::vector<RawRecord> recordsOf(const QString &folder, std::initializer_list<recording::RecordKind> kinds) {
    const recording::JobFiles job = recording::surveyJob(folder.toStdString(), {});
    const recording::RecordingFile file(job.files.front().path);
    std::vector<RawRecord> records;
    recording::EventReader events = file.events(file.threads().front());
    for (recording::Record record; events.next(record);)
        if (std::ranges::find(kinds, record.kind) != kinds.end())
            records.push_back({record.kind, record.argument, {record.payload, record.payload + record.words}});
    return records;
}

} // namespace

/// Programs without MPI under laggard-record --libc: what they do stays what it is, and what they call is in the recording.
class TestLibcCalls : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

    QString folderOf(const QString &name) const { return m_dir.filePath(name); }
    Outcome record(const QString &name, const QString &what, bool isAnnounced = false, const QStringList &options = {}) {
        return runProgram(LAGGARD_RECORD, QStringList{"--libc", "-o", folderOf(name)} + options +
                                              QStringList{"--", programOf(isAnnounced), what});
    }
    TracePtr recorded(const QString &name, const QString &what, bool isAnnounced = false) {
        record(name, what, isAnnounced);
        return openTrace(folderOf(name).toStdString(), {}, {});
    }
    static QString programOf(bool isAnnounced) { return isAnnounced ? LAGGARD_CALLS "-announced" : LAGGARD_CALLS; }

  private slots:
    void theProgramDoesWhatItDoes_data() {
        QTest::addColumn<bool>("isAnnounced");
        QTest::addColumn<QString>("what");
        for (const bool isAnnounced : {false, true})
            for (const char *what :
                 {"loop", "handler", "jump", "children", "threads", "cancelled", "high", "failures", "lowest", "first"})
                QTest::addRow("%s%s", what, isAnnounced ? ", functions announced" : "") << isAnnounced << QString(what);
    }
    void theProgramDoesWhatItDoes() {
        QFETCH(bool, isAnnounced);
        QFETCH(QString, what);
        const Outcome plain = runProgram(programOf(isAnnounced), {what});
        QVERIFY2(plain.status == 0 && !plain.output.isEmpty(), "the program itself");
        const QString name = "same-" + what + (isAnnounced ? "-announced" : "");
        const Outcome recorded = record(name, what, isAnnounced);
        QCOMPARE(recorded.output, plain.output);
        QCOMPARE(recorded.status, plain.status);
        const TracePtr trace = openTrace(folderOf(name).toStdString(), {}, {});
        for (const Warning &warning : trace->warnings)
            QVERIFY2(warning.severity != Warning::Severity::DataLoss, qPrintable(QString::fromStdString(warning.message)));
    }

    void aShellDoesWhatItDoes() {
        const QStringList script{"-c",
                                 "for i in 1 2 3; do echo $i | cat | tr 1 2; done; exec 9</dev/null; ls /proc/self/fd | wc -l; "
                                 "trap 'echo asked to end' TERM; kill -TERM $$; (exit 3); echo $?; exit 7"};
        const Outcome plain = runProgram("sh", script);
        QCOMPARE(plain.status, 7);
        const Outcome recorded = runProgram(LAGGARD_RECORD, QStringList{"--libc", "-o", folderOf("shell"), "--", "sh"} + script);
        QCOMPARE(recorded.output, plain.output);
        QCOMPARE(recorded.status, plain.status);
        const TracePtr trace = openTrace(folderOf("shell").toStdString(), {}, {});
        QVERIFY2(trace->processes.size() >= 10, "the shell, what stands between its pipes, and what that became");
    }

    void aServerAndItsChild() {
        const TracePtr trace = recorded("loop", "loop");
        QCOMPARE(trace->processes.size(), std::size_t{2});
        const QStringList server = callsOf(*trace, 0);
        QVERIFY2(server.contains("main > loop > listener > listen = 0"), qPrintable(server.join('\n')));
        QCOMPARE(server.filter("main > loop > serve > handle > recv = 8").size(), 3);
        QCOMPARE(server.filter("main > loop > serve > handle > recv = 0").size(), 1);
        QVERIFY2(server.contains("main > loop > fork = " + QString::number(trace->processes[1].pid)),
                 qPrintable(server.join('\n')));
        const QStringList client = callsOf(*trace, 1);
        QVERIFY2(client.first() == "main > loop > fork = 0", qPrintable(client.join('\n')));
        QCOMPARE(client.filter("main > loop > write = 8").size(), 3);
        QVERIFY2(QString::fromStdString(trace->processes[1].name).contains("of process 0"), "it says whose child it is");
        QVERIFY(trace->processes[1].end.kind == ProcessEnd::Kind::Exited);
    }

    void unitsOfTheServer() {
        for (const bool isAnnounced : {false, true}) {
            const TracePtr trace = recorded(isAnnounced ? "units-announced" : "units", "loop", isAnnounced);
            const ProcessUnits units = decompose(*trace, 0, rolesOf(*trace), {});
            QCOMPARE(units.loops.size(), std::size_t{1});
            QCOMPARE(stackText(*trace, units.loops[0]), QString("main > loop > serve > select"));
            QStringList kinds;
            for (const ExecutionUnit &unit : units.units) {
                kinds.append(QString::number(static_cast<int>(unit.kind)));
                QVERIFY2(unit.kind != UnitKind::Handler || unit.connection != none, "what set the connection up is known");
            }
            // One accept, three messages and the end of the connection.
            QCOMPARE(std::ranges::count(units.units, UnitKind::Handler, &ExecutionUnit::kind), std::ptrdiff_t{5});
            QVERIFY2(units.isWholeFromStart, qPrintable(kinds.join(' ')));
        }
    }

    void aHandlerInTheMidstOfACall() {
        const QStringList calls = callsOf(*recorded("handler", "handler"), 0);
        QVERIFY2(calls.contains("main > handler > select > onAlarm > write = 1"), qPrintable(calls.join('\n')));
        QVERIFY2(calls.contains("main > handler > select = -1 errno 4"), qPrintable(calls.join('\n')));
    }
    void anAnnouncedHandlerInTheMidstOfACall() {
        const QStringList calls = callsOf(*recorded("handler-announced", "handler", true), 0);
        QVERIFY2(calls.contains("main > handler > select > onAlarm > write = 1"), qPrintable(calls.join('\n')));
        QVERIFY2(calls.contains("main > handler > read = 1"), "what follows is where it was");
    }
    void aCallThatIsLeft() {
        const QStringList calls = callsOf(*recorded("jump", "jump"), 0);
        QCOMPARE(calls.count("main > jump > read"), 2);
        QCOMPARE(calls.count("main > jump > read = 1"), 2);
        QCOMPARE(calls.count("main > jump > write = 1"), 2);
    }

    void childrenThatBecomeOthers() {
        const TracePtr trace = recorded("children", "children");
        const QStringList calls = callsOf(*trace, 0);
        QVERIFY2(calls.contains("main > children > vfork"), qPrintable(calls.join('\n')));
        QVERIFY2(!calls.join('\n').contains("dup2"), "what the child of vfork calls is none of the parent's calls");
        QCOMPARE(calls.filter("posix_spawn = -1 errno 2").size(), 1);
        QStringList names;
        for (const Process &process : trace->processes)
            names.append(QString::fromStdString(process.name));
        QVERIFY2(names.filter("true").size() == 2, qPrintable(names.join('\n')));
        QVERIFY2(names.filter("earlier process").size() == 1, "one of them was a child made by fork before");
        QCOMPARE(
            std::ranges::count_if(trace->processes, [](const Process &p) { return p.end.kind == ProcessEnd::Kind::Replaced; }),
            std::ptrdiff_t{1});
    }

    void theNewestThreadsAreKept() {
        const TracePtr trace = recorded("threads", "threads");
        std::size_t answered = 0;
        for (const Location &location : trace->locations)
            for (const DescriptorCall &call : location.events.descriptorCalls)
                answered += stackText(*trace, location.events.track.callPath[call.row]) == "answer > close" && call.result == 0;
        QVERIFY2(answered >= 60, qPrintable(QString::number(answered) + " threads are there"));
        QCOMPARE(answered + trace->processes[0].lostThreads, std::size_t{100});
    }

    void readyDescriptors() {
        const TracePtr trace = recorded("high", "high");
        using enum recording::RecordKind;
        const std::vector<RawRecord> ready = recordsOf(folderOf("high"), {ReadyPart, ReadyWords});
        QVERIFY(ready.size() >= 3);
        QCOMPARE(ready[0].words, std::vector<std::uint64_t>{recording::pair(3000, POLLIN)}); // select
        QCOMPARE(ready[1].words, std::vector<std::uint64_t>{recording::pair(3000, POLLIN)}); // poll
        const std::vector<std::uint64_t> word{0xABCDEF0123456789, POLLIN};
        QCOMPARE(ready[2].words, word); // epoll_wait
        const std::vector<DescriptorDetails::Ready> &read =
            trace->locations[trace->processes[0].mainLocation].events.descriptorDetails.ready;
        QVERIFY(read.size() >= 3);
        for (std::size_t i = 0; i < 3; ++i) { // that of the program's own word as well
            QCOMPARE(read[i].descriptor, 3000);
            QCOMPARE(read[i].events, std::uint32_t{POLLIN});
        }
    }

    void addressesOfPeers() {
        const TracePtr trace = recorded("addresses", "loop");
        using enum recording::RecordKind;
        const std::vector<RawRecord> addresses = recordsOf(folderOf("addresses"), {AddressPart});
        QCOMPARE(addresses.size(), std::size_t{2}); // of bind, and of accept without the program asking for one
        for (const RawRecord &address : addresses) {
            sockaddr_in in{};
            QCOMPARE(address.words[0], std::uint64_t{sizeof in});
            std::memcpy(&in, address.words.data() + 1, sizeof in);
            QCOMPARE(in.sin_family, sa_family_t{AF_INET});
            QCOMPARE(ntohl(in.sin_addr.s_addr), std::uint32_t{INADDR_LOOPBACK});
        }
        const LocationEvents &events = trace->locations[trace->processes[0].mainLocation].events;
        QStringList told;
        for (const DescriptorDetails::Address &address : events.descriptorDetails.addresses)
            told.append(stackText(*trace, events.track.callPath[address.row]).section(" > ", -1) + ' ' +
                        QString::fromStdString(events.descriptorDetails.texts[address.text]).section(':', 0, 0));
        QCOMPARE(told, (QStringList{"bind 127.0.0.1", "accept 127.0.0.1"}));
    }

    /// Ctrl+C is how following ends while the processes go on: what was judged until then has been told, and is counted.
    void followedUntilCtrlC() {
        record("normal", "loop");
        const QString model = folderOf("model.json");
        QCOMPARE(runProgram(LAGGARD_ANALYZE, {folderOf("normal"), "--train", model}).status, 0);
        QProcess program;
        program.start(LAGGARD_RECORD, {"--libc", "-o", folderOf("live"), "--", LAGGARD_CALLS, "loop", "on"});
        QByteArray printed; // kept, as the macro looks more than once
        QTRY_VERIFY_WITH_TIMEOUT((printed += program.readAllStandardOutput()).contains("goes on"), 60'000);
        QProcess follower;
        follower.start(LAGGARD_ANALYZE,
                       {"--follow", folderOf("live"), "--model", model, "--follow-score", "0", "--follow-interval", "0.1"});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += follower.readAllStandardOutput()).count('\n') >= 4, 60'000);
        ::kill(static_cast<pid_t>(follower.processId()), SIGINT);
        QVERIFY(follower.waitForFinished(60'000));
        said += follower.readAllStandardOutput();
        program.kill();
        program.waitForFinished();
        QCOMPARE(follower.exitStatus(), QProcess::NormalExit);
        QCOMPARE(follower.exitCode(), 130);
        QVERIFY2(said.contains("execution units judged") && said.trimmed().endsWith("the processes go on."), said);
    }

    /// The ring has lost what is in front; the last units are whole.
    void aRingThatHasTurned() {
        record("ring", "threads", false, {"--buffer", "128K"});
        const TracePtr trace = openTrace(folderOf("ring").toStdString(), {}, {});
        QVERIFY(!trace->hasDataLoss());
        QVERIFY(callsOf(*trace, 0).last().contains("main"));
    }

    /// A recording that is cut off in the midst of a unit.
    void aFileThatIsCutOff() {
        record("cut", "loop");
        const QString name = QDir(folderOf("cut")).entryList({"*.laggard"}).first();
        QFile file(folderOf("cut") + '/' + name);
        QVERIFY(file.resize(file.size() / 2));
        const TracePtr trace = openTrace(folderOf("cut").toStdString(), {}, {});
        QCOMPARE(trace->processes.size(), std::size_t{2});
        for (Rank rank = 0; rank < 2; ++rank)
            if (!trace->processes[rank].locations.empty())
                static_cast<void>(decompose(*trace, rank, rolesOf(*trace), {}));
    }
};

QTEST_GUILESS_MAIN(TestLibcCalls)
#include "tst_libccalls.moc"
