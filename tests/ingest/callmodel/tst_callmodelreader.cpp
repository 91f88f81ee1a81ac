// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/callmodel/CallModelReader.h"

#include "analysis/units/LearnModel.h"
#include "app/convert/CallModelText.h"
#include "tests/analysis/units/DaemonTrace.h"
#include "tests/support/ArchiveWriter.h"
#include "trace/Work.h"

#include <QTemporaryDir>
#include <QTest>
#include <random>

using namespace laggard;
using laggard::test::setFileBytes;

namespace {

CallModel sample() {
    CallModel::UnitModel unit;
    unit.connection = {{"main", "accept @ server.c:31"}};
    unit.units = 8;
    unit.calls = {
        {none, "dispatch", "serve.c:32", "dispatch.c", 1, 8}, {0, "recv", "", "", 0, 8}, {0, "w\"ö\n", "x:1", "", 0, 6}};
    CallModel own;
    own.runs = 2;
    own.roles.push_back({{{"main", "bind"}}, 2, {{"main", "poll"}}, {unit, {UnitKind::Initializer, {}, 2, {}}}});
    CallModel model;
    model.merge(own);
    return model;
}

/// A model whose one unit has these calls.
std::string withCalls(const std::string &calls) {
    return R"({"schema":"laggard.call-model/1","runs":1,"roles":[{"signature":[],"processes":1,"loops":[],"units":[)"
           R"({"kind":"handler","connection":[],"units":4,"calls":[)" +
           calls + "]}]}]}";
}

} // namespace

class TestCallModelReader : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    std::string m_file = m_dir.path().toStdString() + "/model.json";

    QString complaint() const {
        try {
            static_cast<void>(callmodel::read(m_file));
        } catch (const ReadError &error) {
            return error.what();
        }
        return {};
    }

  private slots:
    void readsWhatWasWritten() {
        setFileBytes(m_file, callModelText(sample()));
        QVERIFY(callmodel::isCallModel(m_file));
        QVERIFY2(callmodel::read(m_file) == sample(), "the model that is read is another one than was written");
        QCOMPARE(callModelText(callmodel::read(m_file)), callModelText(sample()));
    }

    /// Also of functions of one name that are called from one site.
    void readsWhatWasLearnt() {
        std::mt19937 random(11);
        for (int round = 0; round < 100; ++round) {
            test::DaemonTrace trace(2);
            test::addRandomDaemon(trace, 0, random);
            test::addRandomDaemon(trace, 1, random);
            CallModel model = learn(*trace.finish(), {}).model;
            setFileBytes(m_file, callModelText(model));
            QVERIFY2(complaint().isEmpty(), qPrintable(complaint()));
            QVERIFY2(callmodel::read(m_file) == model, "the model that is read is another one than was learnt");
            model.merge(callmodel::read(m_file)); // one more run
            setFileBytes(m_file, callModelText(model));
            QVERIFY2(complaint().isEmpty(), qPrintable(complaint()));
            QVERIFY(callmodel::read(m_file) == model);
        }
    }

    void leavesOutFolders() {
        setFileBytes(m_file, withCalls(R"({"parent":null,"function":"a","file":"/old/place/x.c","line":3,"units":1})"));
        QCOMPARE(callmodel::read(m_file).roles.at(0).units.at(0).calls.at(0).file, std::string("x.c"));
    }

    void refuses_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char *name, const std::string &text, const char *reason) {
            QTest::newRow(name) << QString::fromStdString(text) << reason;
        };
        row("empty", "", "call model");
        row("no JSON", "ENTER laggard.call-model/1", "call model");
        row("something else", R"({"schema":"laggard.report/1"})", "no call model");
        row("another version", R"({"schema":"laggard.call-model/2","roles":[]})", "a version that this program does not know");
        row("kind", R"({"schema":"laggard.call-model/1","roles":[{"units":[{"kind":"loop"}]}]})", "\"loop\" is no kind of unit");
        row("caller behind", withCalls(R"({"parent":1,"function":"a","units":1},{"parent":null,"function":"b","units":1})"),
            "has to stand before it");
        row("itself", withCalls(R"({"parent":0,"function":"a","units":1})"), "has to stand before it");
        row("more than the caller",
            withCalls(R"({"parent":null,"function":"a","units":2},{"parent":0,"function":"b","units":3})"),
            "in more units than its caller");
        row("more than there are", withCalls(R"({"parent":null,"function":"a","units":5})"), "in more units than its caller");
        row("twice", withCalls(R"({"parent":null,"function":"a","units":3},{"parent":null,"function":"a","units":3})"),
            "in more units than its caller");
        row("never", withCalls(R"({"parent":null,"function":"a","units":0})"), "was in no unit");
        row("no name", withCalls(R"({"parent":null,"units":1})"), "has no function");
        row("negative", withCalls(R"({"parent":null,"function":"a","units":-1})"), "model.json");
        row("huge", withCalls(R"({"parent":null,"function":"a","units":18446744073709551615})"), "too large");
        row("text for a number", withCalls(R"({"parent":null,"function":"a","units":"x"})"), "model.json");
        row("cut off", withCalls("").substr(0, 90), "model.json");
    }
    void refuses() {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        setFileBytes(m_file, text.toStdString());
        const QString said = complaint();
        QVERIFY2(said.contains(reason) && said.contains("model.json"), qPrintable("one sentence with the reason, but: " + said));
        QVERIFY2(said.count('\n') == 0, qPrintable(said));
    }

    void passesOverKeysItDoesNotKnow() {
        setFileBytes(m_file, R"({"schema":"laggard.call-model/1","note":[1,{"a":null}],"runs":3,"roles":[]})");
        QCOMPARE(callmodel::read(m_file).runs, 3U);
    }

    void saysWhatIsNotThere() {
        QVERIFY(QFile::remove(QString::fromStdString(m_file)));
        QVERIFY2(complaint().contains("does not exist"), qPrintable(complaint()));
        QVERIFY(!callmodel::isCallModel(m_file));
    }

    void damagedFilesAreReadOrRefused() {
        std::mt19937 random(5);
        const std::string text = callModelText(sample());
        for (int round = 0; round < 2000; ++round) {
            std::string damaged = text;
            for (unsigned i = 0; i < 1 + random() % 3; ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            setFileBytes(m_file, damaged);
            const QString said = complaint(); // anything but a sentence or a model is a crash
            QVERIFY(said.isEmpty() || said.contains("model.json"));
        }
    }
};

QTEST_APPLESS_MAIN(TestCallModelReader)
#include "tst_callmodelreader.moc"
