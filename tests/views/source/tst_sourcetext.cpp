// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/SourceText.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace laggard;

class TestSourceText : public QObject {
    Q_OBJECT
  private slots:
    void encodings_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("encoding");
        const QString size = QString::fromUtf8("größe");
        QTest::newRow("ASCII") << QByteArray("int x;\n") << "int x;\n"
                               << "UTF-8";
        QTest::newRow("UTF-8") << size.toUtf8() << size << "UTF-8";
        QTest::newRow("UTF-8 with a mark") << QByteArray("\xef\xbb\xbf") + size.toUtf8() << size << "UTF-8";
        QTest::newRow("Latin-1") << size.toLatin1() << size << "Latin-1";
        QTest::newRow("UTF-16 with a mark") << QByteArray("\xff\xfe"
                                                          "a\0b\0",
                                                          6)
                                            << "ab"
                                            << "UTF-16LE";
        QTest::newRow("empty") << QByteArray() << ""
                               << "UTF-8";
    }
    void encodings() {
        QFETCH(QByteArray, bytes);
        const QTemporaryDir dir;
        QFile file(dir.filePath("a.c"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        const SourceText source = readSource(file.fileName());
        QCOMPARE(source.problem, QString());
        QTEST(source.text, "text");
        QTEST(source.encoding, "encoding");
    }

    void refusals() {
        const QTemporaryDir dir;
        QVERIFY(readSource(dir.filePath("none.c")).problem.endsWith("is not a file."));
        QVERIFY(readSource(dir.path()).problem.endsWith("is not a file."));
        QVERIFY(readSource("/dev/zero").problem.endsWith("is not a file."));
        const QString pipe = dir.filePath("pipe.c");
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        QVERIFY(readSource(pipe).problem.endsWith("is not a file."));
        QFile binary(dir.filePath("a.out"));
        QVERIFY(binary.open(QIODevice::WriteOnly) && binary.write(QByteArray(4, '\0')) == 4);
        binary.close();
        QVERIFY(readSource(binary.fileName()).problem.endsWith("is not a text file."));
        QFile large(dir.filePath("large.c"));
        QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(largestSource));
        large.close();
        QVERIFY2(readSource(large.fileName()).problem.endsWith("is too large to show: 50.0 MB, and the limit is 50 MB."),
                 qPrintable(readSource(large.fileName()).problem));
    }
};

QTEST_GUILESS_MAIN(TestSourceText)
#include "tst_sourcetext.moc"
