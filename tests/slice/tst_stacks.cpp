// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Stacks.h"
#include "tests/slice/units/SampleProgram.h"
#include "tests/support/Mutation.h"
#include "trace/Work.h"

#include <QTest>

#include <random>
#include <sys/stat.h>

using namespace laggard;
using laggard::test::SampleProgram;

class TestStacks : public QObject {
    Q_OBJECT
    SampleProgram m_sample;

    StackFile read(const QByteArray &text) {
        m_sample.write("stack.txt", text);
        return readStackFile(m_sample.path("stack.txt"));
    }

  private slots:
    void howItEnded_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("end");
        QTest::addColumn<bool>("isWrong");
        QTest::newRow("signal") << QByteArray("# ended SIGSEGV\nf a.c:3\n") << "SIGSEGV" << false;
        QTest::newRow("not told") << QByteArray("f a.c:3\n") << "" << false;
        QTest::newRow("no word") << QByteArray("# ended <b>x</b>\nf a.c:3\n") << "" << true;
        QTest::newRow("endless") << "# ended " + QByteArray(5000, 'x') + "\nf a.c:3\n"
                                 << "" << true;
    }
    void howItEnded() {
        QFETCH(QByteArray, text);
        QFETCH(QString, end);
        QFETCH(bool, isWrong);
        QTemporaryDir folder;
        QFile file(folder.filePath("stack"));
        QVERIFY(file.open(QFile::WriteOnly) && file.write(text) == text.size());
        file.close();
        const StackFile read = readStackFile(file.fileName().toStdString());
        QCOMPARE(QString::fromStdString(read.stack.end), end);
        QCOMPARE(!read.warnings.empty(), isWrong);
    }
    void readsFrames_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("place"); // function|file|line
        QTest::newRow("usual") << "compute_flux stencil.c:41"
                               << "compute_flux|stencil.c|41";
        QTest::newRow("folder and blanks around") << " \tf   /a/b.c:7\r"
                                                  << "f|/a/b.c|7";
        QTest::newRow("no line") << "f a.c"
                                 << "f|a.c|0";
        QTest::newRow("no line behind the colon") << "f a.c:"
                                                  << "f|a.c|0";
        QTest::newRow("no file") << "main"
                                 << "main||0";
        QTest::newRow("C++ with blanks") << "std::vector<int, A<char> >::at(unsigned long) const x.hpp:12"
                                         << "std::vector<int, A<char> >::at(unsigned long) const|x.hpp|12";
        QTest::newRow("C++ without place") << "operator new(unsigned long)"
                                           << "operator new(unsigned long)||0";
        QTest::newRow("scope is no line") << "a::b"
                                          << "a::b||0";
        QTest::newRow("file with a colon") << "f a:b.c:3"
                                           << "f|a:b.c|3";
        QTest::newRow("parts that GCC makes") << "f.constprop.0.isra.1 a.c:3"
                                              << "f|a.c|3";
        QTest::newRow("OpenMP's part") << "run._omp_fn.3 a.c:3"
                                       << "run|a.c|3";
        QTest::newRow("line too large") << "f a.c:99999999999"
                                        << "f a.c:99999999999||0";
        QTest::newRow("place alone") << "a.c:3"
                                     << "";
        QTest::newRow("nothing") << "  "
                                 << "";
    }
    void readsFrames() {
        QFETCH(QString, line);
        QFETCH(QString, place);
        const auto found = parseFrame(line.toStdString());
        QCOMPARE(found ? QString::fromStdString(found->function + '|' + found->file) + '|' + QString::number(found->line)
                       : QString(),
                 place);
    }

    void readsFiles() {
        const StackFile read = this->read("# ranks 4-15, 0-2\n# by hand\n\nf a.c:1\ng a.c:2\n# ranks 9\nmain a.c:3");
        QCOMPARE(read.stack.ranks, std::string("0-2,4-15"));
        QCOMPARE(read.stack.frames.size(), 3U);
        QCOMPARE(read.stack.frames[2].function, std::string("main"));
        QVERIFY(read.warnings.empty());
    }
    void namesLinesThatMakeNoSense() {
        const StackFile read = this->read("# ranks x-y\nf a.c:1\na.c:3\n" + QByteArray(100'000, 'x') + "\n");
        QCOMPARE(read.stack.frames.size(), 1U);
        QCOMPARE(read.warnings.size(), 1U);
        QVERIFY2(read.warnings[0].ends_with("has 3 lines that cannot be a frame or ranks, the first of them line 1."),
                 read.warnings[0].c_str());
    }
    void recursionWithoutEndIsCut() {
        QByteArray text;
        for (int i = 0; i < 20'000; ++i)
            text += "f a.c:1\n";
        const StackFile read = this->read(text);
        QCOMPARE(read.stack.frames.size(), 10'000U);
        QVERIFY2(read.warnings.size() == 1 && read.warnings[0].find("10,000 frames more") != std::string::npos, "was to be said");
    }
    void refusesWhatIsNone() {
        QVERIFY_EXCEPTION_THROWN(read(""), ReadError);
        QVERIFY_EXCEPTION_THROWN(read("# ranks 3\n"), ReadError);
        const std::string fifo = m_sample.path("fifo");
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        for (const std::string &file :
             {fifo, std::string("/dev/zero"), std::string("/proc/self/maps"), m_sample.path(), std::string("/nonexistent")})
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(readStackFile(file)), ReadError);
    }
    void damagedOnesDoNotHarm() {
        std::mt19937 random(3);
        std::string healthy = "# ranks 0-2,4\n";
        for (int i = 0; i < 30; ++i)
            healthy += "void ns::f<int>(A const&) src/dir/file.cpp:" + std::to_string(i) + '\n';
        for (int i = 0; i < 300; ++i) {
            const laggard::test::Mutation mutation = laggard::test::mutatedOnce(healthy, random);
            try {
                const StackFile read = this->read(QByteArray::fromStdString(mutation.bytes));
                QVERIFY(!read.stack.frames.empty());
                for (const SourcePlace &frame : read.stack.frames)
                    QVERIFY(!frame.function.empty());
            } catch (const ReadError &error) {
                QVERIFY(std::string(error.what()).ends_with('.'));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestStacks)
#include "tst_stacks.moc"
