// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/BinaryState.h"
#include "ingest/recording/DebugInformation.h"

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace laggard;

class TestBinaryState : public QObject {
    Q_OBJECT
  private slots:
    void whatLiesThere() {
        const QTemporaryDir folder;
        const std::string self = QCoreApplication::applicationFilePath().toStdString();
        struct stat status {};
        const int file = recording::openRegular(self, status);
        QVERIFY(file >= 0);
        const std::optional<std::string> buildId = recording::buildIdOf(file);
        ::close(file);
        QVERIFY2(buildId, "a test program is an ELF file");
        if (!buildId->empty())
            QVERIFY(stateOf({self, hexOf(*buildId)}) == BinaryState::Same);
        QVERIFY(stateOf({self, "00112233"}) == BinaryState::Other);
        QVERIFY2(stateOf({self, ""}) == BinaryState::Other, "without a build-id nobody can tell");
        QVERIFY(stateOf({folder.filePath("gone").toStdString(), "00"}) == BinaryState::Missing);
        QFile text(folder.filePath("text"));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("hello") == 5);
        text.close();
        QVERIFY(stateOf({text.fileName().toStdString(), "00"}) == BinaryState::Missing);
        QVERIFY(stateOf({folder.path().toStdString(), "00"}) == BinaryState::Missing);
        QVERIFY(stateOf({"", ""}) == BinaryState::Missing);
        const std::string pipe = folder.filePath("pipe").toStdString();
        QVERIFY(::mkfifo(pipe.c_str(), 0600) == 0);
        QVERIFY2(stateOf({pipe, "00"}) == BinaryState::Missing, "nobody waits for a pipe");
    }

    void digits() {
        QCOMPARE(hexOf(std::string("\x00\xab\x7f", 3)), std::string("00ab7f"));
        QCOMPARE(hexOf(""), std::string());
    }
};

QTEST_GUILESS_MAIN(TestBinaryState)
#include "tst_binarystate.moc"
