// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Model.h"
#include "collect/store/Monitor.h"
#include "ingest/recording/RecordingFile.h"
#include "tests/support/CompareSlots.h"
#include "trace/recording/Transition.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

using namespace laggard;
using namespace laggard::collect;
using namespace laggard::recording;

namespace {

/// A model in a file of its own.
struct ModelFile {
    QTemporaryDir folder;
    std::unique_ptr<MappedFile> file = std::make_unique<MappedFile>();
    std::unique_ptr<ModelSlots> transitions;
    Model model;

    explicit ModelFile(std::size_t limit) {
        Settings settings;
        std::snprintf(settings.folder, sizeof settings.folder, "%s", qPrintable(folder.path()));
        if (const char *problem = file->create(settings))
            qFatal("%s", problem);
        transitions = std::make_unique<ModelSlots>(*file);
        model.begin(*transitions, *file, 0, limit);
    }
    [[nodiscard]] std::vector<TransitionSlot> read() const { return RecordingFile(file->path()).transitions(); }
};

using Times = std::vector<double>;

void compareTimes(const TransitionSlot &slot, const Times &times) {
    QCOMPARE(slot.count, std::uint64_t{times.size()});
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    double squares = 0;
    for (const double time : times)
        squares += (time - mean) * (time - mean);
    QVERIFY(std::abs(slot.mean - mean) <= 1e-9 * (1 + mean));
    QVERIFY(std::abs(slot.squares - squares) <= 1e-6 * (1 + squares));
    QCOMPARE(slot.shortest, *std::min_element(times.begin(), times.end()));
    QCOMPARE(slot.longest, *std::max_element(times.begin(), times.end()));
    QVERIFY(std::abs(slot.histogram.total() - static_cast<double>(times.size())) < 1e-6);
}

} // namespace

class TestModel : public QObject {
    Q_OBJECT
  private slots:
    void eachPhaseByItself();
    void oldPhasesMerge_data();
    void oldPhasesMerge();
    void tooManyTransitionsAreCounted();
    void fewTimes_data();
    void fewTimes();
    void threshold();
};

void TestModel::eachPhaseByItself() {
    ModelFile model(1000);
    std::map<std::tuple<int, std::uint32_t, std::uint32_t>, Times> expected;
    std::mt19937 random(1);
    for (int phase = 0; phase < 10; ++phase, model.model.nextPhase())
        for (int i = 0; i < 200; ++i) {
            const std::uint32_t from = random() % 5;
            const std::uint32_t to = random() % 3;
            const auto ticks = static_cast<double>(random() % 100000);
            model.model.step(from, to, ticks);
            expected[{phase, from, to}].push_back(ticks);
        }
    const auto transitions = model.read();
    QCOMPARE(transitions.size(), expected.size());
    for (const TransitionSlot &slot : transitions) {
        const auto &times = expected.at({slot.phase, slot.from, slot.to});
        compareTimes(slot, times);
        Histogram histogram;
        for (const double time : times)
            histogram.add(time);
        QCOMPARE(slot.histogram.used, histogram.used);
        for (std::size_t i = 0; i < histogram.used; ++i)
            QCOMPARE(slot.histogram.buckets[i].mean, histogram.buckets[i].mean);
    }
}

void TestModel::oldPhasesMerge_data() {
    QTest::addColumn<std::size_t>("limit");
    QTest::addColumn<int>("phases");
    QTest::addRow("a few") << std::size_t{60} << 30;
    QTest::addRow("very many") << std::size_t{60} << 5000;
    QTest::addRow("more than a chunk holds") << std::size_t{700} << 400;
}

