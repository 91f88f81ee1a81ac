// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/SourceView.h"
#include "views/theme/Contrast.h"

#include "tests/support/KeptPicture.h"
#include "tests/views/panels/HungReport.h"
#include "tests/views/panels/Palettes.h"
#include "views/selection/SelectionModel.h"
#include "views/source/FindBar.h"
#include "views/source/NotFoundPage.h"
#include "views/source/PathMapDialog.h"
#include "views/source/SourceColours.h"
#include "views/source/SourceEditor.h"
#include "views/theme/Tone.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using test::drawKept;
using test::HungReport;

namespace {

/// A view on a report whose sources lie beside the trace.
struct Shown {
    QTemporaryDir dir;
    HungReport report;
    SelectionModel selection;
    SourceView view{selection};

    explicit Shown(const QByteArray &source = defaultSource()) {
        write(dir.filePath("stencil.c"), source);
        report.trace->path = dir.filePath("traces.otf2").toStdString();
        view.setReport(report.trace, report.waits, report.progress);
    }
    static QByteArray defaultSource() {
        QByteArray source;
        for (int line = 1; line <= 80; ++line)
            source += "int line" + QByteArray::number(line) + "; /* comment */\n";
        return source;
    }
    static void write(const QString &path, const QByteArray &bytes) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    void select(CallPathId path) {
        Selection state;
        state.callPath = path;
        selection.select(state);
    }
    void selectStep(std::uint32_t step) {
        Selection state;
        state.step = step;
        selection.select(state);
    }
    [[nodiscard]] bool showsText() const { return !view.editor()->isHidden(); }
};

SlicePtr sliceOf(const std::vector<std::pair<std::string, std::uint32_t>> &places) {
    auto slice = std::make_shared<Slice>();
    for (const auto &[file, line] : places) {
        SliceLine each;
        each.file = file;
        each.line = line;
        slice->lines.push_back(each);
    }
    return slice;
}

} // namespace

class TestSourceView : public QObject {
    Q_OBJECT
  private slots:
    void showsTheLineOfTheState() {
        Shown shown;
        shown.select(shown.report.flux);
        QVERIFY(shown.showsText());
        QCOMPARE(shown.view.shownFile(), shown.dir.filePath("stencil.c"));
        QCOMPARE(shown.view.editor()->currentLine(), 41);
        QVERIFY(shown.view.editor()->isReadOnly());
        QCOMPARE(sourceLanguage(shown.view.shownFile()), SourceLanguage::Cpp);
    }

    /// A panel gets its size when the line is marked already, and another one with each layout.
    void theMarkedLineStaysInSight() {
        Shown shown;
        SourceEditor *editor = shown.view.editor();
        const auto isInSight = [editor] {
            const int above = editor->currentLine() - 1 - editor->firstVisibleLine();
            return above >= 0 && above < editor->SendScintilla(QsciScintilla::SCI_LINESONSCREEN);
        };
        shown.view.resize(500, 700);
        shown.view.show();
        shown.select(shown.report.flux);
        QVERIFY2(isInSight(), "in a high panel");
        shown.view.resize(500, 240);
        QApplication::processEvents();
        QVERIFY2(isInSight(), "in a low one");
        shown.view.resize(500, 900);
        shown.view.resize(500, 300);
        QApplication::processEvents();
        QVERIFY2(isInSight(), "after it was higher than the file");
        editor->setFirstVisibleLine(2);
        shown.view.resize(500, 260);
        QApplication::processEvents();
        QCOMPARE(editor->firstVisibleLine(), 2); // where the user looks
    }

    void startsAtTheInnermostFrameWithASource() {
        Shown shown;
        shown.select(shown.report.allreduce);
        QCOMPARE(shown.view.frames().size(), std::size_t{4});
        QCOMPARE(shown.view.frame(), 1);
        QCOMPARE(shown.view.editor()->currentLine(), 56);
        shown.view.setFrame(2);
        QCOMPARE(shown.view.editor()->currentLine(), 60);
        shown.view.setFrame(0);
        QVERIFY(!shown.showsText());
        QVERIFY2(shown.view.notFoundPage()->text().contains("does not say where MPI_Allreduce is"),
                 qPrintable(shown.view.notFoundPage()->text()));
        QVERIFY2(shown.view.notFoundPage()->text().contains("choose it above"), "its callers have sources");
        shown.view.setFrame(17);
        QCOMPARE(shown.view.frame(), 0);
    }

    void noCallerIsOfferedWhereNoneHasASource() {
        Shown shown;
        for (Region &region : shown.report.trace->regions)
            region.file.clear();
        shown.view.setReport(shown.report.trace, shown.report.waits, shown.report.progress);
        shown.select(shown.report.allreduce);
        QVERIFY2(!shown.view.notFoundPage()->text().contains("caller"), qPrintable(shown.view.notFoundPage()->text()));
    }

