// SPDX-License-Identifier: GPL-3.0-or-later
// Traces are written as OTF2 archives and read again; otf2-print, where it is installed, looks at them as well.
#include "analysis/intrusion/Correction.h"
#include "analysis/words/VerdictWords.h"
#include "app/convert/Otf2Export.h"
#include "app/report/WriteFile.h"
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/SampleRecording.h"
#include "tests/support/TraceBuilder.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using test::TraceBuilder;

namespace {

QString text(const std::string &string) { return QString::fromStdString(string); }

Verdict verdictOf(const Trace &trace) {
    const WaitForGraph waits = buildWaitForGraph(trace, openEnd, {});
    return judgeInWords(trace, waits, buildProgressGraph(trace, waits, {}));
}

std::string pathText(const Trace &trace, CallPathId path) {
    std::string text;
    for (; path != none; path = trace.callPaths[path].parent) {
        const Region &region = trace.region(path);
        text += region.name + '@' + region.file + ':' + std::to_string(region.line);
        if (const CallSite *site = trace.siteOf(path))
            text += " from " + site->file + ':' + std::to_string(site->line);
        text += " < ";
    }
    return text;
}

std::string endText(const LocationEvents &events, const MessageEnds &ends, std::uint32_t i) {
    const Envelope &e = events.envelopes[ends.envelope[i]];
    return std::to_string(ends.time[i]) + ": " + std::to_string(e.peer) + ' ' + std::to_string(e.communicator) + ' ' +
           std::to_string(e.tag) + ' ' + std::to_string(e.bytes) + " match " + std::to_string(ends.match[i]);
}

std::string kindText(const CollectiveKind &k) {
    return std::string(name(k.operation)) + ' ' + std::to_string(k.communicator) + ' ' + std::to_string(k.root) + ' ' +
           std::to_string(k.bytesSent) + ' ' + std::to_string(k.bytesReceived) +
           (k.hasMoments ? " moments " + std::to_string(k.sentMoments.first) + ' ' + std::to_string(k.sentMoments.second) + ' ' +
                               std::to_string(k.receivedMoments.first) + ' ' + std::to_string(k.receivedMoments.second)
                         : std::string());
}

/// All that is to survive of a location, line by line.
QStringList linesOf(const Trace &trace, const Location &location) {
    const LocationEvents &events = location.events;
    QStringList lines;
    for (std::uint32_t row = 0; row < events.track.size(); ++row)
        lines << text("call " + std::to_string(events.track.start[row]) + ' ' + std::to_string(events.track.end[row]) + ' ' +
                      pathText(trace, events.track.callPath[row]));
    for (std::uint32_t i = 0; i < events.sends.size(); ++i)
        lines << text("send " + endText(events, events.sends, i));
    for (std::uint32_t i = 0; i < events.receives.size(); ++i)
        lines << text("receive " + endText(events, events.receives, i));
    for (std::uint32_t i = 0; i < events.collectives.size(); ++i)
        lines << text("collective " + std::to_string(events.collectives.end[i]) + " row " +
                      std::to_string(events.collectives.row[i]) + " instance " + std::to_string(events.collectives.instance[i]) +
                      ' ' + kindText(events.collectiveKinds[events.collectives.kind[i]]));
    for (const PendingRequest &p : events.pending) {
        std::string line = "pending " + std::to_string(static_cast<int>(p.kind)) + ' ' + std::to_string(p.posted) + " row " +
                           std::to_string(p.row) + " send " + std::to_string(p.sendIndex);
        if (p.envelope != none)
            line += " tag " + std::to_string(events.envelopes[p.envelope].tag) + (p.anySource ? " any" : "");
        if (p.collectiveKind != none)
            line += ' ' + kindText(events.collectiveKinds[p.collectiveKind]);
        lines << text(line);
    }
    if (events.openParts) {
        std::string line = "open";
        for (const OpenParts::Receive &r : events.openParts->receives)
            line += " receive " + std::to_string(r.from) + ' ' + std::to_string(r.communicator) + ' ' + std::to_string(r.tag) +
                    (r.anyTag ? " any" : "");
        for (const std::uint32_t send : events.openParts->sends)
            line += " send " + std::to_string(send);
        if (events.openParts->isCollective)
            line += ' ' + kindText(events.openParts->collective);
        lines << text(line);
    }
    return lines;
}

void compare(const Trace &before, const Trace &after) {
    QCOMPARE(after.processes.size(), before.processes.size());
    QCOMPARE(after.locations.size(), before.locations.size());
    QCOMPARE(after.communicators.size(), before.communicators.size());
    QCOMPARE(after.world, before.world);
    for (std::size_t i = 0; i < before.communicators.size(); ++i) {
        QCOMPARE(after.communicators[i].name, before.communicators[i].name);
        QVERIFY2(after.communicators[i].members == before.communicators[i].members, "members of a communicator changed");
    }
    for (Rank rank = 0; rank < before.processes.size(); ++rank) {
        QCOMPARE(text(after.processes[rank].name), text(before.processes[rank].name));
        QCOMPARE(text(after.hostOf(rank)), text(before.hostOf(rank)));
        QCOMPARE(after.processes[rank].pid, before.processes[rank].pid);
        QVERIFY2(after.processes[rank].end.kind == before.processes[rank].end.kind, "how a process ended got lost");
    }
    for (std::size_t i = 0; i < before.locations.size(); ++i) {
        const QStringList expected = linesOf(before, before.locations[i]);
        const QStringList found = linesOf(after, after.locations[i]);
        for (qsizetype line = 0; line < std::min(expected.size(), found.size()); ++line)
            QCOMPARE(found[line], expected[line]);
        QCOMPARE(found.size(), expected.size());
    }
    QCOMPARE(after.messageCount, before.messageCount);
    QCOMPARE(after.unmatchedSends, before.unmatchedSends);
    QCOMPARE(after.unmatchedReceives, before.unmatchedReceives);
    QCOMPARE(after.collectives.size(), before.collectives.size());
    QVERIFY2(after.range == before.range, "the trace begins or ends at another time");
    QVERIFY2(after.warnings.empty() || !before.warnings.empty(), after.warnings.empty() ? "" : after.warnings[0].message.c_str());
}

TracePtr builtTrace() {
    TraceBuilder builder(3);
    const CommunicatorId pair = builder.communicator({2, 0});
    for (Rank rank = 0; rank < 3; ++rank)
        builder.enter(rank, 10, "main").collectiveCall(rank, 20, 30, CollectiveOperation::Barrier);
    // Zero-length calls, calls that follow at once, and several completions in one call.
    builder.sendCall(0, 40, 40, 1, 7).sendCall(0, 40, 50, 1, 8).receiveCall(1, 50, 50, 0, 7).receiveCall(1, 50, 60, 0, 8);
    builder.enter(0, 60, "MPI_Isend").isend(0, 60, 2, 1, 9, pair).leave(0, 61, "MPI_Isend");
    builder.enter(0, 62, "MPI_Irecv").irecv(0, 62, 2).leave(0, 63, "MPI_Irecv");
    builder.enter(2, 60, "MPI_Irecv").irecv(2, 60, 1).leave(2, 61, "MPI_Irecv");
    builder.enter(2, 64, "MPI_Waitall").receive(2, 70, 0, 9, pair).complete(2, 1).leave(2, 70, "MPI_Waitall");
    builder.enter(0, 64, "MPI_Wait").complete(0, 1).leave(0, 80, "MPI_Wait");
    builder.enter(1, 70, "compute").enter(1, 71, "compute").leave(1, 72, "compute");
    builder.enter(0, 90, "MPI_Bcast").enter(2, 95, "MPI_Waitall");
    return builder.finish(100);
}

bool hasOtf2Print() { return !QStandardPaths::findExecutable(QStringLiteral("otf2-print")).isEmpty(); }

} // namespace

