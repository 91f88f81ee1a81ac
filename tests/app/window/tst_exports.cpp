// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Exports.h"

#include "tests/app/window/WindowFixture.h"
#include "tests/views/graph/PdfText.h"
#include "views/graph/ExportPicture.h"

#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QXmlStreamReader>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
}

bool isBlank(const QImage &image) {
    const QRgb first = image.pixel(0, 0);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != first)
                return false;
    return true;
}

QString wrongWithSvg(const QByteArray &bytes) {
    QXmlStreamReader xml(bytes);
    if (!xml.readNextStartElement() || xml.name() != QLatin1String("svg"))
        return "the outermost element is not svg";
    QSvgRenderer renderer(bytes);
    if (!renderer.isValid())
        return "it cannot be drawn";
    QImage image(400, 300, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    return isBlank(image) ? "it is blank" : QString();
}

} // namespace

class TestExports : public QObject {
    Q_OBJECT

    std::unique_ptr<Home> m_home;
    std::unique_ptr<FixtureWindow> m_window;
    QTemporaryDir m_folder;

    QString path(const char *name) const { return m_folder.filePath(name); }

  private slots:
    void initTestCase() {
        m_home = std::make_unique<Home>();
        m_window = std::make_unique<FixtureWindow>();
        QCOMPARE(m_window->open(test::example()), QString());
    }
    void cleanupTestCase() {
        m_window.reset();
        m_home.reset();
    }

    void pictures_data() {
        QTest::addColumn<bool>("graph");
        QTest::addColumn<QString>("ending");
        for (const char *ending : {"svg", "png", "pdf"}) {
            QTest::addRow("graph as %s", ending) << true << ending;
            QTest::addRow("timeline as %s", ending) << false << ending;
        }
    }
    void pictures() {
        QFETCH(bool, graph);
        QFETCH(QString, ending);
        const QString file = m_folder.filePath((graph ? "graph." : "timeline.") + ending);
        if (graph)
            exportGraph(m_window->workspace(), file.toStdString());
        else
            exportTimelineRows(m_window->workspace(), file.toStdString());
        const QByteArray bytes = contentOf(file);
        if (ending == "svg")
            QCOMPARE(wrongWithSvg(bytes), QString());
        else if (ending == "pdf")
            QVERIFY2(bytes.startsWith("%PDF-") && bytes.trimmed().endsWith("%%EOF"), "it is not a PDF");
        else
            QVERIFY2(!QImage::fromData(bytes, "PNG").isNull() && !isBlank(QImage::fromData(bytes, "PNG")), "it is no picture");
    }

    void pdfsHaveLettersThatCanBeRead_data() {
        QTest::addColumn<bool>("graph");
        QTest::newRow("graph") << true;
        QTest::newRow("timeline") << false;
    }
    void pdfsHaveLettersThatCanBeRead() {
        QFETCH(bool, graph);
        const QString file = path(graph ? "letters-graph.pdf" : "letters-timeline.pdf");
        if (graph)
            exportGraph(m_window->workspace(), file.toStdString());
        else
            exportTimelineRows(m_window->workspace(), file.toStdString());
        const QList<double> sizes = test::pdfTextSizes(contentOf(file));
        QVERIFY2(sizes.size() > 20, "no text was found in the PDF");
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
        QVERIFY2(*least >= 5.5, qPrintable(QString("the smallest letters have %1 points").arg(*least)));
        QVERIFY2(*most <= 20, qPrintable(QString("the largest letters have %1 points").arg(*most)));
    }

    void graphAsDot() {
        exportGraph(m_window->workspace(), path("graph.dot").toStdString());
        const QByteArray bytes = contentOf(path("graph.dot"));
        QVERIFY(bytes.contains("digraph"));
        QVERIFY(bytes.contains("compute_flux"));
        const QString dot = QStandardPaths::findExecutable("dot");
        if (dot.isEmpty())
            QSKIP("The program dot is not installed: only the text was looked at.");
        QProcess program;
        program.start(dot, {"-Tplain", path("graph.dot")});
        QVERIFY(program.waitForFinished(test::longEnough));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(program.readAllStandardOutput().contains("node "));
    }

    void timelineIsNoGraph() {
        QVERIFY_EXCEPTION_THROWN(exportTimelineRows(m_window->workspace(), path("timeline.dot").toStdString()), PictureError);
        QVERIFY(!QFile::exists(path("timeline.dot")));
    }

    void whereNothingCanBeWrittenItIsSaid() {
        try {
            exportGraph(m_window->workspace(), "/proc/no/graph.svg");
            QFAIL("it cannot have been written");
        } catch (const std::runtime_error &error) {
            QVERIFY2(QString(error.what()).contains("/proc/no/graph.svg"), error.what());
        }
    }

    void reportIsOnePage() {
        exportHtmlReport(m_window->workspace(), path("report.html").toStdString());
        const QString page = QString::fromUtf8(contentOf(path("report.html")));
        QVERIFY(page.startsWith("<!DOCTYPE html>", Qt::CaseInsensitive));
        QVERIFY(page.contains("<svg"));
        QVERIFY(page.contains("Rank 3 has made the least progress", Qt::CaseInsensitive));
        static const QRegularExpression outside("(?:src|href)\\s*=\\s*[\"'](?!#|data:)|url\\(\\s*[\"']?(?!#|data:)");
        const QRegularExpressionMatch found = outside.match(page);
        QVERIFY2(!found.hasMatch(), qPrintable("it refers to " + found.captured()));
        QVERIFY(!page.contains("<script"));
    }

    void tablesAsCsv() {
        const QByteArray findings = m_window->workspace().findings().csv();
        QVERIFY2(findings.contains("compute_flux"), findings.constData());
        QVERIFY(findings.count('\n') >= 2);
        const QByteArray legend = m_window->workspace().legend().csv();
        QVERIFY2(legend.contains("MPI_Allreduce"), legend.constData());
        QVERIFY(m_window->workspace().stack().csv().contains("time_step"));
    }
};

QTEST_MAIN(TestExports)
#include "tst_exports.moc"