    void whatASelectionStandsFor_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("innermost");
        QTest::newRow("nothing") << 0 << "";
        QTest::newRow("rank") << 1 << "compute_flux";
        QTest::newRow("node") << 2 << "MPI_Allreduce";
        QTest::newRow("function") << 3 << "residual";
        QTest::newRow("call path") << 4 << "compute_flux";
        QTest::newRow("another call path of a node's rank") << 7 << "compute_flux";
        QTest::newRow("node that the graph does not have") << 5 << "";
        QTest::newRow("rank that the trace does not have") << 6 << "";
    }
    void whatASelectionStandsFor() {
        QFETCH(int, which);
        const HungReport report;
        Selection selection;
        if (which == 1)
            selection.ranks = {3};
        if (which == 2)
            selection.node = 0;
        if (which == 3)
            selection.region = report.region("residual");
        if (which == 7)
            selection.node = 0;
        if (which == 4 || which == 7)
            selection.callPath = report.flux;
        if (which == 5)
            selection.node = 99;
        if (which == 6)
            selection.ranks = {99};
        const std::vector<Frame> frames = framesOfSelection(selection, *report.trace, report.waits.get(), report.progress.get());
        QTEST(frames.empty() ? QString() : QString::fromStdString(frames[0].function), "innermost");
    }

    void saysWhatIsKnownWhenNotFound() {
        Shown shown;
        QFile::remove(shown.dir.filePath("stencil.c"));
        shown.select(shown.report.flux);
        QVERIFY(!shown.showsText());
        const QString text = shown.view.notFoundPage()->text();
        for (const QString &part : {QString("Source not found"), QString("compute_flux"), QString("/build/stencil/stencil.c"),
                                    QString("Line: 41"), shown.dir.filePath("stencil.c")})
            QVERIFY2(text.contains(part), qPrintable("expected \"" + part + "\" in\n" + text));
    }

    void locatingAFileFindsIt() {
        Shown shown;
        const QTemporaryDir elsewhere;
        QFile::rename(shown.dir.filePath("stencil.c"), elsewhere.filePath("stencil.c"));
        shown.select(shown.report.flux);
        QVERIFY(!shown.showsText());
        QSignalSpy spy(&shown.view, &SourceView::pathMapChanged);
        shown.view.locate(elsewhere.filePath("stencil.c"));
        QVERIFY(shown.showsText());
        QCOMPARE(shown.view.shownFile(), elsewhere.filePath("stencil.c"));
        QCOMPARE(spy.size(), 1);
        QCOMPARE(shown.view.pathMap().rules().front().from, QString("/build/stencil"));
    }

    void editsTheMapByKeyboard() {
        PathMap map;
        map.addFolder("/src");
        PathMapDialog dialog(map, "/build/x/a.c");
        QVERIFY2(dialog.result().rules().empty(), "a rule without a goal does not count");
        for (QPushButton *button : dialog.findChildren<QPushButton *>())
            if (button->text() == "R&emove folder")
                button->setEnabled(true);
        QCOMPARE(dialog.result().folders(), QStringList("/src"));
    }

    void readsLatin1() {
        Shown shown(QByteArray("/* gr\xf6\xdf"
                               "e */\n")
                        .repeated(50));
        shown.select(shown.report.flux);
        QVERIFY(shown.showsText());
        QVERIFY(shown.view.editor()->text(0).contains(QString::fromUtf8("größe")));
    }

    void lineBeyondTheFile() {
        Shown shown("int x;\n");
        shown.select(shown.report.flux);
        QVERIFY(shown.showsText());
        QCOMPARE(shown.view.editor()->currentLine(), 0);
    }

    void finds() {
        Shown shown;
        shown.select(shown.report.flux);
        shown.view.show();
        QVERIFY(QTest::qWaitForWindowActive(&shown.view));
        shown.view.editor()->setFocus();
        QTest::keyClick(shown.view.editor(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY2(!shown.view.findBar()->isHidden(), "Ctrl+F opens the search line");
        QTest::keyClicks(shown.view.findBar()->line(), "line50");
        int line = 0;
        int column = 0;
        shown.view.editor()->getSelection(&line, &column, &line, &column);
        QCOMPARE(line + 1, 50);
        QCOMPARE(shown.view.editor()->selectedText(), QString("line50"));
        QTest::keyClick(shown.view.findBar()->line(), Qt::Key_Escape);
        QVERIFY(shown.view.findBar()->isHidden());
    }

    void marksTheLinesOfASlice() {
        Shown shown;
        shown.select(shown.report.flux);
        shown.view.setSlice(sliceOf({{"/build/stencil/stencil.c", 38}, {"other.c", 2}, {"stencil.c", 45}}));
        QVERIFY2(shown.view.editor()->markedLines() == std::vector<int>({38, 45}),
                 "however the compiler names the file, its lines are marked");
        QVERIFY2(!shown.view.editor()->isDimmed(10), "nothing is dimmed while no step is shown");
        shown.view.setSlice(nullptr);
        QVERIFY(shown.view.editor()->markedLines().empty());
    }

    void showsTheSelectedStep() {
        Shown shown;
        shown.write(shown.dir.filePath("other.c"), "int a;\nint b;\n");
        shown.select(shown.report.flux);
        shown.view.setSlice(sliceOf({{"stencil.c", 38}, {"other.c", 2}}));
        shown.selectStep(0);
        QCOMPARE(shown.view.editor()->currentLine(), 38);
        QVERIFY(shown.view.editor()->isDimmed(10));
        QVERIFY2(!shown.view.editor()->isDimmed(38), "lines of the slice are not dimmed");
        shown.selectStep(1);
        QCOMPARE(shown.view.shownFile(), shown.dir.filePath("other.c"));
        QCOMPARE(shown.view.editor()->currentLine(), 2);
        shown.view.setDimming(false);
        QVERIFY(!shown.view.editor()->isDimmed(1));
        shown.view.setDimming(true);
        QVERIFY(shown.view.editor()->isDimmed(1));
        shown.selection.goBack();
        QCOMPARE(shown.view.editor()->currentLine(), 38);
        shown.selection.goBack();
        QCOMPARE(shown.view.editor()->currentLine(), 41);
        QVERIFY(!shown.view.editor()->isDimmed(10));
        shown.selectStep(99);
        QVERIFY2(!shown.showsText(), "a step that the slice does not have is no place");
    }

    void coloursAreReadable_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << test::lightPalette();
        QTest::newRow("dark") << test::darkPalette();
    }
    void coloursAreReadable() {
        QFETCH(QPalette, palette);
        const SourceColours colours = sourceColours(palette);
        for (const QColor &ink :
             {colours.text, colours.keyword, colours.comment, colours.string, colours.number, colours.preprocessor})
            for (const QColor &ground : {colours.paper, colours.currentLine, colours.sliceLine})
                QVERIFY2(contrastRatio(ink, ground) >= 4.5,
                         qPrintable(QString("%1 on %2 has %3:1").arg(ink.name(), ground.name()).arg(contrastRatio(ink, ground))));
        QVERIFY(contrastRatio(colours.lineNumber, colours.margin) >= 4.5);
        QVERIFY2(contrastRatio(colours.dimmed, colours.paper) >= 4.5, "what is dimmed can still be read");
    }

    void draws_data() { coloursAreReadable_data(); }
    void draws() {
        QFETCH(QPalette, palette);
        QApplication::setStyle("Fusion");
        QApplication::setPalette(palette);
        QFile example(LAGGARD_EXAMPLES "/hung-stencil/stencil.c");
        QVERIFY(example.open(QIODevice::ReadOnly));
        Shown shown(example.readAll());
        shown.select(shown.report.flux);
        shown.view.setSlice(sliceOf({{"stencil.c", 45}, {"stencil.c", 46}, {"stencil.c", 43}}));
        drawKept(shown.view, "source", QSize(640, 420));
        shown.selectStep(1);
        drawKept(shown.view, "source-step", QSize(640, 420));
        QFile::remove(shown.dir.filePath("stencil.c"));
        shown.select(shown.report.allreduce);
        drawKept(shown.view, "source-not-found", QSize(640, 420));
        PathMapDialog dialog(shown.view.pathMap(), "/build/stencil/stencil.c");
        drawKept(dialog, "path-map", QSize(640, 420));
    }

    void languages_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("language");
        QTest::newRow("C") << "a.c" << int(SourceLanguage::Cpp);
        QTest::newRow("header") << "a.hpp" << int(SourceLanguage::Cpp);
        QTest::newRow("C++, old") << "a.C" << int(SourceLanguage::Cpp);
        QTest::newRow("free form") << "a.F90" << int(SourceLanguage::FreeFortran);
        QTest::newRow("fixed form") << "a.f" << int(SourceLanguage::FixedFortran);
        QTest::newRow("other") << "README" << int(SourceLanguage::None);
    }
    void languages() {
        QFETCH(QString, file);
        QTEST(int(sourceLanguage(file)), "language");
    }
};

QTEST_MAIN(TestSourceView)
#include "tst_sourceview.moc"
