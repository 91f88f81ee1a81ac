// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/slice/SlicePanel.h"

#include "ingest/slice/SliceReader.h"
#include "tests/support/FakeSlicer.h"
#include "tests/support/KeptPicture.h"
#include "tests/views/panels/Palettes.h"
#include "views/kit/ItemView.h"
#include "views/selection/SelectionModel.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

using namespace laggard;
using test::drawKept;

namespace {

struct Shown {
    SelectionModel selection;
    SlicePanel panel{selection};

    Shown() {
        SliceState done;
        done.kind = SliceState::Kind::Done;
        panel.setState(done);
        panel.setStack({{3}, {{"compute_flux", "stencil.c", 41}, {"main", "stencil.c", 61}}}, 0);
        panel.setSlice(std::make_shared<Slice>(readSlice(test::stencilSlice)), 16, {3});
    }
    [[nodiscard]] int step() const { return panel.current() ? static_cast<int>(*panel.current()) : -1; }
    QPushButton *button(const QString &text) {
        for (QPushButton *each : panel.findChildren<QPushButton *>())
            if (each->text().remove('&') == text)
                return each;
        return nullptr;
    }
    bool offers(const QString &text) {
        const QPushButton *found = button(text);
        return found != nullptr && !found->isHidden();
    }
};

} // namespace

class TestSlicePanel : public QObject {
    Q_OBJECT
  private slots:
    void stepsForthAndBack() {
        Shown shown;
        QVERIFY(shown.panel.canStep(true) && !shown.panel.canStep(false));
        shown.panel.step(true);
        QCOMPARE(shown.step(), 0);
        QCOMPARE(shown.selection.current().ranks, RankSet{3});
        shown.panel.step(true);
        QCOMPARE(shown.step(), 1);
        shown.panel.step(false);
        QCOMPARE(shown.step(), 0);
        shown.panel.step(false);
        QCOMPARE(shown.step(), 0);
        for (int i = 0; i < 10; ++i)
            shown.panel.step(true);
        QCOMPARE(shown.step(), 4);
        QVERIFY(!shown.panel.canStep(true));
    }

    void overAMessageTheOtherRankIsSelected() {
        Shown shown;
        for (int i = 0; i < 5; ++i)
            shown.panel.step(true);
        QCOMPARE(shown.selection.current().ranks, RankSet{0});
        shown.selection.goBack();
        QCOMPARE(shown.step(), 3);
        QCOMPARE(shown.selection.current().ranks, RankSet{3});
        shown.selection.goForward();
        QCOMPARE(shown.step(), 4);
    }

    void hiddenKindsAreSteppedOver() {
        Shown shown;
        SliceChoice choice;
        choice.hidden = {SliceReason::Data};
        shown.panel.setChoice(choice);
        shown.panel.step(true);
        shown.panel.step(true);
        QCOMPARE(shown.step(), 3);
        shown.panel.step(false);
        QCOMPARE(shown.step(), 0);
        // From a line that is hidden while it is looked at.
        shown.panel.setChoice({});
        shown.panel.step(true);
        shown.panel.step(true);
        QCOMPARE(shown.step(), 2);
        shown.panel.setChoice(choice);
        QVERIFY(shown.panel.canStep(true) && shown.panel.canStep(false));
        shown.panel.step(false);
        QCOMPARE(shown.step(), 0);
    }

    void clickInTheListIsAStep() {
        Shown shown;
        shown.panel.resize(1000, 400);
        shown.panel.show();
        ItemView *view = shown.panel.view();
        const QModelIndex index = view->model()->index(2, 0);
        view->scrollTo(index);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
        QCOMPARE(shown.step(), 2);
        QTest::keyClick(view, Qt::Key_Down);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(shown.step(), 3);
        QVERIFY2(shown.panel.detail().startsWith("stencil.c:22, rank 3 — Control: `inflow[41]` is set"),
                 qPrintable(shown.panel.detail()));
    }

    void buttonsStep() {
        Shown shown;
        for (QToolButton *button : shown.panel.findChildren<QToolButton *>())
            if (button->accessibleName() == "Next step")
                button->click();
        QCOMPARE(shown.step(), 0);
    }

    void choicesAreTold() {
        Shown shown;
        QSignalSpy changed(&shown.panel, &SlicePanel::choiceChanged);
        shown.panel.findChild<QSpinBox *>()->setValue(8);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(shown.panel.choice().depth, 8U);
        for (QCheckBox *box : shown.panel.findChildren<QCheckBox *>())
            box->toggle();
        QCOMPARE(changed.size(), 3);
        QVERIFY(shown.panel.choice().thin && !shown.panel.choice().dims);
        for (QAction *action : shown.panel.findChild<QMenu *>()->actions())
            if (action->text() == "Control")
                action->trigger();
        QCOMPARE(shown.panel.choice().hidden, std::set<SliceReason>{SliceReason::Control});
        QCOMPARE(shown.panel.model().rowCount(), 4);
    }

