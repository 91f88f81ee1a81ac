// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slice/TraceSlice.h"
#include "ingest/Format.h"
#include "tests/support/FakeSlicer.h"

#include <QTest>

using namespace laggard;
using test::FakeSlicer;

namespace {

/// The bundled recording: its program is not here, its source lies beside it.
struct Example {
    ReportPtr report;
    PathMap paths;
    Example() {
        const std::string path = LAGGARD_EXAMPLES "/hung-stencil-recorded";
        AnalysisOptions options;
        options.choice = AnalysisChoice::progressOnly();
        report = analyse(openInput(path, {}, {}).trace, options, {});
        paths.setTraceFolder(folderOfTrace(QString::fromStdString(path)));
    }
};

} // namespace

class TestTraceSlice : public QObject {
    Q_OBJECT
  private slots:
    void ofTheLeastProgressed() {
        const FakeSlicer slicer;
        const Example example;
        const TraceSlice made = makeSlice(*example.report, example.paths, {}, {}, {});
        QVERIFY2(made.report.slice, made.report.problem.c_str());
        QCOMPARE(made.report.slice->lines.size(), std::size_t{5});
        QCOMPARE(made.report.ranks, RankSet{3});
        QCOMPARE(made.report.at.front().function, std::string("compute_flux"));
        QCOMPARE(slicer.given("stack-0"),
                 QByteArray("# ranks 3\ncompute_flux stencil.c:41\ntime_step stencil.c:59\nmain stencil.c:61\n"));
        QVERIFY(slicer.given("stack-1").startsWith("# ranks 0-2,4-15\nresidual stencil.c:57\n"));
        const QStringList arguments = slicer.arguments();
        QCOMPARE(arguments.value(arguments.indexOf("--source") + 1), LAGGARD_EXAMPLES "/hung-stencil-recorded/stencil.c");
    }

    void messagesOfTheRun() {
        const FakeSlicer slicer;
        const Example example;
        static_cast<void>(makeSlice(*example.report, example.paths, {}, {}, {}));
        const QByteArray messages = slicer.given("messages.json");
        QVERIFY2(messages.contains("\"kind\":\"p2p\",\"to\":\"3\",\"receive\":[\"exchange_halo stencil.c:36\","),
                 "a receive is where it was posted, not where it was waited for");
        QVERIFY(messages.contains("\"send\":[\"exchange_halo stencil.c:37\""));
        QVERIFY2(messages.contains("\"kind\":\"collective\",\"to\":\"1-15\",\"receive\":[\"read_inflow stencil.c:21\"") &&
                     messages.contains("\"from\":\"0\",\"send\":[\"read_inflow stencil.c:21\""),
                 messages.left(2000).constData());
    }

    void anotherFrameIsAnotherPlace() {
        const FakeSlicer slicer;
        const Example example;
        SliceBeginning beginning;
        beginning.frame = 1;
        const TraceSlice made = makeSlice(*example.report, example.paths, {}, beginning, {});
        QVERIFY(slicer.given("stack-0").startsWith("# ranks 3\ntime_step stencil.c:59\n"));
        QCOMPARE(made.stack.frames.size(), std::size_t{3});
        beginning.frame = 0;
        beginning.stack = SliceStack{{7}, {{"pack", "stencil.c", 28}}};
        static_cast<void>(makeSlice(*example.report, example.paths, {}, beginning, {}));
        QVERIFY(slicer.given("stack-0").startsWith("# ranks 7\npack stencil.c:28\n"));
        QVERIFY2(slicer.given("stack-1").startsWith("# ranks 3\n"), "the others are there to compare with");
    }

    void nothingIsCompiledUnasked() {
        const FakeSlicer slicer;
        const Example example;
        SliceBeginning beginning;
        beginning.isAsked = false;
        const TraceSlice made = makeSlice(*example.report, example.paths, {}, beginning, {});
        QVERIFY(!made.report.slice);
        QVERIFY2(!slicer.wasCalled(), "the recorded program is not on this machine");
        QVERIFY(made.input.lack == SliceInput::Lack::Program && made.input.isPossible());
        QCOMPARE(made.stack.frames.size(), std::size_t{3});
    }

    void whatGoesWrongIsSaid() {
        const FakeSlicer slicer("echo 'laggard-slice: no' >&2; exit 1");
        const Example example;
        const TraceSlice made = makeSlice(*example.report, example.paths, {}, {}, {});
        QVERIFY(!made.report.slice);
        QCOMPARE(made.report.problem, std::string("The program could not be sliced: no."));
    }
};

QTEST_GUILESS_MAIN(TestTraceSlice)
#include "tst_traceslice.moc"
