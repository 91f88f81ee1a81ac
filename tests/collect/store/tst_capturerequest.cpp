// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/CaptureRequest.h"

#include <QTest>

#include <atomic>
#include <thread>
#include <vector>

using laggard::collect::CaptureRequest;

class TestCaptureRequest : public QObject {
    Q_OBJECT
  private slots:
    void isForOneThread();
    void isTakenOnceAtMost();
    void comesToNobodyElse();
};

void TestCaptureRequest::isForOneThread() {
    CaptureRequest request;
    QVERIFY2(request.take(7) == nullptr, "nobody has asked");
    request.ask(7, {nullptr, 3, 0x1000, true, laggard::recording::CaptureReason::Hang});
    QVERIFY2(request.take(8) == nullptr, "another thread is asked");
    const CaptureRequest::Copy *copy = request.take(7);
    QVERIFY(copy != nullptr);
    QCOMPARE(copy->thread, 3U);
    QCOMPARE(copy->stackEnd, std::uintptr_t{0x1000});
    QVERIFY2(!request.withdraw(7), "it has begun");
    QVERIFY(!request.isDone());
    request.finish();
    QVERIFY(request.isDone());
    request.end();
    QVERIFY(request.take(7) == nullptr);
}

void TestCaptureRequest::isTakenOnceAtMost() {
    CaptureRequest request;
    request.ask(7, {});
    QVERIFY(request.withdraw(7));
    QVERIFY2(request.take(7) == nullptr, "the signal came too late");
    request.ask(7, {});
    QVERIFY(request.take(7) != nullptr);
    QVERIFY(request.take(7) == nullptr);
}

/// Signals that come late: threads look at the question all the time, while others are asked.
void TestCaptureRequest::comesToNobodyElse() {
    constexpr std::int32_t threads = 3;
    constexpr int questions = 600;
    CaptureRequest request;
    std::atomic<bool> isOver{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> asked;
    for (std::int32_t tid = 1; tid <= threads; ++tid)
        asked.emplace_back([&, tid] {
            while (!isOver) {
                if (const CaptureRequest::Copy *copy = request.take(tid)) {
                    wrong += static_cast<std::int32_t>(copy->thread) != tid;
                    request.finish();
                }
                std::this_thread::yield();
            }
        });
    int answers = 0;
    for (int i = 0; i < questions; ++i) {
        const std::int32_t tid = 1 + i % threads;
        request.ask(tid, {nullptr, static_cast<std::uint32_t>(tid), 0, true, laggard::recording::CaptureReason::Hang});
        for (int wait = 0; wait < i % 20 && !request.isDone(); ++wait)
            std::this_thread::yield();
        if (request.withdraw(tid))
            continue; // it did not see it in time
        while (!request.isDone())
            std::this_thread::yield();
        request.end();
        ++answers;
    }
    isOver = true;
    for (std::thread &thread : asked)
        thread.join();
    QCOMPARE(wrong.load(), 0);
    QVERIFY2(answers > 0, "nobody was reached");
}

QTEST_APPLESS_MAIN(TestCaptureRequest)
#include "tst_capturerequest.moc"
