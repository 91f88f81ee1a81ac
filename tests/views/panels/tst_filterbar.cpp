// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FilterBar.h"

#include "tests/views/panels/HungReport.h"
#include "views/kit/ChipButton.h"
#include "views/panels/FilterChips.h"
#include "views/panels/FilterEditor.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace laggard;
using test::HungReport;

namespace {

QStringList texts(const std::vector<FilterChip> &chips) {
    QStringList result;
    for (const FilterChip &chip : chips)
        result << chip.text;
    return result;
}

QList<ChipButton *> chips(const FilterBar &bar) {
    QList<ChipButton *> shown;
    for (ChipButton *chip : bar.findChildren<ChipButton *>())
        if (!chip->isHidden())
            shown << chip;
    return shown;
}

Filter everything(const HungReport &report) {
    Filter filter;
    filter.ranks = RankSet{0, 1, 2, 8};
    filter.time = TimeRange{500'000'000, 1'000'000'000};
    filter.hiddenRegions = {report.region("main"), report.region("MPI_Init")};
    filter.minimumDuration = 1'500'000;
    return filter;
}

} // namespace

class TestFilterBar : public QObject {
    Q_OBJECT
  private slots:
    void chipsSayTheFilter() {
        const HungReport report;
        QCOMPARE(texts(filterChips({}, *report.trace)), QStringList());
        QCOMPARE(texts(filterChips(everything(report), *report.trace)),
                 QStringList({"ranks 0-2, 8", "hidden: main", "hidden: MPI_Init", "at least 1.5 ms", "500 ms to 1 s"}));
    }

    void manyFunctionsShareAChip() {
        const HungReport report;
        Filter filter;
        filter.onlyRegions = {0, 1, 2, 3};
        const std::vector<FilterChip> all = filterChips(filter, *report.trace);
        QCOMPARE(texts(all), QStringList("only 4 functions"));
        QVERIFY(all[0].toolTip.contains("time_step"));
        QVERIFY(all[0].without.isEmpty());
    }

    void eachChipTakesItsOwnPartOut() {
        const HungReport report;
        const Filter filter = everything(report);
        const std::vector<FilterChip> all = filterChips(filter, *report.trace);
        for (std::size_t i = 0; i < all.size(); ++i) {
            QStringList rest = texts(all);
            rest.removeAt(qsizetype(i));
            QCOMPARE(texts(filterChips(all[i].without, *report.trace)), rest);
        }
    }

    void keyboardRemovesAndUndoes() {
        const HungReport report;
        ZoomFilterStack stack;
        stack.reset(report.trace->range);
        FilterBar bar(stack);
        bar.setTrace(report.trace);
        stack.setFilter(everything(report));
        QCOMPARE(chips(bar).size(), 5);
        QTest::keyClick(chips(bar).first(), Qt::Key_Delete);
        QTRY_COMPARE(chips(bar).size(), 4);
        QVERIFY(!stack.filter().ranks);
        for (QToolButton *button : bar.findChildren<QToolButton *>())
            if (button->text() == "Undo")
                QTest::keyClick(button, Qt::Key_Space);
        QCOMPARE(chips(bar).size(), 5);
        QVERIFY(stack.filter() == everything(report));
        bar.clearAll();
        QCOMPARE(chips(bar).size(), 0);
        QVERIFY(stack.filter().isEmpty());
    }

    void editorUnderstands_data() {
        QTest::addColumn<QStringList>("text");
        QTest::addColumn<QString>("chips");
        QTest::newRow("nothing") << QStringList({"", "", "", ""}) << "";
        QTest::newRow("ranks") << QStringList({"0-2, 8", "", "", ""}) << "ranks 0-2, 8";
        QTest::newRow("duration") << QStringList({"", "1.5 ms", "", ""}) << "at least 1.5 ms";
        QTest::newRow("time") << QStringList({"", "", "0.5", "1 s"}) << "500 ms to 1 s";
        QTest::newRow("only an end") << QStringList({"", "", "", "1 s"}) << "0 s to 1 s";
        QTest::newRow("end beyond the trace") << QStringList({"", "", "1 s", "1 h"}) << "1 s to 3.03 s";
        QTest::newRow("no ranks") << QStringList({"a-b", "", "", ""}) << "! Ranks are numbers and ranges, such as 0-2,4-15.";
        QTest::newRow("rank too high") << QStringList({"3-16", "", "", ""}) << "! The trace has ranks 0 to 15.";
        QTest::newRow("no duration") << QStringList({"", "1.5 miles", "", ""})
                                     << QString::fromUtf8("! “1.5 miles” is not a time: write 1.5 ms, 20 us or 3 s.");
        QTest::newRow("time backwards") << QStringList({"", "", "2 s", "1 s"})
                                        << "! The time range is empty: the trace lasts 3.027 s.";
    }
    void editorUnderstands() {
        QFETCH(QStringList, text);
        const HungReport report;
        QString problem;
        const auto filter = filterFromText({text[0], text[1], text[2], text[3]}, {}, *report.trace, problem);
        QTEST(filter ? texts(filterChips(*filter, *report.trace)).join("; ") : "! " + problem, "chips");
    }

    void editorKeepsFunctions() {
        const HungReport report;
        const Filter filter = everything(report);
        const FilterText text = textFromFilter(filter, *report.trace);
        QString problem;
        QVERIFY(filterFromText(text, filter, *report.trace, problem) == filter);
    }

    void editorRefusesNonsense() {
        const HungReport report;
        FilterEditor editor(report.trace, {});
        QPushButton *ok = nullptr;
        for (QPushButton *button : editor.findChildren<QPushButton *>())
            if (button->text().contains("OK"))
                ok = button;
        QVERIFY(ok != nullptr);
        QLineEdit *ranks = editor.findChildren<QLineEdit *>().first();
        QTest::keyClicks(ranks, "3-");
        QVERIFY(!ok->isEnabled());
        QTest::keyClicks(ranks, "5");
        QVERIFY(ok->isEnabled());
        QVERIFY(editor.filter().ranks == RankSet({3, 4, 5}));
    }
};

QTEST_MAIN(TestFilterBar)
#include "tst_filterbar.moc"
