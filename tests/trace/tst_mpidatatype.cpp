// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/MpiDatatype.h"

#include <QTest>

using namespace laggard;

class TestMpiDatatype : public QObject {
    Q_OBJECT
  private slots:
    void pairs_data() {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<bool>("other");
        const auto row = [](const char *a, const char *b, bool other) { QTest::addRow("%s and %s", a, b) << a << b << other; };
        row("MPI_FLOAT", "MPI_INT", true);
        row("MPI_INT", "MPI_DOUBLE", true);
        row("MPI_INT", "MPI_LONG", true);
        row("MPI_FLOAT", "MPI_DOUBLE", true);
        row("MPI_INTEGER", "MPI_DOUBLE_PRECISION", true);
        row("MPI_INT", "MPI_INT", false);
        row("MPI_INT", "MPI_INTEGER", false);
        row("MPI_INT", "MPI_UNSIGNED", false);
        row("MPI_LONG", "MPI_INT64_T", false);
        row("MPI_DOUBLE", "MPI_DOUBLE_COMPLEX", false);
        row("MPI_BYTE", "MPI_DOUBLE", false);
        row("MPI_CHAR", "MPI_DOUBLE", false);
        row("MPI_PACKED", "MPI_INT", false);
        row("vector", "MPI_INT", false);
        row("MPI_DOUBLE_INT", "MPI_DOUBLE", false);
        row("", "MPI_INT", false);
    }
    void pairs() {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(bool, other);
        const BasicType first = basicTypeOf(a.toStdString());
        const BasicType second = basicTypeOf(b.toStdString());
        QCOMPARE(areOtherNumbers(first, second), other);
        QCOMPARE(areOtherNumbers(second, first), other);
    }
    void namesAreWhole() {
        QCOMPARE(basicTypeOf("MPI_INT").bytes, std::uint8_t{4});
        QVERIFY(basicTypeOf("MPI_IN") == BasicType());
        QVERIFY(basicTypeOf("MPI_INT ") == BasicType());
    }
};

QTEST_APPLESS_MAIN(TestMpiDatatype)
#include "tst_mpidatatype.moc"
