// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Mutex.h"

#include <QTest>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <thread>
#include <vector>

using laggard::collect::Mutex;

class TestMutex : public QObject {
    Q_OBJECT
  private slots:
    void oneAtATime();
    void waits();
};

void TestMutex::oneAtATime() {
    constexpr int threads = 4;
    constexpr int times = 50000;
    Mutex mutex;
    volatile int count = 0;
    std::atomic<bool> isErrnoKept{true};
    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i)
        workers.emplace_back([&, i] {
            errno = 1000 + i;
            for (int k = 0; k < times; ++k) {
                const std::lock_guard lock(mutex);
                count = count + 1;
            }
            isErrnoKept = isErrnoKept && errno == 1000 + i;
        });
    for (std::thread &worker : workers)
        worker.join();
    QCOMPARE(int{count}, threads * times);
    QVERIFY2(isErrnoKept, "errno is the program's");
}

/// Who waits sleeps, and is woken.
void TestMutex::waits() {
    Mutex mutex;
    std::atomic<int> arrived{0};
    std::atomic<int> passed{0};
    std::vector<std::thread> workers;
    mutex.lock();
    for (int i = 0; i < 3; ++i)
        workers.emplace_back([&] {
            ++arrived;
            const std::lock_guard lock(mutex);
            ++passed;
        });
    QTRY_COMPARE(arrived.load(), 3);
    QTest::qSleep(20);
    QCOMPARE(passed.load(), 0);
    mutex.unlock();
    for (std::thread &worker : workers)
        worker.join();
    QCOMPARE(passed.load(), 3);
}

QTEST_APPLESS_MAIN(TestMutex)
#include "tst_mutex.moc"
