// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/HangAlarm.h"
#include "app/watch/LiveAnalysis.h"
#include "app/watch/Patience.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <functional>
#include <random>

using namespace laggard::watch;

namespace {

/// A share of ten processes, each outside MPI with this chance.
double shareOf(std::mt19937 &random, double chance) {
    return static_cast<double>(std::binomial_distribution<int>(10, chance)(random)) / 10;
}

/// Samples until the alarm, at most `most`.
int samplesUntilAlarm(HangAlarm &alarm, const std::function<double(int)> &share, int most) {
    for (int i = 0; i < most; ++i) {
        alarm.add(share(i));
        if (alarm.isRaised())
            return i + 1;
    }
    return most;
}

} // namespace

class TestHangAlarm : public QObject {
    Q_OBJECT
  private slots:
    void randomOrder();
    void findsHangs_data();
    void findsHangs();
    void soundJobs();
    void longPhases();
    void gap();
    void patience_data();
    void patience();
    void reports_data();
    void reports();
};

void TestHangAlarm::randomOrder() {
    QVERIFY2(looksRandom({}) && looksRandom({1, 1, 1, 1}), "where all are alike, nothing speaks against it");
    std::vector<double> turns;
    std::vector<double> halves;
    for (int i = 0; i < 40; ++i) {
        turns.push_back(i % 2);
        halves.push_back(i < 20 ? 0 : 1);
    }
    QVERIFY2(!looksRandom(turns), "40 runs of 40 values are too many");
    QVERIFY2(!looksRandom(halves), "2 runs are too few");
    // 4 above the mean, 4 not, 5 runs where 5 are expected.
    QVERIFY(looksRandom({0, 0, 1, 1, 0, 1, 1, 0}));
}

void TestHangAlarm::findsHangs_data() {
    QTest::addColumn<double>("working");
    QTest::addColumn<double>("hanging");
    QTest::addRow("all wait in MPI") << 0.7 << 0.0;
    QTest::addRow("one of ten computes for ever") << 0.7 << 0.1;
    QTest::addRow("a job that communicates most of the time") << 0.2 << 0.0;
}

void TestHangAlarm::findsHangs() {
    QFETCH(double, working);
    QFETCH(double, hanging);
    std::mt19937 random(4711);
    HangAlarm alarm;
    for (int i = 0; i < 300; ++i)
        alarm.add(shareOf(random, working));
    const int needed = samplesUntilAlarm(
        alarm, [&](int) { return hanging; }, 100);
    QVERIFY2(needed < 60, qPrintable(QString("%1 samples").arg(needed)));
    QVERIFY2(needed > 1, "one sample is none in a row");
}

/// What is sampled at random of a job that works seldom shows what has a chance of 0.1 %.
void TestHangAlarm::soundJobs() {
    int alarms = 0;
    constexpr int jobs = 100;
    for (int job = 0; job < jobs; ++job) {
        std::mt19937 random(static_cast<unsigned>(job));
        const double chance = std::uniform_real_distribution<double>(0.1, 0.9)(random);
        HangAlarm alarm;
        for (int i = 0; i < 200; ++i) {
            alarm.add(shareOf(random, chance));
            alarms += alarm.isRaised() ? 1 : 0;
        }
    }
    QVERIFY2(alarms <= jobs * 200 / 1000, qPrintable(QString("%1 alarms in %2 samples").arg(alarms).arg(jobs * 200)));
}

/// Phases that last longer than the time between samples look like rows of low values, until that time is longer.
void TestHangAlarm::longPhases() {
    std::mt19937 random(3);
    HangAlarm alarm;
    double time = 0;
    for (int i = 0; i < 400; ++i) {
        time += alarm.interval() * std::uniform_real_distribution<double>(0.5, 1.5)(random);
        const bool communicates = static_cast<int>(time / 3) % 2 == 1; // three seconds of each
        alarm.add(communicates ? 0.0 : shareOf(random, 0.8));
    }
    QVERIFY2(alarm.interval() >= 4 * HangAlarm::firstInterval, qPrintable(QString::number(alarm.interval())));
    QVERIFY(alarm.interval() <= HangAlarm::longestInterval);
}

void TestHangAlarm::gap() {
    std::mt19937 random(5);
    HangAlarm alarm;
    for (int i = 0; i < 200; ++i)
        alarm.add(shareOf(random, 0.7));
    for (int i = 0; i < 100; ++i) {
        alarm.add(0);
        alarm.interrupt(); // the job was stopped between each two
        QVERIFY2(!alarm.isRaised() || i > 50, "samples before a gap are not in a row with those behind it");
    }
}

void TestHangAlarm::patience_data() {
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<double>("confidence");
    QTest::addColumn<double>("run");
    QTest::addColumn<double>("longest");
    QTest::addColumn<double>("given");
    QTest::addColumn<double>("expected"); // -1: never
    const auto row = [](const char *name, const char *state, const char *kind, double confidence, double run, double longest,
                        double given, double expected) {
        QTest::addRow("%s", name) << state << kind << confidence << run << longest << given << expected;
    };
    row("a job that runs", "running", "running", 0.5, 100, 1, -1, -1);
    row("a job that runs, with a time", "running", "running", 0.5, 100, 1, 5, -1);
    row("a deadlock", "hung", "deadlock", 0.95, 100, 1, -1, 0);
    row("a deadlock of which the analysis is not sure", "hung", "deadlock", 0.4, 100, 1, -1, 60);
    row("a rank computes", "hung", "computing", 0.95, 100, 1, -1, 60);
    row("… in a job with long phases", "hung", "computing", 0.95, 100, 30, -1, 120);
    row("… in a job that has run for two hours", "hung", "computing", 0.95, 7200 + 10, 1, -1, 720);
    row("… with a time", "hung", "computing", 0.45, 7200, 100, 5, 5);
    row("all stand in one call", "hung", "standing", 0.2, 100, 1, -1, 60);
    row("a rank is stopped by a debugger", "hung", "halted", 0.9, 100, 1, 5, -1);
}

void TestHangAlarm::patience() {
    QFETCH(QString, state);
    QFETCH(QString, kind);
    QFETCH(double, confidence);
    QFETCH(double, run);
    QFETCH(double, longest);
    QFETCH(double, given);
    const Stillness stillness{
        .seconds = 10, .jobSeconds = run, .longestBefore = longest, .given = given < 0 ? std::nullopt : std::optional(given)};
    const auto patience = patienceFor({state.toStdString(), kind.toStdString(), confidence}, stillness);
    QTEST(patience.value_or(-1), "expected");
}

void TestHangAlarm::reports_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isReport");
    QTest::addRow("a report") << QByteArray(R"({"verdict":{"state":"hung","facts":{"kind":"deadlock"},"confidence":0.9}})")
                              << true;
    QTest::addRow("nothing") << QByteArray() << false;
    QTest::addRow("half of one") << QByteArray(R"({"verdict":{"state":"hu)") << false;
    QTest::addRow("another type") << QByteArray(R"({"verdict":{"state":1,"facts":{"kind":"deadlock"},"confidence":0.9}})")
                                  << false;
    QTest::addRow("a list") << QByteArray("[]") << false;
}

void TestHangAlarm::reports() {
    QFETCH(QByteArray, text);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("report.json").toStdString();
    std::ofstream(path) << text.toStdString();
    const auto judged = readReport(path);
    QTEST(judged.has_value(), "isReport");
    if (judged)
        QVERIFY(judged->state == "hung" && judged->kind == "deadlock" && judged->confidence == 0.9);
}

QTEST_GUILESS_MAIN(TestHangAlarm)
#include "tst_hangalarm.moc"
