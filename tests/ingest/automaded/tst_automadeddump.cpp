// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/DumpVerdict.h"
#include "analysis/words/DumpWords.h"
#include "ingest/Format.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace laggard;

namespace {

const QString dumps = QStringLiteral(LAGGARD_TRACES "/../dumps/");

/// Two states, undefined to each other; ranks 0 and 1.
const char *const small = R"(#START_DEPENDENCY_GRAPH
0,3,
3,0,
#END_DEPENDENCY_GRAPH
#START_STATES
0:./libstracker.so(MPI_Recv+0x43) [0x2a]|./app(_ZN4Flow4stepEv+0x68) [0x40]|/lib/libc.so.6(__libc_start_main+0xfc) [0x2b]
1:./app(main+0x11) [0x41]
#END_STATES
#START_TASK_LOC
0:0:1
1:1:1
#END_TASK_LOC
#START_SOURCE_CODE_LINES
0,/x/wrappers.h:5|MPI_Recv|*
/x/flow.C:38|_ZN4Flow4stepEv
??:0|__libc_start_main
1,/x/main.C:4|main
#END_SOURCE_CODE_LINES
#START_STATE_TYPES
0:COMMUNICATION_CODE
1:COMPUTATION_CODE
#END_STATE_TYPES
)";

} // namespace

