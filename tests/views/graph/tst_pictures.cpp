// SPDX-License-Identifier: GPL-3.0-or-later
#include "GraphvizReader.h"
#include "PdfText.h"
#include "SampleGraphs.h"
#include "analysis/progress/ReducedEdges.h"

#include "views/graph/DotText.h"
#include "views/graph/ExportPicture.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/LayoutProcess.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <set>

using namespace laggard;
using namespace laggard::test;

namespace {

GraphScene sceneOf(const ProgressGraph &graph) {
    GraphPicture picture = makePdgPicture(graph, sampleContext());
    const GraphLayout layout = layOut(layoutRequest(picture));
    return makeScene(std::move(picture), layout);
}

/// All character data, or an error message after "not XML".
QString textOfXml(const QByteArray &xml) {
    QXmlStreamReader reader(xml);
    QString text;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::Characters)
            text += reader.text().toString() + QLatin1Char('\n');
    }
    return reader.hasError() ? "not XML: " + reader.errorString() : text;
}

std::size_t coloursOf(const QImage &image) {
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 2) {
        for (int x = 0; x < image.width(); x += 2)
            colours.insert(image.pixel(x, y));
    }
    return colours.size();
}

QByteArray read(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void addGraphs() {
    QTest::addColumn<ProgressGraph>("graph");
    QTest::newRow("hung stencil") << hungStencil();
    QTest::newRow("buffered writer") << bufferedWriter();
    QTest::newRow("every kind") << everyKind();
    QTest::newRow("awkward names") << awkwardNames();
    QTest::newRow("nothing") << ProgressGraph();
}

} // namespace