class TestConvert : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void samplesReadTheSame_data() {
        QTest::addColumn<QString>("folder");
        for (const char *name : {"hung-stencil", "hung-buffered-io", "hung-wavefront", "slow-master-worker", "sstmacro-otf2test",
                                 "tracer-stencil4d-64", "pipit-pingpong-papi", "ember-otf2", "fastotf2-mi300"})
            QTest::newRow(name) << QStringLiteral(LAGGARD_TRACES "/") + name;
        QTest::newRow("example") << QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil");
    }
    void samplesReadTheSame() {
        QFETCH(QString, folder);
        if (!QDir(folder).exists())
            QSKIP("the real traces are not on this machine");
        const TracePtr before = openTrace(folder.toStdString(), {}, {});
        const TracePtr after = convertAndRead(*before);
        compare(*before, *after);
        const Verdict expected = verdictOf(*before);
        const Verdict found = verdictOf(*after);
        QVERIFY(found.state == expected.state);
        QCOMPARE(found.confidence, expected.confidence);
        if (!before->hasDataLoss() && before->warnings.empty())
            QCOMPARE(text(found.summary), text(expected.summary));
    }

    void oddCallsReadTheSame() {
        const TracePtr before = builtTrace();
        compare(*before, *convertAndRead(*before));
    }

    /// Fingerprints of blocking messages, of requests, and of messages whose contents are not known.
    void fingerprintsSurvive() {
        const auto before = std::const_pointer_cast<Trace>(builtTrace());
        const auto fingerprints = [](const MessageEnds &ends) {
            std::vector<std::uint32_t> all;
            for (std::size_t i = 0; i < ends.size(); ++i)
                all.push_back(ends.fingerprintOf(i));
            return all;
        };
        for (const std::uint32_t known : {0U, 0xFFFFFFFFU, 17U})
            before->locations[0].events.sends.fingerprint.push_back(known);
        for (const std::uint32_t known : {0U, 0xFFFFFFFEU})
            before->locations[1].events.receives.fingerprint.push_back(known);
        before->locations[2].events.receives.fingerprint.push_back(17);
        const TracePtr after = convertAndRead(*before);
        for (const LocationIndex location : {0U, 1U, 2U}) {
            const LocationEvents &read = after->locations[location].events;
            const LocationEvents &written = before->locations[location].events;
            QCOMPARE(fingerprints(read.sends), fingerprints(written.sends));
            QCOMPARE(fingerprints(read.receives), fingerprints(written.receives));
        }
    }

    void whatRecordingsKnowSurvives() {
        const TracePtr built = builtTrace();
        auto before = std::make_shared<Trace>();
        // A trace with call sites, process ends and what an open call waits for: as recordings have them.
        before->path = "recorded";
        before->tellsOpenCalls = true;
        before->range = {0, 100};
        before->regions = built->regions;
        before->callSites = {{"a.c", 5}, {"b.c", 6}};
        before->communicators = built->communicators;
        before->world = built->world;
        before->processes.resize(2);
        before->locations.resize(2);
        before->communicators[0].members = {0, 1};
        before->communicators.resize(1);
        for (Rank rank = 0; rank < 2; ++rank) {
            Process &process = before->processes[rank];
            process = {"MPI Rank " + std::to_string(rank), none, rank, {rank}, 4242 + static_cast<int>(rank), {}};
            Location &location = before->locations[rank];
            location.id = rank;
            location.name = "Master thread";
            location.kind = LocationKind::Thread;
            location.rank = rank;
            location.events.track.start.push_back(10);
            location.events.track.end.push_back(openEnd);
            const auto receive = static_cast<RegionId>(std::find_if(before->regions.begin(), before->regions.end(),
                                                                    [](const Region &r) { return r.name == "MPI_Recv"; }) -
                                                       before->regions.begin());
            location.events.track.callPath.push_back(before->callPaths.intern(none, receive, rank));
            location.events.track.parent.push_back(none);
            location.events.openParts =
                OpenParts{{{1 - rank, 0, rank == 1 ? 0U : 5U, rank == 1}}, {}, false, false, false, {}, none};
            location.events.envelopes = {{1 - rank, 0, 5, 80}};
            location.events.collectiveKinds = {{CollectiveOperation::Reduce, 0, 1, 8, 0}};
            location.events.pending = {{PendingRequest::Kind::Receive, 10, 0, 0, none, none, false, false},
                                       {PendingRequest::Kind::Collective, 11, 0, none, none, 0, false, false}};
        }
        ProcessEnd &end = before->processes[1].end;
        end.kind = ProcessEnd::Kind::Signalled;
        end.value = 11;
        end.time = 50;
        end.mpiError = "Invalid rank\nin two lines";
        end.mpiErrorTime = 49;
        before->processes[0].eventsFrom = 17;
        before->processes[1].leftOver = {{0, 0, 5, 1, 80, 0}};
        const TracePtr after = convertAndRead(*before);
        compare(*before, *after);
        QVERIFY(after->tellsOpenCalls);
        QCOMPARE(after->processes[1].end.value, 11);
        QCOMPARE(after->processes[0].eventsFrom, Tick{17});
        QCOMPARE(after->processes[1].end.time, Tick{50});
        QCOMPARE(after->processes[1].end.mpiError, std::string("Invalid rank\nin two lines"));
        QCOMPARE(after->processes[1].end.mpiErrorTime, Tick{49});
        QVERIFY(after->processes[0].leftOver.empty());
        QCOMPARE(after->processes[1].leftOver.size(), std::size_t{1});
        QCOMPARE(after->processes[1].leftOver[0].tag, 5U);
        QCOMPARE(after->processes[1].leftOver[0].communicator, CommunicatorId{0});
        QCOMPARE(after->processes[1].leftOver[0].bytes, std::uint64_t{80});
        QVERIFY(after->locations[1].events.openParts && after->locations[1].events.openParts->receives.at(0).anyTag);
    }

    /// An archive made of a damaged recording is no surer than that.
    void damageSurvives() {
        const std::string folder = m_folder->filePath("damaged").toStdString();
        QVERIFY(QDir().mkdir(text(folder)));
        test::sampleOf(1).write(folder + "/1.laggard");
        std::string bytes = test::sampleOf(0).bytes();
        bytes.replace(bytes.size() - 5 * recording::chunkUnit, 64, 64, '\0');
        test::setFileBytes(folder + "/0.laggard", bytes);
        const TracePtr original = openTrace(folder, {}, {});
        QVERIFY(original->isDamaged(0) && !original->isDamaged(1));
        writeOtf2(*original, m_folder->filePath("archive").toStdString(), {});
        const TracePtr archive = openTrace(m_folder->filePath("archive").toStdString(), {}, {});
        QVERIFY(archive->isDamaged(0));
        QVERIFY(!archive->isDamaged(1));
        QVERIFY(archive->hasDataLoss());
        const auto isSaid = [](const Warning &warning) {
            return text(warning.message).contains("no block of records begins here");
        };
        QVERIFY(std::any_of(archive->warnings.begin(), archive->warnings.end(), isSaid));
        const Verdict verdict = verdictOf(*archive);
        QVERIFY(verdict.fromDamaged);
        QVERIFY2(verdict.confidence <= 0.8, qPrintable(text(verdict.summary)));
        QCOMPARE(verdict.confidence, verdictOf(*original).confidence);
    }

    /// Records that found no room are a loss, in the archive as well.
    void lossesSurvive() {
        const std::string folder = m_folder->filePath("full").toStdString();
        QVERIFY(QDir().mkdir(text(folder)));
        test::sampleOf(1).write(folder + "/1.laggard");
        test::RecordingWriter lossy = test::sampleOf(0);
        lossy.header.droppedRecords = 1000;
        lossy.write(folder + "/0.laggard");
        const TracePtr original = openTrace(folder, {}, {});
        writeOtf2(*original, m_folder->filePath("archive").toStdString(), {});
        const TracePtr archive = openTrace(m_folder->filePath("archive").toStdString(), {}, {});
        for (const TracePtr &trace : {original, archive}) {
            QVERIFY(trace->hasDataLoss());
            const Verdict verdict = verdictOf(*trace);
            QVERIFY(verdict.fromDamaged);
            QVERIFY2(verdict.confidence <= 0.8, qPrintable(text(verdict.summary)));
            QVERIFY2(text(verdict.summary).contains("take this with care"), qPrintable(text(verdict.summary)));
        }
    }

    void orderAndOriginSurvive() {
        const TracePtr built = TraceBuilder(2)
                                   .call(0, 10, 12, "MPI_Ibarrier")
                                   .call(0, 13, 15, "MPI_Irecv")
                                   .call(0, 16, 18, "MPI_Irecv")
                                   .call(0, 20, 40, "MPI_Waitall")
                                   .call(1, 10, 12, "MPI_Win_fence")
                                   .finish(100);
        const auto before = std::const_pointer_cast<Trace>(built); // nobody else has it
        before->tellsOpenCalls = true;
        before->names = {"MPI_SUM", "MPI_INT"};
        before->windows = {{"halo of rows", 0}};
        LocationEvents &first = before->locations[0].events;
        first.collectiveKinds = {{.operation = CollectiveOperation::Allreduce,
                                  .communicator = 0,
                                  .nonBlocking = true,
                                  .reduction = 0,
                                  .basicType = 1}};
        first.collectives.end.push_back(39);
        first.collectives.kind.push_back(0);
        first.collectives.row.push_back(0);
        first.envelopes = {{1, 0, 5, 80}};
        for (std::uint32_t i = 0; i < 2; ++i) {
            first.receives.time.push_back(30 + i);
            first.receives.envelope.push_back(0);
            first.postings.receive.push_back(i);
            first.postings.row.push_back(2 - i); // the later one is completed first
            first.postings.how.push_back(static_cast<std::uint16_t>(i == 0 ? ReceivePostings::AnySource : 0));
        }
        LocationEvents &second = before->locations[1].events;
        second.groups = {{0, 1}};
        second.epochs.push_back({.kind = EpochCall::Kind::Post, .row = 0, .window = 0, .target = 1, .group = 0});
        ProcessEnd &end = before->processes[0].end;
        end.kind = ProcessEnd::Kind::Exited;
        end.exit = ProcessEnd::Exit::AtOnce;
        end.finalized = true;
        end.lastSeen = ProcessEnd::Seen::Gone;
        end.stack = {{"main", "a b.c", 7}};
        const TracePtr after = convertAndRead(*before);
        const LocationEvents &read = after->locations[0].events;
        QCOMPARE(read.collectives.row[0], 0U);
        QVERIFY(read.collectiveKinds.at(read.collectives.kind[0]) == first.collectiveKinds[0]);
        QVERIFY(after->names == before->names);
        QCOMPARE(read.postings.size(), std::size_t{2});
        QCOMPARE(read.postings.row[0], 2U);
        QCOMPARE(read.postings.row[1], 1U);
        QVERIFY(read.postings.is(0, ReceivePostings::AnySource) && !read.postings.is(1, ReceivePostings::AnySource));
        QCOMPARE(after->windows.at(0).name, std::string("halo of rows"));
        const LocationEvents &other = after->locations[1].events;
        QCOMPARE(other.epochs.size(), std::size_t{1});
        QVERIFY(other.epochs[0].kind == EpochCall::Kind::Post && other.epochs[0].row == 0 && other.epochs[0].target == 1);
        QVERIFY(other.groups.at(other.epochs[0].group) == second.groups[0]);
        const ProcessEnd &found = after->processes[0].end;
        QVERIFY(found.exit == end.exit && found.finalized && found.lastSeen == end.lastSeen && found.stack == end.stack);
    }

    void correctedTimesSurvive() {
        const TracePtr recorded = openTrace(LAGGARD_EXAMPLES "/hung-stencil-recorded", {}, {});
        const CorrectedTrace without = corrected(recorded, {});
        QVERIFY2(without.report->problem.empty(), without.report->problem.c_str());
        QVERIFY(without.trace->durationSeconds() < recorded->durationSeconds());
        const TracePtr after = convertAndRead(*without.trace);
        compare(*without.trace, *after);
        QVERIFY(verdictOf(*after).state == verdictOf(*recorded).state);
    }

    void correctedTimesAreWrittenByCommand() {
        const QString folder = m_folder->filePath("corrected");
        QProcess analyze;
        analyze.start(LAGGARD_ANALYZE, {LAGGARD_EXAMPLES "/hung-stencil-recorded", "--corrected", "--to-otf2", folder});
        QVERIFY(analyze.waitForFinished(60'000));
        QCOMPARE(analyze.exitCode(), 0);
        const CorrectedTrace without = corrected(openTrace(LAGGARD_EXAMPLES "/hung-stencil-recorded", {}, {}), {});
        const TracePtr written = openTrace(folder.toStdString(), {}, {});
        QCOMPARE(written->range.length(), without.trace->range.length());
        checkWithOtf2Print(folder + "/traces.otf2");
    }

    void existingFolderIsLeftAlone() {
        const QString folder = m_folder->filePath("there");
        QVERIFY(QDir().mkpath(folder));
        try {
            static_cast<void>(writeOtf2(*builtTrace(), folder.toStdString(), {}));
            QFAIL("a folder that exists was written into");
        } catch (const WriteError &error) {
            QVERIFY2(QString(error.what()).contains("exists already"), error.what());
        }
        QVERIFY(QDir(folder).isEmpty());
        QCOMPARE(everything(), QStringList("there"));
    }

    void cancelledConversionLeavesNothing() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(writeOtf2(*builtTrace(), m_folder->filePath("out").toStdString(), {stop.get_token(), {}, 1})),
            Cancelled);
        QCOMPARE(everything(), QStringList());
    }

    void missingFolderAboveIsOneSentence() {
        try {
            static_cast<void>(writeOtf2(*builtTrace(), m_folder->filePath("no/such/out").toStdString(), {}));
            QFAIL("there is no folder to write into");
        } catch (const WriteError &error) {
            QVERIFY2(QString(error.what()).startsWith("cannot write \""), error.what());
        }
    }

    void fullDiskLeavesNothing() {
        // A limit on the size of files fails writing as a full disk does.
        QProcess shell;
        shell.start(QStringLiteral("sh"), {"-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh", LAGGARD_ANALYZE, "--to-otf2",
                                           m_folder->filePath("out"), QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil")});
        QVERIFY(shell.waitForFinished(60'000));
        const QString said = QString::fromUtf8(shell.readAllStandardError());
        QCOMPARE(shell.exitCode(), 2);
        QVERIFY2(said.startsWith("laggard-analyze: cannot write") && said.count('\n') == 1, qPrintable(said));
        QCOMPARE(everything(), QStringList());
    }

    void partsOfATraceAreNotConverted() {
        QProcess analyze;
        analyze.start(LAGGARD_ANALYZE,
                      {"--to-otf2", m_folder->filePath("out"), "--ranks", "0", QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil")});
        QVERIFY(analyze.waitForFinished(60'000));
        QCOMPARE(analyze.exitCode(), 2);
        QVERIFY(everything().isEmpty());
    }

  private:
    TracePtr convertAndRead(const Trace &trace) {
        const QString folder = m_folder->filePath("out");
        const Otf2Leftovers leftovers = writeOtf2(trace, folder.toStdString(), {});
        Q_ASSERT(leftovers.messages + leftovers.collectives == 0);
        checkWithOtf2Print(folder + "/traces.otf2");
        return openTrace(folder.toStdString(), {}, {});
    }

    /// otf2-print must have nothing to complain about.
    void checkWithOtf2Print(const QString &anchor) {
        if (!hasOtf2Print()) {
            qInfo("otf2-print is not installed (package otf2-tools): it is not asked");
            return;
        }
        for (const QStringList &options : {QStringList{"-A"}, QStringList{"-G"}, QStringList{}}) {
            QProcess print;
            print.setStandardOutputFile(QProcess::nullDevice());
            print.start("otf2-print", options + QStringList{anchor});
            QVERIFY(print.waitForFinished(60'000));
            const QByteArray said = print.readAllStandardError();
            QVERIFY2(said.isEmpty(), said.constData());
            QCOMPARE(print.exitCode(), 0);
        }
    }

    [[nodiscard]] QStringList everything() const {
        return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestConvert)
#include "tst_convert.moc"
