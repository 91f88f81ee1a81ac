// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/LegendPanel.h"
#include "views/theme/RegionColours.h"

#include "tests/views/panels/HungReport.h"
#include "views/kit/ItemView.h"
#include "views/selection/SelectionModel.h"

#include <QAbstractItemModelTester>
#include <QIcon>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace laggard;
using test::HungReport;

namespace {

struct Legend {
    HungReport report;
    SelectionModel selection;
    ZoomFilterStack filter;
    LegendPanel panel{selection, filter};

    Legend() {
        filter.reset(report.trace->range);
        std::vector<RegionStatistics> statistics(report.trace->regions.size());
        statistics[report.region("main")] = {16, 48'000'000'000, 16'000'000, 16};
        statistics[report.region("compute_flux")] = {16, 9'000'000, 9'000'000, 1};
        statistics[report.region("MPI_Allreduce")] = {1'000, 40'000'000'000, 40'000'000'000, 15};
        panel.setStatistics(report.trace, statistics);
    }
    [[nodiscard]] QStringList column(int column) const {
        QStringList cells;
        for (int row = 0; row < panel.view()->model()->rowCount(); ++row)
            cells << panel.view()->model()->index(row, column).data().toString();
        return cells;
    }
    void choose(const QString &function) { panel.view()->setCurrentIndex(panel.view()->model()->index(row(function), 1)); }
    [[nodiscard]] int row(const QString &function) const { return int(column(LegendModel::Function).indexOf(function)); }
};

} // namespace

class TestLegendPanel : public QObject {
    Q_OBJECT
  private slots:
    void numbers() {
        const Legend legend;
        QCOMPARE(legend.column(LegendModel::Function), QStringList({"MPI_Allreduce", "main", "compute_flux"}));
        QCOMPARE(legend.column(LegendModel::Count), QStringList({"1,000", "16", "16"}));
        QCOMPARE(legend.column(LegendModel::Inclusive), QStringList({"40 s", "48 s", "9 ms"}));
        QCOMPARE(legend.column(LegendModel::Exclusive), QStringList({"40 s", "16 ms", "9 ms"}));
        QCOMPARE(legend.column(LegendModel::Share), QStringList({"99.9 %", "0.0 %", "0.0 %"}));
    }

    void sortsByNumberNotByText() {
        const Legend legend;
        legend.panel.view()->sortByColumn(LegendModel::Count, Qt::DescendingOrder);
        QCOMPARE(legend.column(LegendModel::Count).first(), QString("1,000"));
        legend.panel.view()->sortByColumn(LegendModel::Exclusive, Qt::AscendingOrder);
        QCOMPARE(legend.column(LegendModel::Exclusive), QStringList({"9 ms", "16 ms", "40 s"}));
    }

    void searches() {
        const Legend legend;
        QTest::keyClicks(legend.panel.findChild<QLineEdit *>(), "FLUX");
        QCOMPARE(legend.column(LegendModel::Function), QStringList("compute_flux"));
    }

    void spaceHidesAndShows() {
        Legend legend;
        const RegionId flux = legend.report.region("compute_flux");
        legend.choose("compute_flux");
        QTest::keyClick(legend.panel.view(), Qt::Key_Space);
        QVERIFY2(!legend.filter.filter().showsRegion(flux), "Space hides the function");
        QVERIFY(legend.filter.filter().hiddenRegions == std::vector<RegionId>{flux});
        QTest::keyClick(legend.panel.view(), Qt::Key_Space);
        QVERIFY(legend.filter.filter().isEmpty());
        legend.filter.undo();
        QVERIFY2(!legend.filter.filter().showsRegion(flux), "hiding is a step that can be undone");
    }

    void marksWhatIsSelectedOnly() {
        Legend legend;
        Selection selection;
        selection.region = legend.report.region("main");
        legend.selection.select(selection, SelectMode::Replace);
        const QModelIndexList rows = legend.panel.view()->selectionModel()->selectedRows(LegendModel::Function);
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows.first().data().toString(), QString("main"));
        legend.selection.select({}, SelectMode::Replace);
        QVERIFY2(!legend.panel.view()->selectionModel()->hasSelection(), "nothing is selected any more");
    }

