// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/answer/Analyse.h"
#include "app/report/Report.h"
#include "ingest/Format.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <sstream>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

QString jsonOf(const Report &report) {
    std::ostringstream out;
    writeJson(out, report);
    return QString::fromStdString(out.str());
}

AnalysisOptions firstLook() {
    AnalysisOptions options;
    options.choice = AnalysisChoice::progressOnly();
    return options;
}

/// All ranks finish, and disagree on the root of a broadcast: an error in using MPI, which joins the verdict.
TracePtr finishedWithMisuse() {
    TraceBuilder builder(3);
    for (Rank rank = 0; rank < 3; ++rank)
        builder.collectiveCall(rank, 1, 5, CollectiveOperation::Bcast, 0, 0)
            .collectiveCall(rank, 6, 9, CollectiveOperation::Bcast, 0, rank == 2 ? 2 : 0);
    auto trace = std::const_pointer_cast<Trace>(builder.finish(100));
    trace->tellsOpenCalls = true;
    trace->format = "recording";
    return trace;
}

TracePtr example(const char *name) { return openTrace(std::string(LAGGARD_EXAMPLES) + '/' + name, {}, {}); }

} // namespace

/// There is one way to a whole report, whether its steps are taken at once or one by one, as the window does.
class TestAnalyse : public QObject {
    Q_OBJECT
  private slots:
    void stepByStepIsTheWhole_data() {
        QTest::addColumn<TracePtr>("trace");
        QTest::newRow("a hung job") << example("hung-stencil-recorded");
        QTest::newRow("a hung job in OTF2") << example("hung-stencil/traces.otf2");
        QTest::newRow("an error in using MPI") << finishedWithMisuse();
    }

    void stepByStepIsTheWhole() {
        QFETCH(TracePtr, trace);
        const ReportPtr first = analyse(trace, firstLook(), {});
        const QString whole = jsonOf(*analyse(trace, {}, {}));
        const ReportPtr further = analyseFurther(*first, {}, {});
        QCOMPARE(jsonOf(*further), whole);
        // … and whoever asks once more gets the same, nothing twice.
        QCOMPARE(jsonOf(*analyseFurther(*further, {}, {})), whole);
    }

    void misuseIsSaidOnce() {
        const ReportPtr report = analyseFurther(*analyse(finishedWithMisuse(), firstLook(), {}), {}, {});
        QCOMPARE(report->misuse.size(), std::size_t{1});
        const QString summary = QString::fromStdString(report->verdict.summary);
        QVERIFY2(summary.count("disagree on the root") == 1, qPrintable("the disagreement is told once: " + summary));
    }

    void anotherMomentKeepsOfTheReportOnlyTheTrace() {
        const ReportPtr report = analyse(example("hung-stencil-recorded"), {}, {});
        const TimeRange range = report->trace->readRange();
        const Tick middle = range.begin + range.length() / 2;
        QCOMPARE(jsonOf(*analyseMoment(*report, middle, {})),
                 jsonOf(*analyseMoment(*analyse(report->trace, firstLook(), {}), middle, {})));
        QVERIFY2(analyseMoment(*report, middle, {})->misuse.empty(), "errors in using MPI are told of the end alone");
    }

    void cancelledAnalysesThrow() {
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(analyse(example("hung-stencil-recorded"), {}, {source.get_token(), {}, 1})),
                                 Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestAnalyse)
#include "tst_analyse.moc"
