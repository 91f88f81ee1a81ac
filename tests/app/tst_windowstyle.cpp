// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Appearance.h"
#include "app/window/StartPage.h"
#include "app/window/WindowStyle.h"
#include "views/theme/Contrast.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

using namespace laggard;

namespace {

/// The strongest contrast of any pixel of `part` to the colour of its corner.
double strongestContrast(const QImage &picture, const QRect &part) {
    const QColor ground = picture.pixelColor(part.topLeft());
    double strongest = 1;
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            strongest = std::max(strongest, contrastRatio(picture.pixelColor(x, y), ground));
    return strongest;
}

} // namespace

/// What can be on or off, or typed into, must be seen on light and on dark.
class TestWindowStyle : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { QApplication::setStyle(new WindowStyle); }

    void indicators_data() {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<bool>("isRadio");
        QTest::addColumn<bool>("isOn");
        for (const bool dark : {false, true})
            for (const bool isRadio : {false, true})
                for (const bool isOn : {false, true})
                    QTest::addRow("%s %s, %s", isOn ? "chosen" : "empty", isRadio ? "radio button" : "check box",
                                  dark ? "dark" : "light")
                        << dark << isRadio << isOn;
    }
    void indicators() {
        QFETCH(bool, dark);
        QFETCH(bool, isRadio);
        QFETCH(bool, isOn);
        applyAppearance(dark ? Appearance::Dark : Appearance::Light);
        const std::unique_ptr<QAbstractButton> button(isRadio ? static_cast<QAbstractButton *>(new QRadioButton) : new QCheckBox);
        button->setCheckable(true);
        button->setChecked(isOn);
        button->resize(40, 30);
        const double contrast = strongestContrast(button->grab().toImage(), button->rect());
        QVERIFY2(contrast >= 3, qPrintable(QString("its outline has only %1:1").arg(contrast)));
    }

    void onAndOffDiffer() {
        QCheckBox box;
        box.resize(40, 30);
        const QImage off = box.grab().toImage();
        box.setChecked(true);
        QVERIFY(box.grab().toImage() != off);
        box.setTristate(true);
        box.setCheckState(Qt::PartiallyChecked);
        QVERIFY(box.grab().toImage() != off);
    }

    void boxesInLists_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void boxesInLists() {
        QFETCH(bool, dark);
        applyAppearance(dark ? Appearance::Dark : Appearance::Light);
        QStandardItemModel model;
        auto *item = new QStandardItem;
        item->setCheckable(true);
        model.appendRow(item);
        QTreeView view;
        view.setHeaderHidden(true);
        view.setRootIsDecorated(false);
        view.setModel(&model);
        view.resize(120, 60);
        const QImage picture = view.viewport()->grab().toImage();
        const double contrast = strongestContrast(picture, view.visualRect(model.index(0, 0)) & picture.rect());
        QVERIFY2(contrast >= 3, qPrintable(QString("its outline has only %1:1").arg(contrast)));
    }

    void recentTracesFollowTheColours() {
        applyAppearance(Appearance::Light);
        StartPage page;
        page.setRecent({"/home/me/jobs/hung/traces.otf2"});
        page.resize(700, 500);
        page.show();
        QPushButton *recent = nullptr;
        for (QPushButton *button : page.findChildren<QPushButton *>())
            if (button->text().contains("hung"))
                recent = button;
        QVERIFY(recent != nullptr);
        for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
            applyAppearance(appearance);
            QTest::qWait(20);
            const double contrast = strongestContrast(recent->grab().toImage(), recent->rect());
            QVERIFY2(contrast >= 4.5, qPrintable(QString("the letters have only %1:1").arg(contrast)));
        }
    }

    void lineEdits() {
        applyAppearance(Appearance::Dark);
        QWidget window;
        QLineEdit line(&window);
        line.setGeometry(10, 10, 80, 26);
        window.resize(100, 46);
        const double contrast = strongestContrast(window.grab().toImage(), window.rect());
        QVERIFY2(contrast >= 3, qPrintable(QString("the frame has only %1:1").arg(contrast)));
    }
};

QTEST_MAIN(TestWindowStyle)
#include "tst_windowstyle.moc"
