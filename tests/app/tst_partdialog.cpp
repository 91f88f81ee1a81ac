// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/LoadJob.h"
#include "app/window/MainWindow.h"
#include "app/window/MemoryBudget.h"
#include "app/window/PartDialog.h"
#include "app/window/Workspace.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace laggard;

namespace {

constexpr int longEnough = 60'000; // milliseconds
const QString example = QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil/traces.otf2");

/// Eight ranks of 100 MB, ten seconds.
TraceOutline largeTrace() {
    TraceOutline outline;
    outline.eventBytes.assign(8, 100'000'000);
    outline.locations = 8;
    outline.seconds = 10;
    return outline;
}

struct PartQuestion {
    PartDialog dialog{"traces.otf2", largeTrace(), 300'000'000, 1'000'000'000};
    PartQuestion() {
        dialog.show();
        dialog.activateWindow();
        QVERIFY2(QTest::qWaitForWindowActive(&dialog), "the dialog must get the keys");
    }
    [[nodiscard]] QLineEdit *ranks() const { return dialog.findChild<QLineEdit *>("ranks"); }
    [[nodiscard]] QString estimate() const { return dialog.findChild<QLabel *>("estimate")->text(); }
    [[nodiscard]] QPushButton *open() const { return dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Open); }
    void type(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(dialog.focusWidget() != nullptr ? dialog.focusWidget() : &dialog, key, modifiers);
    }
};

} // namespace

/// Which part of a large trace to read: the dialog, and the job that makes the window ask.
class TestPartDialog : public QObject {
    Q_OBJECT
  private slots:
    void suggestsRanksThatFit() {
        const PartQuestion question;
        QCOMPARE(question.ranks()->text(), QString("0-1"));
        QVERIFY(question.open()->isEnabled());
        QCOMPARE(*question.dialog.options()->ranks, (RankSet{0, 1}));
    }

    void saysWhatTheChoiceTakes() {
        PartQuestion question;
        const QString suggested = question.estimate();
        question.ranks()->setFocus();
        question.ranks()->selectAll();
        QTest::keyClicks(question.ranks(), "0-6");
        QVERIFY2(question.estimate() != suggested, "the estimate follows the text");
        QVERIFY2(question.estimate().contains("more than may be used"), qPrintable(question.estimate()));
        QVERIFY2(question.open()->isEnabled(), "it is the user's memory");
    }

    void mistakes_data() {
        QTest::addColumn<QString>("text");
        for (const char *text : {"", "x", "3-1", "0-8", "0-4294967295", "1,,2"})
            QTest::newRow(text) << text;
    }
    void mistakes() {
        QFETCH(QString, text);
        const PartQuestion question;
        question.ranks()->setText(text);
        QVERIFY2(!question.open()->isEnabled(), "what cannot be read cannot be opened");
        QVERIFY2(question.estimate().contains("ranks 0 to 7"), qPrintable(question.estimate()));
        QVERIFY(!question.dialog.options());
    }

    void theKeyboardReachesEveryChoice() {
        PartQuestion question;
        question.type(Qt::Key_A, Qt::AltModifier);
        // A button that is pressed by its letter goes down and up again, which takes a moment.
        QTRY_VERIFY(question.dialog.options() && !question.dialog.options()->ranks && !question.dialog.options()->time);
        question.type(Qt::Key_T, Qt::AltModifier);
        QTRY_VERIFY2(question.dialog.options()->time, "Alt+T chooses the time");
        QCOMPARE(question.dialog.options()->time->begin, 9.0);
        QCOMPARE(question.dialog.options()->time->end, 10.0);
        question.type(Qt::Key_R, Qt::AltModifier);
        QTRY_VERIFY(question.dialog.options()->ranks);
        const QSignalSpy accepted(&question.dialog, &QDialog::accepted);
        question.type(Qt::Key_Return);
        QCOMPARE(accepted.count(), 1);
    }

    void escapeCancels() {
        PartQuestion question;
        const QSignalSpy rejected(&question.dialog, &QDialog::rejected);
        question.type(Qt::Key_Escape);
        QCOMPARE(rejected.count(), 1);
    }

    void timeMustHaveALength() {
        const PartQuestion question;
        const auto boxes = question.dialog.findChildren<QDoubleSpinBox *>();
        QCOMPARE(boxes.size(), 2);
        boxes[0]->setValue(10);
        QVERIFY(!question.open()->isEnabled());
        QVERIFY2(question.estimate().contains("end after"), qPrintable(question.estimate()));
        for (const QDoubleSpinBox *box : boxes)
            QVERIFY2(!box->accessibleName().isEmpty(), "screen readers say which end of the time it is");
    }

    void budgetComesFromTheEnvironment() {
        qunsetenv("LAGGARD_MEMORY_BUDGET_MB");
        QVERIFY(memoryBudget() > 0 && memoryBudget() < physicalMemory());
        qputenv("LAGGARD_MEMORY_BUDGET_MB", "7");
        QCOMPARE(memoryBudget(), 7'000'000ULL);
        qunsetenv("LAGGARD_MEMORY_BUDGET_MB");
    }

    void jobDoesNotReadWhatExceedsTheBudget() {
        auto *job = new LoadJob(example);
        job->setBudget(1);
        const QSignalSpy asked(job, &LoadJob::exceedsBudget);
        const QSignalSpy finished(job, &LoadJob::finished);
        const QSignalSpy ended(job, &QObject::destroyed);
        job->start();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, longEnough);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(finished.count(), 0);
    }

    void jobReadsThePart() {
        auto *job = new LoadJob(example);
        job->setPart({RankSet{2, 3}, std::nullopt});
        DocumentPtr document;
        connect(job, &LoadJob::finished, this, [&](const DocumentPtr &made) { document = made; });
        job->start();
        QTRY_VERIFY_WITH_TIMEOUT(document != nullptr, longEnough);
        QCOMPARE(*document->report->trace->part.ranks, (RankSet{2, 3}));
    }

    void windowAsksAndReadsWhatWasChosen() {
        const QTemporaryDir home;
        QStandardPaths::setTestModeEnabled(true);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home.path());
        qputenv("LAGGARD_MEMORY_BUDGET_MB", "1");
        MainWindow window;
        window.show();
        QSignalSpy ended(&window, &MainWindow::loadingEnded);
        for (const bool accepts : {false, true}) {
            window.open(example);
            QTRY_VERIFY_WITH_TIMEOUT(window.findChild<PartDialog *>() != nullptr, longEnough);
            auto *question = window.findChild<PartDialog *>();
            question->findChild<QLineEdit *>("ranks")->setText("2-4");
            accepts ? question->accept() : question->reject();
            QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, longEnough);
            QCOMPARE(ended.takeFirst().at(0).toString(), accepts ? QString() : QString("cancelled"));
            QVERIFY2((window.workspace().document() != nullptr) == accepts,
                     "a trace is shown if a part was chosen, and only then");
            QTRY_VERIFY(window.findChild<PartDialog *>() == nullptr);
        }
        QCOMPARE(*window.workspace().document()->report->trace->part.ranks, (RankSet{2, 3, 4}));
        qunsetenv("LAGGARD_MEMORY_BUDGET_MB");
    }
};

QTEST_MAIN(TestPartDialog)
#include "tst_partdialog.moc"
