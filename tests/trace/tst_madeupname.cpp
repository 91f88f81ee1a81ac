// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/MadeUpName.h"

#include <QTest>

using namespace laggard;

class TestMadeUpName : public QObject {
    Q_OBJECT
  private slots:
    void names() {
        QVERIFY(isMadeUpName("(outside communication)"));
        for (const char *name : {"main", "", "()", "(anonymous namespace)::f", "(anonymous namespace)::f()", "f(int)"})
            QVERIFY2(!isMadeUpName(name), name);
    }
};

QTEST_APPLESS_MAIN(TestMadeUpName)
#include "tst_madeupname.moc"
