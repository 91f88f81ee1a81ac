// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/timeline/TimelineFixture.h"
#include "views/details/DetailsPanel.h"
#include "views/kit/ItemView.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

struct PanelOfSmallTrace {
    TracePtr trace = smallTrace();
    SelectionModel selection;
    DetailsPanel panel{selection};

    PanelOfSmallTrace() { panel.setReport(trace, buildPyramid(*trace, {}), nullptr); }
    /// Selects the first call of a function on a rank.
    void select(Rank rank, const std::string &function) {
        const Track &track = trace->mainEvents(rank)->track;
        for (std::uint32_t row = 0; row < track.size(); ++row)
            if (trace->region(track.callPath[row]).name == function) {
                Selection chosen;
                chosen.ranks = {rank};
                chosen.callPath = track.callPath[row];
                chosen.time = TimeRange{track.start[row], shownEnd(track, row, trace->range.end)};
                selection.select(chosen);
            }
    }
    [[nodiscard]] int rowOf(const QString &name) const {
        for (int row = 0; row < panel.model().rowCount(); ++row)
            if (panel.model().index(row, 0).data().toString() == name)
                return row;
        return -1;
    }
};

} // namespace

class TestDetailsPanel : public QObject {
    Q_OBJECT
  private slots:
    void followsTheSelection() {
        PanelOfSmallTrace shown;
        const QAbstractItemModelTester tester(shown.panel.view()->model());
        QCOMPARE(shown.panel.model().rowCount(), 0);
        shown.select(0, "work");
        QVERIFY(shown.rowOf("Length") >= 0);
        shown.selection.clear();
        QCOMPARE(shown.panel.model().rowCount(), 0);
        shown.panel.setReport({}, {}, {});
        shown.select(0, "work");
        QCOMPARE(shown.panel.model().rowCount(), 0);
    }
    void keysSelectThePartner() {
        PanelOfSmallTrace shown;
        shown.select(0, "MPI_Send");
        const int row = shown.rowOf("to");
        QVERIFY(row >= 0);
        const QSignalSpy chosen(&shown.panel, &DetailsPanel::chosen);
        shown.panel.view()->setCurrentIndex(shown.panel.model().index(row, 0));
        QTest::keyClick(shown.panel.view(), Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(shown.selection.current().ranks, RankSet{1});
        QVERIFY2(shown.rowOf("from") >= 0, "the receive is shown now");
        shown.selection.goBack();
        QVERIFY(shown.rowOf("to") >= 0);
    }
    void namesAndTips() {
        PanelOfSmallTrace shown;
        shown.select(0, "work");
        QCOMPARE(shown.panel.view()->accessibleName(), QString("Details of the selection"));
        const int start = shown.rowOf("Start");
        QVERIFY(shown.panel.model().index(start, 1).data(Qt::ToolTipRole).toString().contains("400 ticks"));
        QVERIFY(shown.panel.view()->csv().contains("Length,"));
    }
};

QTEST_MAIN(TestDetailsPanel)
#include "tst_detailspanel.moc"
