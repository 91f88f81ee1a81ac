// SPDX-License-Identifier: GPL-3.0-or-later
// A chart under the mouse and the keyboard.
#include "tests/views/charts/SampleCharts.h"
#include "views/charts/ChartPanel.h"
#include "views/charts/ChartView.h"
#include "views/kit/ItemView.h"

#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace laggard;

namespace {

struct ShownChart {
    ChartView view;
    QSignalSpy chosen{&view, &ChartView::chosen};

    explicit ShownChart(Chart chart, QSize size = {600, 300}) {
        view.resize(size);
        view.setChart(std::make_shared<const Chart>(std::move(chart)));
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        QTest::qWait(50); // the plot lays itself out when it is painted
    }
    QWidget *plot() { return view.childAt(view.rect().center()); }
    void click(std::size_t item, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mouseClick(plot(), Qt::LeftButton, modifiers, view.pixelOf(item).toPoint());
    }
    std::vector<std::size_t> items() const {
        std::vector<std::size_t> all;
        for (const QList<QVariant> &arguments : chosen)
            all.push_back(arguments[0].value<std::size_t>());
        return all;
    }
};

} // namespace

class TestChartView : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { qRegisterMetaType<std::size_t>("std::size_t"); }

    void aClickOnADotChoosesIt() {
        ShownChart shown(test::scores());
        shown.click(2);
        QCOMPARE(shown.items(), std::vector<std::size_t>{2});
        shown.click(3, Qt::ControlModifier);
        QCOMPARE(shown.chosen.back()[1].value<SelectMode>(), SelectMode::Add);
        QTest::mouseClick(shown.plot(), Qt::LeftButton, {}, (shown.view.pixelOf(2) + shown.view.pixelOf(3)).toPoint() / 2);
        QCOMPARE(shown.chosen.size(), 2); // there is nothing between the dots
    }

    void aClickOnARowChoosesIt() {
        ShownChart shown(test::contributions());
        shown.click(1);
        QCOMPARE(shown.items(), std::vector<std::size_t>{1});
        const QPointF name(5, shown.view.pixelOf(0).y()); // beside the bar
        QCOMPARE(shown.view.itemAt(name), std::optional<std::size_t>(0));
    }

    void arrowsWalkAndEnterChooses() {
        ShownChart shown(test::scores());
        shown.view.setFocus();
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Right, Qt::Key_Left})
            QTest::keyClick(&shown.view, key);
        QCOMPARE(shown.view.current(), std::optional<std::size_t>(1));
        QVERIFY(shown.view.accessibleDescription().startsWith("rank 1"));
        QVERIFY(shown.chosen.isEmpty());
        QTest::keyClick(&shown.view, Qt::Key_Return);
        QCOMPARE(shown.items(), std::vector<std::size_t>{1});
        QTest::keyClick(&shown.view, Qt::Key_End);
        QCOMPARE(shown.view.current(), std::optional<std::size_t>(4));
        QTest::keyClick(&shown.view, Qt::Key_Right);
        QCOMPARE(shown.view.current(), std::optional<std::size_t>(4));
    }

    void walkingOutOfSightMovesTheChart() {
        ShownChart shown(test::scores(1000));
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(&shown.view, Qt::Key_Plus);
        QTest::keyClick(&shown.view, Qt::Key_Home);
        QCOMPARE(shown.view.current(), std::optional<std::size_t>(0));
        QVERIFY(shown.view.range().xBegin <= 0 && shown.view.range().xEnd >= 0);
    }

    void zoomIsUndoneStepByStep() {
        ShownChart shown(test::scores());
        const ChartRange whole = shown.view.range();
        const QPoint middle = shown.view.rect().center();
        QTest::mousePress(shown.plot(), Qt::LeftButton, Qt::ShiftModifier, middle - QPoint(80, 40));
        QTest::mouseMove(shown.plot(), middle);
        QTest::mouseRelease(shown.plot(), Qt::LeftButton, Qt::ShiftModifier, middle + QPoint(80, 40));
        const ChartRange near = shown.view.range();
        QVERIFY(near.xEnd - near.xBegin < whole.xEnd - whole.xBegin);
        QVERIFY(near.yEnd - near.yBegin < whole.yEnd - whole.yBegin);
        QVERIFY2(shown.chosen.isEmpty(), "a zoom chooses nothing");
        QTest::keyClick(&shown.view, Qt::Key_Plus);
        QTest::keyClick(&shown.view, Qt::Key_Plus); // small steps are one
        QTest::keyClick(&shown.view, Qt::Key_Backspace);
        QVERIFY(shown.view.range() == near);
        QTest::keyClick(&shown.view, Qt::Key_Backspace);
        QVERIFY(shown.view.range() == whole);
        QTest::keyClick(&shown.view, Qt::Key_Backspace, Qt::ShiftModifier);
        QVERIFY(shown.view.range() == near);
        QTest::keyClick(&shown.view, Qt::Key_0);
        QVERIFY(shown.view.range() == whole);
    }

    void manyRowsShowTheFirstThatFit() {
        Chart chart = test::contributions();
        for (int i = 0; i < 40; ++i) {
            chart.items.push_back({"f" + QString::number(i), {}});
            chart.series[0].values.push_back(0.5);
        }
        ShownChart shown(chart);
        QVERIFY2(shown.view.range().yEnd < 25, "rows are high enough to read");
        QVERIFY(shown.view.range().yBegin < 0);
    }

    void longNamesLeaveRoomForTheBars() {
        Chart chart;
        chart.form = Chart::Form::Rows;
        chart.items.resize(2);
        chart.items[0].name = "(anonymous namespace)::a_function_with_a_long_name";
        chart.items[1].name = "another_function_with_a_long_name";
        chart.series.resize(1);
        chart.series[0].look = ChartSeries::Look::Bars;
        chart.series[0].values = {100, 0};
        const ShownChart shown(std::move(chart), {260, 200});
        const double bar = 2 * (shown.view.pixelOf(0).x() - shown.view.pixelOf(1).x()); // pixelOf gives the middle of each bar
        QVERIFY2(bar >= 0.3 * 260, qPrintable(QString("the longest bar has %1 of 260 pixels").arg(bar)));
    }

    /// Where each row has a bar of one series, it stands beside its name, and not above or below it.
    void theOnlyBarOfARowIsInItsMiddle() {
        const double no = std::numeric_limits<double>::quiet_NaN();
        Chart chart;
        chart.form = Chart::Form::Rows;
        chart.items.resize(2);
        chart.series.resize(2);
        for (ChartSeries &each : chart.series)
            each.look = ChartSeries::Look::Bars;
        chart.series[0].values = {100, no};
        chart.series[1].values = {no, 100};
        ShownChart shown(std::move(chart), {400, 200});
        const QImage image = shown.view.grab().toImage();
        const QColor ground = image.pixelColor(2, 2);
        for (const std::size_t row : {0U, 1U})
            for (const int beside : {-6, 6}) {
                const QPoint at = shown.view.pixelOf(row).toPoint() + QPoint(0, beside);
                QVERIFY2(image.pixelColor(at) != ground, qPrintable(QString("row %1, %2 pixels beside").arg(row).arg(beside)));
            }
    }

    /// In as many lines as it needs.
    void whyThereIsNothingStandsInTheMiddle() {
        Chart empty;
        empty.emptyText = "The run is one phase: there is nothing to compare it with but sample runs.";
        ShownChart shown(empty, {240, 160});
        const QImage image = shown.view.grab().toImage();
        const QColor ground = image.pixelColor(2, 2);
        QRect words;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y) != ground)
                    words |= QRect(x, y, 1, 1);
        QVERIFY2(words.height() > shown.view.fontMetrics().height(), "one line, or none");
        QVERIFY2(words.left() > 5 && words.right() < 235, "cut off at the side");
        QVERIFY((words.center() - shown.view.rect().center()).manhattanLength() < 20);
    }

    void theListKeepsItsShareOfTheRoom() {
        ChartPanel panel("Phases");
        panel.resize(640, 300);
        panel.setChart(test::scores(), 0);
        panel.show();
        panel.resize(1000, 400);
        QTRY_VERIFY2(panel.list()->width() > 250, qPrintable(QString::number(panel.list()->width())));
    }

    void tenThousandRanksAreFoundUnderTheMouse() {
        ShownChart shown(test::scores(10'000), {1200, 300});
        QCOMPARE(shown.view.itemAt(shown.view.pixelOf(2)), std::optional<std::size_t>(2));
        std::vector<std::size_t> all(10'000);
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = i;
        shown.view.setMarked(all);
        QCOMPARE(shown.view.marked().size(), std::size_t(10'000));
    }

    void chartAndListAgree() {
        ChartPanel panel("Suspects");
        panel.resize(900, 300);
        panel.setChart(test::scores(), 0);
        panel.show();
        QSignalSpy chosen(&panel, &ChartPanel::chosen);
        panel.list()->setCurrentIndex(panel.list()->model()->index(0, 0));
        QTest::keyClick(panel.list(), Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<std::size_t>(), std::size_t(2)); // the highest score
        panel.setMarked({3});
        QCOMPARE(panel.view()->marked(), std::vector<std::size_t>{3});
        QCOMPARE(panel.list()->selectionModel()->selectedRows().value(0).data().toString(), "rank 3");
    }

    void nothingToShowIsNoTrouble() {
        Chart empty;
        empty.emptyText = "The ranks are being compared …";
        ShownChart shown(empty);
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Return, Qt::Key_Plus, Qt::Key_0, Qt::Key_Backspace, Qt::Key_D})
            QTest::keyClick(&shown.view, key);
        QTest::mouseClick(&shown.view, Qt::LeftButton);
        QVERIFY(shown.chosen.isEmpty());
        shown.view.setChart(nullptr);
        shown.view.setMarked({});
    }
};

QTEST_MAIN(TestChartView)
#include "tst_chartview.moc"
