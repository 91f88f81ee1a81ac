// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/MpiName.h"

#include <QTest>

using namespace laggard;

class TestMpiName : public QObject {
    Q_OBJECT
  private slots:
    void spellings_data() {
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("base");
        const auto row = [](const char *function, const char *base) {
            QTest::newRow(*function != '\0' ? function : "nothing") << function << base;
        };
        row("MPI_Send", "send");
        row("PMPI_Send", "send");
        row("MPI_Send_c", "send");
        row("mpi_send_", "send");
        row("mpi_send__", "send");
        row("pmpi_send_", "send");
        row("MPI_SEND", "send");
        row("mpi_send_f08_", "send");
        row("mpi_recv_f08ts_", "recv");
        row("MPI_Comm_create_group", "comm_create_group");
        row("MPI_", "");
        row("MPIX_Query", "");
        row("send", "");
        row("my_mpi_send", "");
        row("", "");
    }
    void spellings() {
        QFETCH(QString, function);
        QFETCH(QString, base);
        QCOMPARE(QString::fromStdString(mpiBaseName(function.toStdString())), base);
        QCOMPARE(isMpiName(function.toStdString()), !base.isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestMpiName)
#include "tst_mpiname.moc"
