// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/WarningsPanel.h"

#include "tests/views/panels/HungReport.h"
#include "views/kit/ItemView.h"
#include "views/panels/DamageBanner.h"
#include "views/selection/SelectionModel.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace laggard;
using test::HungReport;

namespace {

HungReport withWarnings() {
    HungReport report;
    report.trace->warnings = {
        {WarningId::Converted, Warning::Severity::Note, {}, "", "The clocks differ by 3 µs."},
        {WarningId::Converted, Warning::Severity::DataLoss, 10, "traces/10.evt, byte 400", "The events of rank 10 end early."},
        {WarningId::Converted, Warning::Severity::DataLoss, 9, "traces/9.evt, byte 100", "The events of rank 9 end early."},
        {WarningId::Converted, Warning::Severity::Note, 77, "traces.def", "Location 77 belongs to no process."},
    };
    for (const Rank rank : {9U, 10U})
        report.trace->locations[rank].damaged = true;
    return report;
}

QStringList column(const ItemView &view, int column) {
    QStringList cells;
    for (int row = 0; row < view.model()->rowCount(); ++row)
        cells << view.model()->index(row, column).data().toString();
    return cells;
}

} // namespace

class TestWarningsPanel : public QObject {
    Q_OBJECT
  private slots:
    void lossesFirst() {
        const HungReport report = withWarnings();
        SelectionModel selection;
        WarningsPanel panel(selection);
        const QAbstractItemModelTester tester(panel.view()->model());
        panel.setTrace(report.trace);
        QCOMPARE(column(*panel.view(), WarningsModel::Severity), QStringList({"data lost", "data lost", "note", "note"}));
        QCOMPARE(column(*panel.view(), WarningsModel::Where),
                 QStringList({"rank 10, location 10", "rank 9, location 9", "whole trace", "location 77"}));
    }

    void theCurrentOneIsToldInFull() {
        const HungReport report = withWarnings();
        SelectionModel selection;
        WarningsPanel panel(selection);
        QCOMPARE(panel.detail(), QString());
        panel.setTrace(report.trace);
        QCOMPARE(panel.detail(), QString("The events of rank 10 end early.\ntraces/10.evt, byte 400"));
        panel.view()->setCurrentIndex(panel.view()->model()->index(2, 0));
        QCOMPARE(panel.detail(), QString("The clocks differ by 3 µs."));
        panel.setTrace(nullptr);
        QCOMPARE(panel.detail(), QString());
    }

    void sortsRanksAsNumbers() {
        const HungReport report = withWarnings();
        SelectionModel selection;
        WarningsPanel panel(selection);
        panel.setTrace(report.trace);
        panel.view()->sortByColumn(WarningsModel::Where, Qt::AscendingOrder);
        QCOMPARE(column(*panel.view(), WarningsModel::Where),
                 QStringList({"whole trace", "rank 9, location 9", "rank 10, location 10", "location 77"}));
    }

    void filters() {
        const HungReport report = withWarnings();
        SelectionModel selection;
        WarningsPanel panel(selection);
        panel.setTrace(report.trace);
        auto *line = panel.findChild<QLineEdit *>();
        QTest::keyClicks(line, "10.EVT");
        QCOMPARE(column(*panel.view(), WarningsModel::Message), QStringList("The events of rank 10 end early."));
        QTest::keyClick(line, Qt::Key_Escape);
        QCOMPARE(panel.view()->model()->rowCount(), 4);
    }

    void choosesTheRank() {
        const HungReport report = withWarnings();
        SelectionModel selection;
        WarningsPanel panel(selection);
        panel.setTrace(report.trace);
        panel.view()->setCurrentIndex(panel.view()->model()->index(0, 0));
        QTest::keyClick(panel.view(), Qt::Key_Return);
        QVERIFY(selection.current().ranks == RankSet({10}));
        panel.view()->setCurrentIndex(panel.view()->model()->index(2, 0));
        QTest::keyClick(panel.view(), Qt::Key_Return);
        QVERIFY2(selection.current().ranks == RankSet({10}), "a warning about the whole trace selects nothing");
    }

    void csv() {
        HungReport report = withWarnings();
        report.trace->warnings.resize(2);
        SelectionModel selection;
        WarningsPanel panel(selection);
        panel.setTrace(report.trace);
        QCOMPARE(panel.csv(), QByteArray("Severity,Where,Warning,Place in the trace\n"
                                         "data lost,\"rank 10, location 10\",The events of rank 10 end early.,"
                                         "\"traces/10.evt, byte 400\"\n"
                                         "note,whole trace,The clocks differ by 3 µs.,\n"));
    }

    void bannerOnlyWithLosses() {
        const HungReport clean;
        QWidget window;
        DamageBanner banner(&window);
        banner.setTrace(clean.trace);
        QVERIFY(banner.isHidden());
        banner.setTrace(withWarnings().trace);
        QVERIFY(!banner.isHidden());
        QCOMPARE(banner.text(), QString("Some of ranks 9 and 10 could not be read: 2 losses are listed in the warnings."));
        QSignalSpy spy(&banner, &DamageBanner::detailsRequested);
        QTest::keyClick(banner.findChild<QToolButton *>(), Qt::Key_Space);
        QCOMPARE(spy.size(), 1);
        banner.setTrace({});
        QVERIFY(banner.isHidden());
    }
};

QTEST_MAIN(TestWarningsPanel)
#include "tst_warningspanel.moc"