class tst_Pictures : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { qputenv("LAGGARD_LAYOUT", LAGGARD_LAYOUT_PROGRAM); }

    void svg_data() { addGraphs(); }
    void svg() {
        QFETCH(ProgressGraph, graph);
        const GraphScene scene = sceneOf(graph);
        const QByteArray content = renderPicture(scene, PictureFormat::Svg);
        const QString text = textOfXml(content);
        QVERIFY2(!text.startsWith("not XML"), qPrintable(text));
        QVERIFY(text.contains("Progress dependence") && text.contains("hung-stencil/traces.otf2"));
        const QString joined = QString(text).remove('\n'); // letters of another font begin a new element
        for (const SceneNode &node : scene.nodes) {
            for (const SceneText &line : node.texts)
                QVERIFY2(joined.contains(line.text.text), qPrintable("not in the SVG: " + line.text.text));
        }
        for (const SceneLegendEntry &entry : scene.legend)
            QVERIFY2(text.contains(entry.text.text.text), qPrintable("not in the legend: " + entry.text.text.text));
        QSvgRenderer renderer(content);
        QVERIFY2(renderer.isValid(), "Qt can draw the SVG again");
        QCOMPARE(renderer.viewBoxF(), scene.bounds);
    }

    void png_data() { addGraphs(); }
    void png() {
        QFETCH(ProgressGraph, graph);
        const GraphScene scene = sceneOf(graph);
        for (const GraphTheme &theme : {GraphTheme::light(), GraphTheme::dark()}) {
            const QImage image = QImage::fromData(renderPicture(scene, PictureFormat::Png, theme), "PNG");
            QCOMPARE(image.size(), scene.bounds.size().toSize() * 2);
            QCOMPARE(image.pixelColor(0, 0), theme.background);
            QVERIFY2(coloursOf(image) > 10, "the picture is not blank");
        }
    }

    void pdf() {
        const QByteArray content = renderPicture(sceneOf(bufferedWriter()), PictureFormat::Pdf);
        QVERIFY(content.startsWith("%PDF-") && content.trimmed().endsWith("%%EOF"));
        QCOMPARE(content.count("/Type /Page\n"), 1);
    }

    void pdfLettersAreAsLargeAsMeant() {
        const QList<double> sizes = pdfTextSizes(renderPicture(sceneOf(bufferedWriter()), PictureFormat::Pdf));
        const std::set<long> found = [&] {
            std::set<long> tenths;
            for (const double size : sizes)
                tenths.insert(std::lround(size * 10));
            return tenths;
        }();
        // What the roles' fonts have in pixels, at 96 pixels and 72 points an inch.
        std::set<long> meant;
        for (int role = 0; role <= static_cast<int>(TextRole::Legend); ++role)
            meant.insert(std::lround(fontOf(static_cast<TextRole>(role)).pixelSize() * 7.5));
        QVERIFY2(!found.empty(), "no text was found in the PDF");
        for (const long tenths : found)
            QVERIFY2(meant.count(tenths) != 0, qPrintable(QString("letters of %1 points").arg(tenths / 10.0)));
        QVERIFY2(found.count(std::lround(fontOf(TextRole::Title).pixelSize() * 7.5)) != 0, "the title has its size");
    }

    void namesOfAnyLengthAreDrawn_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("one word") << QString(200'000, 'x');
        QTest::newRow("brackets") << QString("f<a(").repeated(50'000);
        QTest::newRow("paired brackets") << "f" + QString("<(").repeated(50'000) + QString(")>").repeated(50'000);
        QTest::newRow("scopes") << QString("a::").repeated(60'000) + "f(int)";
        QTest::newRow("no width") << QString(QChar(0x0301)).repeated(200'000);
    }
    void namesOfAnyLengthAreDrawn() {
        QFETCH(QString, name);
        ProgressGraph graph = hungStencil();
        for (ProgressNode &node : graph.nodes)
            node.stack.front().function = name.toStdString();
        graph.why = "They are in " + name.toStdString() + ".";
        const GraphScene scene = sceneOf(graph);
        QVERIFY2(scene.bounds.width() < 3000, qPrintable(QString("%1 pixels wide").arg(scene.bounds.width())));
        for (const SceneNode &node : scene.nodes)
            for (const SceneText &line : node.texts)
                QVERIFY2(line.text.text.size() < 1000, "a node holds what can be read");
        QVERIFY2(scene.picture.nodes[1].fullText.contains(name), "the list and the tooltip have all of it");
    }

    void dot_data() {
        addGraphs();
        QTest::newRow("50 nodes") << randomGraph(50, 1.3, 7);
    }
    void dot() {
        QFETCH(ProgressGraph, graph);
        const GraphPicture picture = makePdgPicture(graph, sampleContext());
        const QJsonObject read = readByGraphviz(dotText(picture));
        QVERIFY2(!read.contains("problem"), qPrintable(read["problem"].toString()));
        const QJsonObject nodes = read["nodes"].toObject();
        for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
            QStringList lines;
            for (const TextRow &row : picture.nodes[i].rows) {
                QString line;
                for (const PictureText &piece : row)
                    line += piece.text;
                lines << line.replace(QChar::Nbsp, ' ');
            }
            QCOMPARE(drawnText(nodes["n" + QString::number(i)].toArray()[0].toString()), lines.join('\n'));
        }
        QCOMPARE(nodes.size(), qsizetype(graph.nodes.size()) + (picture.legend.empty() ? 0 : 1));
        QCOMPARE(read["edges"].toArray().size(), qsizetype(essentialEdges(graph).size()));
    }

    /// What a trace calls its functions must not end a label, the file or a line of a terminal.
    void dotOfHostileNames_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("shown");
        QTest::newRow("a quote") << QByteArray("a\"]; evil [label=\"b") << "a\"]; evil [label=\"b";
        QTest::newRow("a backslash at the end") << QByteArray("a\\") << "a\\";
        QTest::newRow("two") << QByteArray("a\\\\") << "a\\\\";
        QTest::newRow("a sequence") << QByteArray("a\\nb\\Gc") << "a\\nb\\Gc";
        QTest::newRow("an entity") << QByteArray("a&lt;b&#10;") << "a&lt;b&#10;";
        QTest::newRow("HTML") << QByteArray("<b>a</b>") << "<b>a</b>";
        QTest::newRow("a comment") << QByteArray("a*/ b // c # d") << "a*/ b // c # d";
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << "a\uFFFDb";
        QTest::newRow("ESC") << QByteArray("a\x1b[2Jb") << "a\uFFFD[2Jb";
        QTest::newRow("line ends") << QByteArray("a\r\nb") << "a  b";
        QTest::newRow("C1") << QByteArray("a\xc2\x9bz") << "a\uFFFDz";
        QTest::newRow("bidirectional") << QByteArray("a\u202Eb") << "a\uFFFDb";
        QTest::newRow("no UTF-8") << QByteArray("a\xff\xc0\x80") << "a\uFFFD\uFFFD\uFFFD";
        QTest::newRow("half a pair") << QByteArray("a\xed\xa0\x80") << "a\uFFFD\uFFFD\uFFFD";
    }
    void dotOfHostileNames() {
        QFETCH(QByteArray, name);
        QFETCH(QString, shown);
        ProgressGraph graph = hungStencil();
        for (ProgressNode &node : graph.nodes)
            node.stack = {{name.toStdString(), name.toStdString(), 1}};
        graph.why = name.toStdString();
        for (ProgressEdge &edge : graph.edges)
            edge.evidence = name.toStdString();
        PictureContext context = sampleContext();
        context.source = showable(name.toStdString());
        const QByteArray dot = dotText(makePdgPicture(graph, context));
        const QJsonObject read = readByGraphviz(dot);
        QVERIFY2(!read.contains("problem"), qPrintable(read["problem"].toString() + QString::fromUtf8(dot)));
        const QJsonArray node = read["nodes"].toObject()["n0"].toArray();
        QVERIFY2(drawnText(node[1].toString()).contains(shown), qPrintable(node[1].toString()));
        QVERIFY2(drawnText(read["label"].toString()).contains(shown), qPrintable(read["label"].toString()));
        QCOMPARE(drawnText(read["edges"].toArray()[0].toArray()[1].toString()), shown);
    }

    void filesAreWritten_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("beginning");
        QTest::newRow("svg") << "a.svg" << QByteArray("<?xml");
        QTest::newRow("png") << "a.png" << QByteArray("\x89PNG");
        QTest::newRow("pdf") << "a.pdf" << QByteArray("%PDF");
        QTest::newRow("dot") << "a.dot" << QByteArray("digraph");
        QTest::newRow("capitals") << "A.B.SVG" << QByteArray("<?xml");
    }
    void filesAreWritten() {
        QFETCH(QString, name);
        QFETCH(QByteArray, beginning);
        QTemporaryDir dir;
        exportPicture(sceneOf(hungStencil()), dir.filePath(name).toStdString());
        QVERIFY(read(dir.filePath(name)).startsWith(beginning));
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files).size(), 1);
    }

    void refusals_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        QTest::newRow("unknown ending") << "a.jpeg"
                                        << ".svg, .png, .pdf or .dot";
        QTest::newRow("no ending") << "picture"
                                   << ".svg, .png, .pdf or .dot";
        QTest::newRow("ending of the folder") << "x.svg/picture"
                                              << ".svg, .png, .pdf or .dot";
        QTest::newRow("no such folder") << "none/a.svg"
                                        << "could not be written";
        QTest::newRow("a folder") << "folder.svg"
                                  << "could not be written";
    }
    void refusals() {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QTemporaryDir dir;
        QVERIFY(QDir(dir.path()).mkdir("folder.svg"));
        try {
            exportPicture(sceneOf(hungStencil()), dir.filePath(name).toStdString());
            QFAIL("this must not work");
        } catch (const PictureError &error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(expected), error.what());
            QVERIFY2(QString::fromUtf8(error.what()).contains(name), "the sentence names the file");
        }
        QVERIFY2(QDir(dir.path()).entryList(QDir::Files).isEmpty(), "nothing is left behind");
    }

    void tooLargeForPngIsSaid() {
        GraphScene scene = sceneOf(hungStencil());
        scene.bounds.setHeight(50'000);
        QVERIFY_EXCEPTION_THROWN((void)renderPicture(scene, PictureFormat::Png), PictureError);
        QVERIFY2(renderPicture(scene, PictureFormat::Pdf).startsWith("%PDF"), "PDF shrinks to the largest page there is");
    }

    void emphasisChangesThePicture() {
        const GraphScene scene = sceneOf(everyKind());
        const auto paint = [&](const GraphEmphasis &emphasis) {
            QImage image(scene.bounds.size().toSize(), QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintGraph(painter, scene, GraphTheme::light(), emphasis);
            return image;
        };
        const QImage plain = paint({});
        GraphEmphasis emphasis;
        emphasis.selectedNodes = {1};
        QVERIFY(paint(emphasis) != plain);
        emphasis = {};
        emphasis.selectedEdge = 0;
        QVERIFY(paint(emphasis) != plain);
        emphasis = {};
        emphasis.hoveredNode = 1;
        QVERIFY(paint(emphasis) != plain);
        emphasis = {};
        emphasis.texts = false;
        QVERIFY(paint(emphasis) != plain);
    }
};

QTEST_MAIN(tst_Pictures)
#include "tst_pictures.moc"
