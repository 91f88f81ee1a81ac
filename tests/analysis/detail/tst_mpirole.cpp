// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/MpiRole.h"

#include <QTest>

using namespace laggard;

class TestMpiRole : public QObject {
    Q_OBJECT
  private slots:
    void byName_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("role");
        const auto rows = [](MpiRole role, std::initializer_list<const char *> names) {
            for (const char *name : names)
                QTest::newRow(name) << QByteArray(name) << static_cast<int>(role);
        };
        rows(MpiRole::Wait, {"MPI_Recv", "PMPI_Waitall", "mpi_allreduce_", "MPI_Barrier", "MPI_Bcast", "MPI_Testsome",
                             "MPI_Probe", "MPI_Iprobe", "MPI_Sendrecv", "MPI_Win_fence", "MPI_Win_unlock", "MPI_Alltoallv",
                             "nccl:all_reduce", "MPI_Allreduce_c", "MPI_Neighbor_alltoall", "MPI_Recv_f08"});
        rows(MpiRole::Transfer, {"MPI_Send", "MPI_Isend", "MPI_Irecv", "MPI_Iallreduce", "MPI_Ibarrier", "MPI_Put", "MPI_Rget",
                                 "MPI_Accumulate", "MPI_Startall", "MPI_Pack", "MPI_Ssend"});
        rows(MpiRole::SetUp,
             {"MPI_Comm_split", "MPI_Type_commit", "MPI_Win_create", "MPI_Get_processor_name", "MPI_Initialized", "MPI_Recv_init",
              "MPI_Send_init", "MPI_Wtime", "MPI_Reduce_local", "MPI_Type_vector", "MPI_Win_create_dynamic"});
        rows(MpiRole::Bracket, {"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "mpi_init_"});
    }
    void byName() {
        QFETCH(QByteArray, name);
        QFETCH(int, role);
        QCOMPARE(static_cast<int>(mpiRoleOf(name.toStdString())), role);
    }
};

QTEST_APPLESS_MAIN(TestMpiRole)
#include "tst_mpirole.moc"
