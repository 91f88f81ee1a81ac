// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/CommandLine.h"

#include <QTest>

using namespace laggard;

class TestCommandLine : public QObject {
    Q_OBJECT
  private slots:
    void splitsAsAShell_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("nothing") << "" << QStringList();
        QTest::newRow("blanks only") << " \t\n " << QStringList();
        QTest::newRow("plain") << "cc  -c\ta.c " << QStringList{"cc", "-c", "a.c"};
        QTest::newRow("single quotes keep all") << "-DA='x \\\"$y'" << QStringList{"-DA=x \\\"$y"};
        QTest::newRow("double quotes") << "-DA=\"x \\\"y\\\" \\z\"" << QStringList{"-DA=x \"y\" \\z"};
        QTest::newRow("quotes within a word") << "-D\"A B\"=c' d'" << QStringList{"-DA B=c d"};
        QTest::newRow("backslash") << "a\\ b \\\\ \\\"" << QStringList{"a b", "\\", "\""};
        QTest::newRow("an empty word") << "a '' \"\"" << QStringList{"a", "", ""};
        QTest::newRow("nothing is expanded")
            << "$(touch x) `y` *.c ; $HOME" << QStringList{"$(touch", "x)", "`y`", "*.c", ";", "$HOME"};
        QTest::newRow("open quote") << "a 'b c" << QStringList{"a", "b c"};
        QTest::newRow("backslash at the end") << "a\\" << QStringList{"a\\"};
    }
    void splitsAsAShell() {
        QFETCH(QString, line);
        QFETCH(QStringList, words);
        QStringList found;
        for (const std::string &word : wordsOf(line.toStdString()))
            found << QString::fromStdString(word);
        QCOMPARE(found, words);
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_commandline.moc"
