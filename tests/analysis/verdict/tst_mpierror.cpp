// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/MpiError.h"

#include <QTest>

using namespace laggard;

class TestMpiError : public QObject {
    Q_OBJECT
  private slots:
    void reason_data();
    void reason();
};

void TestMpiError::reason_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    QTest::newRow("MPICH") << "Invalid rank, error stack:\ninternal_Send(120): MPI_Send(buf=0x55, count=1, MPI_INT, 8, 5, "
                              "MPI_COMM_WORLD) failed\ninternal_Send(78).: Invalid rank has value 8 but must be nonnegative and "
                              "less than 4"
                           << "Invalid rank has value 8 but must be nonnegative and less than 4";
    QTest::newRow("MPICH, of a deeper function")
        << "Invalid buffer pointer, error stack:\ninternal_Bsend(104)..: MPI_Bsend(buf=0x55) failed\nMPIR_Bsend_isend(311): "
           "Insufficient space in Bsend buffer; requested 4; total buffer size is 0\n"
        << "Insufficient space in Bsend buffer; requested 4; total buffer size is 0";
    QTest::newRow("MPICH says the call only")
        << "Other MPI error, error stack:\ninternal_Bcast(107): MPI_Bcast(buffer=0x55) failed"
        << "Other MPI error";
    QTest::newRow("a last line of another kind") << "Other MPI error, error stack:\nat sea"
                                                 << "Other MPI error";
    QTest::newRow("Open MPI") << "MPI_ERR_RANK: invalid rank"
                              << "MPI_ERR_RANK: invalid rank";
    QTest::newRow("of the program, in lines") << "no\tfuel\nin the tank"
                                              << "no fuel";
    QTest::newRow("nothing") << ""
                             << "";
}

void TestMpiError::reason() {
    QFETCH(QString, text);
    QFETCH(QString, reason);
    QCOMPARE(QString::fromStdString(reasonOf(text.toStdString())), reason);
}

QTEST_APPLESS_MAIN(TestMpiError)
#include "tst_mpierror.moc"
