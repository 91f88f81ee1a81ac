// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/slice/SliceQuestion.h"
#include "tests/views/panels/HungReport.h"

#include <QTest>

using namespace laggard;
using test::HungReport;

namespace {

QString textOf(const SliceStack &stack) {
    QString text = QString::fromStdString(formatRanges(stack.ranks)) + ":";
    for (const Frame &frame : stack.frames)
        text += ' ' + QString::fromStdString(frame.function) + '@' + QString::number(frame.line);
    return text;
}

} // namespace

class TestSliceStacks : public QObject {
    Q_OBJECT
  private slots:
    void leastProgressedFirstAndOutsideMpi() {
        const HungReport report;
        const std::vector<SliceStack> stacks = sliceStacks(*report.trace, *report.waits, *report.progress);
        QCOMPARE(stacks.size(), std::size_t{2});
        QCOMPARE(textOf(stacks[0]), "3: compute_flux@41 time_step@60 main@62");
        QCOMPARE(textOf(stacks[1]), "0-2,4-15: residual@56 time_step@60 main@62");
    }

    void largerGroupsFirst() {
        HungReport report;
        ProgressNode few = report.progress->nodes[0];
        few.ranks = {1};
        report.progress->nodes.insert(report.progress->nodes.begin(), few);
        const std::vector<SliceStack> stacks = sliceStacks(*report.trace, *report.waits, *report.progress);
        QCOMPARE(stacks.size(), std::size_t{3});
        QCOMPARE(stacks[1].ranks.size(), std::size_t{15});
        QCOMPARE(stacks[2].ranks, (RankSet{1}));
    }

    void whereItCrashedComesFirst_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("value");
        QTest::addColumn<QString>("end");
        QTest::newRow("segmentation fault") << int(ProcessEnd::Kind::Signalled) << 11 << "SIGSEGV";
        QTest::newRow("exit with a status") << int(ProcessEnd::Kind::Exited) << 3 << "exit";
        QTest::newRow("ended from outside") << int(ProcessEnd::Kind::Signalled) << 15 << "";
        QTest::newRow("exit without one") << int(ProcessEnd::Kind::Exited) << 0 << "";
    }
    void whereItCrashedComesFirst() {
        QFETCH(int, kind);
        QFETCH(int, value);
        QFETCH(QString, end);
        const HungReport report;
        Trace &trace = *report.trace;
        trace.processes[3].end.kind = static_cast<ProcessEnd::Kind>(kind);
        trace.processes[3].end.value = value;
        trace.processes[3].end.stack = {{"raise", "", 0}, {"update", "stencil.c", 22}, {"main", "stencil.c", 62}};
        const std::vector<SliceStack> stacks = sliceStacks(trace, *report.waits, *report.progress);
        QCOMPARE(QString::fromStdString(stacks[0].end), end);
        QCOMPARE(textOf(stacks[0]), end.isEmpty() ? "3: compute_flux@41 time_step@60 main@62" : "3: raise@0 update@22 main@62");
        QCOMPARE(QString::fromStdString(stacks[1].end), QString());
    }

    void nobodyNamedIsNothingToAsk() {
        const HungReport report;
        report.progress->nodes[1].leastProgressed = false;
        QVERIFY(sliceStacks(*report.trace, *report.waits, *report.progress).empty());
    }

    void withoutItsPlaceThereIsNothingToAsk() {
        const HungReport report;
        for (Frame &frame : report.progress->nodes[1].stack)
            frame.file.clear();
        QVERIFY2(sliceStacks(*report.trace, *report.waits, *report.progress).empty(), "the other group is not what stopped");
    }

    void groupsWithoutPlaceAreLeftOut() {
        const HungReport report;
        for (Frame &frame : report.progress->nodes[0].stack)
            frame.line = 0;
        QCOMPARE(sliceStacks(*report.trace, *report.waits, *report.progress).size(), std::size_t{1});
    }

    void theSendThatIsMissingIsThePlace() {
        const HungReport report;
        report.waits->verdict.kind = WaitForVerdict::Kind::MissingSend;
        MissingSend missing;
        missing.from = HungReport::slowest;
        missing.callPath = report.allreduce;
        report.waits->verdict.missingSends.push_back(missing);
        const std::vector<SliceStack> stacks = sliceStacks(*report.trace, *report.waits, *report.progress);
        QCOMPARE(textOf(stacks[0]), "3: residual@56 time_step@60 main@62");
    }

    void withoutTheFramesOfMpi_data() {
        QTest::addColumn<QStringList>("stack");
        QTest::addColumn<QStringList>("left");
        QTest::newRow("none") << QStringList{"f", "main"} << QStringList{"f", "main"};
        QTest::newRow("one") << QStringList{"MPI_Allreduce", "f", "main"} << QStringList{"f", "main"};
        QTest::newRow("functions of the library") << QStringList{"poll", "MPI_Allreduce", "f"} << QStringList{"f"};
        QTest::newRow("a call within a call") << QStringList{"MPI_Init", "x", "MPI_Allreduce", "f"} << QStringList{"f"};
        QTest::newRow("nothing") << QStringList{} << QStringList{};
    }
    void withoutTheFramesOfMpi() {
        QFETCH(QStringList, stack);
        QFETCH(QStringList, left);
        const HungReport report;
        std::vector<Frame> frames;
        for (const QString &function : stack)
            frames.push_back({function.toStdString(), "a.c", 1});
        QStringList found;
        for (const Frame &frame : outsideMpi(*report.trace, frames))
            found << QString::fromStdString(frame.function);
        QCOMPARE(found, left);
    }
};

QTEST_APPLESS_MAIN(TestSliceStacks)
#include "tst_slicestacks.moc"
