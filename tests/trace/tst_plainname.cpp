// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/PlainName.h"

#include <QTest>

using namespace laggard;

class TestPlainName : public QObject {
    Q_OBJECT
  private slots:
    void names_data() {
        QTest::addColumn<QString>("inLibrary"); // where the library is known
        QTest::addColumn<QString>("anywhere");
        const auto row = [](const char *name, const char *inLibrary, const char *anywhere) {
            QTest::newRow(name) << QString(inLibrary) << QString(anywhere);
        };
        row("__libc_fcntl64", "fcntl", "fcntl");
        row("__libc_open64", "open", "open");
        row("_IO_fgets", "fgets", "fgets");
        row("_IO_new_file_underflow", "file_underflow", "file_underflow");
        row("___pthread_cond_wait", "pthread_cond_wait", "pthread_cond_wait");
        row("__pthread_clockjoin_ex", "pthread_join", "pthread_join");
        row("__pthread_kill_implementation", "pthread_kill", "pthread_kill");
        row("__GI___libc_write", "write", "write");
        row("__GI___futex_abstimed_wait_cancelable64", "futex_abstimed_wait_cancelable", "futex_abstimed_wait_cancelable");
        row("__new_sem_wait_slow64.constprop.0", "sem_wait_slow", "sem_wait_slow");
        row("__write_nocancel", "write", "write");
        row("__poll", "poll", "poll");
        row("__memcpy_chk@@GLIBC_2.3.4", "memcpy_chk", "memcpy_chk");
        row("pread64", "pread", "pread64"); // a program may have one of its own
        row("libgomp.so.1+0x1e2d0", "OpenMP's library (libgomp.so.1)", "OpenMP's library (libgomp.so.1)");
        for (const char *name :
             {"solve", "hash64", "_exit", "_gfortran_st_read", "__assert_fail", "__cxa_throw", "__stack_chk_fail", "__chk_fail",
              "__fortify_fail", "__halo_MOD_exchange", "__gnu_cxx::__verbose_terminate_handler", "std::thread::join", "MPI_Recv",
              "libc.so.6+0x89e1b", "app+0x1234", "__", "64", ""})
            row(name, name == std::string("hash64") ? "hash" : name, name);
    }
    void names() {
        QFETCH(QString, inLibrary);
        QFETCH(QString, anywhere);
        const std::string name = QTest::currentDataTag();
        QCOMPARE(QString::fromStdString(plainNameInLibrary(name)), inLibrary);
        QCOMPARE(QString::fromStdString(plainFunctionName(name)), anywhere);
    }

    void libraries_data() {
        QTest::addColumn<bool>("isOfSystem");
        for (const char *name : {"libc.so.6", "libc-2.31.so", "libpthread-2.31.so", "libpthread.so.0", "ld-linux-x86-64.so.2",
                                 "libstdc++.so.6.0.30", "libgomp.so.1.0.0", "libiomp5.so", "libgfortran.so.5"})
            QTest::newRow(name) << true;
        for (const char *name : {"app", "libcgns.so", "libc_solver.so", "libmpich.so.12", "[unknown]"})
            QTest::newRow(name) << false;
    }
    void libraries() {
        QFETCH(bool, isOfSystem);
        QCOMPARE(isRuntimeLibrary(QTest::currentDataTag()), isOfSystem);
    }
};

QTEST_APPLESS_MAIN(TestPlainName)
#include "tst_plainname.moc"
