// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Session.h"

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

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
    session.hiddenFunctions = {"pack"};
    session.onlyFunctions = {"solve"};
    session.onlyRanks = "0-3";
    session.minimumDuration = 1e-6;
    session.onlyTime = std::pair(0.5, 1.5);
    session.zoom = std::pair(0.25, 0.75);
    return session;
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
