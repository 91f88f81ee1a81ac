// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/VerdictPanel.h"

#include "tests/views/panels/HungReport.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace laggard;
using test::HungReport;
using Kind = HeadlineFacts::Kind;

namespace {

/// All text that is seen.
QString shownText(const QWidget &panel) {
    QStringList texts;
    for (const QLabel *label : panel.findChildren<QLabel *>())
        if (label->isVisibleTo(&panel) && !label->text().isEmpty())
            texts << label->text();
    return texts.join('\n');
}

/// The verdict of the hung job, with the facts of its headline.
HungReport hungReport() {
    HungReport report;
    report.verdict->facts = {.kind = Kind::Computing,
                             .ranks = {3},
                             .others = 15,
                             .function = "compute_flux",
                             .at = 0.5,
                             .seconds = 2.5,
                             .usual = {},
                             .times = {},
                             .share = {},
                             .job = 16,
                             .known = 16,
                             .jobSeconds = {}};
    return report;
}

} // namespace

class TestVerdictPanel : public QObject {
    Q_OBJECT
  private slots:
    void aHeadlineAndThreeFigures() {
        const HungReport report = hungReport();
        VerdictPanel panel;
        QVERIFY2(panel.isHidden(), "nothing is open");
        panel.setVerdict(report.trace, report.verdict);
        const QString text = shownText(panel);
        for (const QString &part : {QString("Hung"), QString("Rank 3 holds up 15 ranks in compute_flux"),
                                    QString("confidence 0.97 (high)"), QString("500 ms"), QString("2.5 s"), QString("15 of 16")})
            QVERIFY2(text.contains(part), qPrintable(text));
        QVERIFY2(!text.contains("has made the least progress"), "the sentences are folded at first");
        panel.setVerdict({}, {});
        QVERIFY(panel.isHidden());
    }

    /// The scores of other methods are shares and distances.
    void aChangeOfBehaviourIsMoreOrLessSure() {
        const HungReport report = hungReport();
        auto slow = std::make_shared<Verdict>(*report.verdict);
        slow->state = Verdict::State::Finished;
        slow->facts.kind = HeadlineFacts::Kind::Slower;
        slow->findings.resize(1);
        slow->findings.front().method = "phases";
        slow->findings.front().score = 0.69;
        VerdictPanel panel;
        panel.setVerdict(report.trace, slow);
        QVERIFY2(shownText(panel).contains("Slow · confidence 0.69 (fair)"), qPrintable(shownText(panel)));
        auto delayed = std::make_shared<Verdict>(*slow);
        delayed->findings.front().method = "delays";
        panel.setVerdict(report.trace, delayed);
        QVERIFY2(!shownText(panel).contains("onfidence"), qPrintable(shownText(panel)));
    }

    void moreUnfoldsTheSentences() {
        const HungReport report = hungReport();
        VerdictPanel panel;
        panel.setVerdict(report.trace, report.verdict);
        panel.resize(1200, 60);
        panel.show();
        QSignalSpy changed(&panel, &VerdictPanel::unfoldedChanged);
        const int folded = panel.sizeHint().height();
        panel.more()->setFocus();
        QTest::keyClick(panel.more(), Qt::Key_Space);
        QCOMPARE(changed.size(), 1);
        QVERIFY(panel.isUnfolded());
        QVERIFY2(shownText(panel).contains("Rank 3 has made the least progress"), qPrintable(shownText(panel)));
        QVERIFY(panel.sizeHint().height() > folded);
        QTest::keyClick(panel.more(), Qt::Key_Space);
        QVERIFY(!panel.isUnfolded());
        QCOMPARE(panel.sizeHint().height(), folded);
    }

