// SPDX-License-Identifier: GPL-3.0-or-later
// Draws every panel, by day and by night. With LAGGARD_PICTURES=FOLDER the pictures are kept, to be looked at.
#include "tests/views/panels/HungReport.h"
#include "tests/views/panels/Palettes.h"
#include "views/kit/ItemView.h"
#include "views/panels/CommandPalette.h"
#include "views/panels/DamageBanner.h"
#include "views/panels/FilterBar.h"
#include "views/panels/FilterEditor.h"
#include "views/panels/FindingsPanel.h"
#include "views/panels/GoTo.h"
#include "views/panels/LegendPanel.h"
#include "views/panels/ShortcutsDialog.h"
#include "views/panels/StackPanel.h"
#include "views/panels/TraceInfoPanel.h"
#include "views/panels/WarningsPanel.h"
#include "views/pdg/PdgListPanel.h"
#include "views/selection/SelectionModel.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QLineEdit>
#include <QStyleFactory>
#include <QTest>

using namespace laggard;
using test::HungReport;

namespace {

HungReport damagedReport() {
    HungReport report;
    report.trace->warnings = {{WarningId::Converted, Warning::Severity::DataLoss, 9, "traces/9.evt, byte 4,096",
                               "The events of rank 9 break off; 1,204 were kept."},
                              {WarningId::Converted, Warning::Severity::DataLoss, 12, "traces/12.evt",
                               "The file of rank 12 is empty: nothing is known of it."},
                              {WarningId::Converted,
                               Warning::Severity::Note,
                               {},
                               "",
                               "Receives were seen up to 2.1 µs before their sends: the clocks of the ranks disagree."}};
    for (const Rank rank : {9U, 12U})
        report.trace->locations[rank].damaged = true;
    report.verdict->fromDamaged = true;
    return report;
}

std::vector<RegionStatistics> statisticsOf(const Trace &trace) {
    RankSet all(trace.processes.size());
    for (Rank rank = 0; rank < all.size(); ++rank)
        all[rank] = rank;
    return callStatistics(trace, trace.range, all, {});
}

QColor someColour(RegionId region) { return QColor::fromHsv(int(region) * 67 % 360, 170, 200); }

} // namespace

class TestPanelPictures : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        if (QStyle *fusion = QStyleFactory::create("Fusion"))
            QApplication::setStyle(fusion);
        m_folder = qEnvironmentVariable("LAGGARD_PICTURES");
    }

    void panels_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << test::lightPalette();
        QTest::newRow("dark") << test::darkPalette();
    }

    void panels() {
        QFETCH(QPalette, palette);
        QApplication::setPalette(palette);
        const HungReport report = damagedReport();
        SelectionModel selection;
        ZoomFilterStack stack;
        stack.reset(report.trace->range);

        FindingsPanel findings(selection);
        findings.setVerdict(report.trace, report.verdict);
        findings.chooseFirst();
        keep(findings, "findings", {440, 560});
        findings.findChild<QCheckBox *>()->setChecked(true);
        keep(findings, "findings-by-host", {440, 560});

        StackPanel stack1(selection, StackPanel::Scope::AllRanks);
        stack1.setReport(report.trace, report.waits, report.progress);
        keep(stack1, "stacks", {480, 260});

        WarningsPanel warnings(selection);
        warnings.setTrace(report.trace);
        keep(warnings, "warnings", {820, 200});

        DamageBanner banner;
        banner.setTrace(report.trace);
        keep(banner, "banner", {820, banner.sizeHint().height()});

        TraceInfoPanel info(selection);
        info.setTrace(report.trace);
        keep(info, "trace-information", {460, 560});

        PdgListPanel list(selection);
        list.setGraph(report.progress);
        keep(list, "progress-dependences", {900, 220});
    }

    void controls_data() { panels_data(); }
    void controls() {
        QFETCH(QPalette, palette);
        QApplication::setPalette(palette);
        const HungReport report;
        SelectionModel selection;
        ZoomFilterStack stack;
        stack.reset(report.trace->range);
        LegendPanel legend(selection, stack);
        legend.setStatistics(report.trace, statisticsOf(*report.trace));
        legend.setColours(someColour);
        keep(legend, "legend", {560, 320});

        FilterBar bar(stack);
        bar.setTrace(report.trace);
        Filter filter;
        filter.ranks = RankSet{0, 1, 2, 8};
        filter.hiddenRegions = {0, 1};
        filter.minimumDuration = 1'500'000;
        filter.time = TimeRange{500'000'000, 1'000'000'000};
        stack.setFilter(filter);
        keep(bar, "filter-bar", {700, bar.heightForWidth(700)});
        keep(bar, "filter-bar-narrow", {330, bar.heightForWidth(330)});

        FilterEditor editor(report.trace, filter);
        editor.findChildren<QLineEdit *>().first()->setText("0-99");
        keep(editor, "filter-editor", editor.sizeHint());

        CommandPalette goTo("Go to rank, function or time", goToSource(report.trace, {}));
        goTo.line()->setText("fl");
        keep(goTo, "go-to", {560, 240});

        QAction zoom("Zoom &in");
        zoom.setShortcuts({QKeySequence(Qt::Key_W), QKeySequence(Qt::Key_Plus)});
        QAction open("&Open…");
        open.setShortcut(QKeySequence::Open);
        ShortcutsDialog keys({{"File", {&open}}, {"Timeline", {&zoom}, {{"Pan", "A / D"}}}});
        keep(keys, "keys", {480, 320});
    }

  private:
    /// Draws the widget, checks that there is something in the picture, and keeps it if asked to.
    void keep(QWidget &widget, const QString &name, const QSize &size) {
        widget.resize(size);
        widget.show();
        QCoreApplication::processEvents();
        const QImage picture = widget.grab().toImage();
        QSet<QRgb> colours;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                colours.insert(picture.pixel(x, y));
        QVERIFY2(colours.size() > 8, qPrintable("the picture of " + name + " is blank"));
        if (!m_folder.isEmpty())
            QVERIFY(QDir().mkpath(m_folder) && picture.save(m_folder + '/' + name + '-' + QTest::currentDataTag() + ".png"));
        widget.hide();
    }

    QString m_folder;
};

QTEST_MAIN(TestPanelPictures)
#include "tst_panelpictures.moc"
