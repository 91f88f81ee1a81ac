// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/FlightJob.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

using Fault = FlightJob::Fault;
using At = FlightJob::At;
using Kind = WaitForVerdict::Kind;

struct Size {
    std::uint32_t tensor;
    std::uint32_t data;
    std::uint32_t pipeline;
};

constexpr Size sizes[] = {{2, 1, 1}, {1, 4, 1}, {2, 2, 2}, {4, 2, 2}, {2, 2, 4}, {8, 4, 2}, {8, 8, 4}};

const std::pair<Fault, const char *> faults[] = {
    {Fault::NotEnqueued, "not enqueued"}, {Fault::StuckDevice, "stuck device"},       {Fault::NotStarted, "not started"},
    {Fault::NoDump, "no dump"},           {Fault::OtherOperation, "other operation"}, {Fault::OtherSize, "other size"},
    {Fault::OtherType, "other type"},     {Fault::OtherOrder, "other order"},
};

const std::pair<At, const char *> places[] = {
    {At::Tensor, "tensor"}, {At::Pipeline, "pipeline"}, {At::Data, "data"}, {At::World, "world"}};

TracePtr opened(const FlightJob &job) {
    const QTemporaryDir folder;
    writeDumps(job, folder.path().toStdString());
    return openTrace(folder.path().toStdString(), {}, {});
}

std::uint32_t groupSize(const FlightJob &job, At at) {
    return at == At::Tensor ? job.tensor : at == At::Pipeline ? job.pipeline : at == At::Data ? job.data : job.ranks();
}

/// In a group of two nobody can tell who is wrong: both are named.
RankSet expectedOf(const FlightJob &job) {
    const Rank rank = job.faulty.front();
    if (job.fault < Fault::OtherOperation || groupSize(job, job.at) > 2)
        return job.faulty;
    const Rank stride = job.at == At::Data ? job.tensor : 1;
    const Rank other = rank / stride % 2 == 0 ? rank + stride : rank - stride;
    return {std::min(rank, other), std::max(rank, other)};
}

QString text(const WaitForVerdict &verdict) {
    return QString("%1: %2 (%3)")
        .arg(QString::fromStdString(formatRanges(verdict.ranks)), QString::fromStdString(verdict.why))
        .arg(verdict.confidence);
}

} // namespace

class TestQueueWaits : public QObject {
    Q_OBJECT