    void tellsVerdictsApartAtAGlance_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("fromDamaged");
        QTest::addColumn<QString>("word");
        using State = Verdict::State;
        QTest::newRow("hung") << int(State::Hung) << int(Kind::Computing) << false << "Hung";
        QTest::newRow("crashed") << int(State::Crashed) << int(Kind::Crashed) << false << "Crashed";
        QTest::newRow("finished, and slow") << int(State::Finished) << int(Kind::Delayed) << false << "Slow";
        QTest::newRow("running, and slow") << int(State::Running) << int(Kind::Slower) << false << "Slow";
        QTest::newRow("finished") << int(State::Finished) << int(Kind::Finished) << false << "Finished";
        QTest::newRow("finished, with a copy") << int(State::Finished) << int(Kind::RepeatedMessage) << false << "Finished";
        QTest::newRow("running") << int(State::Running) << int(Kind::Running) << false << "Running";
        QTest::newRow("hung, nobody named") << int(State::Hung) << int(Kind::Standing) << false << "Hung";
        QTest::newRow("hung, the one may be damaged") << int(State::Hung) << int(Kind::Standing) << true << "Not known";
        QTest::newRow("damaged") << int(State::Running) << int(Kind::Unknown) << true << "Not known";
    }
    void tellsVerdictsApartAtAGlance() {
        QFETCH(int, state);
        QFETCH(int, kind);
        QFETCH(bool, fromDamaged);
        QFETCH(QString, word);
        const HungReport report = hungReport();
        report.verdict->state = static_cast<Verdict::State>(state);
        report.verdict->facts.kind = static_cast<Kind>(kind);
        report.verdict->fromDamaged = fromDamaged;
        VerdictPanel panel;
        panel.setUnfolded(true);
        panel.setVerdict(report.trace, report.verdict);
        const QString text = shownText(panel);
        QVERIFY2(text.split('\n').first().startsWith(word), qPrintable(text));
        if (word == "Finished")
            QVERIFY2(!text.contains("onfidence"), "nobody doubts that a job has ended");
    }

    /// That those finished that could be read says nothing of the others.
    void aJobOfWhichRanksAreNotKnownIsNotFinished() {
        const HungReport report = hungReport();
        report.verdict->state = Verdict::State::Finished;
        report.verdict->facts.kind = Kind::Finished;
        report.verdict->facts.job = 16;
        report.verdict->facts.known = 14;
        VerdictPanel panel;
        panel.setVerdict(report.trace, report.verdict);
        QVERIFY2(shownText(panel).startsWith("Not known"), qPrintable(shownText(panel)));
    }

    void nothingIsCutOff_data() {
        QTest::addColumn<int>("width");
        for (const int width : {1920, 1280, 900, 640})
            QTest::addRow("%d", width) << width;
    }
    void nothingIsCutOff() {
        QFETCH(int, width);
        const HungReport report = hungReport();
        report.verdict->facts.function = "a_function_with_a_rather_long_name_that_fills";
        VerdictPanel panel;
        panel.setUnfolded(true);
        panel.setVerdict(report.trace, report.verdict);
        panel.resize(width, 10);
        panel.resize(width, panel.heightForWidth(width));
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        for (const QLabel *label : panel.findChildren<QLabel *>())
            if (label->isVisible() && !label->text().isEmpty())
                QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()) || !label->wordWrap(),
                             qPrintable("cut off: " + label->text()));
    }

    void aJobThatStillHangsCanBeAttachedTo() {
        const HungReport report = hungReport();
        VerdictPanel panel;
        panel.setUnfolded(true);
        panel.setVerdict(report.trace, report.verdict);
        auto *copy = panel.findChild<QPushButton *>();
        QVERIFY2(copy->isHidden(), "nothing of this job runs");
        auto &process = report.trace->processes[3];
        process.end.kind = ProcessEnd::Kind::Running;
        process.pid = 4711;
        panel.setVerdict(report.trace, report.verdict);
        QVERIFY2(shownText(panel).contains("gdb -p 4711"), qPrintable(shownText(panel)));
        QVERIFY(!copy->isHidden());
        copy->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("gdb -p 4711"));
    }

    void saysWhatWasDamaged() {
        const HungReport report = hungReport();
        report.trace->warnings.push_back(
            {WarningId::Converted, Warning::Severity::DataLoss, 3, "3.evt", "The events of rank 3 end after 100 bytes."});
        for (Location &location : report.trace->locations)
            location.damaged = location.rank == 3;
        report.verdict->fromDamaged = true;
        VerdictPanel panel;
        panel.setUnfolded(true);
        panel.setVerdict(report.trace, report.verdict);
        const QString text = shownText(panel);
        QVERIFY2(text.contains("This verdict rests on damaged ranks: some of rank 3 could not be read."), qPrintable(text));
    }

    void saysThatAllSuspectsAreOnOneHost() {
        const HungReport report = hungReport();
        report.verdict->findings.resize(1);
        VerdictPanel panel;
        panel.setUnfolded(true);
        panel.setVerdict(report.trace, report.verdict);
        QVERIFY2(shownText(panel).contains("All suspects ran on n016."), qPrintable(shownText(panel)));
    }
};

QTEST_MAIN(TestVerdictPanel)
#include "tst_verdictpanel.moc"
