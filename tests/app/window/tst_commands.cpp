// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/WindowFixture.h"

#include "app/window/PreferencesDialog.h"
#include "views/panels/CommandPalette.h"
#include "views/panels/ShortcutsDialog.h"
#include "views/theme/Contrast.h"

#include <Qsci/qscilexer.h>

#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>
#include <QToolTip>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

/// Commands that work without a trace.
const QStringList always = {
    "Open …", "Open a folder …", "Attach …", "Open the example", "Open a session …", "Quit", "As the system", "Light",
    "Dark",   "Preferences …",   "Keys",     "Commands …",       "About Laggard"};

QString plain(const QAction *action) { return action->text().remove('&'); }

} // namespace

class TestCommands : public QObject {
    Q_OBJECT
  private slots:
    void onlyWhatMakesSenseIsEnabled() {
        const Home home;
        FixtureWindow window;
        for (const QAction *action : window.main.commands())
            QVERIFY2(action->isEnabled() == always.contains(plain(action)), qPrintable(plain(action)));
        QCOMPARE(window.open(test::example()), QString());
        const QStringList notYet = {"Redo zoom or filter", "Selection after", "Selection before", "Close the comparison"};
        for (const QAction *action : window.main.commands())
            if (!notYet.contains(plain(action)))
                QVERIFY2(action->isEnabled(), qPrintable(plain(action) + " should be possible now"));
        window.main.open(test::example());
        for (const QAction *action : window.main.commands())
            if (!always.contains(plain(action)) && action->text().contains("xport"))
                QVERIFY2(!action->isEnabled(), qPrintable(plain(action) + " makes no sense while loading"));
        window.main.cancelLoading();
    }

    void everyCommandHasItsOwnKey() {
        const Home home;
        FixtureWindow window;
        QMap<QKeySequence, QString> taken;
        for (const QAction *action : window.main.commands())
            for (const QKeySequence &keys : action->shortcuts()) {
                QVERIFY2(!taken.contains(keys), qPrintable(keys.toString() + ": " + taken[keys] + ", " + plain(action)));
                taken[keys] = plain(action);
            }
    }

    void everyMenuHasItsOwnLetters() {
        const Home home;
        FixtureWindow window;
        const auto check = [](const QList<QAction *> &actions, const QString &menu) {
            QMap<QChar, QString> taken;
            for (const QAction *action : actions) {
                const qsizetype at = action->text().indexOf('&');
                if (at < 0 || !action->isVisible())
                    continue;
                const QChar letter = action->text()[at + 1].toLower();
                QVERIFY2(!taken.contains(letter), qPrintable(menu + ": " + action->text() + " and " + taken[letter]));
                taken[letter] = action->text();
            }
        };
        check(window.main.menuBar()->actions(), "menu bar");
        for (const QMenu *menu : window.main.menuBar()->findChildren<QMenu *>())
            check(menu->actions(), menu->title());
    }

