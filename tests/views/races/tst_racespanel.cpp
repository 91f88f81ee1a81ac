// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/races/RacesPanel.h"

#include "tests/support/TraceBuilder.h"
#include "views/kit/ItemView.h"
#include "views/selection/SelectionModel.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace laggard;
using test::TraceBuilder;

namespace {

/// Rank 0 takes the message of rank 1, and could have taken that of rank 2, which would have been first without the recorder.
TracePtr racingTrace() {
    TraceBuilder builder(3);
    builder.call(1, 100, 110, "MPI_Comm_rank").sendCall(1, 1000, 1010, 0, 7);
    builder.call(2, 100, 200, "MPI_Comm_rank").sendCall(2, 1050, 1060, 0, 7);
    builder.receiveCall(0, 5, 1200, 1, 7).receiveCall(0, 1300, 1400, 2, 7);
    const auto trace = std::const_pointer_cast<Trace>(builder.finish(2000));
    LocationEvents &events = trace->locations[0].events;
    events.postings.receive.push_back(0);
    events.postings.row.push_back(0);
    events.postings.how.push_back(ReceivePostings::AnySource);
    trace->locations[2].events.costs.add(0, 50, 50);
    return trace;
}

struct Shown {
    TracePtr trace = racingTrace();
    SelectionModel selection;
    RacesPanel panel{selection};
    explicit Shown(bool canReplay = true) {
        panel.setReport(trace, std::make_shared<const RaceReport>(findRaces(*trace, {})), {}, canReplay);
        panel.resize(1200, 300);
        panel.show();
    }
};

QString cell(const ItemView &view, int row, int column) { return view.model()->index(row, column).data().toString(); }

} // namespace

class TestRacesPanel : public QObject {
    Q_OBJECT
  private slots:
    void asksOnceWhenItIsSeen() {
        SelectionModel selection;
        RacesPanel panel(selection);
        QSignalSpy wanted(&panel, &RacesPanel::wanted);
        panel.want();
        panel.show();
        QCOMPARE(wanted.size(), 1);
        panel.setReport(racingTrace(), std::make_shared<const RaceReport>(), {}, true);
        panel.want();
        QCOMPARE(wanted.size(), 1);
    }

    /// As docks are while a window is made: another one comes to the front at once.
    void doesNotAskWhereItIsHiddenAgain() {
        SelectionModel selection;
        RacesPanel panel(selection);
        QSignalSpy wanted(&panel, &RacesPanel::wanted);
        panel.show();
        panel.hide();
        QTest::qWait(50);
        QCOMPARE(wanted.size(), 0);
        panel.show();
        QTRY_COMPARE(wanted.size(), 1);
    }

    void listsRacesAndTheirMessages() {
        const Shown shown;
        const QAbstractItemModelTester tester(shown.panel.races()->model());
        const QAbstractItemModelTester messagesTester(shown.panel.messages()->model());
        const ItemView &races = *shown.panel.races();
        QCOMPARE(races.model()->rowCount(), 1);
        QCOMPARE(cell(races, 0, RacesModel::Who), QString("rank 0"));
        QCOMPARE(cell(races, 0, RacesModel::Call), QString("MPI_Recv"));
        QCOMPARE(cell(races, 0, RacesModel::Took), QString("rank 1 (tag 7)"));
        QCOMPARE(cell(races, 0, RacesModel::Others), QString("rank 2 (tag 7)"));
        QCOMPARE(cell(races, 0, RacesModel::Changed), QString("another first"));
        const ItemView &messages = *shown.panel.messages();
        QCOMPARE(messages.model()->rowCount(), 2);
        QCOMPARE(cell(messages, 0, RacingMessagesModel::Taken), QString("taken"));
        QCOMPARE(cell(messages, 1, RacingMessagesModel::From), QString("rank 2"));
        QCOMPARE(messages.currentIndex().row(), 1); // what one wants to try
        QVERIFY2(shown.panel.note().startsWith("Of 1 call that take what comes first, 1 could have taken another message."),
                 qPrintable(shown.panel.note()));
    }

    void choosingSelects() {
        Shown shown;
        QSignalSpy chosen(&shown.panel, &RacesPanel::chosen);
        shown.panel.races()->setFocus();
        QTest::keyClick(shown.panel.races(), Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(shown.selection.current().ranks, RankSet{0});
        QVERIFY(shown.selection.current().time->begin == 5 && shown.selection.current().time->end == 1200);
        QCOMPARE(QString::fromStdString(shown.trace->region(shown.selection.current().callPath).name), QString("MPI_Recv"));
        QTest::keyClick(shown.panel.messages(), Qt::Key_Return);
        QCOMPARE(shown.selection.current().ranks, RankSet{2});
        QCOMPARE(shown.selection.current().time->begin, Tick{1050});
    }

    void hasAnArrowForEachMessage() {
        const Shown shown;
        const std::vector<PossibleMessage> arrows = shown.panel.arrows();
        QCOMPARE(arrows.size(), std::size_t{2});
        QVERIFY((arrows[0] == PossibleMessage{1, 1000, 0, 1200, true}));
        QVERIFY((arrows[1] == PossibleMessage{2, 1050, 0, 1200, false}));
    }

    void asksForAReplayWithTheOtherMessage() {
        Shown shown;
        QVERIFY(shown.panel.replayButton()->isEnabled());
        const Race *race = nullptr;
        const RacingMessage *message = nullptr;
        connect(&shown.panel, &RacesPanel::exchangeRequested, this, [&](const Race &r, const RacingMessage &m) {
            race = &r;
            message = &m;
        });
        shown.panel.replayButton()->click();
        QVERIFY(race != nullptr);
        QCOMPARE(race->call, std::uint64_t{1});
        QCOMPARE(message->from, Rank{2});
        QCOMPARE(message->call, std::uint64_t{2});
        QTest::keyClick(shown.panel.messages(), Qt::Key_Up);
        QVERIFY2(!shown.panel.replayButton()->isEnabled(), "the one that was taken is no other order");
    }

    void withoutARecordingNothingIsReplayed() {
        const Shown shown(false);
        QVERIFY(!shown.panel.replayButton()->isEnabled());
    }

    void saysThatThereIsNone() {
        SelectionModel selection;
        RacesPanel panel(selection);
        const TracePtr trace = TraceBuilder(2).sendCall(0, 1, 2, 1).receiveCall(1, 1, 5, 0).finish(10);
        panel.setReport(trace, std::make_shared<const RaceReport>(findRaces(*trace, {})), {}, true);
        QCOMPARE(panel.races()->model()->rowCount(), 0);
        QCOMPARE(panel.current(), nullptr);
        QVERIFY(panel.arrows().empty() && !panel.replayButton()->isEnabled());
        QCOMPARE(panel.note(), QString());
    }
};

QTEST_MAIN(TestRacesPanel)
#include "tst_racespanel.moc"
