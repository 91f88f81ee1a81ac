// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/HtmlText.h"
#include "app/report/TextLines.h"

#include <QTest>

#include <sstream>

using namespace laggard;

class TestTextLines : public QObject {
    Q_OBJECT
  private slots:
    void shortensNames_data();
    void shortensNames();
    void wraps();
    void obeysNobody();
};

void TestTextLines::shortensNames_data() {
    const QString integers = QStringLiteral("int, ").repeated(100'000) + "int";
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("a sentence") << "Rank 3 is in f<int> (a.cpp:3)."
                                << "Rank 3 is in f<int> (a.cpp:3).";
    QTest::newRow("a template of very many") << "Rank 3 is in solve<" + integers + ">(tuple<" + integers + "> const&) (a.cpp:3)."
                                             << "Rank 3 is in solve<…>(tuple<…> const&) (a.cpp:3).";
    QTest::newRow("the longest brackets only") << "solve<" + QStringLiteral("a<int>, ").repeated(60) + "int>"
                                               << "solve<…>";
    QTest::newRow("a stack") << "solve<" + integers + "> < step < main < " + QString(100, 'x')
                             << "solve<…> < step < main < " + QString(100, 'x');
    QTest::newRow("operators") << "operator<(int) " + QString(200, 'x') + " operator->() " + QString(200, 'x')
                               << "operator<(int) " + QString(200, 'x') + " operator->() " + QString(200, 'x');
    QTest::newRow("a word of 600 kB") << "in " + QString(600'000, 'f') + " here"
                                      << "in " + QString(266, 'f') + "…" + QString(133, 'f') + " here";
    QTest::newRow("no character is cut") << "in " + QString(1000, QChar(0x20AC))
                                         << "in " + QString(88, QChar(0x20AC)) + "…" + QString(45, QChar(0x20AC));
    QTest::newRow("brackets without end") << "in " + QString(600'000, '<') << "in " + QString(266, '<') + "…" + QString(133, '<');
}

void TestTextLines::shortensNames() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(shortened(text.toStdString())), expected);
}

/// A name of very many words is no word: the whole is limited.
void TestTextLines::wraps() {
    std::ostringstream out;
    writeWrapped(out, "  ", "in " + QStringLiteral("word ").repeated(100'000).toStdString() + "(a.cpp:3)");
    const QStringList lines = QString::fromStdString(out.str()).split('\n');
    QVERIFY2(lines.size() < 100, qPrintable(QString::number(lines.size())));
    for (const QString &line : lines)
        QVERIFY2(line.size() <= 100, qPrintable(line));
    QVERIFY(lines.first().startsWith("  in word"));
    QVERIFY(lines.at(lines.size() - 2).endsWith("(a.cpp:3)"));
}

/// Terminals and pages take orders from characters, and letters can be made to change places.
void TestTextLines::obeysNobody() {
    const QString name = QStringLiteral("solve\u009b2J\u202Eevil\u200B\u001b]0;x\u0007");
    const QString shown = QStringLiteral("solve\uFFFD2J\uFFFDevil\uFFFD\uFFFD]0;x\uFFFD");
    std::ostringstream out;
    writeWrapped(out, "", "in " + name.toStdString() + "\xed\xa0\x80");
    QCOMPARE(QString::fromStdString(out.str()), "in " + shown + QString(3, QChar::ReplacementCharacter) + '\n');
    QCOMPARE(QString::fromStdString(escaped("<b>" + name.toStdString() + std::string("\0\r\xff", 3))),
             "&lt;b&gt;" + shown + "\uFFFD \uFFFD");
}

QTEST_APPLESS_MAIN(TestTextLines)
#include "tst_textlines.moc"
