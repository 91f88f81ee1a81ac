// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/NewFile.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using laggard::collect::writeNewFile;

namespace {

QByteArray contents(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
}

} // namespace

class TestNewFile : public QObject {
    Q_OBJECT
  private slots:
    void isForItsOwnerOnly();
    void followsNoLink_data();
    void followsNoLink();
    void failsWhereNothingCanBeWritten();
};

void TestNewFile::isForItsOwnerOnly() {
    const QTemporaryDir folder;
    const mode_t before = umask(0);
    const bool isWritten = writeNewFile(folder.filePath("truth.json").toStdString(), "text\n");
    umask(before);
    QVERIFY(isWritten);
    struct stat status {};
    QCOMPARE(stat(qPrintable(folder.filePath("truth.json")), &status), 0);
    QCOMPARE(status.st_mode & 07777, mode_t{0600});
    QCOMPARE(contents(folder.filePath("truth.json")), QByteArray("text\n"));
}

void TestNewFile::followsNoLink_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("of the file") << "truth.json";
    QTest::newRow("of what becomes the file") << QStringLiteral("truth.json.%1").arg(getpid());
}

/// Somebody else who may write to the folder has laid a link there.
void TestNewFile::followsNoLink() {
    QFETCH(QString, name);
    const QTemporaryDir folder;
    QFile victim(folder.filePath("victim"));
    QVERIFY(victim.open(QIODevice::WriteOnly));
    victim.write("precious");
    victim.close();
    QVERIFY(QFile::link(folder.filePath("victim"), folder.filePath(name)));
    QVERIFY(writeNewFile(folder.filePath("truth.json").toStdString(), "text\n"));
    QCOMPARE(contents(folder.filePath("victim")), QByteArray("precious"));
    QCOMPARE(contents(folder.filePath("truth.json")), QByteArray("text\n"));
    QVERIFY(!QFileInfo(folder.filePath("truth.json")).isSymLink());
}

void TestNewFile::failsWhereNothingCanBeWritten() { QVERIFY(!writeNewFile("/proc/none/truth.json", "text\n")); }

QTEST_APPLESS_MAIN(TestNewFile)
#include "tst_newfile.moc"
