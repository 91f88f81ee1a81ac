// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/store/ProbeRun.h"

#include <QTest>

#include <filesystem>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

using namespace laggard::recording;

class TestFullDisk : public QObject {
    Q_OBJECT
  private slots:
    void noRoom_data();
    void noRoom();
    void noRoomAtAll();
    void fullFileSystem();
};

void TestFullDisk::noRoom_data() {
    QTest::addColumn<QString>("spill");
    QTest::addColumn<std::uint64_t>("limit");
    for (const std::uint64_t limit :
         {std::uint64_t{200} << 10U, std::uint64_t{400} << 10U, std::uint64_t{600} << 10U, std::uint64_t{1} << 20U}) {
        QTest::addRow("ring, %llu bytes", static_cast<unsigned long long>(limit)) << "0" << limit;
        QTest::addRow("spill, %llu bytes", static_cast<unsigned long long>(limit)) << "1" << limit;
    }
}

void TestFullDisk::noRoom() {
    QFETCH(QString, spill);
    QFETCH(std::uint64_t, limit);
    ProbeRun run;
    run.fileLimit = limit;
    run.environment["LAGGARD_RECORD_SPILL"] = spill.toStdString();
    QVERIFY2(run.run({"sends", "20000"}) == 2 << 8, "the program runs on");
    const std::string said = run.errors();
    QVERIFY2(QString::fromStdString(said).count('\n') == 1 && said.find("the job runs on") != std::string::npos, said.c_str());
    const auto file = run.recording();
    QCOMPARE(QString::fromStdString(warningsOf(*file)), QString());
    const auto events = eventsOf(*file);
    const auto tags = sentTags(events);
    for (std::size_t i = 1; i < tags.size(); ++i)
        QCOMPARE(tags[i], tags[i - 1] + 1);
    if (spill == "1")
        QVERIFY2(countOf(events, RecordKind::CallBegin) + countOf(events, RecordKind::CallEnd) + file->header().droppedRecords >=
                     40000,
                 "what was dropped is counted");
    else if (!tags.empty())
        QVERIFY2(tags.back() == 20000, "the newest events are kept in what room there is");
    else
        QVERIFY(file->header().droppedRecords >= 40000);
    QVERIFY(std::filesystem::file_size(run.files().front()) <= limit);
}

void TestFullDisk::noRoomAtAll() {
    ProbeRun run;
    run.fileLimit = 1000;
    QVERIFY2(run.run({"sends", "10"}) == 80 << 8, "the program runs on without a recording");
    QVERIFY(run.files().empty());
    QVERIFY2(QString::fromStdString(run.errors()).count('\n') == 1, run.errors().c_str());
}

void TestFullDisk::fullFileSystem() {
    ProbeRun run;
    const std::string disk = run.beside("disk");
    std::filesystem::create_directory(disk);
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", disk.c_str(), "tmpfs", 0, "size=700k") != 0)
        QSKIP("a small file system of its own takes rights that this user does not have");
    run.setFolder(disk);
    QVERIFY2(run.run({"mixed", "20000"}) == 2 << 8, "the program runs on");
    const QString said = QString::fromStdString(run.errors());
    QVERIFY2(said.count('\n') == 1 && said.contains("No space left on device"), qPrintable(said));
    const auto file = run.recording();
    QCOMPARE(QString::fromStdString(warningsOf(*file)), QString());
    const auto events = eventsOf(*file);
    QVERIFY2(!events.empty(), "there was room for some events");
    QCOMPARE(file->header().endKind, static_cast<std::uint32_t>(EndKind::Exited));
    umount2(disk.c_str(), MNT_DETACH);
}

QTEST_APPLESS_MAIN(TestFullDisk)
#include "tst_fulldisk.moc"
