// SPDX-License-Identifier: GPL-3.0-or-later
// What people do with the mouse and in dialogs, event by event.
#include "tests/app/window/WindowFixture.h"

#include "app/window/Exports.h"
#include "app/window/PanelTitle.h"
#include "app/window/StartPage.h"
#include "app/window/TimelineExportDialog.h"

#include <QImage>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

QPushButton *recentButton(const FixtureWindow &window, const QString &file) {
    for (auto *button : window.main.findChild<StartPage *>()->findChildren<QPushButton *>())
        if (button->toolTip() == file && button->isVisible())
            return button;
    return nullptr;
}

bool isDark(const QImage &image) { return qGray(image.pixel(2, 2)) < 128; }

} // namespace

class TestByHand : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }

    void aClickOnARecentEntryOpensIt() {
        const Home home;
        QSettings().setValue("recent", QStringList{test::example()});
        FixtureWindow window;
        QPushButton *button = nullptr;
        QTRY_VERIFY((button = recentButton(window, test::example())) != nullptr);
        QVERIFY2(button->height() >= 16, "it is too low to be hit");
        QSignalSpy ended(&window.main, &MainWindow::loadingEnded);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(window.waitForEnd(ended), QString());
        QCOMPARE(QString::fromStdString(window.trace().path), test::example());
    }

    void aRecentEntryThatIsGoneSaysSo() {
        const Home home;
        const QString gone = QStringLiteral("/nowhere/a&b/traces.otf2");
        QSettings().setValue("recent", QStringList{gone});
        FixtureWindow window;
        QPushButton *button = nullptr;
        QTRY_VERIFY((button = recentButton(window, gone)) != nullptr);
        QSignalSpy ended(&window.main, &MainWindow::loadingEnded);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(window.waitForEnd(ended).contains("a&b"));
        auto *error = window.main.findChild<QLabel *>("openError");
        QVERIFY2(error->isVisible() && error->text().contains("a&b"), qPrintable(error->text()));
        QVERIFY(window.main.findChild<StartPage *>()->isVisible());
    }

    void aClickInTheMenuOfRecentOnesOpensIt() {
        const Home home;
        QSettings().setValue("recent", QStringList{QStringLiteral("/nowhere/a&b/traces.otf2"), test::example()});
        FixtureWindow window;
        QMenu *recent = nullptr;
        for (QMenu *menu : window.main.findChildren<QMenu *>())
            if (menu->title().remove('&') == "Open recent")
                recent = menu;
        QVERIFY(recent != nullptr);
        QVERIFY2(recent->actions().front()->text().contains("a&&b"), "an ampersand is a letter here, and no key");
        recent->popup(window.main.mapToGlobal(QPoint(20, 40)));
        QTRY_VERIFY(recent->isVisible());
        QSignalSpy ended(&window.main, &MainWindow::loadingEnded);
        QTest::mouseClick(recent, Qt::LeftButton, {}, recent->actionGeometry(recent->actions()[1]).center());
        QCOMPARE(window.waitForEnd(ended), QString());
        QCOMPARE(QString::fromStdString(window.trace().path), test::example());
    }

    void aPanelIsDraggedOutOfTheWindowAndPutBack() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        auto *dock = window.main.findChild<QDockWidget *>("graph");
        auto *title = static_cast<PanelTitle *>(dock->titleBarWidget());
        QTRY_VERIFY(title->isVisible() && title->width() > 100);
        const QPoint from = title->rect().center();
        QTest::mousePress(title, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 12; ++step)
            QTest::mouseMove(title, from + QPoint(0, 30 * step), 5);
        QTest::mouseRelease(title, Qt::LeftButton, {}, from + QPoint(0, 360));
        // A display server without a window manager lets no window follow the pointer: there the button does it.
        if (!QTest::qWaitFor([&] { return dock->isFloating(); }, 1000))
            QTest::mouseClick(title->buttons()[1], Qt::LeftButton);
        QTRY_VERIFY(dock->isFloating());
        QVERIFY2(window.graph().isVisible(), "it is seen outside, too");
        QVERIFY(window.main.findChild<QDockWidget *>("findings")->isVisible());
        QTRY_VERIFY(title->isVisible());
        QTest::mouseClick(title->buttons()[1], Qt::LeftButton);
        QTRY_VERIFY(!dock->isFloating() && window.graph().isVisible());
    }

    /// What the dialog asks for; the dialog itself is not driven here.
    void theTimelineIsExportedAsItWasAskedFor() {
        const Home home;
        const QTemporaryDir folder;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        const auto exported = [&](TimelineFileChoice::Range range, bool isDarkOne, int scale, bool hasVerdict) {
            const QString file = folder.filePath("out.png");
            exportTimelineRows(window.workspace(), file.toStdString(), {range, isDarkOne, scale, hasVerdict});
            return QImage(file);
        };
        using Range = TimelineFileChoice::Range;
        const QImage usual = exported(Range::Shown, false, 1, false);
        QVERIFY2(!usual.isNull(), "nothing was written");
        QVERIFY(!isDark(usual));
        QVERIFY2(isDark(exported(Range::Whole, true, 1, false)), "a dark picture was asked for");
        QCOMPARE(exported(Range::Shown, false, 3, false).width(), 3 * usual.width());
        QVERIFY2(exported(Range::Shown, false, 1, true) != usual, "the verdict is not in it");
    }
};

QTEST_MAIN(TestByHand)
#include "tst_byhand.moc"
