// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/FunctionName.h"

#include <QTest>

using namespace laggard;

class tst_FunctionName : public QObject {
    Q_OBJECT
  private slots:
    void shortens_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("room");
        QTest::addColumn<QString>("expected");
        QTest::newRow("fits") << "compute_flux" << 12 << "compute_flux";
        QTest::newRow("arguments first") << "a::f(int, double)" << 10 << "a::f(…)";
        QTest::newRow("no arguments stay") << "a::f()" << 6 << "a::f()";
        QTest::newRow("then templates") << "a::g<int>::f(int)" << 14 << "a::g<…>::f(…)";
        QTest::newRow("nested templates") << "f<a<b>, c<d>>(int)" << 12 << "f<…>(…)";
        QTest::newRow("then scopes") << "outer::inner::Class::f(int)" << 14 << "…::Class::f(…)";
        QTest::newRow("anonymous namespace stays") << "(anonymous namespace)::f(int)" << 27 << "(anonymous namespace)::f(…)";
        QTest::newRow("operator<") << "a::operator<(int, int)" << 16 << "a::operator<(…)";
        QTest::newRow("operator->") << "a::operator->(int, int)" << 17 << "a::operator->(…)";
        QTest::newRow("operator()") << "a::operator()(int, int)" << 17 << "a::operator()(…)";
        QTest::newRow("unpaired brackets") << "f<a(" << 2 << "f<a(";
        QTest::newRow("empty") << "" << 0 << "";
    }
    void shortens() {
        QFETCH(QString, name);
        QFETCH(int, room);
        QFETCH(QString, expected);
        QCOMPARE(shortenFunctionName(name, [&](const QString &text) { return text.size() <= room; }), expected);
    }
};

QTEST_APPLESS_MAIN(tst_FunctionName)
#include "tst_functionname.moc"
