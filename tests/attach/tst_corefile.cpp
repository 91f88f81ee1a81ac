// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/CoreFile.h"
#include "attach/RankSearch.h"
#include "tests/support/CoreBytes.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <sys/procfs.h>

using namespace laggard::attach;

namespace {

using Sample = laggard::test::CoreSample;
using laggard::test::coreOf;
using laggard::test::stackBegin;
using laggard::test::stackPointer;
using laggard::test::stackSize;

} // namespace

class TestCoreFile : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir m_folder;

    std::string written(const std::string &content, const char *name = "core") {
        const std::string path = m_folder.filePath(name).toStdString();
        std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
        return path;
    }

  private slots:
    void tellsThreadsStackAndEnvironment() {
        const CoreFile core(written(coreOf({})));
        QCOMPARE(core.process(), 4711);
        QCOMPARE(core.command(), std::string("solver"));
        QCOMPARE(core.entry(), std::uint64_t{0x401000});
        QCOMPARE(core.fault(), 0);
        const ProcessSnapshot snapshot = core.snapshot();
        QCOMPARE(snapshot.complaint, std::string());
        QCOMPARE(snapshot.threads.size(), std::size_t{1});
        QCOMPARE(snapshot.threads[0].counter, std::uint64_t{0x401234});
        QCOMPARE(snapshot.threads[0].registers[stackRegister], stackPointer);
        QCOMPARE(snapshot.threads[0].stackAddress, stackPointer - redZone);
        QCOMPARE(snapshot.threads[0].stack.size(), stackSize - 4096 + redZone);
        const std::string writable =
            QString("%1-%2 rw-p 0 00:00 0 \n").arg(stackBegin, 0, 16).arg(stackBegin + stackSize, 0, 16).toStdString();
        QCOMPARE(snapshot.maps, "400000-402000 r-xp 0 00:00 0 /opt/solver\n" + writable);
        QVERIFY(core.environment().find(std::string("PMI_RANK=3") + '\0') != std::string::npos);
    }

    void ranksComeFromTheEnvironment() {
        Sample other;
        other.environment = {"PMI_RANK=0", "PMI_SIZE=8"};
        const FoundJob job = ranksOfCores({written(coreOf({}), "a"), written(coreOf(other), "b")});
        QCOMPARE(job.ranks.size(), std::size_t{2});
        QCOMPARE(job.ranks[0].rank, 0U);
        QVERIFY(job.ranks[0].core.ends_with("/b"));
        QCOMPARE(job.ranks[1].rank, 3U);
        QCOMPARE(job.rankCount, 8U);
    }
    void withoutRanksTheOrderCounts() {
        Sample none;
        none.environment = {"HOME=/root"};
        const FoundJob job = ranksOfCores({written(coreOf(none), "a"), written("", "empty"), written(coreOf(none), "b")});
        QCOMPARE(job.ranks.size(), std::size_t{2});
        QVERIFY(job.ranks[0].core.ends_with("/a"));
        QCOMPARE(job.ranks[1].rank, 1U);
        QVERIFY2(job.notes.at(0).find("is empty") != std::string::npos, job.notes.at(0).c_str());
    }

    void faults_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("fault");
        QTest::newRow("bad address") << SIGSEGV << int{SEGV_MAPERR} << SIGSEGV;
        QTest::newRow("kill -SEGV of all ranks") << SIGSEGV << int{SI_USER} << 0;
        QTest::newRow("abort()") << SIGABRT << int{SI_TKILL} << SIGABRT;
        QTest::newRow("kill -ABRT of all ranks") << SIGABRT << int{SI_USER} << 0;
        QTest::newRow("kill -QUIT") << SIGQUIT << int{SI_USER} << 0;
        QTest::newRow("gcore") << 0 << 0 << 0;
    }
    void faults() {
        QFETCH(int, signal);
        QFETCH(int, code);
        Sample sample;
        sample.signal = signal;
        sample.code = code;
        QTEST(CoreFile(written(coreOf(sample))).fault(), "fault");
    }

    void cutOffAnywhere() {
        const std::string whole = coreOf({});
        for (std::size_t size = 0; size < whole.size(); size += 7) {
            try {
                const CoreFile core(written(whole.substr(0, size)));
                const ProcessSnapshot snapshot = core.snapshot();
                static_cast<void>(core.environment());
                QVERIFY2(snapshot.complaint.find("is cut off") != std::string::npos, snapshot.complaint.c_str());
                QCOMPARE(snapshot.threads.size(), std::size_t{1});
            } catch (const BadCore &error) {
                QVERIFY(std::string(error.what()).find("core") != std::string::npos);
            }
        }
    }

    /// A whole core of 10 GB, of which nothing is written but the stack at its end.
    void sparse() {
        std::string core = coreOf({});
        auto *segment = reinterpret_cast<Elf64_Phdr *>(core.data() + sizeof(Elf64_Ehdr)) + 1;
        const std::string stack = core.substr(segment->p_offset);
        constexpr std::uint64_t far = std::uint64_t{10} << 30U;
        segment->p_offset = far;
        const std::string path = written(core);
        std::ofstream file(path, std::ios::binary | std::ios::in);
        file.seekp(static_cast<std::streamoff>(far));
        file << stack;
        file.close();
        const CoreFile read(path);
        QCOMPARE(read.snapshot().threads[0].stack.size(), stackSize - 4096 + redZone);
        QVERIFY(!read.environment().empty());
    }

    /// All threads of a damaged core may have one stack.
    void readsNothingManyTimes() {
        Sample many;
        many.threads = 1000;
        const CoreFile core(written(coreOf(many)));
        constexpr std::uint64_t most = 20'000;
        const ProcessSnapshot snapshot = core.snapshot(most);
        QCOMPARE(snapshot.threads.size(), std::size_t{1000});
        std::size_t read = 0;
        for (const ThreadSnapshot &thread : snapshot.threads)
            read += thread.stack.size();
        QCOMPARE(read, std::size_t{most});
        QVERIFY2(snapshot.complaint.find("not all of them are read") != std::string::npos, snapshot.complaint.c_str());
        QCOMPARE(core.snapshot().complaint, std::string());
    }
    void damagedAnywhere() {
        const std::string whole = coreOf({});
        std::uint32_t state = 1;
        for (int i = 0; i < 3000; ++i) {
            std::string core = whole;
            for (int change = 0; change < 4; ++change) {
                state = state * 1664525U + 1013904223U;
                core[state % (i % 2 == 0 ? 2000U : core.size())] = static_cast<char>(state >> 24U);
            }
            try {
                const CoreFile read(written(core));
                static_cast<void>(read.snapshot());
                static_cast<void>(read.environment());
            } catch (const BadCore &) {
            }
        }
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("why");
        QByteArray narrow = QByteArray::fromStdString(coreOf({}));
        narrow[EI_CLASS] = ELFCLASS32;
        QByteArray program = QByteArray::fromStdString(coreOf({}));
        program[16] = ET_EXEC;
        QByteArray foreign = QByteArray::fromStdString(coreOf({}));
        foreign[18] = EM_PPC64;
        QTest::newRow("empty") << QByteArray() << "is empty";
        QTest::newRow("text") << QByteArray("hello, this is no core") << "is no core file";
        QTest::newRow("zstd") << QByteArray("\x28\xB5\x2F\xFD and more of it", 20) << "compressed (zstd)";
        QTest::newRow("lz4") << QByteArray("\x04\x22\x4D\x18 and more of it", 20) << "compressed (lz4)";
        QTest::newRow("32 bits") << narrow << "32-bit";
        QTest::newRow("program") << program << "no core file";
        QTest::newRow("another machine") << foreign << "another kind of machine";
    }
    void refuses() {
        QFETCH(QByteArray, content);
        QFETCH(QString, why);
        try {
            const CoreFile core(written(content.toStdString()));
            QFAIL("it was taken for a core file");
        } catch (const BadCore &error) {
            QVERIFY2(QString(error.what()).contains(why), error.what());
        }
    }

    void withoutMappedFiles() {
        Sample sample;
        sample.hasMappedFiles = false;
        const std::string complaint = CoreFile(written(coreOf(sample))).snapshot().complaint;
        QVERIFY2(complaint.find("which files were mapped") != std::string::npos, complaint.c_str());
    }
};

QTEST_APPLESS_MAIN(TestCoreFile)
#include "tst_corefile.moc"
