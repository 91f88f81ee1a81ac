// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/FlightJob.h"
#include "tests/support/Mutation.h"
#include "tests/support/TraceDigest.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

/// Eight ranks, of which rank 3 hangs, as JSON: what is changed in it is plain to see.
const FlightJob usualJob{.steps = 3, .fault = FlightJob::Fault::NotEnqueued, .faulty = {3}, .json = true};

QString lossesOf(const Trace &trace) {
    QString text;
    for (const Warning &warning : trace.warnings)
        if (warning.severity == Warning::Severity::DataLoss)
            text += QString::fromStdString(warning.place.substr(warning.place.rfind('/') + 1) + ": " + warning.message) + '\n';
    return text;
}

/// The digests of all ranks but this one.
std::vector<std::string> othersOf(const Trace &trace, Rank rank) {
    std::vector<std::string> digests = digestByRank(trace);
    digests.erase(digests.begin() + rank);
    return digests;
}

} // namespace

class TestAgreement : public QObject {
    Q_OBJECT

  private slots:
    void namesTheDumpThatDisagrees_data() {
        QTest::addColumn<unsigned>("rank");
        QTest::addColumn<QString>("from"); // all of these in the dump
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("dump"); // that is named
        QTest::addColumn<QString>("words");
        QTest::newRow("description of the group of all, first rank")
            << 0U << "default_pg"
            << "defaunt_pg"
            << "_dump_0"
            << "It describes group \"0\" of ranks 0-7 as \"defaunt_pg\", and the dumps of ranks 1-7 as \"default_pg\": it is "
               "damaged, and theirs is taken.";
        QTest::newRow("description of a group of two: the other groups of its kind tell who is right")
            << 0U << "TENSOR_MODEL_PARALLEL_GROUP"
            << "TENSOR_LODEL_PARALLEL_GROUP"
            << "_dump_0"
            << "the dump of rank 1 as \"TENSOR_MODEL_PARALLEL_GROUP\": it is damaged";
        QTest::newRow("description of one of its entries alone") << 0U << "[\"0\",\"default_pg\"]"
                                                                 << "[\"0\",\"defaunt_pg\"]"
                                                                 << "_dump_0"
                                                                 << "is described as";
        QTest::newRow("members of the group of all") << 5U << "[0, 1, 2, 3, 4, 5, 6, 7]"
                                                     << "[0, 1, 2, 3, 4, 5, 6, 9]"
                                                     << "_dump_5"
                                                     << "It says that group \"0\" is of ranks 0-6, 9, and the dumps of ranks "
                                                        "0-4, 6-7 of ranks 0-7: it is damaged, and "
                                                        "theirs is taken.";
        QTest::newRow("members of the group of all in another order") << 5U << "[0, 1, 2, 3, 4, 5, 6, 7]"
                                                                      << "[0, 1, 3, 2, 4, 5, 6, 7]"
                                                                      << "_dump_5"
                                                                      << "in another order: it is damaged";
        QTest::newRow("a member that nobody else knows, of a group of two")
            << 0U << "\"[0, 1]\""
            << "\"[0, 9]\""
            << "_dump_0"
            << "the dump of rank 1 of ranks 0 and 1: it is damaged";
        QTest::newRow("not a member of its own group") << 0U << "\"[0, 1]\""
                                                       << "\"[4, 1]\""
                                                       << "_dump_0"
                                                       << "It says that group \"1\" is of ranks 1 and 4";
        QTest::newRow("an operation that there is not")
            << 6U << "nccl:all_reduce"
            << "nccl:all_rejuce"
            << "_dump_6"
            << "It tells of \"nccl:all_rejuce\", as no other dump does, and 7 dumps of \"nccl:all_reduce\"";
        QTest::newRow("the size of what is complete") << 6U << "[[4096]]"
                                                      << "[[4097]]"
                                                      << "_dump_6"
                                                      << "which is complete, than most dumps of its members";
        QTest::newRow("a type that there is not") << 6U << "BFloat16"
                                                  << "BFlnat16"
                                                  << "_dump_6"
                                                  << "a letter was changed";
        QTest::newRow("a state that there is not") << 6U << "\"scheduled\""
                                                   << "\"scheluded\""
                                                   << "_dump_6"
                                                   << "which there is not";
    }

