// SPDX-License-Identifier: GPL-3.0-or-later
// The window follows the question: which layout comes first, what each remembers, and what stays where it is.
#include "tests/app/window/WindowFixture.h"

#include "app/window/MomentBar.h"
#include "app/window/MomentChip.h"
#include "app/window/NobodyWaits.h"
#include "app/window/PanelPlaces.h"
#include "app/window/PanelTitle.h"
#include "views/charts/ChartPanel.h"
#include "views/charts/TimePanel.h"
#include "views/semimarkov/SemiMarkovFocus.h"

#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

#include <set>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

const QString slow = QStringLiteral(LAGGARD_TRACES "/slow-master-worker/traces.otf2");
const QString healthy = QStringLiteral(LAGGARD_TRACES "/pipit-pingpong-papi/traces.otf2");

struct QuestionWindow : FixtureWindow {
    using FixtureWindow::FixtureWindow;

    bool openAndAnalyse(const QString &file) {
        return open(file).isEmpty() && QTest::qWaitFor([this] { return !workspace().isAnalysing(); }, test::longEnough);
    }
    DockLayout &docks() { return workspace().docks(); }
    QDockWidget *dock(const QString &name) { return main.findChild<QDockWidget *>(name); }
    /// Docks behind another tab lie outside of the window.
    [[nodiscard]] bool sees(const QString &name) {
        return dock(name)->isVisible() && workspace().rect().contains(dock(name)->geometry().center());
    }
    QString trySees(const QStringList &names) {
        for (const QString &name : names)
            if (!QTest::qWaitFor([&] { return sees(name); }, 2000))
                return name + " is not seen";
        return {};
    }
    std::map<QString, QRect> places() {
        std::map<QString, QRect> rects;
        for (const QDockWidget *each : docks().all())
            if (each->isVisible())
                rects[each->objectName()] = each->geometry();
        return rects;
    }
};

} // namespace

class TestQuestions : public QObject {
    Q_OBJECT
  private slots:
    void everyPanelHasAPlace() {
        const Home home;
        QuestionWindow window;
        for (const Question question : questions)
            for (const int height : {500, 1200}) {
                const QStringList names = namesIn(placesFor(question, height));
                QCOMPARE(QSet<QString>(names.begin(), names.end()).size(), names.size()); // none twice
                for (const QString &name : names)
                    QVERIFY2(window.dock(name) != nullptr, qPrintable(name));
                for (const char *name : {"findings", "timeline", "source"})
                    QVERIFY2(names.contains(name), name);
            }
    }

    void aHungJobShowsWhoWaitsForWhom() {
        const Home home;
        QuestionWindow window({1280, 800});
        QVERIFY(window.openAndAnalyse(test::example()));
        QCOMPARE(window.docks().question(), Question::Hang);
        QVERIFY(window.workspace().verdict().isVisible());
        QCOMPARE(window.trySees({"findings", "graph", "source", "stack", "timeline"}), QString());
        QVERIFY(!window.workspace().moment().has_value());
    }

    void aSlowJobOpensAtItsMoment() {
        if (!QFile::exists(slow))
            QSKIP("slow-master-worker is not among the traces here");
        const Home home;
        QuestionWindow window({1280, 800});
        QSignalSpy shown(&window.workspace(), &Workspace::momentShown);
        QVERIFY(window.openAndAnalyse(slow));
        QVERIFY(!shown.isEmpty() || shown.wait(test::longEnough));
        QCOMPARE(window.docks().question(), Question::Slow);
        const Workspace &workspace = window.workspace();
        QVERIFY(workspace.moment().has_value());
        QCOMPARE(window.timeline().cursor(), workspace.moment());
        QVERIFY2(!workspace.shown()->progress.nodes.empty(), "the graph of the moment is empty");
        QCOMPARE(window.selection().ranks, RankSet{7});
        QVERIFY(window.workspace().source().shownFile().endsWith("/master_worker.c"));
        QCOMPARE(window.trySees({"findings", "graph", "source", "stack", "phases", "profile", "timeline"}), QString());
        QVERIFY(test::shownText(window.workspace().verdict()).contains("Rank 7 computes"));
        QVERIFY2(window.main.findChild<MomentChip *>()->text().contains("waited for rank 7"),
                 qPrintable(window.main.findChild<MomentChip *>()->text()));
    }