  private slots:
    void namesWhoIsAtFault_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("fault");
        QTest::addColumn<int>("place");
        for (int size = 0; size < int(std::size(sizes)); ++size)
            for (int fault = 0; fault < int(std::size(faults)); ++fault)
                for (int place = 0; place < int(std::size(places)); ++place) {
                    const FlightJob job{.tensor = sizes[size].tensor, .data = sizes[size].data, .pipeline = sizes[size].pipeline};
                    const At at = places[place].first;
                    const bool isMismatch = faults[fault].first >= Fault::OtherOperation;
                    // Messages cannot disagree so, and the loss is the only collective of all ranks in a round.
                    if (groupSize(job, at) < 2 || (isMismatch && at == At::Pipeline) ||
                        (faults[fault].first == Fault::OtherOrder && at == At::World))
                        continue;
                    QTest::addRow("%s in %s, %u ranks (%u, %u, %u)", faults[fault].second, places[place].second, job.ranks(),
                                  job.tensor, job.data, job.pipeline)
                        << size << fault << place;
                }
    }

    void namesWhoIsAtFault() {
        QFETCH(const int, size);
        QFETCH(const int, fault);
        QFETCH(const int, place);
        FlightJob job{.tensor = sizes[size].tensor,
                      .data = sizes[size].data,
                      .pipeline = sizes[size].pipeline,
                      .fault = faults[fault].first,
                      .at = places[place].first};
        job.faulty = {job.ranks() * 5 / 8};
        // What a dump holds must not change who is named.
        for (int way = 0; way < 3; ++way) {
            job.onlyActive = way == 1;
            job.frames = way != 1;
            job.ring = way == 2 ? 12 : 2000;
            job.repeatNames = way == 2;
            const WaitForVerdict verdict = buildWaitForGraph(*opened(job), openEnd, {}).verdict;
            QVERIFY2(verdict.ranks == expectedOf(job), qPrintable(QString("way %1: ").arg(way) + text(verdict)));
            QVERIFY(verdict.confidence > 0.4 && verdict.confidence < 1);
        }
    }

    void namesTwo_data() {
        QTest::addColumn<int>("fault");
        for (int fault = 0; fault < 3; ++fault)
            QTest::newRow(faults[fault].second) << fault;
    }

    void namesTwo() {
        QFETCH(const int, fault);
        const FlightJob job{.tensor = 4, .fault = faults[fault].first, .at = At::Tensor, .faulty = {5, 10}};
        const WaitForVerdict verdict = buildWaitForGraph(*opened(job), openEnd, {}).verdict;
        QVERIFY2(verdict.ranks == job.faulty, qPrintable(text(verdict)));
    }

    void accusesNobodyInASoundJob_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("active");
        for (int size = 0; size < int(std::size(sizes)); ++size)
            for (const bool active : {false, true})
                QTest::addRow("%u ranks, %s", sizes[size].tensor * sizes[size].data * sizes[size].pipeline,
                              active ? "active only" : "whole rings")
                    << size << active;
    }

    void accusesNobodyInASoundJob() {
        QFETCH(const int, size);
        QFETCH(const bool, active);
        const FlightJob job{
            .tensor = sizes[size].tensor, .data = sizes[size].data, .pipeline = sizes[size].pipeline, .onlyActive = active};
        const WaitForVerdict verdict = buildWaitForGraph(*opened(job), openEnd, {}).verdict;
        QVERIFY2(verdict.kind == Kind::Finished && verdict.ranks.empty(), qPrintable(text(verdict)));
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<QString>("expected");
        const auto row = [](Fault fault, const char *name, const char *expected) {
            QTest::newRow(name) << int(fault) << expected;
        };
        row(Fault::OtherOperation, "operation", "rank 5 has enqueued nccl:broadcast (model.py:30)");
        row(Fault::OtherSize, "size", "rank 5 has enqueued nccl:_all_gather_base (model.py:30) of 8,192 elements");
        row(Fault::OtherType, "type", "rank 5 has enqueued nccl:_all_gather_base (model.py:30) of Float");
        row(Fault::OtherOrder, "order", "in another order");
    }

    void saysWhatIsWrong() {
        QFETCH(const int, fault);
        QFETCH(const QString, expected);
        const FlightJob job{.tensor = 4, .fault = static_cast<Fault>(fault), .at = At::Tensor, .faulty = {5}};
        const WaitForVerdict verdict = buildWaitForGraph(*opened(job), openEnd, {}).verdict;
        QCOMPARE(verdict.kind, Kind::Mismatch);
        QVERIFY2(QString::fromStdString(verdict.why).contains(expected), qPrintable(text(verdict)));
        QVERIFY2(QString::fromStdString(verdict.why).contains("ranks 4, 6-7 have enqueued"), qPrintable(text(verdict)));
    }

    void takesOtherLibrariesAlike_data() {
        QTest::addColumn<QString>("prefix");
        for (const char *prefix : {"gloo", "xccl", "ncclx", "hccl"})
            QTest::newRow(prefix) << prefix;
    }

    void takesOtherLibrariesAlike() {
        QFETCH(const QString, prefix);
        FlightJob job{.fault = Fault::NotEnqueued, .faulty = {3}};
        job.prefix = prefix.toStdString();
        const WaitForVerdict verdict = buildWaitForGraph(*opened(job), openEnd, {}).verdict;
        QVERIFY2(verdict.ranks == job.faulty, qPrintable(text(verdict)));
    }

    void namesOneOf4096() {
        FlightJob job{.tensor = 8, .data = 64, .pipeline = 8, .fault = Fault::NotEnqueued, .faulty = {2741}};
        job.onlyActive = true;
        job.frames = false;
        const WaitForVerdict verdict = buildWaitForGraph(*opened(job), openEnd, {}).verdict;
        QVERIFY2(verdict.ranks == job.faulty, qPrintable(text(verdict)));
    }
};

QTEST_APPLESS_MAIN(TestQueueWaits)
#include "tst_queuewaits.moc"
