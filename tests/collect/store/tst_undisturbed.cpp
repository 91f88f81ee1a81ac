// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Undisturbed.h"

#include <QTest>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

using laggard::collect::Undisturbed;

namespace {

std::atomic<int> s_handled{0};

struct Worker {
    int type;                         ///< type of cancellation
    std::atomic<bool> isReady{false}; ///< it is undisturbed …
    std::atomic<bool> mayGoOn{false}; ///< … and has been cancelled
    std::atomic<bool> hasDone{false}; ///< it came to the end of its work
    std::atomic<bool> wentOn{false};  ///< and beyond
};

void *work(void *argument) {
    auto &worker = *static_cast<Worker *>(argument);
    pthread_setcanceltype(worker.type, nullptr);
    // Not as a variable: exceptions are on here, and destructors let none pass.
    Undisturbed::begin();
    worker.isReady = true;
    while (!worker.mayGoOn)
        close(open("/dev/null", O_RDONLY)); // would end a thread that is cancelled
    worker.hasDone = true;
    Undisturbed::end();
    if (worker.type == PTHREAD_CANCEL_DEFERRED)
        pthread_testcancel();
    worker.wentOn = true;
    return nullptr;
}

} // namespace

class TestUndisturbed : public QObject {
    Q_OBJECT
  private slots:
    void holdsUpCancellation_data();
    void holdsUpCancellation();
    void keepsWhatTheProgramHasSwitchedOff();
    void holdsUpSignals();
};

void TestUndisturbed::holdsUpCancellation_data() {
    QTest::addColumn<int>("type");
    QTest::newRow("deferred") << static_cast<int>(PTHREAD_CANCEL_DEFERRED);
    QTest::newRow("asynchronous") << static_cast<int>(PTHREAD_CANCEL_ASYNCHRONOUS);
}

void TestUndisturbed::holdsUpCancellation() {
#ifdef __SANITIZE_ADDRESS__
    QSKIP("the address sanitizer takes the stack that a cancelled thread has left for one in use");
#endif
    QFETCH(int, type);
    Worker worker{type};
    pthread_t thread{};
    QCOMPARE(pthread_create(&thread, nullptr, work, &worker), 0);
    QTRY_VERIFY(worker.isReady.load());
    pthread_cancel(thread);
    worker.mayGoOn = true;
    void *result = nullptr;
    pthread_join(thread, &result);
    QVERIFY2(worker.hasDone, "it was cancelled in its work");
    QVERIFY2(result == PTHREAD_CANCELED && !worker.wentOn, "it was not cancelled after its work");
}

void TestUndisturbed::keepsWhatTheProgramHasSwitchedOff() {
    int state = 0;
    int type = 0;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    errno = 77;
    {
        const Undisturbed outer;
        const Undisturbed inner;
        errno = 3;
    }
    QCOMPARE(errno, 77);
    pthread_setcancelstate(state, &state);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    QCOMPARE(state, static_cast<int>(PTHREAD_CANCEL_DISABLE));
    QCOMPARE(type, static_cast<int>(PTHREAD_CANCEL_DEFERRED));
}

void TestUndisturbed::holdsUpSignals() {
    Undisturbed::handlersAreSet();
    std::signal(SIGUSR1, [](int) { ++s_handled; });
    {
        const Undisturbed outer;
        {
            const Undisturbed inner;
            raise(SIGUSR1);
        }
        QCOMPARE(s_handled.load(), 0);
    }
    QCOMPARE(s_handled.load(), 1);
    raise(SIGUSR1);
    QCOMPARE(s_handled.load(), 2);
}

QTEST_APPLESS_MAIN(TestUndisturbed)
#include "tst_undisturbed.moc"
