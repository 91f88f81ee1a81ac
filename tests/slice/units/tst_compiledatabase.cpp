// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/CompileDatabase.h"
#include "tests/slice/units/SampleProgram.h"
#include "tests/support/Mutation.h"
#include "trace/Work.h"

#include <QTest>

#include <random>
#include <sys/stat.h>

using namespace laggard;
using laggard::test::SampleProgram;

namespace {

const auto never = std::chrono::steady_clock::time_point::max();

QString describe(const CompileUnit &unit) {
    QStringList words{QString::fromStdString(unit.source), unit.language == Language::Cxx ? "C++" : "C"};
    if (!unit.standard.empty())
        words << QString::fromStdString(unit.standard);
    for (const std::string &word : unit.switches)
        words << QString::fromStdString(word);
    return words.join(' ');
}

QStringList describe(const CompileDatabase &database) {
    QStringList units;
    for (const CompileUnit &unit : database.units())
        units << describe(database.completed(unit));
    return units;
}

QByteArray entry(const QByteArray &file) {
    return R"({"directory":"/b","file":")" + file + R"(","arguments":["cc","-DA=1","-c",")" + file + "\"]}";
}

} // namespace

class TestCompileDatabase : public QObject {
    Q_OBJECT
    SampleProgram m_sample;

    CompileDatabase read(const QByteArray &text, const PathMap &paths = {}) {
        m_sample.write("db.json", text);
        return CompileDatabase(m_sample.path("db.json"), paths, never);
    }

