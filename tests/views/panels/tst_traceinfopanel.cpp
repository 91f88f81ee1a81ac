// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/TraceInfoPanel.h"

#include "tests/views/panels/HungReport.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/selection/SelectionModel.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace laggard;
using test::HungReport;

class TestTraceInfoPanel : public QObject {
    Q_OBJECT
  private slots:
    void content_data() {
        QTest::addColumn<QString>("line");
        for (const char *line :
             {"File\t/home/me/jobs/hung-stencil/traces.otf2", "Format\tOTF2", "Creator\tScore-P 8.0", "Duration\t3.03 s",
              "Clock\t1,000,000,000 ticks per second", "Clock resolution\tno receive precedes its send", "Ranks\t16",
              "Locations\t16 threads", "Messages\t0 matched", "Hosts\t2", "  n016\tranks 0-7", "  n017\tranks 8-15",
              "Communicators\t1", "  MPI_COMM_WORLD\t16 members: 0-15", "Events not shown\t123", "  METRIC\t120",
              "  PARAMETER_STRING\t3"})
            QTest::newRow(line) << line;
    }
    void content() {
        QFETCH(QString, line);
        const HungReport report;
        TraceInfoModel model;
        const QAbstractItemModelTester tester(&model);
        model.setTrace(report.trace);
        const QString text = toPlainText(model, allRows(model));
        QVERIFY2(text.split('\n').contains(line), qPrintable("expected the line \"" + line + "\" in\n" + text));
    }

    void choosesTheRanksOfAHost() {
        const HungReport report;
        SelectionModel selection;
        TraceInfoPanel panel(selection);
        panel.setTrace(report.trace);
        const QAbstractItemModel &model = *panel.view()->model();
        for (const QModelIndex &row : allRows(model))
            if (row.data().toString() == "n017")
                panel.view()->setCurrentIndex(row);
        QTest::keyClick(panel.view(), Qt::Key_Return);
        QVERIFY(selection.current().ranks == RankSet({8, 9, 10, 11, 12, 13, 14, 15}));
    }

    void nothing() {
        SelectionModel selection;
        TraceInfoPanel panel(selection);
        panel.setTrace({});
        QCOMPARE(panel.csv(), QByteArray("Property,Value\n"));
    }
};

QTEST_MAIN(TestTraceInfoPanel)
#include "tst_traceinfopanel.moc"
