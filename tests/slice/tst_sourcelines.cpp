// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/SourceLines.h"
#include "tests/slice/units/SampleProgram.h"

#include <QTest>

using namespace laggard;
using laggard::test::SampleProgram;

class TestSourceLines : public QObject {
    Q_OBJECT
    SampleProgram m_sample;

    std::string codeOf(const std::string &file, std::uint32_t line) {
        std::vector<SliceStep> steps(1);
        steps[0].file = file;
        steps[0].line = line;
        fillInCode(steps);
        return steps[0].code;
    }

  private slots:
    void codeIsTheLine() {
        m_sample.write("a.c", "int x;\r\n\tx\t= \"\x1b[0m\xff\";  \n\n" + QByteArray(300, 'y') + "\n" + QByteArray(99, 'z') +
                                  QByteArray("ä").repeated(100) + "\nlast");
        const std::string file = m_sample.path("a.c");
        QCOMPARE(codeOf(file, 1), std::string("int x;"));
        QCOMPARE(codeOf(file, 2), std::string("x = \"\uFFFD[0m\uFFFD\";"));
        QCOMPARE(codeOf(file, 3), std::string());
        QCOMPARE(QString::fromStdString(codeOf(file, 4)), QString(200, 'y') + "…");
        QCOMPARE(QString::fromStdString(codeOf(file, 5)), QString(99, 'z') + QString("ä").repeated(50) + "…");
        QCOMPARE(codeOf(file, 6), std::string("last"));
        for (const std::uint32_t line : {0U, 7U, ~0U})
            QCOMPARE(codeOf(file, line), std::string());
        for (const char *none : {"/nonexistent", "/dev/zero", "/proc/self/environ", ""})
            QCOMPARE(codeOf(none, 1), std::string());
    }
    /// What a compiler puts into the line of a bracket is no step; values there are.
    void bracketsAreNoJumps() {
        m_sample.write("e.c", "x++;\n    }\n});\nbreak; }\n");
        std::vector<SliceStep> steps(6);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i].file = m_sample.path("e.c");
            steps[i].line = static_cast<std::uint32_t>(i % 4 + 1);
            steps[i].why = i < 4 ? Why::Control : Why::Data;
        }
        fillInCode(steps);
        QCOMPARE(steps.size(), 4U);
        const std::uint32_t kept[] = {1, 4, 1, 2};
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QCOMPARE(steps[i].line, kept[i]);
            QCOMPARE(steps[i].step, i + 1);
        }
    }
    void linesBehindTheEndAreNamed() {
        m_sample.write("dir/b.c", "1\n2\n3\n");
        const std::vector<TaskStack> stacks{{"", {{"f", "dir/b.c", 3}, {"g", "other.c", 900}}},
                                            {"", {{"f", "b.c", 40}, {"f", "b.c", 41}, {"h", "", 5}}}};
        const std::vector<std::string> found = linesBehindTheEnd(stacks, {m_sample.path("dir/b.c"), m_sample.path("missing.c")});
        QCOMPARE(found, std::vector<std::string>{'"' + m_sample.path("dir/b.c") +
                                                 "\" is not what ran: it has 3 lines, and the stack is in line 41."});
    }
};

QTEST_GUILESS_MAIN(TestSourceLines)
#include "tst_sourcelines.moc"