    void aHealthyJobShowsWhereTheTimeWent() {
        if (!QFile::exists(healthy))
            QSKIP("pipit-pingpong-papi is not among the traces here");
        const Home home;
        QuestionWindow window;
        QVERIFY(window.openAndAnalyse(healthy));
        QCOMPARE(window.docks().question(), Question::Explore);
        QCOMPARE(window.trySees({"findings", "functions", "waiting", "timeline"}), QString());
        QVERIFY(!window.workspace().functions().panel()->chart().isEmpty());
        QVERIFY(!window.workspace().waiting().panel()->chart().isEmpty());
        // Who asks for the graph is told why there is none, and what there is.
        window.docks().setQuestion(Question::Hang);
        auto *instead = window.main.findChild<NobodyWaits *>();
        QTRY_VERIFY(instead->isVisible());
        QVERIFY(instead->findChildren<QPushButton *>().size() == 2);
        QVERIFY2(instead->functions().isVisible() && !instead->functions().panel()->chart().isEmpty(), "where the time went");
        QVERIFY2(instead->waiting().isVisible() && !instead->waiting().panel()->chart().isEmpty(), "who waited");
        QVERIFY2(!instead->functions().panel()->list()->isVisible(), "the panel of that name has the list");
        // No side is empty: the source of what took most time, and what the state model's transitions take.
        QVERIFY(!window.workspace().source().frames().empty());
        QVERIFY2(window.workspace().source().editor()->currentLine() == 0, "nothing was found there: there is no mark");
        window.docks().setQuestion(Question::Behaviour);
        QTRY_VERIFY(window.sees("transition"));
        QVERIFY(window.main.findChild<SemiMarkovFocus *>()->transition().has_value());
        window.docks().setQuestion(Question::Hang);
        QTRY_VERIFY(instead->isVisible());
        QSignalSpy shown(&window.workspace(), &Workspace::momentShown);
        emit instead->longestWaitRequested();
        QVERIFY(!shown.isEmpty() || shown.wait(test::longEnough));
        QVERIFY(window.workspace().moment().has_value());
    }

    void whatSomebodyHasChosenStays() {
        if (!QFile::exists(slow))
            QSKIP("slow-master-worker is not among the traces here");
        const Home home;
        QuestionWindow window;
        QCOMPARE(window.open(slow), QString());
        window.workspace().chooseLayout(Question::Behaviour);
        QVERIFY(QTest::qWaitFor([&] { return !window.workspace().isAnalysing(); }, test::longEnough));
        QCOMPARE(window.docks().question(), Question::Behaviour);
        QVERIFY2(window.workspace().moment().has_value(), "a layout is no moment: graph and stacks are of the largest delay");
        QCOMPARE(window.trySees({"statemodel", "clusters", "transition", "timeline", "findings"}), QString());
    }

    /// That it is the layout of a finished job already makes it no less wanted.
    void theLayoutThatIsThereCanBeChosen() {
        if (!QFile::exists(slow))
            QSKIP("slow-master-worker is not among the traces here");
        const Home home;
        QuestionWindow window;
        QCOMPARE(window.open(slow), QString());
        window.workspace().chooseLayout(window.docks().question());
        const Question chosen = window.docks().question();
        QVERIFY(QTest::qWaitFor([&] { return !window.workspace().isAnalysing(); }, test::longEnough));
        QCOMPARE(window.docks().question(), chosen);
    }

    void eachLayoutRemembersItsOwn() {
        const Home home;
        {
            QuestionWindow window;
            QCOMPARE(window.open(test::example()), QString());
            window.command("Behaviour")->trigger();
            QCOMPARE(window.trySees({"statemodel"}), QString());
            window.dock("transition")->close();
            window.command("Hang")->trigger();
            QCOMPARE(window.trySees({"graph"}), QString());
            window.dock("stack")->close();
            window.command("Behaviour")->trigger();
            QVERIFY(window.dock("transition")->isHidden());
            window.main.close();
        }
        QuestionWindow again;
        QCOMPARE(again.open(test::example()), QString());
        QCOMPARE(again.docks().question(), Question::Hang); // the verdict chooses
        QVERIFY(again.dock("stack")->isHidden());
        again.command("Behaviour")->trigger();
        QVERIFY(again.dock("transition")->isHidden());
        again.command("Reset the layout")->trigger();
        QVERIFY(!again.dock("transition")->isHidden());
        again.command("Hang")->trigger();
        QVERIFY2(again.dock("stack")->isHidden(), "the other layouts stay");
    }

