// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader is told of the window, by the interface that it asks.
#include "app/window/RunComparison.h"
#include "tests/app/window/WindowFixture.h"
#include "views/charts/ChartPanel.h"
#include "views/charts/ChartView.h"
#include "views/charts/SuspectsPanel.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QTabBar>

using namespace laggard;
using namespace laggard::test;

namespace {

QAccessibleInterface &interfaceOf(QWidget &widget) { return *QAccessible::queryAccessibleInterface(&widget); }

QString nameOf(QWidget &widget) { return interfaceOf(widget).text(QAccessible::Name); }

/// A part of another control, which has the name.
bool isPart(const QWidget &widget) {
    const QWidget *parent = widget.parentWidget();
    const bool isInCombo = qobject_cast<const QComboBox *>(parent) != nullptr ||
                           (parent != nullptr && qobject_cast<const QComboBox *>(parent->parentWidget()) != nullptr);
    return isInCombo || qobject_cast<const QAbstractSpinBox *>(parent) != nullptr || widget.focusProxy() != nullptr;
}

/// A list of tabs is read tab by tab.
bool hasNamedTabs(const QWidget &widget) {
    const auto *tabs = qobject_cast<const QTabBar *>(&widget);
    for (int tab = 0; tabs != nullptr && tab < tabs->count(); ++tab)
        if (tabs->tabText(tab).isEmpty())
            return false;
    return tabs != nullptr;
}

/// Those widgets without a name that the keyboard comes to, with their parents.
QStringList nameless(QWidget &window) {
    QStringList found;
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        if ((widget->focusPolicy() & Qt::TabFocus) == 0 || isPart(*widget) || hasNamedTabs(*widget) || !nameOf(*widget).isEmpty())
            continue;
        QString path;
        for (const QWidget *part = widget; part != nullptr && part != &window; part = part->parentWidget())
            path +=
                QString(part->metaObject()->className()) + (part->objectName().isEmpty() ? "" : "#" + part->objectName()) + " < ";
        found << path;
    }
    return found;
}

} // namespace

class TestAccessibility : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_home = std::make_unique<Home>(); }
    void cleanup() { m_home.reset(); }

    void everyControlHasAName() {
        FixtureWindow window;
        QVERIFY2(nameless(window.main).isEmpty(), qPrintable("without a name: " + nameless(window.main).join("\n")));
        QCOMPARE(window.open(example()), QString());
        QSignalSpy ended(&window.workspace().runs(), &RunComparison::ended);
        window.main.compareWith(example());
        QVERIFY(!ended.isEmpty() || ended.wait(longEnough));
        QVERIFY2(nameless(window.main).isEmpty(), qPrintable("without a name: " + nameless(window.main).join("\n")));
    }

    void commandsHaveNames() {
        FixtureWindow window;
        for (const QAction *action : window.main.commands())
            QVERIFY(!action->text().isEmpty());
    }

    void picturesSayWhatTheyAreAndWhatIsSelected() {
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        QAccessibleInterface &timeline = interfaceOf(window.timeline());
        QCOMPARE(timeline.role(), QAccessible::Chart);
        QCOMPARE(timeline.text(QAccessible::Name), "Timeline");
        window.timeline().goToRank(5);
        QVERIFY2(timeline.text(QAccessible::Description).contains("selected: ranks 5"),
                 qPrintable(timeline.text(QAccessible::Description)));

        QAccessibleInterface &graph = interfaceOf(window.graph());
        QCOMPARE(graph.role(), QAccessible::Graphic);
        window.workspace().showLeastProgressed();
        const QString said = graph.text(QAccessible::Description);
        QVERIFY2(said.contains("rank 3") && said.contains("least progressed"), qPrintable(said));

        QTRY_VERIFY_WITH_TIMEOUT(!window.workspace().isAnalysing(), longEnough);
        ChartView &chart = *window.workspace().suspects().panel()->view();
        QCOMPARE(interfaceOf(chart).role(), QAccessible::Chart);
        QVERIFY(!nameOf(chart).isEmpty());
    }

    void everyPictureHasARole() {
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString());
        const QStringList painted{"laggard::TimelineWidget",   "laggard::PdgView",        "laggard::ChartView",
                                  "laggard::DistributionView", "laggard::DendrogramView", "laggard::SmmGraphView"};
        QSet<QString> seen;
        for (QWidget *widget : window.main.findChildren<QWidget *>()) {
            const QString name = widget->metaObject()->className();
            if (!painted.contains(name))
                continue;
            seen << name;
            const QAccessible::Role role = interfaceOf(*widget).role();
            QVERIFY2(role == QAccessible::Chart || role == QAccessible::Graphic, qPrintable(name));
            QVERIFY2(!nameOf(*widget).isEmpty(), qPrintable(name + " has no name"));
        }
        QCOMPARE(seen.size(), painted.size());
    }

  private:
    std::unique_ptr<Home> m_home;
};

QTEST_MAIN(TestAccessibility)
#include "tst_accessibility.moc"
