// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Session.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <random>
#include <sys/stat.h>

using namespace laggard;

namespace {

Session fullSession() {
    Session session;
    session.trace = "/data/run 7/traces.otf2";
    session.windowState = QByteArray("\x00\xff state", 8);
    session.windowGeometry = "geometry";
    session.notes["0-2,4-15 MPI_Allreduce"] = "waits since 3 a.m.\nsee ticket \"12\"";
    session.colours["compute_flux"] = QColor(10, 20, 30, 200);
    session.pathMap = {{"/build/x", "/home/me/x"}, {"/a", "/b"}};
    session.sourceFolders = {"/src", "/ünïcode"};
    session.comparison = {
        {"/data/good run", "/data/other/traces.otf2"}, ProfileOptions::By::Function, ProfileOptions::Measure::Coverage};
    session.slice.depth = 8;
    session.slice.thin = true;
    session.slice.dims = false;
    session.slice.hidden = {SliceReason::Control, SliceReason::Message};
    session.compileCommands = "/home/me/x/build/compile_commands.json";
    session.hiddenFunctions = {"pack"};
    session.onlyFunctions = {"solve"};
    session.onlyRanks = "0-3";
    session.minimumDuration = 1e-6;
    session.onlyTime = std::pair(0.5, 1.5);
    session.zoom = std::pair(0.25, 0.75);
    return session;
}

/// With some of its bytes changed; values more often than what holds them together.
QByteArray mutated(QByteArray bytes, std::mt19937 &random) {
    const auto below = [&random](qsizetype n) { return static_cast<qsizetype>(random() % static_cast<std::size_t>(n)); };
    static const QByteArrayList values{"-1",   "1e308",       "1e999", "null", "[]", "{}", "\"\"", "\"0-4294967295\"",
                                       "[[[[", "\"\\ud800\"", "-0"};
    for (qsizetype i = 0, times = 1 + below(4); i < times && !bytes.isEmpty(); ++i) {
        const qsizetype at = below(bytes.size());
        switch (below(8)) {
        case 0:
            bytes.remove(at, below(30));
            break;
        case 1:
            bytes.insert(at, bytes.mid(below(bytes.size()), below(60)));
            break;
        case 2:
            bytes[at] = static_cast<char>(below(256));
            break;
        default: // the value of a key
            const qsizetype colon = bytes.indexOf(": ", at);
            const qsizetype end = colon < 0 ? -1 : bytes.indexOf('\n', colon);
            if (end < 0)
                break;
            const bool hasComma = bytes.at(end - 1) == ',';
            bytes.replace(colon + 2, end - colon - 2 - (hasComma ? 1 : 0), values.at(below(values.size())));
        }
    }
    return bytes;
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void writtenAndReadAgainIsTheSame() {
        QTemporaryDir folder;
        QString error;
        const QString file = folder.filePath("new folder/session.json");
        QVERIFY2(saveSession(fullSession(), file, &error), qPrintable(error));
        const auto read = loadSession(file, &error);
        QVERIFY2(read, qPrintable(error));
        QVERIFY(*read == fullSession());
        QCOMPARE(error, QString());
    }

    void sessionsWithoutACheckOpen() {
        QJsonObject old = QJsonDocument::fromJson(toJson(fullSession())).object();
        old["schema"] = "laggard.session/1";
        old.remove("check");
        QString error;
        const auto read = sessionFromJson(QJsonDocument(old).toJson(), &error);
        QVERIFY2(read, qPrintable(error));
        QVERIFY(*read == fullSession());
        QCOMPARE(error, QString());
    }

    /// What was changed is read as far as it goes, and said.
    void changesAreNamed_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("a rank") << QByteArray("\"0-3\"") << QByteArray("\"0-7\"");
        QTest::newRow("a note") << QByteArray("3 a.m.") << QByteArray("4 a.m.");
        QTest::newRow("a key") << QByteArray("\"only_ranks\"") << QByteArray("\"only_rank\"");
        QTest::newRow("the version") << QByteArray("session/2") << QByteArray("session/1");
        QTest::newRow("the check") << QByteArray("\"check\"") << QByteArray("\"chek\"");
    }
    void changesAreNamed() {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QByteArray json = toJson(fullSession());
        QCOMPARE(json.count(before), 1);
        QString error;
        const auto read = sessionFromJson(json.replace(before, after), &error);
        QVERIFY2(read, qPrintable(error));
        QCOMPARE(read->sourceFolders, fullSession().sourceFolders);
        QVERIFY2(error.contains("changed after it was saved"), qPrintable(error));
    }

