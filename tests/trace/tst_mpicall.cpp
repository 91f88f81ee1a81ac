// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/MpiCall.h"

#include <QTest>

using namespace laggard;
using Kind = MpiCall::Kind;

class TestMpiCall : public QObject {
    Q_OBJECT
  private slots:
    void classifies_data();
    void classifies();
};

void TestMpiCall::classifies_data() {
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("operation");
    const auto row = [](const char *function, Kind kind, CollectiveOperation operation = CollectiveOperation::Unknown) {
        QTest::newRow(function) << function << static_cast<int>(kind) << static_cast<int>(operation);
    };
    row("MPI_Send", Kind::Send);
    row("PMPI_Send", Kind::Send);
    row("mpi_send_", Kind::Send);
    row("mpi_send__", Kind::Send);
    row("MPI_SEND", Kind::Send);
    row("mpi_recv_f08_", Kind::Receive);
    row("mpi_recv_f08ts_", Kind::Receive);
    row("MPI_Bsend", Kind::Other);
    row("MPI_Buffer_detach", Kind::Flush);
    row("MPI_Isend", Kind::Post);
    row("MPI_Startall", Kind::Post);
    row("MPI_Sendrecv_replace", Kind::SendReceive);
    row("MPI_Wait", Kind::WaitOne);
    row("MPI_Waitall", Kind::WaitAll);
    row("MPI_Waitsome", Kind::WaitAny);
    row("MPI_Testany", Kind::TestAny);
    row("MPI_Mprobe", Kind::Probe);
    row("MPI_Improbe", Kind::ProbeOnce);
    row("MPI_Init_thread", Kind::Init);
    row("MPI_Finalize", Kind::Finalize);
    row("MPI_Finalized", Kind::Other);
    row("MPI_Allreduce", Kind::Collective, CollectiveOperation::Allreduce);
    row("MPI_Reduce_scatter_block", Kind::Collective, CollectiveOperation::ReduceScatterBlock);
    row("MPI_Neighbor_alltoallw", Kind::Collective, CollectiveOperation::Alltoallw);
    row("MPI_Iallreduce", Kind::Post);
    row("MPI_Ineighbor_allgatherv", Kind::Post);
    row("MPI_Comm_split", Kind::Create, CollectiveOperation::Other);
    row("MPI_File_write_at_all_end", Kind::Create, CollectiveOperation::Other);
    row("MPI_Comm_rank", Kind::Other);
    row("MPI_", Kind::Other);
    row("", Kind::Other);
    row("send", Kind::Other);
}

void TestMpiCall::classifies() {
    QFETCH(QString, function);
    QFETCH(int, kind);
    QFETCH(int, operation);
    const MpiCall call = classifyMpiCall(function.toStdString());
    QCOMPARE(static_cast<int>(call.kind), kind);
    QCOMPARE(static_cast<int>(call.operation), operation);
}

QTEST_APPLESS_MAIN(TestMpiCall)
#include "tst_mpicall.moc"