    /// What other ranks tell is as it was, and the dump that disagrees is named.
    void namesTheDumpThatDisagrees() {
        QFETCH(const unsigned, rank);
        QFETCH(const QString, from);
        QFETCH(const QString, to);
        QFETCH(const QString, dump);
        QFETCH(const QString, words);
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        writeDumps(usualJob, path);
        const std::vector<std::string> before = othersOf(*openTrace(path, {}, {}), rank);
        QString text = QString::fromStdString(dumpsOf(usualJob)[rank]);
        QVERIFY2(text.contains(from), qPrintable("the dump has nothing to change: " + text.left(2000)));
        setFileBytes(path + "/_dump_" + std::to_string(rank), text.replace(from, to).toStdString());
        const TracePtr trace = openTrace(path, {}, {});
        const QString losses = lossesOf(*trace);
        QVERIFY2(losses.contains(dump) && losses.contains(words), qPrintable("said was: " + losses));
        QCOMPARE(trace->processes.size(), std::size_t{8});
        QVERIFY2(othersOf(*trace, rank) == before, "other ranks tell something else now");
    }

    /// The name of a group is its key, its own "name", and that of its entries.
    void namesTheOneThatCallsAGroupOtherwise() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        writeDumps(usualJob, path);
        const std::vector<std::string> before = othersOf(*openTrace(path, {}, {}), 0);
        QString text = QString::fromStdString(dumpsOf(usualJob)[0]);
        text.replace("\"0\":{\"name\":\"0\"", "\"20\":{\"name\":\"20\"")
            .replace("[\"0\",\"default_pg\"]", "[\"20\",\"default_pg\"]");
        QVERIFY2(text.contains("[\"20\",") && text.contains("\"20\":{"), qPrintable(text.left(2000)));
        setFileBytes(path + "/_dump_0", text.toStdString());
        const TracePtr trace = openTrace(path, {}, {});
        QVERIFY2(
            lossesOf(*trace).contains("_dump_0: It calls the group of ranks 0-7 \"20\", and the dumps of ranks 1-7 \"0\": it "
                                      "is damaged, and theirs is taken."),
            qPrintable(lossesOf(*trace)));
        QVERIFY2(othersOf(*trace, 0) == before, "other ranks tell something else now");
        QCOMPARE(trace->communicators[trace->world].name, std::string("default_pg 0"));
    }

    /// A damaged dump may list any number of groups, of which none fits what the others tell.
    void endsWithManyGroups() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        writeDumps(usualJob, path);
        std::string groups;
        for (int i = 0; i < 20'000; ++i)
            groups += "\"" + std::to_string(1000 + i) + "\":{\"desc\":\"x\",\"ranks\":\"[0, 7]\"},";
        QString text = QString::fromStdString(dumpsOf(usualJob)[0]);
        const QString begin = "\"pg_config\":{";
        QVERIFY2(text.contains(begin), qPrintable(text.left(2000)));
        text.replace(begin, begin + QString::fromStdString(groups));
        setFileBytes(path + "/_dump_0", text.toStdString());
        const TracePtr trace = openTrace(path, {}, {});
        QVERIFY(trace->communicators.size() > 20'000);
        QCOMPARE(trace->communicators[trace->world].name, std::string("default_pg 0"));
    }

    void namesBothWhereNothingTellsWhoIsRight() {
        const FlightJob pair{.data = 1, .pipeline = 1, .steps = 3, .json = true};
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        writeDumps(pair, path);
        QString text = QString::fromStdString(dumpsOf(pair)[1]);
        setFileBytes(path + "/_dump_1", text.replace("default_pg", "defaunt_pg").toStdString());
        const QString losses = lossesOf(*openTrace(path, {}, {}));
        QVERIFY2(losses.contains("one of them is damaged"), qPrintable(losses));
    }

    void namesAFileOfAnotherRank() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        writeDumps(usualJob, path);
        setFileBytes(path + "/_dump_2", dumpsOf(usualJob)[5]);
        const QString losses = lossesOf(*openTrace(path, {}, {}));
        QVERIFY2(losses.contains("_dump_2: Its file's name says that it is of rank 2, which is no member of its group"),
                 qPrintable(losses));
    }

    /// A rank that stands before it has made a group, and jobs of all kinds: no damage.
    void findsNothingInSoundJobs_data() {
        QTest::addColumn<unsigned>("fault");
        QTest::addColumn<unsigned>("at");
        QTest::addColumn<bool>("repeatNames");
        for (unsigned fault = 0; fault <= static_cast<unsigned>(FlightJob::Fault::OtherOrder); ++fault)
            for (unsigned at = 0; at < 4; ++at)
                for (const bool repeat : {false, true})
                    QTest::addRow("fault %u at %u%s", fault, at, repeat ? ", names repeat" : "") << fault << at << repeat;
    }

    void findsNothingInSoundJobs() {
        QFETCH(const unsigned, fault);
        QFETCH(const unsigned, at);
        QFETCH(const bool, repeatNames);
        FlightJob job = usualJob;
        job.pipeline = 4;
        job.fault = static_cast<FlightJob::Fault>(fault);
        job.at = static_cast<FlightJob::At>(at);
        job.repeatNames = repeatNames;
        const QTemporaryDir folder;
        writeDumps(job, folder.path().toStdString());
        QString losses = lossesOf(*openTrace(folder.path().toStdString(), {}, {}));
        losses.remove(QRegularExpression("[^\n]*There is no dump of[^\n]*\n"));
        QCOMPARE(losses, QString());
    }

    void takesAGroupThatIsNotYetMadeForNoDamage() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        writeDumps(usualJob, path);
        QString text = QString::fromStdString(dumpsOf(usualJob)[2]);
        const QRegularExpression last(",\"\\d+\":\\{\"name\":\"\\d+\",\"desc\":\"DATA_PARALLEL_GROUP\",\"ranks\":\"[^\"]*\"\\}");
        QVERIFY2(text.contains(last), qPrintable(text.left(2000)));
        text.remove(last);
        const qsizetype entries = text.indexOf("\"entries\":");
        QVERIFY(entries >= 0);
        const qsizetype list = text.indexOf('[', entries);
        int depth = 0;
        qsizetype end = list;
        do
            depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
        while (++end < text.size() && depth > 0);
        text.replace(list, end - list, "[]");
        setFileBytes(path + "/_dump_2", text.toStdString());
        QCOMPARE(lossesOf(*openTrace(path, {}, {})), QString());
    }

    /// Whatever is changed in one dump: what the others tell is as it was.
    void keepsTheOthers_data() {
        QTest::addColumn<bool>("json");
        QTest::newRow("pickle") << false;
        QTest::newRow("JSON") << true;
    }

    void keepsTheOthers() {
        QFETCH(const bool, json);
        FlightJob job = usualJob;
        job.json = json;
        job.data = 1;
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        writeDumps(job, path);
        const std::vector<std::string> before = othersOf(*openTrace(path, {}, {}), 0);
        const std::string whole = dumpsOf(job)[0];
        std::mt19937 random(11);
        for (int i = 0; i < 600; ++i) {
            const Mutation mutation = mutatedOnce(whole, random);
            setFileBytes(path + "/_dump_0", mutation.bytes);
            const TracePtr trace = openTrace(path, {}, {});
            const std::vector<std::string> all = digestByRank(*trace);
            for (const std::string &each : before)
                QVERIFY2(std::ranges::find(all, each) != all.end(),
                         qPrintable(QString::fromStdString(mutation.description) + ":\n" + lossesOf(*trace)));
        }
    }
};

QTEST_APPLESS_MAIN(TestAgreement)
#include "tst_agreement.moc"