    void keysAreListed() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        window.graph().setFocus();
        window.key(Qt::Key_F1);
        ShortcutsDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = window.main.findChild<ShortcutsDialog *>()) != nullptr);
        const QString keys = test::rowsOf(*dialog->view()->model()).join('\n');
        for (const char *key :
             {"Ctrl+P", "Ctrl+Shift+P", "Ctrl+E", "Ctrl+F", "W / S", "Alt+Left", "Ctrl+Z", "Ctrl+,", "F1", "Ctrl+Q"})
            QVERIFY2(keys.contains(key), qPrintable(QString(key) + " is not in\n" + keys));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(window.main.findChild<ShortcutsDialog *>() == nullptr);
    }

    void paletteRunsACommand() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        window.graph().setFocus();
        window.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        CommandPalette *palette = nullptr;
        QTRY_VERIFY((palette = window.main.findChild<CommandPalette *>()) != nullptr);
        QTest::keyClicks(palette->line(), "show all time");
        QTest::keyClick(palette->line(), Qt::Key_Return);
        QCOMPARE(window.workspace().zoomFilter().zoom(), window.trace().range);
    }

    void everyPanelIsReachedByKeyboard_data() {
        QTest::addColumn<QString>("stage");
        for (const char *stage : {"while the analyses run", "when they have ended", "of a model dump"})
            QTest::newRow(stage) << stage;
    }
    void everyPanelIsReachedByKeyboard() {
        QFETCH(QString, stage);
        const Home home;
        const QTemporaryDir folder;
        FixtureWindow window;
        QString file = test::example();
        if (stage == "of a model dump")
            file = test::writeModelDump(folder);
        QCOMPARE(window.open(file), QString());
        if (stage != "while the analyses run")
            QTRY_VERIFY_WITH_TIMEOUT(!window.workspace().isAnalysing(), test::longEnough);
        for (QDockWidget *dock : window.workspace().docks().all()) {
            QAction *go = window.command(QString("To panel \"%1\"").arg(dock->windowTitle()));
            QVERIFY2(go != nullptr, qPrintable(dock->windowTitle()));
            dock->close();
            go->trigger();
            QTRY_VERIFY2(dock->widget()->isVisible(), qPrintable(dock->windowTitle()));
            // A window shown anew by a display server is active, and so has a focus, only once the server says so.
            QTRY_VERIFY2(dock->isAncestorOf(QApplication::focusWidget()),
                         qPrintable(dock->windowTitle() + " did not take the keyboard"));
        }
    }

    void aPanelKeepsTheKeyboard() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QSignalSpy ended(&window.workspace(), &Workspace::analysesEnded);
        const auto finish = [&] { return QTest::qWaitFor([&] { return !window.workspace().isAnalysing(); }, test::longEnough); };
        QVERIFY(finish());
        for (const char *name : {"findings", "suspects", "records", "phases", "clusters", "statemodel", "transition",
                                 "contributions", "profile"}) { // what the analyses fill
            auto *dock = window.main.findChild<QDockWidget *>(name);
            window.workspace().docks().show(dock->widget());
            QTRY_VERIFY2(dock->isAncestorOf(QApplication::focusWidget()), qPrintable(dock->windowTitle()));
            // Each part of the panel that has the keyboard may be about to go: a list is not shown while nothing is in it.
            QWidgetList parts;
            for (QWidget *part : dock->widget()->findChildren<QWidget *>())
                if ((part->focusPolicy() & Qt::TabFocus) != 0 && part->isVisible() && part->isEnabled())
                    parts << part;
            QVERIFY2(!parts.isEmpty(), qPrintable(dock->windowTitle()));
            for (QWidget *part : {parts.first(), parts.last()}) {
                part->setFocus();
                const auto has = [dock] { return dock->isAncestorOf(QApplication::focusWidget()); };
                QTRY_VERIFY2(has(), qPrintable(dock->windowTitle()));
                window.workspace().runAnalyses();
                QVERIFY2(has(), qPrintable(dock->windowTitle() + " lost the keyboard when the analyses began"));
                QVERIFY(finish());
                QVERIFY2(has(), qPrintable(dock->windowTitle() + " lost the keyboard when the analyses ended"));
            }
        }
        QVERIFY(!ended.isEmpty());
    }

    void tabGoesThroughThePanels() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QSet<QString> visited;
        window.graph().setFocus();
        for (int step = 0; step < 120; ++step) {
            QWidget *focus = QApplication::focusWidget();
            QVERIFY(focus != nullptr);
            for (const QDockWidget *dock : window.workspace().docks().all())
                if (dock->isAncestorOf(focus))
                    visited.insert(dock->objectName());
            // In a text, Tab may be a letter; Ctrl+Tab leaves it.
            QTest::keyClick(focus, Qt::Key_Tab);
            if (QApplication::focusWidget() == focus)
                focus->nextInFocusChain()->setFocus(Qt::TabFocusReason);
        }
        for (const char *dock : {"findings", "timeline", "legend", "source", "stack"})
            QVERIFY2(visited.contains(dock), dock);
    }

    void appearanceIsSwitched() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        window.command("Dark")->trigger();
        const auto lightness = [](const QColor &colour) { return colour.lightnessF(); };
        QTRY_VERIFY(lightness(QApplication::palette().color(QPalette::Window)) < 0.3F);
        QTRY_VERIFY(lightness(window.main.palette().color(QPalette::WindowText)) > 0.7F);
        QTRY_VERIFY(lightness(QToolTip::palette().color(QPalette::ToolTipBase)) < 0.4F);
        QTRY_VERIFY(lightness(window.timeline().view().theme.background) < 0.3F);
        QVERIFY(window.command("Dark")->isChecked());
        window.command("Light")->trigger();
        QTRY_VERIFY(lightness(QApplication::palette().color(QPalette::Window)) > 0.8F);
        QTRY_VERIFY(lightness(window.timeline().view().theme.background) > 0.8F);
        QVERIFY(!window.command("Dark")->isChecked());
        {
            FixtureWindow again;
            QVERIFY2(again.command("Light")->isChecked(), "the choice is remembered");
            again.main.showAppearance(Appearance::Dark);
        }
        QVERIFY2(FixtureWindow().command("Light")->isChecked(), "a choice for this time only is not remembered");
    }

    void preferencesAreAppliedAndKept() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        window.graph().setFocus();
        window.key(Qt::Key_Comma, Qt::ControlModifier);
        PreferencesDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = window.main.findChild<PreferencesDialog *>()) != nullptr);
        dialog->findChild<QComboBox *>("appearance")->setCurrentText("Dark");
        dialog->findChild<QComboBox *>("callLines")->setCurrentText("One line for each rank");
        dialog->findChild<QSpinBox *>("sourcePoints")->setValue(17);
        dialog->accept();
        QTRY_VERIFY(window.main.findChild<PreferencesDialog *>() == nullptr);
        QVERIFY(window.command("Dark")->isChecked());
        QVERIFY(!window.timeline().rows().isNested());
        QCOMPARE(window.workspace().source().editor()->lexer()->font(0).pointSize(), 17);
        // The menu changes its part and leaves the others alone.
        window.command("Light")->trigger();
        FixtureWindow again;
        QVERIFY(again.command("Light")->isChecked());
        QCOMPARE(again.main.preferences().sourcePoints, 17);
        QCOMPARE(again.open(test::example()), QString());
        QVERIFY2(!again.timeline().rows().isNested(), "the next trace is drawn as chosen too");
    }

    void palettesAreReadable_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << lightPalette();
        QTest::newRow("dark") << darkPalette();
    }
    void palettesAreReadable() {
        QFETCH(QPalette, palette);
        const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {{QPalette::WindowText, QPalette::Window},
                                                                             {QPalette::Text, QPalette::Base},
                                                                             {QPalette::Text, QPalette::AlternateBase},
                                                                             {QPalette::ButtonText, QPalette::Button},
                                                                             {QPalette::ToolTipText, QPalette::ToolTipBase},
                                                                             {QPalette::PlaceholderText, QPalette::Base},
                                                                             {QPalette::Link, QPalette::Window},
                                                                             {QPalette::HighlightedText, QPalette::Highlight}};
        for (const auto &[text, ground] : pairs)
            QVERIFY2(contrastRatio(palette.color(text), palette.color(ground)) >= 4.5,
                     qPrintable(QString("%1 on %2: %3")
                                    .arg(text)
                                    .arg(ground)
                                    .arg(contrastRatio(palette.color(text), palette.color(ground)))));
    }

    void aClosedPanelComesBackWithTheLayout() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        auto *timeline = window.main.findChild<QDockWidget *>("timeline");
        timeline->close();
        QVERIFY(!timeline->isVisible());
        window.command("Reset the layout")->trigger();
        QVERIFY(timeline->isVisible());
        timeline->setFloating(true);
        window.command("Reset the layout")->trigger();
        QVERIFY(!timeline->isFloating());
    }
};

QTEST_MAIN(TestCommands)
#include "tst_commands.moc"
