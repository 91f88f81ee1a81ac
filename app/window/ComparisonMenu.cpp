// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the window that are about another run.
#include "app/window/MainWindow.h"
#include "app/window/RunComparison.h"
#include "app/window/Workspace.h"

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

void MainWindow::compareWith(const QString &path) {
    ComparedRun run;
    run.path = QFileInfo(path).absoluteFilePath();
    m_workspace->runs().start(run);
}

} // namespace laggard
