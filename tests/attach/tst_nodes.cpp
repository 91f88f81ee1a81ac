// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/Nodes.h"

#include <QTest>

#include <sstream>

using namespace laggard::attach;

class TestNodes : public QObject {
    Q_OBJECT
  private slots:
    void readsHostFiles() {
        const std::vector<std::string> expected = {"n1", "n2", "n3", "fe80::1"};
        QCOMPARE(hostsIn("n1 slots=4\n# a comment\n\nn2:8\n  n3  # the third\nn1\nfe80::1\n-oProxyCommand=x\n"), expected);
    }

    void quotesForTheShellOfSsh() {
        const std::vector<std::string> words = startedOn("n1", {NodeStarter::Kind::Ssh, {}}, {"/opt/it's here/agent", "$x; y"});
        QCOMPARE(words.at(words.size() - 2), std::string("'/opt/it'\\''s here/agent'"));
        QCOMPARE(words.back(), std::string("'$x; y'"));
    }
    void slurmGetsTheWordsAsTheyAre() {
        const std::vector<std::string> words = startedOn("n1", {NodeStarter::Kind::Srun, "42"}, {"agent", "$x"});
        const std::vector<std::string> expected = {"srun",       "--jobid=42",    "--overlap", "--nodes=1",
                                                   "--ntasks=1", "--nodelist=n1", "agent",     "$x"};
        QCOMPARE(words, expected);
    }

    void branchesHoldEachHostOnce() {
        for (std::size_t count : {1U, 2U, 16U, 17U, 300U}) {
            std::vector<std::string> hosts;
            for (std::size_t i = 0; i < count; ++i)
                hosts.push_back("n" + std::to_string(i));
            std::vector<std::string> found;
            for (const std::vector<std::string> &branch : branchesOf(hosts)) {
                QVERIFY(!branch.empty());
                QVERIFY(branch.size() <= (count + 15) / 16);
                found.insert(found.end(), branch.begin(), branch.end());
            }
            std::ranges::sort(found);
            std::ranges::sort(hosts);
            QCOMPARE(found, hosts);
        }
    }

    void dumpsComeThroughNoise() {
        std::ostringstream out;
        out << "Welcome to n1!\n";
        writeNodeDump(out, {"n1", "{\n\"a\": 1}\n"});
        writeNodeDump(out, {"n2 with space", ""});
        out << "laggard-attach n3 99999999999999999999\nlaggard-attach n4 5\nabc";
        const std::vector<NodeDump> dumps = readNodeDumps(out.str());
        QCOMPARE(dumps.size(), std::size_t{2});
        QCOMPARE(dumps[0].host, std::string("n1"));
        QCOMPARE(dumps[0].text, std::string("{\n\"a\": 1}\n"));
        QCOMPARE(dumps[1].host, std::string("n2 with space"));
    }

    void runsProgramsAtOnce() {
        const std::vector<RunProgram> runs =
            runPrograms({{"sh", "-c", "echo one; exit 3"}, {"/no/such/program"}, {"echo", "two"}}, [] { return false; });
        QCOMPARE(runs[0].output, std::string("one\n"));
        QCOMPARE(runs[0].status, 3);
        QCOMPARE(runs[1].status, 127);
        QCOMPARE(runs[2].output, std::string("two\n"));
    }
    void endsWhatIsCancelled() {
        const std::vector<RunProgram> runs = runPrograms({{"sleep", "1000"}}, [] { return true; });
        QCOMPARE(runs[0].status, 128 + 15);
    }
};

QTEST_APPLESS_MAIN(TestNodes)
#include "tst_nodes.moc"