void TestModel::oldPhasesMerge() {
    QFETCH(std::size_t, limit);
    QFETCH(int, phases);
    ModelFile model(limit);
    std::map<std::pair<std::uint32_t, std::uint32_t>, Times> expected;
    Times last;
    std::mt19937 random(2);
    for (int phase = 0; phase < phases; ++phase) {
        if (phase > 0)
            model.model.nextPhase();
        last.clear();
        for (int i = 0; i < 20; ++i) {
            const std::uint32_t from = random() % 6;
            const std::uint32_t to = from + 1;
            const auto ticks = static_cast<double>(random() % 1000);
            model.model.step(from, to, ticks);
            expected[{from, to}].push_back(ticks);
            last.push_back(ticks);
        }
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, TransitionSlot> all;
    std::uint64_t ofLast = 0;
    std::size_t used = 0;
    for (const TransitionSlot &slot : model.read()) {
        if (slot.count == 0)
            continue;
        ++used;
        ofLast += slot.phase == phases - 1 ? slot.count : 0;
        TransitionSlot &sum = all[{slot.from, slot.to}];
        mergeTransition(sum, slot);
    }
    QVERIFY2(used <= limit, "the model is bounded");
    QVERIFY2(ofLast == last.size(), "the newest phase is by itself");
    QCOMPARE(all.size(), expected.size());
    for (const auto &[key, times] : expected)
        compareTimes(all.at(key), times);
    QCOMPARE(model.file->header().droppedRecords, std::uint64_t{0});
}

void TestModel::tooManyTransitionsAreCounted() {
    ModelFile model(50);
    for (std::uint32_t i = 0; i < 80; ++i)
        model.model.step(i, i + 1, 1);
    QCOMPARE(model.read().size(), std::size_t{50});
    QCOMPARE(model.file->header().droppedRecords, std::uint64_t{30});
}

void TestModel::fewTimes_data() {
    QTest::addColumn<std::vector<double>>("times");
    QTest::addColumn<bool>("areFew");
    QTest::addRow("one") << Times{5} << true;
    QTest::addRow("zero") << Times{0} << true;
    QTest::addRow("eight") << Times{8, 7, 6, 5, 4, 3, 2, 2} << true;
    QTest::addRow("nine") << Times{8, 7, 6, 5, 4, 3, 2, 2, 1} << false;
    QTest::addRow("the longest of 32 bits") << Times{4294967294.0} << true;
    QTest::addRow("longer") << Times{7, 4294967295.0} << false;
    QTest::addRow("no whole number") << Times{7, 0.5} << false;
    QTest::addRow("a hundred seconds first") << Times{1e11, 3} << false;
}

/// Few times have a slot of their own form; what is read is the same as if they had the usual one.
void TestModel::fewTimes() {
    QFETCH(std::vector<double>, times);
    QFETCH(bool, areFew);
    ModelFile model(10);
    TransitionSlot expected{};
    for (const double time : times) {
        model.model.step(3, 4, time);
        addTime(expected, time);
    }
    const auto transitions = model.read();
    QCOMPARE(transitions.size(), std::size_t{1});
    const TransitionSlot &slot = transitions.front();
    QVERIFY2((slot.version == 0) == areFew, "read from a slot of few times");
    QCOMPARE(slot.from, 3U);
    QCOMPARE(slot.to, 4U);
    laggard::test::compareSlots(slot, expected);
    QCOMPARE(model.file->header().droppedRecords, std::uint64_t{0});
}

void TestModel::threshold() {
    constexpr std::uint64_t second = 1'000'000'000;
    TransitionTimes times;
    QCOMPARE(inferredThreshold(times), 60 * second);
    for (int i = 0; i < 1000; ++i)
        times.add(1e6);
    QVERIFY2(inferredThreshold(times) == 60 * second, "a minute is the least");
    TransitionTimes slow;
    for (int i = 0; i < 100; ++i)
        slow.add(i % 2 == 0 ? 10e9 : 30e9);
    QVERIFY2(inferredThreshold(slow) == 120 * second, "mean 20 s, deviation 10 s, ten times");
}

QTEST_APPLESS_MAIN(TestModel)
#include "tst_model.moc"
