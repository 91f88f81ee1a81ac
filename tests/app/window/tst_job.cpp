// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Job.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <memory>
#include <new>

using namespace laggard;

namespace {

constexpr int longEnough = 20000; // milliseconds

/// Answers with a number, once it may.
class Counting : public Job {
  public:
    std::vector<int> answers;
    std::shared_ptr<std::atomic<bool>> mayEnd = std::make_shared<std::atomic<bool>>(true); ///< outlives the job

    void start(int answer) {
        run(
            [this, answer, mayEnd = mayEnd](const Work &work) -> Answer {
                while (!*mayEnd)
                    throwIfCancelled(work);
                return [this, answer] { answers.push_back(answer); };
            },
            "no memory");
    }

    void startThrowing(const std::function<void()> &act) {
        run(
            [act](const Work &) -> Answer {
                act();
                return {};
            },
            "no memory");
    }

    void startTelling() {
        run(
            [this](const Work &work) -> Answer {
                work.report({"counting", 1, 4});
                return [this] { answers.push_back(0); };
            },
            "no memory");
    }
};

} // namespace

class TestJob : public QObject {
    Q_OBJECT
  private slots:
    void oneTaskOneAnswer() {
        Counting job;
        QSignalSpy ended(&job, &Job::ended);
        job.start(7);
        QVERIFY(job.isRunning());
        QVERIFY(ended.wait(longEnough));
        QCOMPARE(job.answers, std::vector<int>{7});
        QVERIFY(!job.isRunning());
    }

    void onlyTheLastTaskIsAnswered() {
        Counting job;
        QSignalSpy ended(&job, &Job::ended);
        *job.mayEnd = false;
        for (int i = 1; i <= 5; ++i)
            job.start(i);
        *job.mayEnd = true;
        QVERIFY(ended.wait(longEnough));
        QCOMPARE(job.answers, std::vector<int>{5});
        QVERIFY2(ended.size() == 1, "the job tells once that no thread is left");
    }

    void whatIsCancelledIsNotAnswered() {
        Counting job;
        QSignalSpy ended(&job, &Job::ended);
        QSignalSpy cancelled(&job, &Job::cancelled);
        QSignalSpy failed(&job, &Job::failed);
        job.start(1); // it may be through, and its answer on its way
        job.cancel();
        job.cancel();
        QCOMPARE(cancelled.size(), 1);
        QVERIFY(ended.wait(longEnough));
        QVERIFY(job.answers.empty());
        QVERIFY2(failed.isEmpty(), "to be stopped is no failure");
    }

    void failuresAreSentences_data() {
        QTest::addColumn<QString>("thrown");
        QTest::addColumn<QString>("said");
        QTest::newRow("no memory") << "memory"
                                   << "no memory";
        QTest::newRow("a file that cannot be read") << "sentence"
                                                    << "x.otf2 is damaged";
    }

    void failuresAreSentences() {
        QFETCH(QString, thrown);
        QFETCH(QString, said);
        Counting job;
        QSignalSpy failed(&job, &Job::failed);
        job.startThrowing([&thrown] {
            if (thrown == "memory")
                throw std::bad_alloc();
            throw ReadError("x.otf2 is damaged");
        });
        QVERIFY(failed.wait(longEnough));
        QCOMPARE(failed.front().front().toString(), said);
        QVERIFY(!job.isRunning());
    }

    void progressIsTold() {
        Counting job;
        QSignalSpy progressed(&job, &Job::progressed);
        job.startTelling();
        QVERIFY(progressed.wait(longEnough));
        QCOMPARE(progressed.front().at(0).toString(), QString("counting"));
        QCOMPARE(progressed.front().at(1).toDouble(), 0.25);
    }

    void destroyedWhileItWorks() {
        for (int round = 0; round < 200; ++round) {
            auto job = std::make_unique<Counting>();
            *job->mayEnd = round % 2 == 0;
            job->start(round);
        }
        QCoreApplication::processEvents(); // what was on its way finds nobody
    }
};

QTEST_GUILESS_MAIN(TestJob)
#include "tst_job.moc"