    void filesHoldNoOrders() {
        Session session;
        session.trace = QString::fromUtf8("/a\u009b2J\u202e");
        QString error;
        const QByteArray json = toJson(session);
        QVERIFY2(json.contains("/a\\u009b2J\\u202e"), json.constData());
        QCOMPARE(sessionFromJson(json, &error).value_or(Session()).trace, session.trace);
    }

    void damagedFilesAreExplained_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("hello");
        QTest::newRow("cut off") << toJson(fullSession()).left(100);
        QTest::newRow("something else") << QByteArray("{\"schema\":\"laggard.report/1\"}");
        QTest::newRow("a list") << QByteArray("[1,2]");
    }
    void damagedFilesAreExplained() {
        QFETCH(QByteArray, content);
        QString error;
        QVERIFY(!sessionFromJson(content, &error));
        QVERIFY2(!error.isEmpty(), "a session that cannot be read must say why");
    }

    void oddValuesAreLeftOut() {
        QString error;
        const auto session = sessionFromJson(
            R"({"schema":"laggard.session/1","zoom_s":[2,1],"colours":{"f":"no colour"},"path_map":[["one"]],"notes":5})",
            &error);
        QVERIFY2(session, qPrintable(error));
        QVERIFY(*session == Session());
    }

    void oddNumbersAreLeftOut() {
        QString error;
        const auto session = sessionFromJson(
            R"({"schema":"laggard.session/1","zoom_s":[-1,1e999],"filter":{"minimum_duration_s":-3,"only_time_s":["0",{}]}})",
            &error);
        QVERIFY2(session || !error.isEmpty(), qPrintable(error));
        QVERIFY(!session || *session == Session());
    }

    /// What is no file is refused at once: a pipe that nobody writes to would never answer.
    void otherThanFilesAreRefused_data() {
        QTest::addColumn<QString>("kind");
        QTest::newRow("pipe") << "pipe";
        QTest::newRow("device") << "/dev/zero";
        QTest::newRow("folder") << "/tmp";
    }
    void otherThanFilesAreRefused() {
        QFETCH(QString, kind);
        const QTemporaryDir folder;
        const QString path = kind == "pipe" ? folder.filePath("pipe") : kind;
        if (kind == "pipe")
            QCOMPARE(::mkfifo(qPrintable(path), 0600), 0);
        QString error;
        QVERIFY(!loadSession(path, &error));
        QVERIFY2(error.contains(path) && error.contains("not a file"), qPrintable(error));
    }

    /// Bytes changed at random: a session that can be kept and read again, or a sentence.
    void mutations() {
        std::mt19937 random(11);
        const QByteArray whole = toJson(fullSession());
        int accepted = 0;
        for (int seed = 0; seed < 500; ++seed) {
            const QByteArray bytes = mutated(whole, random);
            QString error;
            const auto session = sessionFromJson(bytes, &error);
            if (!session) {
                QVERIFY2(!error.isEmpty(), bytes.constData());
                continue;
            }
            ++accepted;
            QVERIFY(session->minimumDuration >= 0 && std::isfinite(session->minimumDuration));
            for (const auto &range : {session->onlyTime, session->zoom})
                QVERIFY(!range || (range->first >= 0 && range->first <= range->second && std::isfinite(range->second)));
            const auto again = sessionFromJson(toJson(*session), &error);
            QVERIFY2(again && *again == *session, bytes.constData());
        }
        QVERIFY2(accepted > 50 && accepted < 450, qPrintable(QString::number(accepted)));
    }

    void defaultFileIsNotBesideTheTrace() {
        const QString file = defaultSessionFile("/data/run/traces.otf2");
        QVERIFY2(!file.startsWith("/data/run"), qPrintable(file));
        QVERIFY(defaultSessionFile("/data/other/traces.otf2") != file);
    }

    void unwritableFolderIsSaid() {
        QString error;
        QVERIFY(!saveSession(fullSession(), "/proc/no/session.json", &error));
        QVERIFY2(error.contains("/proc/no/session.json"), qPrintable(error));
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
