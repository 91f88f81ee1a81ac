// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/CommandPalette.h"

#include "tests/views/panels/HungReport.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/panels/GoTo.h"
#include "views/panels/ShortcutsDialog.h"

#include <QAction>
#include <QLineEdit>
#include <QTest>

using namespace laggard;
using test::HungReport;

namespace {

QStringList texts(const std::vector<PaletteEntry> &entries) {
    QStringList result;
    for (const PaletteEntry &entry : entries)
        result << entry.text;
    return result;
}

} // namespace

class TestCommandPalette : public QObject {
    Q_OBJECT
  private slots:
    void listsActions() {
        QAction zoom("&Zoom in");
        zoom.setShortcut(Qt::Key_W);
        QAction off("Zoom out");
        off.setEnabled(false);
        QAction both("Find && replace");
        QAction line;
        line.setSeparator(true);
        const std::vector<PaletteEntry> entries = entriesOf({&zoom, &line, &off, &both});
        QCOMPARE(texts(entries), QStringList({"Zoom in", "Find & replace"}));
        QCOMPARE(entries[0].detail, QString("W"));
    }

    void keyboardFindsAndRuns() {
        QString ran;
        const std::vector<PaletteEntry> entries = {{"Open trace", "", [&] { ran = "open"; }},
                                                   {"Zoom in", "", [&] { ran = "in"; }},
                                                   {"Zoom out", "", [&] { ran = "out"; }}};
        CommandPalette palette("Command", [&](const QString &typed) { return matchingEntries(entries, typed); });
        palette.popUp();
        QCOMPARE(palette.model().rowCount(), 3);
        QTest::keyClicks(palette.line(), "zoo");
        QCOMPARE(palette.model().rowCount(), 2);
        QTest::keyClick(palette.line(), Qt::Key_Down);
        QTest::keyClick(palette.line(), Qt::Key_Return);
        QCOMPARE(ran, QString("out"));
        QVERIFY2(!palette.isVisible(), "the palette closes before the command runs");
        palette.popUp();
        QCOMPARE(palette.line()->text(), QString());
        QTest::keyClicks(palette.line(), "xyz");
        QTest::keyClick(palette.line(), Qt::Key_Return);
        QVERIFY2(palette.isVisible(), "nothing fits: nothing runs");
        QTest::keyClick(palette.line(), Qt::Key_Escape);
        QVERIFY(!palette.isVisible());
    }

    void goTo_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("went");
        QTest::newRow("rank") << "rank 12"
                              << "Rank 12"
                              << "rank 12";
        QTest::newRow("number is a rank first") << "2"
                                                << "Rank 2"
                                                << "rank 2";
        QTest::newRow("number above the ranks is nothing else") << "99"
                                                                << ""
                                                                << "";
        QTest::newRow("time with unit") << "1.5 ms"
                                        << "Time 1.5 ms"
                                        << "time 1500000";
        QTest::newRow("time in words") << "time 2"
                                       << "Time 2 s"
                                       << "time 2000000000";
        QTest::newRow("function") << "flux"
                                  << "compute_flux"
                                  << "function compute_flux";
    }
    void goTo() {
        QFETCH(QString, typed);
        QFETCH(QString, first);
        const HungReport report;
        QString went;
        const PaletteSource source =
            goToSource(report.trace,
                       {[&](Rank rank) { went = QString("rank %1").arg(rank); },
                        [&](RegionId region) { went = "function " + QString::fromStdString(report.trace->regions[region].name); },
                        [&](Tick tick) { went = QString("time %1").arg(tick); }});
        const std::vector<PaletteEntry> entries = source(typed);
        QCOMPARE(entries.empty() ? QString() : entries[0].text, first);
        if (!entries.empty())
            entries[0].run();
        QTEST(went, "went");
    }
    void goToWithoutTrace() { QVERIFY(goToSource({}, {})("3").empty()); }

    void shortcuts() {
        QAction zoom("&Zoom in");
        zoom.setShortcuts({QKeySequence(Qt::Key_W), QKeySequence(Qt::Key_Plus)});
        QAction open("&Open…");
        ShortcutsDialog dialog({{"Timeline", {&zoom}, {{"Pan", "A / D"}}}, {"File", {&open}}});
        const auto text = [&] { return toPlainText(*dialog.view()->model(), allRows(*dialog.view()->model())); };
        QCOMPARE(text(), QString("Timeline\t\n  Zoom in\tW, +\n  Pan\tA / D\nFile\t\n  Open…\t"));
        QTest::keyClicks(dialog.search(), "zoom");
        QCOMPARE(text(), QString("Timeline\t\n  Zoom in\tW, +"));
    }
};

QTEST_MAIN(TestCommandPalette)
#include "tst_commandpalette.moc"
