// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/SliceSections.h"
#include "ingest/slice/SliceReader.h"
#include "tests/support/FakeSlicer.h"
#include "tests/support/TraceBuilder.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <sstream>

using namespace laggard;

namespace {

const Trace &trace() {
    static const TracePtr made = test::TraceBuilder(16).finish(1);
    return *made;
}

ReportSlice report(std::size_t steps = 8) {
    Slice slice = readSlice(test::stencilSlice);
    slice.lines[0].code = "while (!(err < 1e-10)) {";
    ReportSlice made;
    made.slice = std::make_shared<Slice>(slice);
    made.ranks = {3};
    made.at = {{"compute_flux", "/x/stencil.c", 41}, {"main", "", 0}};
    made.steps = steps;
    return made;
}

QString textOf(const ReportSlice &slice) {
    std::ostringstream out;
    writeSlice(out, trace(), slice);
    return QString::fromStdString(out.str());
}

} // namespace

class TestSliceSections : public QObject {
    Q_OBJECT
  private slots:
    void textHasTheFirstSteps() {
        const QString text = textOf(report(2));
        QCOMPARE(text, "How it came to that\n"
                       "  Lines that made it stop, nearest first: rank 3, in compute_flux (stencil.c:41).\n"
                       "    1. stencil.c:45: while (!(err < 1e-10)) {\n"
                       "       criterion: the loop goes on while `err` is not below 1e-10\n"
                       "    2. stencil.c:46\n"
                       "       data: `err` is set from `nw` and `w`\n"
                       "  … and 3 more steps (all of them: --json, or --slice 5)\n\n");
    }

    void textSaysWhereItGoesOverAMessage() {
        QVERIFY2(textOf(report()).contains("on rank 0, message: `inflow` was received"), qPrintable(textOf(report())));
    }

    void textSaysWhatIsMissing() {
        ReportSlice none;
        none.problem = "The source \"a.c\" was not found on this machine.";
        QCOMPARE(textOf(none), "How it came to that\n  The source \"a.c\" was not found on this machine.\n\n");
        ReportSlice late = report();
        auto slice = std::make_shared<Slice>(*late.slice);
        slice->truncated = true;
        slice->warnings = {"stencil.c is newer than the program."};
        late.slice = slice;
        QVERIFY(textOf(late).contains("no time for the whole slice") && textOf(late).contains("stencil.c is newer"));
        slice->lines.clear();
        QVERIFY(textOf(late).contains("Nothing in the program decides it."));
    }

    void namesGiveTerminalsNoOrders() {
        ReportSlice hostile = report();
        auto slice = std::make_shared<Slice>(*hostile.slice);
        slice->lines[0].code = "\x1b]0;owned\a x";
        slice->lines[1].detail = "\x1b[31m<script>alert(1)</script>";
        hostile.slice = slice;
        QVERIFY(!textOf(hostile).contains('\x1b'));
        std::ostringstream page;
        writeHtmlSlice(page, trace(), hostile);
        QVERIFY(page.str().find("<script>") == std::string::npos && page.str().find('\x1b') == std::string::npos);
    }

    void jsonIsReadAgain() {
        const nlohmann::ordered_json json = sliceJson(trace(), *report().slice);
        const Slice again = readSlice(json.dump());
        QVERIFY(again == *report().slice);
        nlohmann::ordered_json document;
        addSliceSection(document, trace(), report());
        QCOMPARE(document["slice"]["ranks"].get<std::string>(), std::string("3"));
        QCOMPARE(document["slice"]["stack"][0]["line"].get<int>(), 41);
        QVERIFY(!document["slice"]["stack"][1].contains("file"));
        nlohmann::ordered_json without = nlohmann::ordered_json::object();
        addSliceSection(without, trace(), {});
        QVERIFY2(without.empty(), "absent sections are left out");
    }

    void pageHasTheSteps() {
        std::ostringstream page;
        writeHtmlSlice(page, trace(), report());
        const QString html = QString::fromStdString(page.str());
        QCOMPARE(html.count("<tr>"), 6);
        QVERIFY(html.contains("while (!(err &lt; 1e-10)) {") && html.contains("rank 0"));
    }
};

QTEST_APPLESS_MAIN(TestSliceSections)
#include "tst_slicesections.moc"
