// SPDX-License-Identifier: GPL-3.0-or-later
// Units of daemons that differ from the model: what a click does, and how the panel looks (kept with LAGGARD_PICTURES).
#include "views/units/UnitsPanel.h"

#include "analysis/units/JudgeUnits.h"
#include "analysis/units/LearnModel.h"
#include "tests/analysis/units/DaemonTrace.h"
#include "tests/support/KeptPicture.h"
#include "tests/views/panels/Palettes.h"
#include "views/charts/ChartPanel.h"
#include "views/charts/ChartView.h"
#include "views/units/UnitTreeView.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

using namespace laggard;
using test::DaemonMessage;

namespace {

constexpr int longEnough = 60'000; // milliseconds: a layout is the work of another process

std::shared_ptr<Trace> run(const std::vector<std::vector<DaemonMessage>> &daemons) {
    test::DaemonTrace trace(static_cast<Rank>(daemons.size()));
    for (Rank rank = 0; rank < daemons.size(); ++rank)
        test::addDaemon(trace, rank, daemons[rank]);
    return trace.finish();
}

/// Three daemons; one of them resets instead of answering, and two get a message that they usually do not.
struct Judged {
    CallModel model;
    TracePtr trace;
    std::shared_ptr<const UnitReport> report;

    Judged() {
        const std::vector<DaemonMessage> usual{{5, {"work", "answer"}}, {5, {"count"}}, {5, {"work", "answer"}}};
        model.merge(learn(*run({usual, usual, usual}), {}).model);
        std::vector<DaemonMessage> resets = usual;
        resets[2].handlers = {"work", "reset"};
        std::vector<DaemonMessage> asked = usual;
        asked.push_back({9, {"work", "answer"}});
        trace = run({usual, resets, asked});
        report = std::make_shared<const UnitReport>(judgeUnits(*trace, model, {}));
    }
};

struct ShownUnits {
    Judged judged;
    SelectionModel selection;
    UnitsPanel panel{selection};
    std::optional<JudgedUnit> asked;

    ShownUnits() {
        QObject::connect(&panel, &UnitsPanel::treeRequested, &panel, [this](const JudgedUnit &unit) {
            asked = unit;
            panel.setTree(unit, unitTree(*judged.trace, judged.model, unit, {}));
        });
        panel.resize(760, 620);
        panel.show();
    }
    bool load() {
        QSignalSpy laidOut(panel.tree(), &GraphCanvas::laidOut);
        panel.setReport(judged.trace, judged.report);
        return laidOut.wait(longEnough) && panel.tree()->scene() != nullptr;
    }
};

} // namespace

class TestUnitsPanel : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { qputenv("LAGGARD_LAYOUT", LAGGARD_LAYOUT_PROGRAM); }

    void theMostSuspiciousIsShownFirst() {
        ShownUnits shown;
        QVERIFY(shown.load());
        const Chart &chart = shown.panel.panel()->chart();
        QCOMPARE(chart.items.size(), shown.judged.report->units.size());
        QVERIFY(std::ranges::is_sorted(chart.items, {}, &ChartItem::position));
        QCOMPARE(shown.asked->start, shown.judged.report->units.front().start);
        QVERIFY(shown.panel.tree()->tree().has_value());
        QVERIFY2(shown.panel.tree()->caption().contains(QString("rank %1").arg(shown.asked->rank)), "whose calls these are");
        QVERIFY2(chart.items.back().position - chart.items.front().position > 5, "all units in one place of the axis");
    }

    void aClickShowsItsCallsAndSelectsIt() {
        ShownUnits shown;
        QVERIFY(shown.load());
        const std::size_t last = shown.panel.panel()->chart().items.size() - 1;
        const JudgedUnit unit = shown.judged.report->units[shown.panel.panel()->chart().items[last].id];
        emit shown.panel.panel()->chosen(last, SelectMode::Replace);
        QCOMPARE(shown.selection.current().ranks, RankSet{unit.rank});
        QVERIFY(shown.selection.current().time == (TimeRange{unit.start, unit.finish}));
        QCOMPARE(shown.asked->start, unit.start);
        QCOMPARE(shown.panel.panel()->view()->marked(), std::vector<std::size_t>{last});
    }

    void oneProcessAlone() {
        ShownUnits shown;
        QVERIFY(shown.load());
        QVERIFY(shown.panel.which()->isVisible() && shown.panel.which()->count() > 2);
        const std::size_t all = shown.panel.panel()->chart().items.size();
        shown.panel.which()->setCurrentIndex(1);
        const std::size_t some = shown.panel.panel()->chart().items.size();
        QVERIFY(some > 0 && some < all);
    }

    void withoutAModelItSaysWhatIsMissing() {
        const ShownUnits shown;
        QVERIFY(shown.panel.panel()->chart().emptyText.contains("call model"));
    }

    void draws_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::addColumn<QSize>("size");
        QTest::addRow("light") << test::lightPalette() << QSize(760, 620);
        QTest::addRow("dark") << test::darkPalette() << QSize(760, 620);
        QTest::addRow("low") << test::lightPalette() << QSize(340, 330); // as in the layout Explore at 1280 pixels
    }
    void draws() {
        QFETCH(QPalette, palette);
        QFETCH(QSize, size);
        QApplication::setStyle("Fusion");
        QApplication::setPalette(palette);
        ShownUnits shown;
        shown.panel.resize(size);
        QVERIFY(shown.load());
        test::drawKept(shown.panel, "units", size);
    }
};

QTEST_MAIN(TestUnitsPanel)
#include "tst_unitspanel.moc"
