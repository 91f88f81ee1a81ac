// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/CallRole.h"

#include <QTest>

using namespace laggard;

class TestCallRole : public QObject {
    Q_OBJECT
  private slots:
    void knowsTheCalls_data();
    void knowsTheCalls();
};

void TestCallRole::knowsTheCalls_data() {
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("role");
    const auto add = [](const char *name, CallRole role) { QTest::newRow(name) << name << static_cast<int>(role); };
    for (const char *name : {"select", "pselect", "poll", "ppoll", "epoll_wait", "epoll_pwait", "epoll_pwait2"})
        add(name, CallRole::Wait);
    for (const char *name : {"recv", "recvfrom", "recvmsg", "recvmmsg"})
        add(name, CallRole::Receive);
    for (const char *name : {"read", "readv"})
        add(name, CallRole::Read);
    for (const char *name : {"accept", "accept4"})
        add(name, CallRole::Accept);
    for (const char *name : {"dup", "dup2", "dup3"})
        add(name, CallRole::Duplicate);
    for (const char *name : {"pipe", "pipe2", "socketpair"})
        add(name, CallRole::Pair);
    for (const char *name : {"open", "open64", "openat", "openat64", "creat"})
        add(name, CallRole::Open);
    add("bind", CallRole::Bind);
    add("listen", CallRole::Listen);
    add("connect", CallRole::Connect);
    add("socket", CallRole::Socket);
    add("close", CallRole::Close);
    add("receive", CallRole::None);
    add("", CallRole::None);
    add("zzz", CallRole::None);
    add("MPI_Recv", CallRole::None);
}

void TestCallRole::knowsTheCalls() {
    QFETCH(QString, function);
    QFETCH(int, role);
    QCOMPARE(static_cast<int>(roleOf(function.toStdString())), role);
}

QTEST_APPLESS_MAIN(TestCallRole)
#include "tst_callrole.moc"
