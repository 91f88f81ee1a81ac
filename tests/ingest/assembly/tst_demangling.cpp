// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/Demangling.h"

#include <QTest>

using namespace laggard;

class TestDemangling : public QObject {
    Q_OBJECT

  private slots:
    void namesWithoutTypes_data() {
        QTest::addColumn<QString>("signature");
        QTest::addColumn<QString>("name");
        QTest::newRow("plain") << "main"
                               << "main";
        QTest::newRow("parameters") << "sample::outer(void (*)(int), char)"
                                    << "sample::outer";
        QTest::newRow("const") << "Grid::at(int, int) const"
                               << "Grid::at";
        QTest::newRow("anonymous") << "(anonymous namespace)::relax((anonymous namespace)::Level&, int)"
                                   << "(anonymous namespace)::relax";
        QTest::newRow("template") << "std::vector<int, std::allocator<int> > fill<int>(int)"
                                  << "fill<int>";
        QTest::newRow("call operator") << "Sum::operator()(double) const"
                                       << "Sum::operator()";
        QTest::newRow("conversion") << "Sum::operator bool() const"
                                    << "Sum::operator bool";
        QTest::newRow("lambda") << "main::{lambda(int)#1}::operator()(int) const"
                                << "main::{lambda(int)#1}::operator()";
        QTest::newRow("clone") << "solve(int) [clone .cold]"
                               << "solve";
        QTest::newRow("odd") << ")("
                             << ")(";
    }
    void namesWithoutTypes() {
        QFETCH(QString, signature);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(withoutTypes(signature.toStdString())), name);
    }

    void demangles() {
        QCOMPARE(demangled("_ZN6sample5outerEi"), std::string("sample::outer(int)"));
        QCOMPARE(demangledWithoutTypes("_ZN6sample5outerEi"), std::string("sample::outer"));
        QCOMPARE(demangledWithoutTypes("solve(int)"), std::string("solve(int)")); // as the program calls it
    }
};

QTEST_APPLESS_MAIN(TestDemangling)
#include "tst_demangling.moc"
