// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/Spec.h"

#include <QTest>

using namespace laggard::collect;

class TestFaultSpec : public QObject {
    Q_OBJECT
  private slots:
    void readsEverything();
    void leavesOpenWhatIsNotGiven();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
};

void TestFaultSpec::readsEverything() {
    const ParsedSpec loop = parseFaultSpec("FIN_LOOP:rank=3,at=inside,op=MPI_Send,instance=17,seconds=2.5,seed=42");
    QCOMPARE(loop.error, std::string());
    QVERIFY(loop.spec);
    QCOMPARE(loop.spec->kind, FaultKind::FiniteLoop);
    QCOMPARE(loop.spec->rank, 3);
    QCOMPARE(loop.spec->place, FaultPlace::Inside);
    QCOMPARE(loop.spec->operation, std::string("MPI_Send"));
    QCOMPARE(loop.spec->instance, 17U);
    QCOMPARE(loop.spec->seconds, 2.5);
    QCOMPARE(loop.spec->seed, 42U);

    const ParsedSpec memory = parseFaultSpec("MEM_THR:function=compute,size=512M,range=5-9,census=some/folder");
    QVERIFY(memory.spec);
    QCOMPARE(memory.spec->place, FaultPlace::Function);
    QCOMPARE(memory.spec->function, std::string("compute"));
    QCOMPARE(memory.spec->bytes, std::uint64_t{512} << 20U);
    QCOMPARE(memory.spec->firstInstance, 5U);
    QCOMPARE(memory.spec->lastInstance, 9U);
    QCOMPARE(memory.spec->census, std::string("some/folder"));
    QCOMPARE(parseFaultSpec("SLOW:factor=3").spec->factor, 3.0);
}

void TestFaultSpec::leavesOpenWhatIsNotGiven() {
    for (const char *text :
         {"INF_LOOP", "INF_LOOP:rank=random,at=random,op=random,instance=random", "INF_LOOP:rank=2,rank=random"}) {
        const ParsedSpec parsed = parseFaultSpec(text);
        QVERIFY2(parsed.spec, text);
        QVERIFY(!parsed.spec->rank);
        QVERIFY(!parsed.spec->place);
        QVERIFY(!parsed.spec->instance);
        QVERIFY(parsed.spec->operation.empty());
        QCOMPARE(parsed.spec->bytes, std::uint64_t{1} << 30U);
    }
}

void TestFaultSpec::saysWhatIsWrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    QTest::newRow("nothing") << ""
                             << "there is no fault ''";
    QTest::newRow("unknown kind") << "LOOP"
                                  << "there is no fault 'LOOP'";
    QTest::newRow("unknown key") << "SLOW:rnk=1"
                                 << "there is no 'rnk' in a fault's specification";
    QTest::newRow("no value") << "SLOW:rank"
                              << "'rank' has no '='";
    QTest::newRow("bad rank") << "SLOW:rank=-1"
                              << "'-1' is no value for 'rank'";
    QTest::newRow("bad number") << "SLOW:factor=2x"
                                << "'2x' is no value for 'factor'";
    QTest::newRow("faster") << "SLOW:factor=0.5"
                            << "'0.5' is no value for 'factor'";
    QTest::newRow("bad place") << "INF_LOOP:at=there"
                               << "'there' is no value for 'at'";
    QTest::newRow("instance 0") << "INF_LOOP:instance=0"
                                << "'0' is no value for 'instance'";
    QTest::newRow("empty range") << "INF_LOOP:range=5-4"
                                 << "'5-4' is no value for 'range'";
    QTest::newRow("no memory") << "MEM_THR:size=0"
                               << "'0' is no value for 'size'";
    QTest::newRow("too much memory") << "MEM_THR:size=99999999999G"
                                     << "'99999999999G' is no value for 'size'";
    QTest::newRow("function and operation") << "INF_LOOP:function=f,op=MPI_Send"
                                            << "a fault is at a function or at an MPI operation, not at both";
    QTest::newRow("inside a function") << "INF_LOOP:function=f,at=inside"
                                       << "a fault at a function strikes at its entry";
    QTest::newRow("operation at a function") << "INF_LOOP:op=MPI_Send,at=function"
                                             << "a fault at an MPI operation strikes before, inside or after it";
    QTest::newRow("message at a place") << "DROP_MESG:at=before"
                                        << "a message fault has no place other than the operation that sends the message";
    QTest::newRow("no MPI operation") << "INF_LOOP:op=send"
                                      << "'send' is no MPI operation";
}

void TestFaultSpec::saysWhatIsWrong() {
    QFETCH(QString, text);
    QFETCH(QString, error);
    const ParsedSpec parsed = parseFaultSpec(text.toStdString());
    QVERIFY(!parsed.spec);
    QCOMPARE(QString::fromStdString(parsed.error), error);
}

QTEST_APPLESS_MAIN(TestFaultSpec)
#include "tst_faultspec.moc"
