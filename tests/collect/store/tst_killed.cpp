// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/store/ProbeRun.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace laggard::recording;

namespace {

/// How many sends the probe says that it has made.
class Counter {
  public:
    explicit Counter(const std::string &path) {
        const int descriptor = open(path.c_str(), O_RDWR | O_CREAT, 0600);
        if (ftruncate(descriptor, 4096) == 0)
            m_memory = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, descriptor, 0);
        close(descriptor);
    }
    ~Counter() { munmap(m_memory, 4096); }
    Counter(const Counter &) = delete;
    Counter &operator=(const Counter &) = delete;
    [[nodiscard]] std::uint64_t value() const { return static_cast<std::atomic<std::uint64_t> *>(m_memory)->load(); }

  private:
    void *m_memory = nullptr;
};

/// The sends in the file are the newest ones in order, and at most the one that was being made is missing or too much.
void checkSends(const RecordingFile &file, std::uint64_t completed, bool hasWrapped) {
    QCOMPARE(QString::fromStdString(warningsOf(file)), QString());
    const auto events = eventsOf(file);
    const auto tags = sentTags(events);
    QVERIFY2(!tags.empty(), "nothing of the sends is there");
    for (std::size_t i = 1; i < tags.size(); ++i)
        QCOMPARE(tags[i], tags[i - 1] + 1);
    if (!hasWrapped)
        QCOMPARE(tags.front(), 1U);
    QVERIFY2(tags.back() >= completed,
             qPrintable(QStringLiteral("send %1 of %2 is the last one").arg(tags.back()).arg(completed)));
    QVERIFY2(tags.back() <= completed + 1, "a send is there that was not made");
    // Other records, what was seen of neighbours for one, may lie behind.
    const auto lastOf = [&](RecordKind kind) {
        return std::find_if(events.rbegin(), events.rend(), [kind](const auto &event) { return event.kind == kind; }) -
               events.rbegin();
    };
    const bool isOpen = lastOf(RecordKind::SendPart) < lastOf(RecordKind::CallEnd);
    QVERIFY2(tags.back() == completed + 1 || !isOpen, "a send that has returned is open in the recording");
    // The live state says the same.
    const auto &state = file.threadStates().front();
    if (!state.torn) {
        QVERIFY2(state.value.callPath == nothing || operationOf(file, state.value.callPath) == "MPI_Send",
                 "the open call is a send");
    }
}

} // namespace

class TestKilled : public QObject {
    Q_OBJECT
  private slots:
    void atAnyMoment_data();
    void atAnyMoment();
    void whileItRuns_data();
    void whileItRuns();
};

void TestKilled::atAnyMoment_data() {
    QTest::addColumn<QString>("buffer");
    QTest::addColumn<QString>("stacks");
    QTest::addColumn<QString>("pool");
    QTest::addColumn<int>("rounds");
    QTest::addRow("large ring") << "16777216"
                                << "on"
                                << "0" << 50;
    QTest::addRow("ring that turns all the time") << "131072"
                                                  << "on"
                                                  << "0" << 40;
    QTest::addRow("without stacks") << "262144"
                                    << "off"
                                    << "0" << 10;
    QTest::addRow("pool") << "16777216"
                          << "on"
                          << "1" << 40;
}

void TestKilled::atAnyMoment() {
    QFETCH(QString, buffer);
    QFETCH(QString, stacks);
    QFETCH(QString, pool);
    QFETCH(int, rounds);
    std::mt19937 random(static_cast<unsigned>(rounds));
    for (int round = 0; round < rounds; ++round) {
        ProbeRun run;
        run.environment["LAGGARD_RECORD_BUFFER"] = buffer.toStdString();
        run.environment["LAGGARD_RECORD_STACKS"] = stacks.toStdString();
        run.environment["LAGGARD_RECORD_POOL"] = pool.toStdString();
        const Counter counter(run.beside("counter"));
        run.start({"for-ever", "0", run.beside("counter")});
        while (counter.value() == 0)
            usleep(100);
        usleep(random() % 20000);
        kill(run.pid(), SIGKILL);
        const int status = run.wait();
        QVERIFY(WIFSIGNALED(status));
        const auto file = run.recording();
        checkSends(*file, counter.value(), buffer != "16777216");
        QCOMPARE(file->header().endKind, static_cast<std::uint32_t>(EndKind::StillOpen));
        if (QTest::currentTestFailed())
            return;
    }
}

void TestKilled::whileItRuns_data() {
    QTest::addColumn<QString>("buffer");
    QTest::addColumn<QString>("pool");
    QTest::newRow("a ring") << "131072"
                            << "0";
    QTest::newRow("a pool") << "67108864"
                            << "1";
}

/// Each moment at which the process stands still is one at which it might have been killed.
void TestKilled::whileItRuns() {
    QFETCH(QString, buffer);
    QFETCH(QString, pool);
    ProbeRun run;
    run.environment["LAGGARD_RECORD_BUFFER"] = buffer.toStdString();
    run.environment["LAGGARD_RECORD_POOL"] = pool.toStdString();
    const Counter counter(run.beside("counter"));
    run.start({"for-ever", "0", run.beside("counter")});
    while (counter.value() == 0)
        usleep(100);
    std::mt19937 random(3);
    const int rounds = pool == "0" ? 60 : 8; // with a pool, the file that is copied grows all the time
    for (int round = 0; round < rounds; ++round) {
        usleep(random() % 3000);
        kill(run.pid(), SIGSTOP);
        waitpid(run.pid(), nullptr, WUNTRACED);
        const std::string copy = run.beside("copy");
        std::filesystem::copy_file(run.files().front(), copy, std::filesystem::copy_options::overwrite_existing);
        checkSends(RecordingFile(copy), counter.value(), pool == "0");
        kill(run.pid(), SIGCONT);
        if (QTest::currentTestFailed())
            return;
        // And in motion: whatever is read then, it is read.
        const RecordingFile moving(run.files().front());
        EventReader events = moving.events(0);
        for (Record record; events.next(record);)
            QVERIFY(record.kind != RecordKind::End);
    }
}

QTEST_APPLESS_MAIN(TestKilled)
#include "tst_killed.moc"
