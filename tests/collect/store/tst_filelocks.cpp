// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/FileLocks.h"

#include <QTest>

using laggard::collect::holderOfLock;

class TestFileLocks : public QObject {
    Q_OBJECT
  private slots:
    void holders_data() {
        QTest::addColumn<QByteArray>("locks");
        QTest::addColumn<int>("holder"); // of what process 4243 waits for; 0: not known
        const QByteArray held = "1: FLOCK  ADVISORY  WRITE 77 fe:00:99 0 EOF\n"
                                "2: POSIX  ADVISORY  WRITE 4242 fe:00:1311 0 EOF\n";
        QTest::newRow("it waits") << held + "2: -> POSIX  ADVISORY  WRITE 4243 fe:00:1311 0 EOF\n" << 4242;
        QTest::newRow("behind another one") << held + "2: -> POSIX  ADVISORY  READ  4250 fe:00:1311 0 EOF\n"
                                                      "2:  -> POSIX  ADVISORY  WRITE 4243 fe:00:1311 0 EOF"
                                            << 4242;
        QTest::newRow("another one waits") << held + "2: -> POSIX  ADVISORY  WRITE 4244 fe:00:1311 0 EOF\n" << 0;
        QTest::newRow("it has one itself") << QByteArray("1: FLOCK  ADVISORY  WRITE 4243 fe:00:99 0 EOF\n") << 0;
        QTest::newRow("of an open file, which is nobody's")
            << QByteArray("1: OFDLCK ADVISORY  WRITE -1 fe:00:99 0 EOF\n1: -> OFDLCK ADVISORY  WRITE 4243 fe:00:99 0 EOF\n") << 0;
        QTest::newRow("for itself, by another thread")
            << QByteArray("1: FLOCK  ADVISORY  WRITE 4243 fe:00:99 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 4243 fe:00:99 0 EOF\n")
            << 0;
        QTest::newRow("no list") << QByteArray() << 0;
        QTest::newRow("cut") << held + "2: -> POSIX  ADVIS" << 0;
        QTest::newRow("no lines of it") << QByteArray("what\nis this: -> \n\n:\n") << 0;
    }
    void holders() {
        QFETCH(QByteArray, locks);
        QTEST(static_cast<int>(holderOfLock(locks.constData(), 4243)), "holder");
    }
};

QTEST_APPLESS_MAIN(TestFileLocks)
#include "tst_filelocks.moc"
