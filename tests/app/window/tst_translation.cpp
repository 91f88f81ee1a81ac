// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Translation.h"
#include "tests/app/window/WindowFixture.h"

#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QTranslator>

using namespace laggard;
using namespace laggard::test;

class TestTranslation : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        if (translationsIn(LAGGARD_TRANSLATIONS).isEmpty())
            QSKIP("Qt's LinguistTools are not installed: the window is in English alone.");
    }

    void languages_data() {
        QTest::addColumn<QStringList>("wanted");
        QTest::addColumn<QString>("language");
        QTest::newRow("German") << QStringList{"de"} << "de";
        QTest::newRow("Austrian") << QStringList{"de-AT", "de", "en"} << "de";
        QTest::newRow("as the C library writes it") << QStringList{"de_DE"} << "de";
        QTest::newRow("English first") << QStringList{"en-GB", "de"} << "";
        QTest::newRow("another one, then German") << QStringList{"tlh", "de"} << "de";
        QTest::newRow("none that is there") << QStringList{"tlh"} << "";
        QTest::newRow("none at all") << QStringList{} << "";
        QTest::newRow("a name that leads elsewhere") << QStringList{"../de", ""} << "";
    }
    void languages() {
        QFETCH(QStringList, wanted);
        QFETCH(QString, language);
        QCoreApplication &application = *QCoreApplication::instance();
        QCOMPARE(installTranslation(application, wanted, LAGGARD_TRANSLATIONS), language);
        for (QTranslator *installed : application.findChildren<QTranslator *>())
            delete installed;
    }

    void theWindowIsGerman() {
        const Home home;
        QCoreApplication &application = *QCoreApplication::instance();
        QCOMPARE(installTranslation(application, {"de"}, LAGGARD_TRANSLATIONS), "de");
        {
            FixtureWindow window;
            QStringList menus;
            for (const QAction *menu : window.main.menuBar()->actions())
                menus << menu->text().remove('&');
            QVERIFY2(menus.contains("Datei") && menus.contains("Ansicht") && menus.contains("Hilfe"),
                     qPrintable(menus.join(", ")));
            QCOMPARE(window.open(example()), QString());
            QVERIFY2(shownText(window.workspace()).contains(QStringLiteral("Hängt")), qPrintable(shownText(window.workspace())));
            // Keys that letters in menus claim must not cancel each other out.
            for (const QAction *menu : window.main.menuBar()->actions()) {
                QMap<QString, QString> claimed;
                for (const QAction *action : menu->menu()->actions()) {
                    const QString key = QKeySequence::mnemonic(action->text()).toString();
                    QVERIFY2(key.isEmpty() || !claimed.contains(key),
                             qPrintable(claimed.value(key) + " and " + action->text() + " claim " + key));
                    if (!key.isEmpty())
                        claimed[key] = action->text();
                }
            }
        }
        for (QTranslator *installed : application.findChildren<QTranslator *>())
            delete installed;
    }

    /// The program itself, started as somebody starts it whose system is German.
    void theProgramAsksTheSystem() {
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LANGUAGE", "de");
        environment.insert("LC_ALL", "C.UTF-8");
        program.setProcessEnvironment(environment);
        program.start(LAGGARD_PROGRAM, {"--help"});
        QVERIFY(program.waitForFinished(longEnough));
        const QString said = QString::fromUtf8(program.readAllStandardOutput());
        QVERIFY2(said.contains(QStringLiteral("Zeigt, welcher Prozess")), qPrintable(said));
    }
};

QTEST_MAIN(TestTranslation)
#include "tst_translation.moc"