  private slots:
    void readsEntries_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("units");
        QTest::addColumn<QString>("warning");
        const QString damaged = "has 1 damaged element, left out.";
        QTest::newRow("none") << QByteArray("[]") << QStringList() << "";
        QTest::newRow("arguments") << QByteArray(
                                          R"([{"directory":"/b","file":"x/a.c","arguments":["cc","-Ii","-std=c11","x/a.c"]}])")
                                   << QStringList{"/b/x/a.c C c11 -I /b/i"} << "";
        QTest::newRow("command") << QByteArray(R"([{"directory":"/b","file":"/s/a.cc","command":"g++ '-DA=\"x y\"' -o a.o"}])")
                                 << QStringList{"/s/a.cc C++ -DA=\"x y\""} << "";
        QTest::newRow("two") << "[\n" + entry("a.c") + ",\n" + entry("b.c") + "\n]\n"
                             << QStringList{"/b/a.c C -DA=1", "/b/b.c C -DA=1"} << "";
        QTest::newRow("the first of several")
            << "[" + entry("a.c") + "," + entry("./x/../a.c") + "]" << QStringList{"/b/a.c C -DA=1"} << "";
        QTest::newRow("braces in strings") << "[" + entry("a{.c") + "," + entry(R"(b\"}].c)") + "]"
                                           << QStringList{"/b/a{.c C -DA=1", "/b/b\"}].c C -DA=1"} << "";
        QTest::newRow("other languages") << "[" + entry("a.f90") + "," + entry("a.cu") + "," + entry("b.c") + "]"
                                         << QStringList{"/b/b.c C -DA=1"} << "";
        QTest::newRow("breaks off") << "[" + entry("a.c") + ",{\"directory\":\"/b\",\"fi" << QStringList{"/b/a.c C -DA=1"}
                                    << "breaks off behind entry 1.";
        QTest::newRow("damaged entry") << "[{\"file\":17}," + entry("a.c") + "]" << QStringList{"/b/a.c C -DA=1"} << damaged;
        QTest::newRow("without a command") << R"([{"file":"/a.c"},)" + entry("a.c") + "]" << QStringList{"/b/a.c C -DA=1"}
                                           << damaged;
        QTest::newRow("not UTF-8") << "[{\"file\":\"\xff.c\",\"command\":\"cc\"}," + entry("a.c") + "]"
                                   << QStringList{"/b/a.c C -DA=1"} << damaged;
        QTest::newRow("a NUL in a name") << "[" + entry("x\\u0000.c") + "," + entry("a.c") + "]" << QStringList{"/b/a.c C -DA=1"}
                                         << damaged;
        QTest::newRow("deep in an entry") << "[{\"file\":" + QByteArray(100'000, '[') + QByteArray(100'000, ']') + "}," +
                                                 entry("a.c") + "]"
                                          << QStringList{"/b/a.c C -DA=1"} << damaged;
        QTest::newRow("too large an entry") << "[{\"file\":\"" + QByteArray(5 << 20, 'x') + "\"}," + entry("a.c") + "]"
                                            << QStringList{"/b/a.c C -DA=1"} << damaged;
    }
    void readsEntries() {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, units);
        QFETCH(QString, warning);
        const CompileDatabase database = read(text);
        QCOMPARE(describe(database), units);
        QCOMPARE(database.warnings().size(), warning.isEmpty() ? 0U : 1U);
        if (!warning.isEmpty())
            QCOMPARE(QString::fromStdString(database.warnings()[0]),
                     QString("The compile database \"%1\" %2").arg(QString::fromStdString(m_sample.path("db.json")), warning));
    }

    void cutsWhereverBlocksEnd() {
        // Blocks are of 1 MiB: entries and escapes lie across their ends at every offset.
        for (int shift = 0; shift < 20; ++shift) {
            const CompileDatabase database =
                read("[" + QByteArray((1 << 20) - 30 + shift, ' ') + entry("a\\\"\\\\.c") + "," + entry("b.c") + "]");
            QCOMPARE(describe(database), (QStringList{"/b/a\"\\.c C -DA=1", "/b/b.c C -DA=1"}));
            QCOMPARE(database.warnings().size(), 0U);
        }
    }

    void refusesWhatIsNone_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("hello");
        QTest::newRow("an object") << entry("a.c");
        QTest::newRow("binary") << QByteArray(1000, '\xfe');
    }
    void refusesWhatIsNone() {
        QFETCH(QByteArray, text);
        QVERIFY_EXCEPTION_THROWN(read(text), ReadError);
    }
    void opensPlainFilesOnly() {
        const std::string fifo = m_sample.path("fifo.json");
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        for (const std::string &file : {fifo, std::string("/dev/zero"), std::string("/proc/self/environ"), m_sample.path(),
                                        std::string("/nonexistent.json"), std::string()})
            QVERIFY_EXCEPTION_THROWN(CompileDatabase(file, {}, never), ReadError);
    }

    void deepArraysAreNoEntries() {
        const CompileDatabase database = read(QByteArray(100'000, '['));
        QCOMPARE(database.units().size(), 0U);
        QCOMPARE(database.warnings().size(), 1U);
    }
    void stopsWhenTheTimeIsUp() {
        QByteArray text = "[" + entry("a.c");
        while (text.size() < (3 << 20))
            text += "," + entry(QByteArray::number(text.size()) + ".c");
        m_sample.write("db.json", text + "]");
        const CompileDatabase database(m_sample.path("db.json"), {}, std::chrono::steady_clock::now());
        QVERIFY(!database.units().empty());
        QVERIFY2(database.warnings().size() == 1 && database.warnings()[0].find("was read up to entry") != std::string::npos,
                 "that not all was read was to be said");
    }
    void foldersAreMapped() {
        const CompileDatabase database = read(
            R"([{"directory":"/old/build","file":"../src/a.c","command":"cc -I../inc -I/usr/x"}])", {{"/old", "/new/place"}});
        QCOMPARE(describe(database), (QStringList{"/new/place/src/a.c C -I /new/place/inc -I /usr/x"}));
        QCOMPARE(database.units()[0].folder, std::string("/new/place/build"));
    }

    void damagedOnesDoNotHarm() {
        std::mt19937 random(7);
        QByteArray healthy = "[";
        for (int i = 0; i < 20; ++i)
            healthy += (i == 0 ? "" : ",\n") + entry("sub/a" + QByteArray::number(i) + ".c");
        healthy += "]";
        std::size_t kept = 0;
        for (int i = 0; i < 500; ++i) {
            const laggard::test::Mutation mutation = laggard::test::mutatedOnce(healthy.toStdString(), random);
            try {
                const CompileDatabase database = read(QByteArray::fromStdString(mutation.bytes));
                kept += database.units().size();
            } catch (const ReadError &error) {
                QVERIFY(std::string(error.what()).ends_with('.'));
            }
        }
        QVERIFY2(kept > 500 * 10, "most entries of damaged compile databases were to be read");
    }

    void findsThemNear() {
        const SampleProgram tree;
        tree.write("p/src/deep/a.c", "");
        for (const char *file :
             {"compile_commands.json", "p/compile_commands.json", "p/build/release/compile_commands.json",
              "p/build-x/compile_commands.json", "p/other/compile_commands.json", "p/src/deep/compile_commands.json"})
            tree.write(file, "[]");
        QStringList found;
        for (const std::string &file : compileDatabasesNear(tree.path("p/src/deep/a.c")))
            if (file.starts_with(tree.path()))
                found << QString::fromStdString(file.substr(tree.path().size() + 1));
        QCOMPARE(found, (QStringList{"p/src/deep/compile_commands.json", "p/compile_commands.json",
                                     "p/build/release/compile_commands.json", "p/build-x/compile_commands.json",
                                     "compile_commands.json"}));
    }
};

QTEST_GUILESS_MAIN(TestCompileDatabase)
#include "tst_compiledatabase.moc"
