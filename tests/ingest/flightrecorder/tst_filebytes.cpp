// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/FileBytes.h"

#include "trace/Work.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace laggard;
using namespace laggard::flightrecorder;

class TestFileBytes : public QObject {
    Q_OBJECT
  private slots:
    void readsAll_data();
    void readsAll();
    void readsWhatHasNoSize();
    void waitsForNobody();
};

void TestFileBytes::readsAll_data() {
    QTest::addColumn<int>("size");
    for (const int size : {1, 4095, 4096, 4097, 100'000, 3'000'000})
        QTest::addRow("%d", size) << size;
}

void TestFileBytes::readsAll() {
    QFETCH(int, size);
    const QTemporaryDir folder;
    QByteArray bytes(size, 'x');
    for (int i = 0; i < size; ++i)
        bytes[i] = static_cast<char>(i * 31 % 251);
    QFile file(folder.filePath("dump"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == size);
    file.close();
    const std::string path = file.fileName().toStdString();
    const std::string read = wholeFile(path, "It");
    QVERIFY(read == bytes.toStdString());
    // Thousands of dumps are read at once: none takes much more than its size.
    QVERIFY2(read.capacity() <= 2 * read.size() + 4096, qPrintable(QString::number(read.capacity())));
    QVERIFY(beginningOf(path, 100) == bytes.left(100).toStdString());
    QVERIFY(beginningOf(path, 4'000'000) == bytes.toStdString());
}

/// The system tells no size of these.
void TestFileBytes::readsWhatHasNoSize() {
    QFile file("/proc/self/environ");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(wholeFile("/proc/self/environ", "It") == file.readAll().toStdString());
    QVERIFY(wholeFile("/proc/self/maps", "It").size() > 4096);
}

void TestFileBytes::waitsForNobody() {
    const QTemporaryDir folder;
    const std::string pipe = folder.filePath("pipe").toStdString();
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    try {
        static_cast<void>(wholeFile(pipe, "It"));
        QFAIL("a pipe without a writer has bytes");
    } catch (const ReadError &error) {
        QCOMPARE(QByteArray(error.what()), QByteArray("It is empty."));
    }
    QCOMPARE(beginningOf(pipe, 10), std::string());
}

QTEST_APPLESS_MAIN(TestFileBytes)
#include "tst_filebytes.moc"
