// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/SourceFile.h"

#include <QTest>

class TestSourceFile : public QObject {
    Q_OBJECT
  private slots:
    void isSystemHeader_data() {
        QTest::addColumn<bool>("isSystem");
        for (const char *file : {"/usr/include/pthread.h", "/usr/include/c++/12/bits/stl_map.h",
                                 "/usr/lib/gcc/x86_64-linux-gnu/12/include/xmmintrin.h", "/opt/gcc-13/include/c++/13/future"})
            QTest::newRow(file) << true;
        for (const char *file : {"", "solve.c", "/home/me/include/solve.h", "/usr/src/app/main.cpp", "/opt/app/lib/gcc/solve.c"})
            QTest::newRow(*file == '\0' ? "no file" : file) << false;
    }
    void isSystemHeader() {
        QFETCH(bool, isSystem);
        const QByteArray file = QTest::currentDataTag();
        QCOMPARE(laggard::isSystemHeader(file == "no file" ? std::string_view() : std::string_view(file.data())), isSystem);
    }
    void isFortranFile() {
        for (const char *file : {"heat.f90", "/home/me/heat.F90", "old.f", "a.b.f08"})
            QVERIFY2(laggard::isFortranFile(file), file);
        for (const char *file : {"", "heat", "f90", "heat.c", "heat.f90.c", "heat.ff"})
            QVERIFY2(!laggard::isFortranFile(file), file);
    }
};

QTEST_APPLESS_MAIN(TestSourceFile)
#include "tst_sourcefile.moc"
