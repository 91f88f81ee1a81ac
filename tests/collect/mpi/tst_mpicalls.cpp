// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/mpi/RecordedJob.h"

#include <QTest>

namespace {

/// Without MPI_Init and MPI_Finalize, which each job has.
QStringList callsBetween(RecordedJob &job, int rank) {
    QStringList calls = job.calls(rank);
    if (calls.size() < 2 || !calls.first().startsWith("MPI_Init") || !calls.last().startsWith("MPI_Finalize"))
        return {"the recording does not go from MPI_Init to MPI_Finalize"};
    return calls.mid(1, calls.size() - 2);
}

/// Whether a poll that waits is unsuccessful at first depends on how fast the others are.
QStringList withoutWaitingPolls(QStringList calls) {
    calls.removeIf([](const QString &call) {
        return call.startsWith("MPI_Request_get_status unsuccessful") || call == "MPI_Testall unsuccessful of r2" ||
               call.startsWith("MPI_Improbe unsuccessful");
    });
    return calls;
}

} // namespace

/// One family of calls after the other, in a job of three ranks (programs/calls.c): what the recording says of each call.
class TestMpiCalls : public QObject {
    Q_OBJECT
  private slots:
    void saysWhatTheCallsDo_data();
    void saysWhatTheCallsDo();
};

