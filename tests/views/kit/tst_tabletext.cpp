// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/TableText.h"

#include <QStandardItemModel>
#include <QTest>

using namespace laggard;

class TestTableText : public QObject {
    Q_OBJECT
  private slots:
    void csvBytes_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("plain") << "main" << QByteArray("main");
        QTest::newRow("empty") << "" << QByteArray("");
        QTest::newRow("comma") << "f(int, int)" << QByteArray("\"f(int, int)\"");
        QTest::newRow("quote") << "operator\"\"_s" << QByteArray("\"operator\"\"\"\"_s\"");
        QTest::newRow("newline") << "a\nb" << QByteArray("\"a\nb\"");
        QTest::newRow("carriage return") << "a\rb" << QByteArray("\"a\rb\"");
        QTest::newRow("formula") << "=HYPERLINK(\"http://a\")" << QByteArray("\"'=HYPERLINK(\"\"http://a\"\")\"");
        QTest::newRow("plus") << "+cmd|' /C calc'!A0" << QByteArray("'+cmd|' /C calc'!A0");
        QTest::newRow("minus") << "-[NSObject init]" << QByteArray("'-[NSObject init]");
        QTest::newRow("at") << "@SUM(A1)" << QByteArray("'@SUM(A1)");
        QTest::newRow("tab") << "\t=1" << QByteArray("'\t=1");
        QTest::newRow("return") << "\r=1" << QByteArray("\"'\r=1\"");
        QTest::newRow("negative number") << "-1.5e-3" << QByteArray("-1.5e-3");
        QTest::newRow("number with a sign") << "+12" << QByteArray("+12");
        QTest::newRow("inside") << "a=b" << QByteArray("a=b");
        QTest::newRow("unicode") << QString::fromUtf8("größe µs 計算") << QByteArray("größe µs 計算");
    }
    void csvBytes() {
        QFETCH(QString, cell);
        QFETCH(QByteArray, bytes);
        QStandardItemModel model;
        model.setHorizontalHeaderLabels({"name", "next"});
        model.appendRow({new QStandardItem(cell), new QStandardItem("1")});
        QCOMPARE(toCsv(model), "name,next\n" + bytes + ",1\n");
    }

    /// Spreadsheets take tables from the clipboard as they take CSV files.
    void clipboardHoldsNoFormulas() {
        QStandardItemModel model;
        auto *main = new QStandardItem("main");
        main->appendRow({new QStandardItem("=1+1"), new QStandardItem("-3")});
        model.appendRow({main, new QStandardItem("@SUM(A1)")});
        QCOMPARE(toPlainText(model, allRows(model)), QString("main\t'@SUM(A1)\n  '=1+1\t-3"));
    }

    void exportedValuesAreFull() {
        QStandardItemModel model;
        model.setHorizontalHeaderLabels({"Time"});
        model.setHeaderData(0, Qt::Horizontal, "time_s", ExportRole);
        auto *item = new QStandardItem("1.23 ms");
        item->setData(0.00123456789012, ExportRole);
        model.appendRow(item);
        QCOMPARE(toCsv(model), QByteArray("time_s\n0.00123456789012\n"));
    }

    void childrenFollowTheirParents() {
        QStandardItemModel model;
        model.setHorizontalHeaderLabels({"call", "ranks"});
        auto *main = new QStandardItem("main");
        main->appendRow({new QStandardItem("solve"), new QStandardItem("0-3")});
        model.appendRow({main, new QStandardItem("0-7")});
        model.appendRow({new QStandardItem("end"), new QStandardItem("8")});
        QCOMPARE(toCsv(model), QByteArray("call,ranks\nmain,0-7\nsolve,0-3\nend,8\n"));
        QCOMPARE(toPlainText(model, allRows(model)), QString("main\t0-7\n  solve\t0-3\nend\t8"));
        QCOMPARE(toPlainText(model, allRows(model), [](int column) { return column == 1; }), QString("main\n  solve\nend"));
    }
};

QTEST_GUILESS_MAIN(TestTableText)
#include "tst_tabletext.moc"
