// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the window that are about another run.
#include "app/window/MainWindow.h"
#include "app/window/ReplayDialog.h"
#include "app/window/RunComparison.h"
#include "app/window/Workspace.h"
#include "views/races/RacesModel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QStatusBar>

namespace laggard {

void MainWindow::addComparisonCommands(QMenu *menu) {
    needsTrace(addCommand(menu, tr("Compare &with another run …"), Qt::CTRL | Qt::Key_D,
                          tr("Show another run of the same program below this one, and where they part"),
                          [this] { askToCompare(); }));
    QAction *close =
        addCommand(menu, tr("Close the compariso&n"), {}, tr("Show this run alone"), [this] { m_workspace->runs().close(); });
    RunComparison *runs = &m_workspace->runs();
    const auto enable = [close, runs] { close->setEnabled(runs->isOpen()); };
    connect(runs, &RunComparison::changed, close, enable);
    connect(runs, &RunComparison::ended, this, [this](const QString &error) {
        constexpr int milliseconds = 8000;
        if (!error.isEmpty())
            statusBar()->showMessage(error, milliseconds);
    });
    enable();
}

void MainWindow::askToCompare() {
    auto *dialog = new QFileDialog(this, tr("Compare with another run"), QFileInfo(m_openPath).absolutePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::compareWith);
    dialog->open();
}

void MainWindow::askToReplay(const Race &race, const RacingMessage &message) {
    const replay::Exchange exchange{race.rank, race.call, message.from, message.call};
    const Trace &trace = *m_workspace->document()->report->trace;
    const QString what =
        tr("At call %1 of rank %2, %3, the message of rank %4 (tag %5, its call %6) comes first. Up to there all "
           "goes as recorded; after it the program runs free.")
            .arg(race.call)
            .arg(race.rank)
            .arg(callText(trace, race.callPath))
            .arg(message.from)
            .arg(message.tag)
            .arg(message.call);
    auto *dialog = new ReplayDialog(QString::fromStdString(trace.path), exchange, what, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ReplayDialog::recorded, this, [this](const QString &folder) { compareWith(folder); });
    dialog->open();
}

void MainWindow::compareWith(const QString &path) {
    ComparedRun run;
    run.path = QFileInfo(path).absoluteFilePath();
    m_workspace->runs().start(run);
}

} // namespace laggard
