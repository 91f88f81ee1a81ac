// SPDX-License-Identifier: GPL-3.0-or-later
// What people do with the mouse and in dialogs, event by event.
#include "tests/app/window/WindowFixture.h"

#include "app/window/PanelTitle.h"
#include "app/window/StartPage.h"
#include "app/window/TimelineExportDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTimer>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

/// Once a dialog of this kind is open, `then` is done with it.
template <typename Dialog> void whenOpen(const std::function<void(Dialog &)> &then) {
    QTimer::singleShot(20, qApp, [then] {
        if (auto *dialog = qobject_cast<Dialog *>(QApplication::activeModalWidget()))
            then(*dialog);
        else
            whenOpen<Dialog>(then);
    });
}

QPushButton *recentButton(const FixtureWindow &window, const QString &file) {
    for (auto *button : window.main.findChild<StartPage *>()->findChildren<QPushButton *>())
        if (button->toolTip() == file && button->isVisible())
            return button;
    return nullptr;
}

/// Chooses an entry by keys, as a user does who does not see the list.
void chooseByKeys(QComboBox &box, const QVariant &wanted) {
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_Home);
    for (int i = 0; i < box.findData(wanted); ++i)
        QTest::keyClick(&box, Qt::Key_Down);
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

    void theTimelineIsExportedAsItWasAskedFor_data() {
        QTest::addColumn<int>("range");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<int>("scale");
        QTest::addColumn<bool>("verdict");
        using Range = TimelineFileChoice::Range;
        QTest::newRow("as it was") << static_cast<int>(Range::Shown) << false << 2 << false;
        QTest::newRow("whole, dark, small, with the verdict") << static_cast<int>(Range::Whole) << true << 1 << true;
        QTest::newRow("selected, large") << static_cast<int>(Range::Selected) << false << 3 << true;
    }
    void theTimelineIsExportedAsItWasAskedFor() {
        QFETCH(int, range);
        QFETCH(bool, dark);
        QFETCH(int, scale);
        QFETCH(bool, verdict);
        const Home home;
        const QTemporaryDir folder;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        Selection selection;
        selection.ranks = {3};
        selection.time = TimeRange{window.trace().tickAt(0.55), window.trace().tickAt(0.551)};
        window.workspace().selection().select(selection);
        whenOpen<TimelineExportDialog>([&](TimelineExportDialog &dialog) {
            chooseByKeys(*dialog.findChild<QComboBox *>("range"), range);
            chooseByKeys(*dialog.findChild<QComboBox *>("colours"), dark);
            chooseByKeys(*dialog.findChild<QComboBox *>("scale"), scale);
            if (verdict)
                QTest::keyClick(dialog.findChild<QCheckBox *>("verdict"), Qt::Key_Space);
            whenOpen<QFileDialog>([&](QFileDialog &files) {
                files.findChild<QLineEdit *>()->setText(folder.filePath("out.png"));
                QMetaObject::invokeMethod(&files, "accept");
            });
            for (QPushButton *button : dialog.findChildren<QPushButton *>())
                if (button->isDefault())
                    QTest::mouseClick(button, Qt::LeftButton);
        });
        window.command("Export the timeline …")->trigger();
        const QImage image(folder.filePath("out.png"));
        QVERIFY2(!image.isNull(), "nothing was written");
        QCOMPARE(isDark(image), dark);
        const int width = window.timeline().viewport()->width();
        QVERIFY2(std::abs(image.width() - scale * (width + 32)) <= 2 * scale,
                 qPrintable(QString("%1 wide, of %2").arg(image.width()).arg(width)));
        bool hasVermilion = false; // the line of the verdict below the title
        for (int y = 38 * scale; y < 58 * scale; ++y)
            for (int x = 16 * scale; x < 200 * scale; ++x) {
                const QColor colour(image.pixel(x, y));
                hasVermilion = hasVermilion || (colour.hslSaturationF() > 0.5F && colour.hslHueF() < 0.12F);
            }
        QCOMPARE(hasVermilion, verdict);
        const TimelineExportDialog again(true);
        QVERIFY2(again.choice() == (TimelineFileChoice{static_cast<TimelineFileChoice::Range>(range), dark, scale, verdict}),
                 "what was chosen comes first the next time");
    }
};

QTEST_MAIN(TestByHand)
#include "tst_byhand.moc"
