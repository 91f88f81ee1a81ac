// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/slice/SliceReader.h"
#include "tests/support/Mutation.h"
#include "trace/Work.h"

#include <QTest>
#include <random>

using namespace laggard;

namespace {

const std::string answer = R"({"schema": "laggard.slice/1", "lines": [
  {"file": "stencil.c", "line": 44, "distance": 1, "why": "data", "variable": "w", "step": 2, "function": "compute_flux",
   "detail": "`w` is set here", "ranks": "3", "code": "double w = v, err = 1.0;"},
  {"file": "stencil.c", "line": 45, "distance": 0, "why": "criterion", "variable": "err", "step": 1, "function": "compute_flux"},
  {"file": "stencil.c", "line": 21, "distance": 4, "why": "message", "variable": "inflow", "step": 3, "ranks": "0-2,4-15",
   "detail": null}],
 "truncated": true, "warnings": ["stencil.c is newer than the program."]})";

QString complaintOf(const std::string &json) {
    try {
        static_cast<void>(readSlice(json));
        return {};
    } catch (const ReadError &error) {
        return QString::fromUtf8(error.what());
    }
}

/// The answer with one piece of it replaced.
std::string with(const std::string &piece, const std::string &other) {
    std::string text = answer;
    return text.replace(text.find(piece), piece.size(), other);
}

} // namespace

class TestSliceReader : public QObject {
    Q_OBJECT
  private slots:
    void readsLinesInOrderOfSteps() {
        const Slice slice = readSlice(answer);
        QCOMPARE(slice.lines.size(), std::size_t{3});
        QCOMPARE(slice.lines[0].line, 45U);
        QCOMPARE(slice.lines[1].line, 44U);
        QVERIFY(slice.lines[0].reason == SliceReason::Criterion);
        QVERIFY(slice.lines[1].reason == SliceReason::Data);
        QCOMPARE(slice.lines[1].distance, 1U);
        QCOMPARE(QString::fromStdString(slice.lines[1].variable), "w");
        QCOMPARE(QString::fromStdString(slice.lines[1].function), "compute_flux");
        QCOMPARE(QString::fromStdString(slice.lines[1].detail), "`w` is set here");
        QCOMPARE(QString::fromStdString(slice.lines[1].code), "double w = v, err = 1.0;");
        QVERIFY(slice.lines[0].ranks.empty());
        QVERIFY(slice.lines[2].ranks == (RankRanges{{0, 2}, {4, 15}}));
        QVERIFY(slice.truncated);
        QCOMPARE(slice.warnings.size(), std::size_t{1});
    }

    void anEmptySliceIsOne() {
        const Slice slice =
            readSlice(R"({"schema":"laggard.slice/1","lines":[],"truncated":false,"warnings":[],"more":{"a":1}})");
        QVERIFY(slice.lines.empty() && !slice.truncated);
    }

    void whatIsNoSliceIsSaid_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const std::string &json, const char *expected) {
            QTest::newRow(name) << QString::fromStdString(json) << expected;
        };
        row("nothing", "", "not valid JSON");
        row("another program", "Hello\n", "slicer");
        row("a report", R"({"schema":"laggard.report/1","lines":[],"truncated":false})", "its schema is not");
        row("no schema", R"({"lines":[],"truncated":false})", "its schema is not");
        row("killed while it wrote", answer.substr(0, answer.size() / 2), "slicer");
        row("no end", R"({"schema":"laggard.slice/1","lines":[]})", "no \"truncated\"");
        row("no lines", R"({"schema":"laggard.slice/1","truncated":false})", "no \"lines\"");
        row("lines are a number", R"({"schema":"laggard.slice/1","lines":7,"truncated":false})", "an array was expected");
        row("a line is a word", R"({"schema":"laggard.slice/1","lines":["x"],"truncated":false})", "an object was expected");
        row("line 0", with("\"line\": 44", "\"line\": 0"), "no place");
        row("line beyond all files", with("\"line\": 44", "\"line\": 99999999999"), "too large");
        row("line with a sign", with("\"line\": 44", "\"line\": -4"), "a number without sign");
        row("no file", with("\"file\": \"stencil.c\", \"line\": 44", "\"line\": 44"), "no place");
        row("no reason", with("\"why\": \"data\",", ""), "no reason");
        row("another reason", with("\"why\": \"data\"", "\"why\": \"magic\""), "not one of the reasons");
        row("no step", with("\"step\": 2, ", ""), "no step");
        row("two steps alike", with("\"step\": 2", "\"step\": 3"), "two steps 3");
        row("ranks are words", with("\"ranks\": \"3\"", "\"ranks\": \"all\""), "not a list of ranks");
        row("ranks fall", with("\"0-2,4-15\"", "\"4-2\""), "rising order");
        row("text is a list", with("\"`w` is set here\"", "[]"), "a string was expected");
    }
    void whatIsNoSliceIsSaid() {
        QFETCH(QString, json);
        QFETCH(QString, expected);
        const QString complaint = complaintOf(json.toStdString());
        QVERIFY2(complaint.contains(expected), qPrintable("expected \"" + expected + "\" in: " + complaint));
        QVERIFY2(complaint.startsWith("The answer of the slicer"), qPrintable(complaint));
        QVERIFY2(!complaint.contains('\n'), "it is one sentence");
    }

    void damageIsSliceOrSentence() {
        std::mt19937 random(20);
        int sentences = 0;
        for (int i = 0; i < 3000; ++i) {
            const test::Mutation damaged = test::mutated(answer, random);
            try {
                for (const SliceLine &line : readSlice(damaged.bytes).lines)
                    QVERIFY2(line.line != 0 && !line.file.empty(), damaged.description.c_str());
            } catch (const ReadError &error) {
                ++sentences;
                QVERIFY2(QByteArray(error.what()).size() > 20, damaged.description.c_str());
            }
        }
        QVERIFY2(sentences > 1000, "most damage shows");
    }
};

QTEST_APPLESS_MAIN(TestSliceReader)
#include "tst_slicereader.moc"