    void anotherFrameIsAskedFor() {
        Shown shown;
        auto *frames = shown.panel.findChild<QComboBox *>();
        QCOMPARE(frames->count(), 2);
        QVERIFY2(frames->itemText(1).contains("main") && frames->itemText(1).contains("stencil.c:61"),
                 qPrintable(frames->itemText(1)));
        QSignalSpy chosen(&shown.panel, &SlicePanel::frameChosen);
        frames->setFocus();
        frames->setCurrentIndex(1);
        emit frames->activated(1);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), 1);
    }

    void whatIsOffered_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("canStart");
        QTest::addColumn<bool>("lacksCode");
        QTest::addColumn<QStringList>("offered");
        using Kind = SliceState::Kind;
        QTest::newRow("nothing is open") << int(Kind::Nothing) << false << false << QStringList();
        QTest::newRow("it works") << int(Kind::Working) << false << false << QStringList{"Stop"};
        QTest::newRow("done") << int(Kind::Done) << false << false << QStringList();
        QTest::newRow("from elsewhere") << int(Kind::Lacking) << true << true
                                        << QStringList{"Choose compile_commands.json …", "Locate sources …", "Slice"};
        QTest::newRow("no source") << int(Kind::Lacking) << false << true
                                   << QStringList{"Choose compile_commands.json …", "Locate sources …"};
        QTest::newRow("Fortran") << int(Kind::Lacking) << false << false << QStringList();
    }
    void whatIsOffered() {
        QFETCH(int, kind);
        QFETCH(bool, canStart);
        QFETCH(bool, lacksCode);
        QFETCH(QStringList, offered);
        Shown shown;
        shown.panel.setState({static_cast<SliceState::Kind>(kind), "It is so.", canStart, lacksCode});
        QStringList found;
        for (const char *text : {"Choose compile_commands.json …", "Locate sources …", "Slice", "Stop"})
            if (shown.offers(QString::fromUtf8(text)))
                found << QString::fromUtf8(text);
        QCOMPARE(found, offered);
        if (kind != int(SliceState::Kind::Done))
            QCOMPARE(shown.panel.sentence(), "It is so.");
    }

    void doubtsAreSaid() {
        Shown shown;
        auto slice = std::make_shared<Slice>(readSlice(test::stencilSlice));
        slice->truncated = true;
        slice->warnings = {"a.c does not compile.", "b.c does not.", "c.c does not.", "d.c does not."};
        shown.panel.setSlice(slice, 16, {3});
        const QString text = shown.panel.sentence();
        QVERIFY2(text.contains("no time for the whole slice") && text.contains("a.c does not compile.") &&
                     text.contains("1 warning"),
                 qPrintable(text));
        QVERIFY2(shown.offers("Slice"), "what was compiled is kept, so that the next one gets farther");
        shown.panel.setSlice(std::make_shared<Slice>(), 16, {3});
        QVERIFY(!shown.offers("Slice"));
        QVERIFY(shown.panel.sentence().contains("Nothing in the program decides"));
    }

    void aStepOfAnotherSliceIsNone() {
        Shown shown;
        for (int i = 0; i < 5; ++i)
            shown.panel.step(true);
        auto shorter = std::make_shared<Slice>(readSlice(test::stencilSlice));
        shorter->lines.resize(2);
        shown.panel.setSlice(shorter, 16, {3});
        QVERIFY(!shown.panel.current());
        shown.panel.step(true);
        QCOMPARE(shown.step(), 0);
    }

    void draws_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << test::lightPalette();
        QTest::newRow("dark") << test::darkPalette();
    }
    void draws() {
        QFETCH(QPalette, palette);
        QApplication::setStyle("Fusion");
        QApplication::setPalette(palette);
        Shown shown;
        shown.panel.step(true);
        drawKept(shown.panel, "slice", QSize(900, 300));
        shown.panel.setSlice(nullptr, 16, {3});
        shown.panel.setState(
            {SliceState::Kind::Lacking,
             "The program that ran, \"/opt/stencil/stencil\", is not on this machine. Its sources can be compiled.", true, true});
        drawKept(shown.panel, "slice-lacking", QSize(900, 300));
    }
};

QTEST_MAIN(TestSlicePanel)
#include "tst_slicepanel.moc"
