// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as files.
#include "tests/views/charts/SampleCharts.h"
#include "views/charts/ChartExport.h"
#include "views/charts/ChartPlot.h"
#include "views/charts/ChartView.h"

#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTest>
#include <QXmlStreamReader>

#include <qcustomplot.h>

using namespace laggard;

namespace {

/// All character data, or an error message after "not XML".
QString textOfXml(const QByteArray &xml) {
    QXmlStreamReader reader(xml);
    QString text;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::Characters)
            text += reader.text().toString() + QLatin1Char('\n');
    return reader.hasError() ? "not XML: " + reader.errorString() : text;
}

bool hasColourNear(const QImage &image, QRgb wanted) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor c = image.pixelColor(x, y);
            const QColor w = QColor::fromRgb(wanted);
            if (std::abs(c.red() - w.red()) + std::abs(c.green() - w.green()) + std::abs(c.blue() - w.blue()) < 40)
                return true;
        }
    return false;
}

} // namespace

class TestChartPictures : public QObject {
    Q_OBJECT
  private slots:
    void labelsOfGapAndLineAreApart_data() {
        QTest::addColumn<double>("line");
        for (const double line : {0.4, 0.5, 0.52, 0.9})
            QTest::addRow("line at %g", line) << line;
    }
    void labelsOfGapAndLineAreApart() {
        QFETCH(double, line);
        Chart chart = test::scores();
        chart.bands = {{"largest gap: 12.5 ms", 0.4, 0.6}};
        chart.lines = {{"needed gap: 1.25 s", line}};
        QCustomPlot plot;
        plot.resize(420, 220);
        preparePlot(plot);
        fillPlot(plot, chart, Theme::light(), QFont());
        plot.toPixmap(420, 220); // lays it out
        std::vector<QRectF> labels;
        for (int i = 0; i < plot.itemCount(); ++i)
            if (const auto *text = qobject_cast<QCPItemText *>(plot.item(i)))
                labels.emplace_back(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
        QCOMPARE(labels.size(), std::size_t{2});
        QVERIFY(!labels[0].isEmpty() && !labels[1].isEmpty());
        QVERIFY2(!labels[0].intersects(labels[1]), "one label lies on the other");
    }

    void svgHasTitleTraceLegendAndLoss_data() {
        QTest::addColumn<QString>("text");
        for (const char *text :
             {"Suspect scores", "run/traces.otf2, 5 ranks", "Distance to neighbour 4 of 5 ranks.",
              "Some events could not be read.", "against each other", "against references", "threshold 0.50", "rank", "score"})
            QTest::newRow(text) << text;
    }
    void svgHasTitleTraceLegendAndLoss() {
        QFETCH(QString, text);
        const QString found = textOfXml(renderChart(test::scores(), PictureFormat::Svg));
        QVERIFY2(found.contains(text), qPrintable(found));
    }

    void largeValuesArePowersOfTen() {
        Chart chart = test::scores();
        chart.lines.clear();
        for (double &value : chart.series.front().values)
            value *= 1e12;
        const QString found = textOfXml(renderChart(chart, PictureFormat::Svg));
        QVERIFY2(found.contains("×10¹") && !found.contains("E+1"), qPrintable(found));
    }

    void svgIsReadAgainAndShowsTheDots() {
        const QByteArray svg = renderChart(test::scores(), PictureFormat::Svg);
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QImage image(renderer.defaultSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        QVERIFY2(hasColourNear(image, hue::blue), "the dots are missing");
    }

    void namesThatLookLikeMarkupStayNames() {
        const QString found = textOfXml(renderChart(test::contributions(), PictureFormat::Svg));
        QVERIFY2(found.contains("a<b> & \"c\""), qPrintable(found));
        QVERIFY(found.contains("busy < compute"));
    }

    void pngHasTwiceTheSize() {
        const QImage png = QImage::fromData(renderChart(test::contributions(), PictureFormat::Png), "PNG");
        QVERIFY(!png.isNull());
        QCOMPARE(png.width(), 2 * 960);
        QVERIFY2(hasColourNear(png, hue::vermilion), "the bars are missing");
    }

    void pdfIsAPdf() { QVERIFY(renderChart(test::scores(), PictureFormat::Pdf).startsWith("%PDF-")); }

    void tenThousandRanksAreOnePicture() {
        QVERIFY(!QImage::fromData(renderChart(test::scores(10'000), PictureFormat::Png), "PNG").isNull());
    }

    void whatCannotBeWrittenIsSaid() {
        ChartView view;
        QVERIFY_THROWS_EXCEPTION(PictureError, (void)view.picture("chart.svg"));
        view.setChart(std::make_shared<const Chart>(test::scores()));
        QVERIFY_THROWS_EXCEPTION(PictureError, (void)view.picture("chart.gif"));
        QVERIFY_THROWS_EXCEPTION(PictureError, (void)view.picture("chart.dot"));
        QVERIFY(view.picture("chart.svg").contains("<svg"));
    }
};

QTEST_MAIN(TestChartPictures)
#include "tst_chartpictures.moc"
