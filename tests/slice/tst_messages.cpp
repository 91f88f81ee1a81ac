// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Messages.h"
#include "tests/slice/units/SampleProgram.h"
#include "tests/support/Mutation.h"
#include "trace/Work.h"

#include <QTest>

#include <random>

using namespace laggard;
using laggard::test::SampleProgram;

namespace {

const QByteArray one =
    R"({"kind":"p2p","to":"3","receive":["get a.c:31","main a.c:60"],"from":"2","send":["put a.c:27","main a.c:61"],"count":7})";

} // namespace

class TestMessages : public QObject {
    Q_OBJECT
    SampleProgram m_sample;

    MessagesFile read(const QByteArray &text) {
        m_sample.write("messages.json", text);
        return readMessagesFile(m_sample.path("messages.json"));
    }

  private slots:
    void readsMessages() {
        const MessagesFile read =
            this->read(R"({"more":[1],"messages":[)" + one + R"(,{"kind":"collective","receive":["f a.c:1"],"send":["g"]}]})");
        QVERIFY(read.warnings.empty());
        QCOMPARE(read.messages.size(), 2U);
        const MatchedMessage &message = read.messages[0];
        QCOMPARE(message.kind + ' ' + message.toRanks + ' ' + message.fromRanks, std::string("p2p 3 2"));
        QCOMPARE(message.count, std::uint64_t{7});
        QCOMPARE(message.receive.size(), 2U);
        QCOMPARE(message.receive[0].function + ' ' + message.receive[0].file, std::string("get a.c"));
        QCOMPARE(message.receive[0].line, 31U);
        QCOMPARE(message.send[1].line, 61U);
        QCOMPARE(read.messages[1].count, std::uint64_t{1});
        QCOMPARE(read.messages[1].toRanks, std::string());
    }
    void leavesOutWhatMakesNoSense_data() {
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("a number") << QByteArray("3");
        QTest::newRow("no kind") << QByteArray(R"({"receive":["f a.c:1"],"send":["g"]})");
        QTest::newRow("another kind") << QByteArray(R"({"kind":"rma","receive":["f a.c:1"],"send":["g"]})");
        QTest::newRow("no stack") << QByteArray(R"({"kind":"p2p","receive":["f a.c:1"]})");
        QTest::newRow("empty stack") << QByteArray(R"({"kind":"p2p","receive":["f a.c:1"],"send":[]})");
        QTest::newRow("no frame") << QByteArray(R"({"kind":"p2p","receive":["f a.c:1"],"send":[{}]})");
        QTest::newRow("ranks") << QByteArray(R"({"kind":"p2p","to":"x","receive":["f a.c:1"],"send":["g"]})");
    }
    void leavesOutWhatMakesNoSense() {
        QFETCH(QByteArray, message);
        const MessagesFile read = this->read(R"({"messages":[)" + message + "," + one + "]}");
        QCOMPARE(read.messages.size(), 1U);
        QVERIFY2(read.warnings.size() == 1 && read.warnings[0].find("has 1 message without") != std::string::npos,
                 "was to be said");
    }
    void refusesWhatIsNone_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("hello");
        QTest::newRow("array") << QByteArray("[]");
        QTest::newRow("no messages") << QByteArray("{}");
        QTest::newRow("breaks off") << R"({"messages":[)" + one;
        QTest::newRow("deep") << QByteArray(1'000'000, '[');
        QTest::newRow("not UTF-8") << QByteArray("{\"messages\":[\"\xff\"]}");
    }
    void refusesWhatIsNone() {
        QFETCH(QByteArray, text);
        try {
            static_cast<void>(read(text));
            QFAIL("It was to be refused.");
        } catch (const ReadError &error) { // another sentence follows it
            QVERIFY2(std::string(error.what()).ends_with('.'), error.what());
        }
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(readMessagesFile("/dev/zero")), ReadError);
    }
    void damagedOnesDoNotHarm() {
        std::mt19937 random(5);
        QByteArray healthy = R"({"messages":[)" + one;
        for (int i = 0; i < 20; ++i)
            healthy += ",\n" + one;
        healthy += "]}";
        for (int i = 0; i < 300; ++i) {
            const laggard::test::Mutation mutation = laggard::test::mutatedOnce(healthy.toStdString(), random);
            try {
                for (const MatchedMessage &message : read(QByteArray::fromStdString(mutation.bytes)).messages)
                    QVERIFY(!message.receive.empty() && !message.send.empty());
            } catch (const ReadError &error) {
                QVERIFY(std::string(error.what()).find("messages.json") != std::string::npos);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestMessages)
#include "tst_messages.moc"