    void damagedSettingsAreNoLayout_data() {
        QTest::addColumn<QByteArray>("kept");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("noise") << QByteArray("\xff\x00\x12 not a layout", 16);
        QTest::newRow("mark alone") << QByteArray::fromHex("4c474c51");
        QTest::newRow("no such question") << QByteArray::fromHex("4c474c510000002a00000000");
        QTest::newRow("endless map") << QByteArray::fromHex("4c474c5100000000ffffffff");
        QTest::newRow("states of noise") << QByteArray::fromHex("4c474c510000000000000001000000000000000411223344");
        QTest::newRow("very long") << QByteArray(2 << 20, 'x');
    }
    void damagedSettingsAreNoLayout() {
        QFETCH(QByteArray, kept);
        const Home home;
        QSettings().setValue("layouts", kept);
        QuestionWindow window({1280, 800});
        QCOMPARE(window.open(test::example()), QString());
        QCOMPARE(window.docks().question(), Question::Hang);
        QCOMPARE(window.trySees({"findings", "graph", "source", "timeline"}), QString());
    }

    void aPanelIsMaximisedAndBack() {
        const Home home;
        QuestionWindow window;
        QVERIFY(window.openAndAnalyse(test::example()));
        QCOMPARE(window.trySees({"graph"}), QString());
        QTest::qWait(50);
        const auto before = window.places();
        auto *title = static_cast<PanelTitle *>(window.dock("graph")->titleBarWidget());
        QTest::mouseDClick(title, Qt::LeftButton, {}, title->rect().center());
        QTRY_VERIFY(!window.sees("timeline") && window.sees("graph"));
        QVERIFY2(!window.dock("graph")->isFloating(), "it left the window");
        QVERIFY(window.workspace().verdict().isVisible());
        QTest::mouseDClick(title, Qt::LeftButton, {}, title->rect().center());
        QCOMPARE(window.trySees({"graph", "timeline", "source"}), QString());
        QTRY_COMPARE(window.places(), before);
        // By keys, and what is not in view is brought back by going there.
        window.docks().show(&window.timeline());
        window.command("Maximise the panel")->trigger();
        QTRY_VERIFY(!window.sees("graph") && window.sees("timeline"));
        window.docks().show(&window.workspace().source());
        QCOMPARE(window.trySees({"graph", "source"}), QString());
    }

    void aTabIsMaximisedByADoubleClick() {
        const Home home;
        QuestionWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QCOMPARE(window.trySees({"timeline"}), QString());
        const auto tabOf = [&](const QString &title) -> std::pair<QTabBar *, int> {
            for (QTabBar *bar : window.workspace().findChildren<QTabBar *>(Qt::FindDirectChildrenOnly))
                for (int tab = 0; bar->isVisible() && tab < bar->count(); ++tab)
                    if (bar->tabText(tab) == title)
                        return {bar, tab};
            return {nullptr, -1};
        };
        QTRY_VERIFY(tabOf("Timeline").first != nullptr && tabOf("Timeline").first->property("laggardDressed").toBool());
        const auto [bar, tab] = tabOf("Timeline");
        QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
        QTRY_VERIFY(!window.sees("graph") && window.sees("timeline"));
    }

    void titleButtonsComeWithThePointerOrTheKeyboard() {
        const Home home;
        QuestionWindow window;
        QCOMPARE(window.open(test::example()), QString());
        auto *title = static_cast<PanelTitle *>(window.dock("graph")->titleBarWidget());
        QTRY_VERIFY(title->isVisible() && !title->isAmongTabs());
        QCOMPARE(title->buttons().size(), 3);
        QCursor::setPos(0, 0); // with the pointer upon the panel they are seen anyway
        QTRY_VERIFY(!window.dock("graph")->underMouse());
        for (QToolButton *button : title->buttons()) {
            QVERIFY(!button->toolTip().isEmpty() && !button->accessibleName().isEmpty());
            QVERIFY2(button->focusPolicy() & Qt::TabFocus, "the keyboard does not get there");
            window.graph().setFocus();
            const QImage away = button->grab().toImage();
            button->setFocus(Qt::TabFocusReason);
            QTRY_VERIFY(button->hasFocus());
            QTRY_VERIFY2(button->grab().toImage() != away,
                         qPrintable("a button with the keyboard is not seen: " + button->toolTip()));
        }
        QVERIFY2(static_cast<PanelTitle *>(window.dock("timeline")->titleBarWidget())->sizeHint().height() == 0,
                 "a tab has the title already");
    }

