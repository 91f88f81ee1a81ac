// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/Pickle.h"
#include "ingest/flightrecorder/PlainJson.h"
#include "tests/support/FlightJob.h"

#include <QTest>

using namespace laggard;
using namespace laggard::flightrecorder;
using namespace std::string_literals;

namespace {

std::string describe(const PlainDocument &document, ValueId id) {
    const PlainValue &value = document[id];
    switch (value.kind) {
    case PlainValue::Kind::None:
        return "None";
    case PlainValue::Kind::Bool:
        return value.integer != 0 ? "True" : "False";
    case PlainValue::Kind::Integer:
        return std::to_string(value.integer);
    case PlainValue::Kind::Real:
        return QString::number(value.real).toStdString();
    case PlainValue::Kind::Text:
        return '\'' + std::string(value.text) + '\'';
    default:
        break;
    }
    std::string text = value.kind == PlainValue::Kind::List ? "[" : "{";
    for (std::size_t i = 0; i < value.items.size(); ++i)
        text += (i == 0 ? "" : " ") + describe(document, value.items[i]);
    return text + (value.kind == PlainValue::Kind::List ? "]" : "}");
}

/// What the pickle holds, or the sentence with which it is refused.
std::string decoded(const std::string &bytes, bool *cut = nullptr) {
    bool isCut = false;
    try {
        const PlainDocument document = decodePickle("The dump \"x\"", bytes, isCut, {});
        if (cut != nullptr)
            *cut = isCut;
        return describe(document, document.root);
    } catch (const ReadError &failure) {
        return failure.what();
    }
}

std::string nested(std::size_t depth, const std::string &open, const std::string &close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i)
        text += open;
    for (std::size_t i = 0; i < depth; ++i)
        text += close;
    return text;
}

} // namespace

class TestPickle : public QObject {
    Q_OBJECT

