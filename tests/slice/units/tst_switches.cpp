// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/CommandLine.h"
#include "slice/units/Switches.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace laggard;

namespace {

QString keptOf(const QString &line, const std::string &folder = "/build") {
    const SafeSwitches switches = safeSwitches(wordsOf(line.toStdString()), folder);
    QStringList words;
    for (const std::string &word : switches.kept)
        words << QString::fromStdString(word);
    return words.join(' ');
}

} // namespace

class TestSwitches : public QObject {
    Q_OBJECT
  private slots:
    void keepsWhatSaysWhatASourceMeans_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("kept");
        QTest::newRow("folders become absolute")
            << "gcc -Iinc -I ../inc2 -isystem /usr/x -iquote. -idirafter late -c a.c"
            << "-I /build/inc -I /inc2 -isystem /usr/x -iquote /build/ -idirafter /build/late";
        QTest::newRow("macros") << "gcc -DA -D B=1 -UC '-DS=\"x y\"' a.c"
                                << "-DA -DB=1 -UC -DS=\"x y\"";
        QTest::newRow("dialect") << "g++ -fno-exceptions -fshort-enums -funsigned-char -m32 -pthread a.cpp"
                                 << "-fno-exceptions -fshort-enums -funsigned-char -m32 -pthread";
        QTest::newRow("OpenMP as what is written for it") << "gcc -fopenmp a.c"
                                                          << "-D_OPENMP=201511";
        QTest::newRow("a macro is one word") << "gcc -D '$(touch x)' -D -DA a.c"
                                             << "";
        QTest::newRow("at the end") << "gcc a.c -I"
                                    << "";
        QTest::newRow("optimisation, warnings and debug information are ours") << "gcc -O3 -Wall -Werror -g3 -fPIC a.c"
                                                                               << "";
    }
    void keepsWhatSaysWhatASourceMeans() {
        QFETCH(QString, line);
        QFETCH(QString, kept);
        QCOMPARE(keptOf(line), kept);
    }

    void leavesWhatWritesOrLoads_data() {
        QTest::addColumn<QString>("switches");
        for (const char *switches : {"-o /etc/passwd",
                                     "-o/etc/passwd",
                                     "-fplugin=/tmp/x.so",
                                     "-Xclang -load -Xclang /tmp/x.so",
                                     "-load /tmp/x.so",
                                     "-Xclang -add-plugin -Xclang evil",
                                     "-fpass-plugin=/tmp/x.so",
                                     "@/tmp/response",
                                     "-MD -MF /tmp/x",
                                     "-MMD",
                                     "-MJ /tmp/x",
                                     "-save-temps",
                                     "-save-temps=obj",
                                     "-wrapper sh,-c",
                                     "--config /tmp/x.cfg",
                                     "--config=/tmp/x",
                                     "-B/tmp",
                                     "-B /tmp",
                                     "-specs=/tmp/x",
                                     "-specs /tmp/x",
                                     "-fmodules -fmodules-cache-path=/tmp/x",
                                     "-gsplit-dwarf",
                                     "-dumpdir /tmp/",
                                     "-Wp,-MD,/tmp/x",
                                     "-Wa,-o,/tmp/x",
                                     "-Wl,-o,/tmp/x",
                                     "-Xpreprocessor -MF",
                                     "-mllvm -x=/tmp/y",
                                     "-fprofile-generate=/tmp",
                                     "-ftime-trace",
                                     "-fdump-tree-all",
                                     "-serialize-diagnostics /tmp/x",
                                     "-ivfsoverlay /tmp/x",
                                     "-include-pch /tmp/x",
                                     "-fuse-ld=/tmp/x",
                                     "-rpath /tmp",
                                     "--analyze",
                                     "-E",
                                     "-S",
                                     "-fsave-optimization-record",
                                     "-ccc-install-dir /tmp",
                                     "-resource-dir /tmp",
                                     "-gcc-toolchain=/tmp",
                                     "-target arm",
                                     "-std=evil",
                                     "-no-canonical-prefixes"})
            QTest::newRow(switches) << QString(switches);
    }
    void leavesWhatWritesOrLoads() {
        QFETCH(QString, switches);
        QCOMPARE(keptOf("gcc " + switches + " -DLAST a.c"), QString("-DLAST"));
        QVERIFY2(safeSwitches(wordsOf(("gcc " + switches).toStdString()), "/build").standard.empty(),
                 "there was no such standard");
    }

    void includesPlainFilesOnly() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        QFile file(dir.filePath("config.h"));
        QVERIFY(file.open(QFile::WriteOnly));
        QVERIFY(QDir(dir.path()).mkdir("inc"));
        QVERIFY(file.copy(dir.filePath("inc/more.h")));
        QCOMPARE(::mkfifo((folder + "/pipe.h").c_str(), 0600), 0);
        QCOMPARE(keptOf("gcc -include config.h a.c", folder), "-include " + dir.path() + "/config.h");
        QCOMPARE(keptOf("gcc -include more.h -Iinc a.c", folder),
                 "-I " + dir.path() + "/inc -include " + dir.path() + "/inc/more.h");
        for (const char *bad : {"pipe.h", "/dev/zero", "/proc/self/environ", "/proc/kmsg", "missing.h", "inc", "-DX"})
            QCOMPARE(keptOf(QString("gcc -include %1 a.c").arg(bad), folder), QString());
        QCOMPARE(keptOf("gcc a.c -include", folder), QString());
    }

    void knowsLanguageAndStandard_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("language"); // -1: as the source's name has it
        QTest::addColumn<QString>("standard");
        QTest::newRow("neither") << "gcc a.c" << -1 << "";
        QTest::newRow("standard") << "gcc -std=gnu11 a.c" << -1 << "gnu11";
        QTest::newRow("the last one counts") << "gcc -std=c99 -std=c11" << -1 << "c11";
        QTest::newRow("newer than Clang 14") << "g++ -std=c++23 a.cc" << int(Language::Cxx) << "c++2b";
        QTest::newRow("compiler of C++") << "/usr/bin/clang++-14 a.c" << int(Language::Cxx) << "";
        QTest::newRow("said") << "gcc -x c++ a.c" << int(Language::Cxx) << "";
        QTest::newRow("said in one word") << "g++ -xc a.c" << int(Language::C) << "";
        QTest::newRow("another") << "clang -x cuda a.c" << int(Language::Other) << "";
    }
    void knowsLanguageAndStandard() {
        QFETCH(QString, line);
        QFETCH(int, language);
        QFETCH(QString, standard);
        const SafeSwitches switches = safeSwitches(wordsOf(line.toStdString()), "/");
        QCOMPARE(switches.language ? int(*switches.language) : -1, language);
        QCOMPARE(QString::fromStdString(switches.standard), standard);
    }

    void knowsLanguageByName_data() {
        QTest::addColumn<Language>("language");
        QTest::newRow("a.c") << Language::C;
        QTest::newRow("/x.y/a.C") << Language::Cxx;
        QTest::newRow("a.cc") << Language::Cxx;
        QTest::newRow("a.cpp") << Language::Cxx;
        QTest::newRow("a.CXX") << Language::Cxx;
        QTest::newRow("a.F90") << Language::Fortran;
        QTest::newRow("a.f") << Language::Fortran;
        QTest::newRow("a.s") << Language::Other;
        QTest::newRow("a") << Language::Other;
        QTest::newRow("x.c/a") << Language::Other;
    }
    void knowsLanguageByName() {
        QFETCH(Language, language);
        QCOMPARE(languageOf(QTest::currentDataTag()), language);
    }
};

QTEST_GUILESS_MAIN(TestSwitches)
#include "tst_switches.moc"