    void checkBoxFollowsTheFilter() {
        Legend legend;
        QAbstractItemModel *model = legend.panel.view()->model();
        const QModelIndex box = model->index(legend.row("main"), LegendModel::Shown);
        QCOMPARE(box.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        Filter filter;
        filter.onlyRegions = {legend.report.region("compute_flux")};
        legend.filter.setFilter(filter);
        QCOMPARE(box.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QVERIFY(model->setData(box, Qt::Checked, Qt::CheckStateRole));
        QVERIFY(legend.filter.filter().showsRegion(legend.report.region("main")));
        QVERIFY2(!legend.filter.filter().showsRegion(legend.report.region("MPI_Allreduce")), "only that one was added");
    }

    void choosesAFunction() {
        Legend legend;
        legend.choose("compute_flux");
        QTest::keyClick(legend.panel.view(), Qt::Key_Return);
        QCOMPARE(legend.selection.current().region, legend.report.region("compute_flux"));
        Selection other;
        other.region = legend.report.region("main");
        legend.selection.select(other);
        QCOMPARE(legend.panel.view()->currentIndex().row(), legend.row("main"));
    }

    void coloursComeFromOutside() {
        Legend legend;
        legend.panel.setColours([](RegionId region) { return QColor(int(region), 1, 2); });
        const QModelIndex cell = legend.panel.view()->model()->index(legend.row("main"), LegendModel::Function);
        QCOMPARE(cell.data(Qt::DecorationRole).value<QColor>(), QColor(int(legend.report.region("main")), 1, 2));
    }

    void theSuspectsFunctionHasTwoColours() {
        Legend legend;
        legend.panel.setColours([](RegionId) { return QColor(1, 2, 3); });
        legend.panel.setSuspect(legend.report.region("compute_flux"));
        const auto cell = [&](const char *function) {
            return legend.panel.view()->model()->index(legend.row(function), LegendModel::Function);
        };
        const QImage swatch = cell("compute_flux").data(Qt::DecorationRole).value<QIcon>().pixmap(16, 16).toImage();
        QCOMPARE(swatch.pixelColor(2, 2), QColor(1, 2, 3));
        QCOMPARE(swatch.pixelColor(13, 13), QColor::fromRgb(RegionColours::suspectRgb));
        QVERIFY2(cell("compute_flux").data(Qt::ToolTipRole).toString().contains("Vermilion"), "the tooltip says why");
        QCOMPARE(cell("main").data(Qt::DecorationRole).value<QColor>(), QColor(1, 2, 3));
    }

    void csv() {
        Legend legend;
        legend.report.trace->regions[legend.report.region("main")].name = "main(int, char**)";
        QCOMPARE(legend.panel.csv(), QByteArray("shown,function,count,inclusive_s,exclusive_s,exclusive_share\n"
                                                "yes,\"main(int, char**)\",16,48,0.016,0.000399750156152405\n"
                                                "yes,compute_flux,16,0.009,0.009,0.000224859462835728\n"
                                                "yes,MPI_Allreduce,1000,40,40,0.999375390381012\n"));
    }

    void asksForOtherNumbers() {
        Legend legend;
        QSignalSpy spy(&legend.panel, &LegendPanel::scopeChanged);
        legend.panel.setScope(LegendPanel::Scope::Selection);
        QCOMPARE(spy.size(), 1);
        QCOMPARE(legend.panel.scope(), LegendPanel::Scope::Selection);
    }

    void withoutNumbersAllFunctionsAreListed() {
        Legend legend;
        const QAbstractItemModelTester tester(legend.panel.view()->model());
        legend.panel.setStatistics(legend.report.trace, {});
        QCOMPARE(legend.panel.view()->model()->rowCount(), int(legend.report.trace->regions.size()));
        legend.panel.setStatistics({}, {});
        QCOMPARE(legend.panel.view()->model()->rowCount(), 0);
    }
};

QTEST_MAIN(TestLegendPanel)
#include "tst_legendpanel.moc"
