// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/SampleRecording.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace laggard;
using laggard::test::ArchiveWriter;
using laggard::test::setFileBytes;

namespace {

std::string write(const std::string &folder, const std::string &name = "traces") {
    return ArchiveWriter(folder, name).usualRegions().ranks(2).enter(0, 1, 0).leave(0, 2, 0).enter(1, 1, 0).write();
}

/// The sentence with which opening fails; empty if it does not.
std::string complaint(const std::string &path) {
    try {
        static_cast<void>(openTrace(path, {}, {}));
    } catch (const ReadError &error) {
        return error.what();
    }
    return {};
}

} // namespace

/// What openTrace recognises, and what it says of everything else.
class TestFormat : public QObject {
    Q_OBJECT

    static void verifyComplaint(const std::string &path, const char *says) {
        const std::string text = complaint(path);
        QVERIFY2(text.find(says) != std::string::npos, ("expected \"" + std::string(says) + "\" in: " + text).c_str());
        QVERIFY2(text.find(path) != std::string::npos, ("the sentence names the path: " + text).c_str());
        QVERIFY2(text.ends_with('.') && text.find('\n') == std::string::npos, text.c_str());
    }

  private slots:
    void opensAnchorFolderAndFilesBeside() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString() + "/run";
        const std::string anchor = write(folder, "job-17");
        for (const std::string &path :
             {anchor, folder, folder + '/', folder + "/job-17.def", folder + "/job-17/1.evt", folder + "/job-17/0.def"}) {
            const TracePtr trace = openTrace(path, {}, {});
            QCOMPARE(trace->eventCount, 3ULL);
            QCOMPARE(std::filesystem::path(trace->path).filename().string(), std::string("job-17.otf2"));
        }
    }

    void choosesByContent() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        write(folder);
        setFileBytes(folder + "/notes.otf2", "just text\n");
        setFileBytes(folder + "/readme.txt", "about the run\n");
        QCOMPARE(openTrace(folder, {}, {})->eventCount, 3ULL);
        verifyComplaint(folder + "/notes.otf2", "text file");
    }

    void severalTracesAreListed() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        write(folder, "a");
        write(folder, "b");
        verifyComplaint(folder, "name one of a.otf2, b.otf2");
        QCOMPARE(openTrace(folder + "/b.otf2", {}, {})->eventCount, 3ULL);
    }

    /// An anchor without its archive does not stand in the way of what can be opened.
    void foreignAnchorIsNamed() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        write(folder, "a");
        write(folder + "/elsewhere", "b");
        std::filesystem::copy_file(folder + "/elsewhere/b.otf2", folder + "/b.otf2");
        const TracePtr trace = openTrace(folder, {}, {});
        QCOMPARE(std::filesystem::path(trace->path).filename().string(), std::string("a.otf2"));
        const auto isNamed = [](const Warning &warning) {
            return warning.severity == Warning::Severity::DataLoss && warning.place.ends_with("b.otf2");
        };
        QVERIFY(std::any_of(trace->warnings.begin(), trace->warnings.end(), isNamed));
    }
    void foreignAnchorBesideARecording() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        laggard::test::sampleOf(0).write(folder + "/0.laggard");
        write(folder + "/elsewhere", "b");
        std::filesystem::copy_file(folder + "/elsewhere/b.otf2", folder + "/b.otf2");
        const TracePtr trace = openTrace(folder, {}, {});
        QCOMPARE(trace->format, std::string("recording"));
        QVERIFY(trace->hasDataLoss());
        write(folder, "whole");
        verifyComplaint(folder, "a file of its recording");
    }

    void complaints() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        verifyComplaint(folder + "/nothing", "does not exist");
        verifyComplaint(folder + "/nothing/at/all.otf2", "does not exist");
        verifyComplaint(folder, "does not contain a trace");
        setFileBytes(folder + "/empty.otf2", "");
        verifyComplaint(folder + "/empty.otf2", "is empty");
        setFileBytes(folder + "/text.otf2", "rank 3 hangs\n");
        verifyComplaint(folder + "/text.otf2", "is a text file");
        setFileBytes(folder + "/noise", std::string("\x7f\x45\0\x01\x02", 5));
        verifyComplaint(folder + "/noise", "not a trace of a known format");
        verifyComplaint("/dev/null", "neither a file nor a folder");
    }

    /// Opening a pipe for reading waits for a writer: for ever.
    void pipesAreNotWaitedFor() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        std::filesystem::remove(write(folder));
        QCOMPARE(::mkfifo((folder + "/traces.otf2").c_str(), 0600), 0);
        verifyComplaint(folder, "does not contain a trace");
        verifyComplaint(folder + "/traces.def", "not a trace of a known format");
        verifyComplaint(folder + "/traces/0.evt", "not a trace of a known format");
    }

    void noPermission() {
        if (::geteuid() == 0)
            QSKIP("Files cannot be withheld from root.");
        const QTemporaryDir dir;
        const std::string anchor = write(dir.path().toStdString());
        std::filesystem::permissions(anchor, std::filesystem::perms::none);
        verifyComplaint(anchor, "no permission");
        const std::string folder = dir.path().toStdString();
        for (const std::string &path : {folder, folder + "/traces.def", folder + "/traces/0.evt"})
            QVERIFY2(complaint(path).find("traces.otf2\" cannot be read: you have no permission") != std::string::npos,
                     complaint(path).c_str());
        std::filesystem::permissions(anchor, std::filesystem::perms::owner_all);
        std::filesystem::permissions(folder + "/traces.def", std::filesystem::perms::none);
        verifyComplaint(folder + "/traces.def", "no permission");
        QVERIFY2(complaint(anchor).find("you have no permission") != std::string::npos, complaint(anchor).c_str());
    }

    void noGlobalDefinitions() {
        const QTemporaryDir dir;
        const std::string anchor = write(dir.path().toStdString());
        const std::string definitions = dir.path().toStdString() + "/traces.def";
        setFileBytes(definitions, "");
        verifyComplaint(anchor, "has no global definitions");
        verifyComplaint(anchor, "killed under Score-P");
        std::filesystem::remove(definitions);
        verifyComplaint(anchor, "has no global definitions");
    }

    void anchorNameWithoutItsEnding() {
        const QTemporaryDir dir;
        const std::string anchor = write(dir.path().toStdString());
        const std::string other = dir.path().toStdString() + "/traces.backup";
        std::filesystem::copy_file(anchor, other);
        verifyComplaint(other, "does not end in \".otf2\"");
    }
};

QTEST_APPLESS_MAIN(TestFormat)
#include "tst_format.moc"