void TestMpiCalls::saysWhatTheCallsDo_data() {
    QTest::addColumn<QString>("family");
    QTest::addColumn<int>("rank");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("blocking, rank 0")
        << "blocking" << 0
        << QStringList{
               "MPI_Buffer_attach ->",
               "MPI_Sendrecv send 1 tag 7 WORLD 4B MPI_INT, receive any tag any WORLD 4B MPI_INT -> from 2 tag 7 WORLD 4B",
               "MPI_Sendrecv_replace send 1 tag 8 WORLD 4B MPI_INT, receive 2 tag 8 WORLD 4B MPI_INT -> from 2 tag 8 WORLD 4B",
               "MPI_Send send 1 tag 1 WORLD 32B MPI_DOUBLE ->",
               "MPI_Ssend send 1 tag 2 WORLD 24B MPI_DOUBLE synchronous ->",
               "MPI_Bsend send 1 tag 3 WORLD 16B MPI_DOUBLE buffered ->",
               "MPI_Rsend send 1 tag 4 WORLD 8B MPI_DOUBLE ready ->",
               "MPI_Send send null tag 1 WORLD 4B MPI_INT ->",
               "MPI_Recv receive null tag 1 WORLD 4B MPI_INT -> from null tag any WORLD 0B",
               "MPI_Buffer_detach ->",
           };
    QTest::newRow("blocking, rank 1")
        << "blocking" << 1
        << QStringList{
               "MPI_Buffer_attach ->",
               "MPI_Sendrecv send 2 tag 7 WORLD 4B MPI_INT, receive any tag any WORLD 4B MPI_INT -> from 0 tag 7 WORLD 4B",
               "MPI_Sendrecv_replace send 2 tag 8 WORLD 4B MPI_INT, receive 0 tag 8 WORLD 4B MPI_INT -> from 0 tag 8 WORLD 4B",
               "MPI_Recv receive 0 tag any WORLD 32B MPI_DOUBLE -> from 0 tag 1 WORLD 32B",
               "MPI_Recv receive any tag any WORLD 32B MPI_DOUBLE -> from 0 tag 2 WORLD 24B",
               "MPI_Recv receive 0 tag 3 WORLD 32B MPI_DOUBLE -> from 0 tag 3 WORLD 16B",
               "MPI_Recv receive any tag 4 WORLD 32B MPI_DOUBLE -> from 0 tag 4 WORLD 8B",
               "MPI_Send send null tag 1 WORLD 4B MPI_INT ->",
               "MPI_Recv receive null tag 1 WORLD 4B MPI_INT -> from null tag any WORLD 0B",
               "MPI_Buffer_detach ->",
           };
    QTest::newRow("nonblocking, rank 0")
        << "nonblocking" << 0
        << QStringList{
               "MPI_Irecv receive 2 tag 0 WORLD 4B MPI_INT r1 ->",
               "MPI_Isend send 1 tag 0 WORLD 4B MPI_INT r2 ->",
               "MPI_Irecv receive 2 tag 1 WORLD 4B MPI_INT r3 ->",
               "MPI_Issend send 1 tag 1 WORLD 4B MPI_INT synchronous r4 ->",
               "MPI_Irecv receive 2 tag 2 WORLD 4B MPI_INT r5 ->",
               "MPI_Isend send null tag 2 WORLD 4B MPI_INT r6 ->",
               "MPI_Irecv receive 2 tag 3 WORLD 4B MPI_INT r7 ->",
               "MPI_Isend send 1 tag 3 WORLD 4B MPI_INT r8 ->",
               "MPI_Irecv receive 2 tag 4 WORLD 4B MPI_INT r9 ->",
               "MPI_Issend send 1 tag 4 WORLD 4B MPI_INT synchronous r10 ->",
               "MPI_Irecv receive 2 tag 5 WORLD 4B MPI_INT r11 ->",
               "MPI_Isend send null tag 5 WORLD 4B MPI_INT r12 ->",
               "MPI_Wait of r9 -> from 2 tag 4 WORLD 4B r9",
               "MPI_Waitall of r1 r3 r7 -> from 2 tag 0 WORLD 4B r1, from 2 tag 1 WORLD 4B r3, from 2 tag 3 WORLD 4B r7",
               "MPI_Waitall of r2 r4 r6 r8 r10 r12 -> done r2, done r4, done r6, done r8, done r10, done r12",
               "MPI_Cancel of r5 ->",
               "MPI_Wait of r5 -> released r5",
               "MPI_Cancel of r11 ->",
               "MPI_Wait of r11 -> released r11",
               "MPI_Wait ->",
               "MPI_Isend send null tag 1 WORLD 4B MPI_INT r13 ->",
               "MPI_Request_free of r13 -> released r13",
               "MPI_Irecv receive null tag 1 WORLD 4B MPI_INT r14 ->",
               "MPI_Waitall of r14 -> from null tag 1 WORLD 0B r14",
           };
    QTest::newRow("persistent, rank 0") << "persistent" << 0
                                        << QStringList{
                                               "MPI_Send_init ->",
                                               "MPI_Recv_init ->",
                                               "MPI_Startall send 1 tag 9 WORLD 32B MPI_DOUBLE persistent r1, receive any tag 9 "
                                               "WORLD 32B MPI_DOUBLE persistent r2 ->",
                                               "MPI_Waitall of r1 r2 -> done r1, from 2 tag 9 WORLD 32B r2",
                                               "MPI_Start receive any tag 9 WORLD 32B MPI_DOUBLE persistent r3 ->",
                                               "MPI_Start send 1 tag 9 WORLD 32B MPI_DOUBLE persistent r4 ->",
                                               "MPI_Waitall of r4 r3 -> done r4, from 2 tag 9 WORLD 32B r3",
                                               "MPI_Waitall ->",
                                               "MPI_Request_free ->",
                                               "MPI_Request_free ->",
                                           };
    QTest::newRow("probes, rank 0") << "probes" << 0
                                    << QStringList{
                                           "MPI_Iprobe unsuccessful receive any tag 1 WORLD 0B ? probe",
                                           "MPI_Barrier collective WORLD 0B 0B ->",
                                           "MPI_Probe receive any tag 1 WORLD 0B ? probe -> sees from 1 tag 1 WORLD 4B",
                                           "MPI_Recv receive 1 tag 1 WORLD 4B MPI_INT -> from 1 tag 1 WORLD 4B",
                                           "MPI_Mprobe receive any tag 2 WORLD 0B ? probe -> takes from 1 tag 2 WORLD 4B",
                                           "MPI_Mrecv receive 1 tag 2 WORLD 4B MPI_INT matched -> from 1 tag 2 WORLD 4B",
                                           "MPI_Improbe receive 1 tag any WORLD 0B ? probe -> takes from 1 tag 3 WORLD 4B",
                                           "MPI_Imrecv receive 1 tag 3 WORLD 4B MPI_INT matched r1 ->",
                                           "MPI_Wait of r1 -> from 1 tag 3 WORLD 4B r1",
                                           "MPI_Mprobe receive null tag 2 WORLD 0B ? probe ->",
                                           "MPI_Mrecv receive null tag any ? 4B MPI_INT matched -> from null tag any ? 0B",
                                       };
    QTest::newRow("collectives, rank 0")
        << "collectives" << 0
        << QStringList{
               "MPI_Barrier collective WORLD 0B 0B ->",         "MPI_Bcast collective WORLD root 1 0B 8B ->",
               "MPI_Gather collective WORLD root 0 8B 24B ->",  "MPI_Gatherv collective WORLD root 1 4B 0B ->",
               "MPI_Scatter collective WORLD root 0 24B 8B ->", "MPI_Scatterv collective WORLD root 0 24B 4B ->",
               "MPI_Allgather collective WORLD 4B 12B ->",      "MPI_Allgatherv collective WORLD 4B 24B ->",
               "MPI_Alltoall collective WORLD 24B 24B ->",      "MPI_Alltoallv collective WORLD 12B 12B ->",
               "MPI_Alltoallw collective WORLD 12B 12B ->",     "MPI_Reduce collective WORLD root 2 12B 0B ->",
               "MPI_Allreduce collective WORLD 4B 4B ->",       "MPI_Reduce_scatter_block collective WORLD 12B 4B ->",
               "MPI_Reduce_scatter collective WORLD 24B 4B ->", "MPI_Scan collective WORLD 8B 8B ->",
               "MPI_Exscan collective WORLD 8B 8B ->",
           };
    QTest::newRow("collectives, rank 1")
        << "collectives" << 1
        << QStringList{
               "MPI_Barrier collective WORLD 0B 0B ->",         "MPI_Bcast collective WORLD root 1 8B 0B ->",
               "MPI_Gather collective WORLD root 0 8B 0B ->",   "MPI_Gatherv collective WORLD root 1 8B 24B ->",
               "MPI_Scatter collective WORLD root 0 0B 8B ->",  "MPI_Scatterv collective WORLD root 0 0B 8B ->",
               "MPI_Allgather collective WORLD 4B 12B ->",      "MPI_Allgatherv collective WORLD 8B 24B ->",
               "MPI_Alltoall collective WORLD 24B 24B ->",      "MPI_Alltoallv collective WORLD 24B 24B ->",
               "MPI_Alltoallw collective WORLD 24B 24B ->",     "MPI_Reduce collective WORLD root 2 12B 0B ->",
               "MPI_Allreduce collective WORLD 4B 4B ->",       "MPI_Reduce_scatter_block collective WORLD 12B 4B ->",
               "MPI_Reduce_scatter collective WORLD 24B 8B ->", "MPI_Scan collective WORLD 8B 8B ->",
               "MPI_Exscan collective WORLD 8B 8B ->",
           };
    QTest::newRow("icollectives, rank 1")
        << "icollectives" << 1
        << QStringList{
               "MPI_Ibarrier collective WORLD 0B 0B r1 ->",
               "MPI_Ibcast collective WORLD root 0 0B 8B r2 ->",
               "MPI_Iallreduce collective WORLD 4B 4B r3 ->",
               "MPI_Waitall of r1 r2 r3 -> done r1, done r2, done r3",
               "MPI_Allreduce_init ->",
               "MPI_Start collective WORLD 4B 4B r4 ->",
               "MPI_Wait of r4 -> done r4",
               "MPI_Request_free ->",
               "MPI_Isendrecv send 2 tag 1 WORLD 4B MPI_INT r5, receive 0 tag 1 WORLD 4B MPI_INT r5 ->",
               "MPI_Wait of r5 -> from 0 tag 1 WORLD 0B r5",
               "MPI_Bcast collective WORLD root 0 0B 12B ->",
           };
    QTest::newRow("neighbours, rank 0") << "neighbours" << 0
                                        << QStringList{
                                               "MPI_Cart_create collective WORLD 0B 0B ->",
                                               "MPI_Neighbor_allgather collective ring 4B 8B ->",
                                               "MPI_Neighbor_alltoall collective ring 16B 16B ->",
                                               "MPI_Dist_graph_create_adjacent collective WORLD 0B 0B ->",
                                               "MPI_Ineighbor_alltoall collective star 12B 4B r1 ->",
                                               "MPI_Wait of r1 -> done r1",
                                               "MPI_Comm_free collective ring 0B 0B ->",
                                               "MPI_Comm_free collective star 0B 0B ->",
                                           };
    QTest::newRow("neighbours, rank 1") << "neighbours" << 1
                                        << QStringList{
                                               "MPI_Cart_create collective WORLD 0B 0B ->",
                                               "MPI_Neighbor_allgather collective ring 4B 8B ->",
                                               "MPI_Neighbor_alltoall collective ring 16B 16B ->",
                                               "MPI_Dist_graph_create_adjacent collective WORLD 0B 0B ->",
                                               "MPI_Ineighbor_alltoall collective star 0B 4B r1 ->",
                                               "MPI_Wait of r1 -> done r1",
                                               "MPI_Comm_free collective ring 0B 0B ->",
                                               "MPI_Comm_free collective star 0B 0B ->",
                                           };
    QTest::newRow("errors, rank 0") << "errors" << 0
                                    << QStringList{
                                           "MPI_Send send ? tag 1 WORLD 4B MPI_INT -> failed",
                                           "MPI_Send send ? tag 1 ? 4B MPI_INT -> failed",
                                           "MPI_Send send 0 tag 1 WORLD 0B ? -> failed",
                                           "MPI_Irecv receive 0 tag 1 SELF 0B MPI_INT r1 -> failed",
                                           "MPI_Irecv receive 0 tag 3 SELF 4B MPI_INT r2 ->",
                                           "MPI_Isend send 0 tag 3 SELF 8B MPI_INT r3 ->",
                                           "MPI_Waitall of r2 r3 -> failed released r2",
                                       };
    QTest::newRow("datatypes, rank 1")
        << "datatypes" << 1
        << QStringList{
               "MPI_Sendrecv_replace send 2 tag 1 WORLD 24B vector, receive 0 tag 1 WORLD 24B vector -> from 0 tag 1 WORLD 24B",
               "MPI_Bcast collective WORLD root 0 0B 4B ->",
               "MPI_Sendrecv_replace send 2 tag 1 WORLD 24B vector, receive 0 tag 1 WORLD 24B vector -> from 0 tag 1 WORLD 24B",
               "MPI_Bcast collective WORLD root 0 0B 8B ->",
               "MPI_Sendrecv_replace send 2 tag 1 WORLD 24B vector, receive 0 tag 1 WORLD 24B vector -> from 0 tag 1 WORLD 24B",
               "MPI_Bcast collective WORLD root 0 0B 12B ->",
           };
    QTest::newRow("onesided, rank 0") << "onesided" << 0
                                      << QStringList{
                                             "MPI_Win_create epoch 1 window 0, collective WORLD 0B 0B ->",
                                             "MPI_Win_fence epoch 3 window 0, collective WORLD 0B 0B ->",
                                             "MPI_Put epoch 15 window 0 target 1 ->",
                                             "MPI_Win_fence epoch 3 window 0, collective WORLD 0B 0B ->",
                                             "MPI_Win_free epoch 2 window 0, collective WORLD 0B 0B ->",
                                             "MPI_File_open collective SELF 0B 0B ->",
                                             "MPI_File_write_at ->",
                                             "MPI_File_close collective SELF 0B 0B ->",
                                         };
    QTest::newRow("phases, rank 0") << "phases" << 0
                                    << QStringList{
                                           "phase 0", "MPI_Barrier collective WORLD 0B 0B ->",
                                           "phase 1", "MPI_Barrier collective WORLD 0B 0B ->",
                                           "phase 2", "MPI_Barrier collective WORLD 0B 0B ->",
                                       };
    QTest::newRow("nested, rank 0") << "nested" << 0
                                    << QStringList{
                                           "MPI_Comm_dup collective WORLD 0B 0B ->",
                                           "MPI_Comm_free collective c1 0B 0B ->",
                                           "MPI_Barrier collective WORLD 0B 0B ->",
                                       };
    QTest::newRow("completion, rank 0") << "completion" << 0
                                        << QStringList{
                                               "MPI_Irecv receive 1 tag 0 WORLD 4B MPI_INT r1 ->",
                                               "MPI_Irecv receive 1 tag 1 WORLD 4B MPI_INT r2 ->",
                                               "MPI_Irecv receive 1 tag 2 WORLD 4B MPI_INT r3 ->",
                                               "MPI_Irecv receive 1 tag 3 WORLD 4B MPI_INT r4 ->",
                                               "MPI_Test unsuccessful of r1",
                                               "MPI_Testall unsuccessful of r1 r2 r3 r4",
                                               "MPI_Testany unsuccessful of r1 r2 r3 r4",
                                               "MPI_Testsome unsuccessful of r1 r2 r3 r4",
                                               "MPI_Send send 1 tag 2 WORLD 0B MPI_INT ->",
                                               "MPI_Waitany of r1 r2 r3 r4 -> from 1 tag 2 WORLD 4B r3",
                                               "MPI_Send send 1 tag 3 WORLD 0B MPI_INT ->",
                                               "MPI_Waitsome of r1 r2 r4 -> from 1 tag 3 WORLD 4B r4",
                                               "MPI_Send send 1 tag 0 WORLD 0B MPI_INT ->",
                                               "MPI_Request_get_status of r1 ->",
                                               "MPI_Test of r1 -> from 1 tag 0 WORLD 4B r1",
                                               "MPI_Send send 1 tag 1 WORLD 0B MPI_INT ->",
                                               "MPI_Testall of r2 -> from 1 tag 1 WORLD 4B r2",
                                               "MPI_Waitany ->",
                                           };
}

void TestMpiCalls::saysWhatTheCallsDo() {
    QFETCH(QString, family);
    QFETCH(int, rank);
    QFETCH(QStringList, expected);
    const QStringList command{RecordedJob::program("calls"), family};
    RecordedJob job;
    const RecordedJob::Result plain = job.runPlain(command);
    const RecordedJob::Result recorded = job.run(command);
    QCOMPARE(recorded.status, plain.status);
    QCOMPARE(recorded.output, plain.output);
    QCOMPARE(recorded.errors, plain.errors);
    QCOMPARE(job.warnings(), QStringList());
    const QStringList calls = withoutWaitingPolls(callsBetween(job, rank));
    for (qsizetype i = 0; i < std::min(calls.size(), expected.size()); ++i)
        QCOMPARE(calls[i], expected[i]);
    QCOMPARE(calls.size(), expected.size());
    QVERIFY2(job.file(rank).header().errorTicks == 0, "errors that calls return are not what the job ends for");
    QVERIFY2(family == "errors" || job.file(rank).requests().empty(),
             "all requests are complete, and yet some are said to be open");
}

QTEST_GUILESS_MAIN(TestMpiCalls)
#include "tst_mpicalls.moc"