  private slots:
    void plainValues_data() {
        QTest::addColumn<QByteArray>("pickle");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const std::string &bytes, const char *expected) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << expected;
        };
        row("protocol 0 numbers", "(lp0\nI12\naL-7L\naI01\naF1.5\na.", "[12 -7 True 1.5]");
        row("protocol 0 texts", "(lp0\nS'ab'\np1\naVcd\np2\nag1\na.", "['ab' 'cd' 'ab']");
        row("protocol 1 dictionary",
            "(dU\x01"
            "aK\x05s.",
            "{'a' 5}");
        row("protocol 2",
            "\x80\x02}q\x00(X\x01\x00\x00\x00"
            "aq\x01M\x39\x30X\x01\x00\x00\x00"
            "bq\x02\x88u."s,
            "{'a' 12345 'b' True}");
        row("protocol 2 tuples", "\x80\x02K\x01\x85K\x02K\x03\x86K\x04K\x05K\x06\x87\x87."s, "[[1] [2 3] [4 5 6]]");
        row("negative and long",
            "\x80\x02]q\x00(J\xff\xff\xff\xff\x8a\x01\x80\x8a\x08\x00\x00\x00\x00\x01\x00\x00\x00\x8a\x00\x65."s,
            "[-1 -128 4294967296 0]");
        row("bytes and none", "\x80\x03]q\x00(C\x02hiB\x03\x00\x00\x00you\x4e\x89\x65."s, "['hi' 'you' None False]");
        row("protocol 4 frame, memo",
            "\x80\x04\x95\x0f\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x01"
            "a\x94h\x01\x8f\x94\x28K\x01\x90\x65."s,
            "['a' 'a' [1]]");
        row("protocol 5 byte array", "\x80\x05\x96\x02\x00\x00\x00\x00\x00\x00\x00hi."s, "'hi'");
        row("frozen set, real", "\x80\x04(K\x01K\x02\x91."s, "[1 2]");
        row("big-endian real", "\x80\x02G\x3f\xf8\x00\x00\x00\x00\x00\x00."s, "1.5");
        row("duplicate, pop",
            "\x80\x02K\x01K\x02"
            "0\x32\x86."s,
            "[1 1]");
        row("pop to mark", "\x80\x02K\x01(K\x02K\x03\x31."s, "1");
    }

    void plainValues() {
        QFETCH(const QByteArray, pickle);
        QFETCH(const QString, expected);
        QCOMPARE(QString::fromStdString(decoded(pickle.toStdString())), expected);
    }

    /// A pickle is a program. None of what makes objects or calls anything is carried out, or stepped over.
    void refusesCode_data() {
        QTest::addColumn<QByteArray>("pickle");
        const auto row = [](const char *name, const std::string &bytes) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes);
        };
        row("GLOBAL", "\x80\x02"
                      "cos\nsystem\n.");
        row("STACK_GLOBAL", "\x80\x04\x8c\x02os\x8c\x06system\x93."s);
        row("REDUCE", "\x80\x02K\x01)R."s);
        row("BUILD", "\x80\x02}}b."s);
        row("INST", "\x80\x02(ios\nsystem\n."s);
        row("OBJ", "\x80\x02(K\x01o."s);
        row("NEWOBJ", "\x80\x02K\x01)\x81."s);
        row("NEWOBJ_EX", "\x80\x04K\x01)}\x92."s);
        row("EXT1", "\x80\x02\x82\x01."s);
        row("EXT2", "\x80\x02\x83\x01\x00."s);
        row("EXT4", "\x80\x02\x84\x01\x00\x00\x00."s);
        row("PERSID", "Pthing\n."s);
        row("BINPERSID", "\x80\x02K\x01Q."s);
        row("NEXT_BUFFER", "\x80\x05\x97."s);
        row("READONLY_BUFFER", "\x80\x05K\x01\x98."s);
    }

    void refusesCode() {
        QFETCH(const QByteArray, pickle);
        const QString answer = QString::fromStdString(decoded(pickle.toStdString()));
        QVERIFY2(answer.contains("asks its reader to run code (" + QLatin1String(QTest::currentDataTag()) + ")"),
                 qPrintable(answer));
    }

    void refusesWhatIsTooMuch_data() {
        QTest::addColumn<QByteArray>("pickle");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const std::string &bytes, const char *expected) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << expected;
        };
        constexpr std::size_t million = 1'000'000;
        row("a million lists in each other", "\x80\x02" + nested(million, "]", "") + nested(million, "", "a") + ".",
            "nested more than 32 deep");
        row("a million marks", "\x80\x02" + nested(million, "(", "") + ".", "nested more than 32 deep");
        row("a million tuples", "\x80\x02)" + nested(million, "", "\x85") + ".", "nested more than 32 deep");
        // Each would take seventy times its byte.
        row("five million empty lists", "\x80\x02](" + nested(5 * million, "]", "") + "e.", "values, which no dump of this size");
        row("a text of 10^12 bytes", "\x80\x04\x8d\x00\x10\xa5\xd4\xe8\x00\x00\x00x."s,
            "a value of 1,000,000,000,000 bytes begins");
        row("bytes of 10^12 bytes", "\x80\x04\x8e\x00\x10\xa5\xd4\xe8\x00\x00\x00x."s,
            "a value of 1,000,000,000,000 bytes begins");
        row("a number of 4 billion bytes", "\x80\x02\x8b\xff\xff\xff\xff\x01."s, "a value of 4,294,967,295 bytes begins");
        row("memory place 4 billion", "\x80\x02K\x01r\xff\xff\xff\xff."s, "is to be remembered");
        row("never remembered", "\x80\x02h\x07."s, "never remembered");
        row("nothing on the stack", "\x80\x02\x85."s, "a value is missing");
        row("elements for a number", "\x80\x02K\x01(K\x02\x65."s, "what has none");
        row("a key without value", "\x80\x02}(K\x01u."s, "a key has no value");
        row("no mark", "\x80\x02]\x65."s, "a mark is missing");
        row("no opcode", "\x80\x02\xff."s, "0xff, which no pickle has");
        row("newer protocol", "\x80\x06K\x01."s, "of protocol 6");
        row("only a beginning", "\x80\x02"s, "ends before anything is complete");
    }

    void refusesWhatIsTooMuch() {
        QFETCH(const QByteArray, pickle);
        QFETCH(const QString, expected);
        const QString answer = QString::fromStdString(decoded(pickle.toStdString()));
        QVERIFY2(answer.contains(expected), qPrintable(answer.left(200)));
        QVERIFY2(answer.startsWith("The dump \"x\" cannot be read: at byte "), qPrintable(answer.left(200)));
    }

    /// A list that holds itself is a value like others: nobody follows it further than the names of a dump go.
    void survivesCircles() { // decoding must end; the text of it would not
        bool isCut = false;
        const PlainDocument document = decodePickle("x",
                                                    "\x80\x02]q\x00h\x00"
                                                    "a."s,
                                                    isCut, {});
        QCOMPARE(document[document.root].items, std::vector<ValueId>{document.root});
    }

    /// What many entries have alike takes no room for each of them.
    void keepsEqualValuesOnce() {
        std::string json = "[";
        std::string pickle = "\x80\x02](";
        for (int i = 0; i < 1000; ++i) {
            json += R"({"state":null,"size":4,"p2p":false},)";
            pickle += "NK\x04\x88";
        }
        bool isCut = false;
        const PlainDocument document = decodeJson("x", json + "0]", {});
        QCOMPARE(document.values.size(), std::size_t{1000 + 8}); // the maps; three keys, three values, 0, and the list
        QCOMPARE(describe(document, document[document.root].items[999]), "{'state' None 'size' 4 'p2p' False}"s);
        QCOMPARE(decodePickle("x", pickle + "e.", isCut, {}).values.size(), std::size_t{4});
    }

    void keepsWhatWasComplete() {
        test::FlightValue map = test::FlightValue::of(test::FlightValue::Kind::Map);
        map.set("a", "one");
        map.set("b", test::FlightValue::of(test::FlightValue::Kind::List, {1, 2, 3}));
        const std::string whole = test::pickled(map, 2);
        for (std::size_t size = 4; size < whole.size(); ++size) {
            bool cut = false;
            const std::string answer = decoded(whole.substr(0, size), &cut);
            QVERIFY2(cut, answer.c_str());
        }
        QCOMPARE(decoded(whole.substr(0, whole.size() - 3)), "{'a' 'one' 'b' [1 2 3]}"s);
        QCOMPARE(decoded(whole), "{'a' 'one' 'b' [1 2 3]}"s);
    }

    void refusesJson_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("expected");
        QTest::newRow("a million lists") << QByteArray::fromStdString("{\"a\":" + nested(1'000'000, "[", "]") + "}")
                                         << "nested more than 32 deep";
        QTest::newRow("four million empty lists") << QByteArray::fromStdString("{\"a\":[" + nested(4'000'000, "[],", "") + "[]]}")
                                                  << "values, which no dump of this size";
        QTest::newRow("broken off") << QByteArray("{\"a\":[1,") << "not JSON";
        QTest::newRow("no JSON") << QByteArray("{version}") << "not JSON";
    }

    void refusesJson() {
        QFETCH(const QByteArray, json);
        QFETCH(const QString, expected);
        try {
            static_cast<void>(decodeJson("The dump \"x\"", json.toStdString(), {}));
            QFAIL("it was read");
        } catch (const ReadError &failure) {
            QVERIFY2(QString(failure.what()).contains(expected), failure.what());
        }
    }
};

QTEST_APPLESS_MAIN(TestPickle)
#include "tst_pickle.moc"