    void aClickMovesNoDock() {
        const Home home;
        QuestionWindow window({1280, 800});
        QVERIFY(window.openAndAnalyse(test::example()));
        QTest::qWait(100);
        const auto before = window.places();
        ItemView &findings = *window.workspace().findings().view();
        for (int row = 0; row < findings.model()->rowCount(); ++row) {
            QTest::mouseClick(findings.viewport(), Qt::LeftButton, {},
                              findings.visualRect(findings.model()->index(row, 0)).center());
            QTest::qWait(20);
            QCOMPARE(window.places(), before);
        }
        // Whatever is selected: code with and without source, long names, all ranks, nothing.
        for (CallPathId path = 0; path < window.trace().callPaths.size(); ++path) {
            Selection selection;
            selection.ranks = path % 2 == 0 ? RankSet{5} : RankSet{0, 1, 2, 3, 4, 5, 6, 7, 8};
            selection.callPath = path;
            window.workspace().selection().select(selection);
            QTest::qWait(5);
            QVERIFY2(window.places() == before, window.trace().region(path).name.c_str());
        }
        window.workspace().selection().clear();
        QTest::qWait(20);
        QCOMPARE(window.places(), before);
    }

    void theToolbarSaysWhatItDoes() {
        const Home home;
        QuestionWindow window({1280, 800});
        QCOMPARE(window.open(test::example()), QString());
        auto *bar = window.main.findChild<QToolBar *>("toolbar");
        QVERIFY(bar != nullptr && bar->isVisible());
        std::set<QString> tips;
        for (QAction *action : bar->actions()) {
            if (action->isSeparator() || action->icon().isNull())
                continue;
            QVERIFY2(bar->widgetForAction(action)->isVisible(), "a button has no room at 1280 pixels");
            QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
            if (!action->shortcut().isEmpty())
                QVERIFY2(action->toolTip().contains(action->shortcut().toString(QKeySequence::NativeText)),
                         qPrintable(action->toolTip()));
            QVERIFY(bar->widgetForAction(action)->focusPolicy() & Qt::TabFocus);
            tips.insert(action->toolTip());
        }
        QCOMPARE(tips.size(), std::size_t{9});
        const QIcon icon = window.command("Open …")->icon();
        const QImage light = icon.pixmap(24, 24).toImage();
        window.main.showAppearance(Appearance::Dark);
        QVERIFY2(icon.pixmap(24, 24).toImage() != light, "icons do not follow the colours");
        window.main.showAppearance(Appearance::Light);
    }

    void menusAreShort() {
        const Home home;
        QuestionWindow window;
        QCOMPARE(window.open(test::example()), QString());
        for (const QAction *top : window.main.menuBar()->actions()) {
            int entries = 0;
            for (const QAction *action : top->menu()->actions()) {
                entries += action->isSeparator() ? 0 : 1;
                QVERIFY2(!action->text().startsWith("To panel \""), "panels have a menu of their own");
            }
            QVERIFY2(entries <= 22, qPrintable(QString("%1 has %2 entries").arg(top->text()).arg(entries)));
        }
    }

    void momentsAreReachedByButtonsAndByTyping() {
        const Home home;
        QuestionWindow window;
        QVERIFY(window.openAndAnalyse(test::example()));
        MomentBar &bar = window.main.moments();
        QVERIFY(!bar.moments().empty());
        QVERIFY(bar.field()->text().contains("end"));
        QSignalSpy shown(&window.workspace(), &Workspace::momentShown);
        window.command("Moment before")->trigger();
        QVERIFY(!shown.isEmpty() || shown.wait(test::longEnough));
        QCOMPARE(window.workspace().moment(), std::optional(bar.moments().back().time));
        window.command("Moment after")->trigger();
        QVERIFY(!window.workspace().moment().has_value());
        bar.field()->selectAll();
        QTest::keyClicks(bar.field(), "0.5 s");
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(window.workspace().moment().has_value());
        QVERIFY(std::abs(window.trace().seconds(*window.workspace().moment()) - 0.5) < 1e-6);
        bar.field()->selectAll();
        QTest::keyClicks(bar.field(), "never");
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY2(bar.field()->text().contains("500 ms"), qPrintable(bar.field()->text()));
    }

    void unfoldedSentencesAreRemembered() {
        const Home home;
        {
            QuestionWindow window;
            QCOMPARE(window.open(test::example()), QString());
            QVERIFY(!window.workspace().verdict().isUnfolded());
            window.workspace().verdict().more()->click();
            window.main.close();
        }
        QuestionWindow again;
        QCOMPARE(again.open(test::example()), QString());
        QVERIFY(again.workspace().verdict().isUnfolded());
        QVERIFY(test::shownText(again.workspace().verdict()).contains("Rank 3 has made the least progress"));
    }
};

QTEST_MAIN(TestQuestions)
#include "tst_questions.moc"
