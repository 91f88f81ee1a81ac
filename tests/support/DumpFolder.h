// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QString>

namespace laggard::test {

/// Writes a job as a folder of model dumps, `perFile` ranks in each: all ranks go round a loop of MPI_Isend and MPI_Allreduce,
/// and one computes in its last round while the others wait in MPI_Allreduce. The tables of the files differ.
inline void writeDumps(const QString &folder, int ranks, int perFile, int hung) {
    QDir().mkpath(folder);
    for (int first = 0; first < ranks; first += perFile) {
        const int last = qMin(first + perFile, ranks) - 1;
        const bool isOdd = (first / perFile) % 2 == 1; // other numbers for the same things
        const QString all = QString("%1-%2").arg(first).arg(last);
        const bool hasHung = first <= hung && hung <= last;
        QString waiting = all;
        if (hasHung) {
            waiting.clear();
            for (int rank = first; rank <= last; ++rank)
                if (rank != hung)
                    waiting += (waiting.isEmpty() ? "" : ",") + QString::number(rank);
        }
        const QString functions = isOdd ? R"([{"name":"MPI_Allreduce","mpi":true},{"name":"main","file":"a.c","line":1},
            {"name":"compute","file":"a.c","line":9},{"name":"MPI_Isend","mpi":true}])"
                                        : R"([{"name":"main","file":"a.c","line":1},{"name":"compute","file":"a.c","line":9},
            {"name":"MPI_Isend","mpi":true},{"name":"MPI_Allreduce","mpi":true}])";
        // Paths: 0 main, 1 compute, 2 MPI_Isend, 3 MPI_Allreduce.
        const QString paths = isOdd ? "[[null,1],[0,2],[0,3],[0,0]]" : "[[null,0],[0,1],[0,2],[0,3]]";
        const auto model = [&](const QString &of, int rounds) {
            return QString(R"({"ranks":"%1","transitions":[[0,1,1],[1,2,%2],[2,3,%2],[3,4,%3],[4,1,%3]]})")
                .arg(of)
                .arg(rounds)
                .arg(rounds - 1);
        };
        QString models, tasks, activities, open, since;
        const auto add = [](QString &list, const QString &entry) { list += (list.isEmpty() ? "" : ",") + entry; };
        if (!waiting.isEmpty()) {
            add(models, model(waiting, 40));
            add(tasks, QString(R"({"ranks":"%1","state":3})").arg(waiting));
            add(activities, QString(R"({"ranks":"%1","doing":"collective","call_path":3,"mpi_call_path":3})").arg(waiting));
            add(open,
                QString(
                    R"({"ranks":"%1","known":"recorded","confidence":1,"collective":{"operation":"Allreduce","communicator":0,"root":null}})")
                    .arg(waiting));
        }
        if (hasHung) {
            add(models, QString(R"({"ranks":"%1","transitions":[[0,1,1],[1,2,40],[2,3,39],[3,4,39],[4,1,39]]})").arg(hung));
            add(tasks, QString(R"({"ranks":"%1","state":2})").arg(hung));
            add(activities, QString(R"({"ranks":"%1","doing":"computing","call_path":1})").arg(hung));
        }
        for (int rank = 0; rank <= last; ++rank)
            add(since, QString::number(rank < first ? 0 : rank == hung ? 3'000'000'000 : 4'000'000'000 + rank));
        QString counts;
        if (!waiting.isEmpty())
            add(counts, QString(R"({"ranks":"%1","counts":[[0,40,39]]})").arg(waiting));
        if (hasHung)
            add(counts, QString(R"({"ranks":"%1","counts":[[0,39,39]]})").arg(hung));
        QString messages; // each sends to the next one
        if (const int to = qMin(last, ranks - 2); first <= to)
            add(messages,
                QString(R"({"ranks":"%1-%2","relative":true,"sent":[[1,0,7,40,320]],"received":[]})").arg(first).arg(to));
        if (const int from = qMax(first, 1); from <= last)
            add(messages, QString(R"({"ranks":"%1-%2","relative":true,"sent":[],"received":[[-1,0,7,%3,320]]})")
                              .arg(from)
                              .arg(last)
                              .arg(hasHung ? 39 : 40));
        QFile file(folder + QString("/part-%1.json").arg(first, 8, 10, QChar('0')));
        file.open(QIODevice::WriteOnly);
        file.write(QString(R"({"schema":"laggard.model/2","job":{"ranks":%1,"format":"test","ticks":60000000000,"events":%2},
"functions":%3,"call_paths":%4,
"hosts":[{"name":"node%5","ranks":"%6"}],
"communicators":[{"key":"w","name":"MPI_COMM_WORLD"}],"world":0,
"states":[{"kind":"start"},{"kind":"communication","call_path":2},{"kind":"computation","call_path":2},{"kind":"communication","call_path":3},{"kind":"computation","call_path":3}],
"models":[%7],"tasks":[%8],
"waits":{"ticks":60000000000,"last_event_ticks":5000000000,"activities":[%9],)")
                       .arg(ranks)
                       .arg(10 * (last - first + 1))
                       .arg(functions, paths)
                       .arg(first / 4)
                       .arg(all, models, tasks, activities)
                       .toUtf8());
        file.write(QString(R"("since_ticks":[%1],"open_calls":[%2],"collectives":[%3],
"messages":[%4]}}
)")
                       .arg(since, open, counts, messages)
                       .toUtf8());
    }
}

} // namespace laggard::test