class TestAutomadedDump : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void leastProgressedIsTheOneNamed_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<RankSet>("expected");
        QTest::addColumn<QString>("place");
        QTest::newRow("test2") << dumps + "test2.dump" << RankSet{3} << "main (test.C:38)";
        QTest::newRow("test7") << dumps + "test7.dump" << RankSet{1} << "main (test.C:56)";
    }
    void leastProgressedIsTheOneNamed() {
        QFETCH(QString, file);
        QFETCH(RankSet, expected);
        QFETCH(QString, place);
        if (!QFile::exists(file))
            QSKIP("the dumps of AutomaDeD are not on this machine");
        const Opened input = openInput(file.toStdString(), {}, {});
        QVERIFY(input.dump != nullptr);
        QCOMPARE(input.trace->processes.size(), std::size_t{16});
        const ProgressGraph progress = buildProgressGraph(*input.dump, nullptr, {});
        QCOMPARE(progress.leastProgressed, expected);
        Verdict verdict = judge(*input.dump, progress);
        sayIt(*input.dump, progress, verdict);
        QVERIFY2(QString::fromStdString(verdict.summary).contains(place), verdict.summary.c_str());
        QVERIFY(verdict.state == Verdict::State::Hung);
        for (const ProgressNode &node : progress.nodes)
            for (const Frame &frame : node.stack)
                QVERIFY2(frame.function.find("Backtrace") == std::string::npos &&
                             frame.function.find("transition") == std::string::npos,
                         ("a frame of the tool is shown: " + frame.function).c_str());
    }

    void graphIsShownAsStated() {
        if (!QFile::exists(dumps + "test7.dump"))
            QSKIP("the dumps of AutomaDeD are not on this machine");
        const Opened input = openInput((dumps + "test7.dump").toStdString(), {}, {});
        const ProgressGraph progress = buildProgressGraph(*input.dump, nullptr, {});
        QCOMPARE(progress.nodes.size(), std::size_t{3});
        QCOMPARE(progress.edges.size(), std::size_t{3});
        // For the ranks that are not in main, the call is shown, with where it is made.
        const auto many = std::find_if(progress.nodes.begin(), progress.nodes.end(),
                                       [](const ProgressNode &n) { return n.ranks.size() == 14; });
        QVERIFY(many != progress.nodes.end());
        QCOMPARE(many->ranks, (RankSet{0, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
        QCOMPARE(QString::fromStdString(many->stack.at(0).function), QString("MPI_Barrier"));
        QCOMPARE(QString::fromStdString(many->stack.at(1).function), QString("main"));
        QCOMPARE(many->stack.at(1).line, 65U);
    }

    void symbolsAreDemangled() {
        const ModelDumpPtr dump = open(small);
        const std::vector<Frame> &stack = dump->models.states.at(0).stack;
        QCOMPARE(stack.size(), std::size_t{3});
        QCOMPARE(QString::fromStdString(stack[0].function), QString("MPI_Recv"));
        QVERIFY(stack[0].file.empty()); // the tool's wrapper is not the program's source
        QCOMPARE(QString::fromStdString(stack[1].function), QString("Flow::step()"));
        QCOMPARE(QString::fromStdString(stack[1].file), QString("/x/flow.C"));
        QCOMPARE(stack[1].line, 38U);
    }

    void undefinedDependencesStayUndefined() {
        const ProgressGraph progress = buildProgressGraph(*open(small), nullptr, {});
        QCOMPARE(progress.edges.size(), std::size_t{1}); // though both states say so
        for (const ProgressEdge &edge : progress.edges)
            QVERIFY(edge.dependence == ProgressEdge::Dependence::Undefined);
    }

    void damageIsNamed_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char *name, const char *from, const char *to, const char *said) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(said);
        };
        row("unknown dependence", "0,3,\n", "0,7,\n", "line 2: a dependence is 0, 1, 2 or 3");
        row("block without end", "#END_STATES\n", "", "the block STATES has no end");
        row("state without number", "1:./app", "./app", "the number of a state was expected");
        row("ranks that are none", "1:1:1", "1:many:1", "is not a list of ranks");
        row("too many ranks", "1:1:1", "1:0-4000000000:1", "more than can be");
        row("rank in two states", "1:1:1", "1:0-1:1", "rank 0 is in two states");
        row("more dependences than states", "3,0,\n", "3,0,1\n", "its dependences are not those of its 2 states");
        row("kind that is none", "1:COMPUTATION_CODE", "1:SLEEP", "\"SLEEP\" is no kind of state");
        QTest::newRow("kind with a byte of zero")
            << QByteArray("1:COMPUTATION_CODE") << QByteArray("1:SL\0EP", 7) << QByteArray("\"SL EP\" is no kind of state.");
        row("line outside of blocks", "#START_TASK_LOC\n", "", "a line outside of all blocks");
        row("nobody anywhere", "0:0:1\n1:1:1\n", "", "says of no rank where it is");
    }
    void damageIsNamed() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, said);
        QByteArray content(small);
        QVERIFY(content.contains(from));
        content.replace(content.indexOf(from), from.size(), to);
        try {
            static_cast<void>(open(content));
            QFAIL("a damaged dump was opened");
        } catch (const ReadError &error) {
            QVERIFY2(QByteArray(error.what()).contains(said), error.what());
        }
    }

    void randomDamageIsSurvived() {
        std::mt19937 random(7);
        int opened = 0;
        for (int round = 0; round < 3000; ++round) {
            QByteArray content(small);
            for (unsigned i = 0; i < 1 + random() % 4; ++i) {
                const auto at = static_cast<qsizetype>(25 + random() % static_cast<unsigned>(content.size() - 25));
                if (random() % 2 == 0)
                    content[at] = static_cast<char>(random());
                else
                    content.remove(at, static_cast<qsizetype>(random() % 40));
            }
            try {
                const ModelDumpPtr dump = open(content);
                ++opened;
                const ProgressGraph progress = buildProgressGraph(*dump, nullptr, {});
                Verdict verdict = judge(*dump, progress);
                sayIt(*dump, progress, verdict);
            } catch (const ReadError &error) {
                QVERIFY(error.what()[0] != '\0');
            }
        }
        QVERIFY2(opened > 100, "hardly any dump survived: the test shows nothing");
    }

  private:
    ModelDumpPtr open(const QByteArray &content) {
        QFile file(m_folder->filePath("a.dump"));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write the test's file");
        file.close();
        return openInput(file.fileName().toStdString(), {}, {}).dump;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestAutomadedDump)
#include "tst_automadeddump.moc"
