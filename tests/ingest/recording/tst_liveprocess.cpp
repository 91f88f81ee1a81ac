// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/LiveProcess.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace laggard::recording;

class TestLiveProcess : public QObject {
    Q_OBJECT
  private slots:
    /// A process has the number that the recording tells, and has its file in memory: only if it may write to it is it the one
    /// that records. Who reads a recording may have got the number that a recorded process had.
    void whoWritesRecords_data() {
        QTest::addColumn<int>("access");
        QTest::addColumn<bool>("exists");
        QTest::newRow("reads") << PROT_READ << false;
        QTest::newRow("writes") << (PROT_READ | PROT_WRITE) << true;
        QTest::newRow("has it not") << 0 << false;
    }

    void whoWritesRecords() {
        QFETCH(int, access);
        QFETCH(bool, exists);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("host.1.laggard").toStdString();
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
        QVERIFY(file >= 0 && ::ftruncate(file, 4096) == 0);
        void *memory = access == 0 ? nullptr : ::mmap(nullptr, 4096, access, MAP_SHARED, file, 0);
        QVERIFY(memory != MAP_FAILED);
        FileHeader header{};
        header.pid = ::getpid();
        QCOMPARE(liveProcess(header, path).exists, exists);
        if (memory != nullptr)
            ::munmap(memory, 4096);
        ::close(file);
    }
};

QTEST_APPLESS_MAIN(TestLiveProcess)
#include "tst_liveprocess.moc"
