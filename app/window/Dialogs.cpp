// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks before it reads or writes files.
#include "app/window/AttachDialog.h"
#include "app/window/Exports.h"
#include "app/window/MainWindow.h"
#include "app/window/Session.h"
#include "views/charts/ChartPanel.h"
#include "views/kit/ExportDialog.h"
#include "views/kit/ItemView.h"
#include "views/semimarkov/ClustersPanel.h"
#include "views/semimarkov/SmmPanel.h"
#include "views/semimarkov/TransitionPanel.h"
#include "views/timeline/TimelineWidget.h"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include <stdexcept>

namespace laggard {
namespace {

template <typename Widget> Widget *ancestorOf(QWidget *widget) {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (auto *found = qobject_cast<Widget *>(widget))
            return found;
    return nullptr;
}

} // namespace

void MainWindow::askForFile() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a trace"), QFileInfo(m_openPath).absolutePath(),
                                                      tr("Traces (*.otf2 *.laggard *.json *.dump);;All files (*)"));
    if (!file.isEmpty())
        open(file);
}

void MainWindow::askForFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Open a folder with a trace"), QFileInfo(m_openPath).absolutePath());
    if (!folder.isEmpty())
        open(folder);
}

void MainWindow::askToAttach() {
    auto *dialog = new AttachDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { attach(dialog->arguments(), dialog->givesFolder()); });
    dialog->open();
}

void MainWindow::askToExportGraph() {
    exportToFile(this, tr("Export the graph"), QStringLiteral("graph.svg"), {"svg", "png", "pdf", "dot"},
                 [this](const QString &file) { exportGraph(*m_workspace, file.toStdString()); });
}

void MainWindow::askToExportTimeline() {
    const std::optional<TimeRange> &selected = m_workspace->selection().current().time;
    TimelineExportDialog options(selected && selected->length() > 0, this);
    if (options.exec() != QDialog::Accepted)
        return;
    exportToFile(
        this, tr("Export the timeline"), QStringLiteral("timeline.svg"), {"svg", "png", "pdf"},
        [this, choice = options.choice()](const QString &file) { exportTimelineRows(*m_workspace, file.toStdString(), choice); });
}

void MainWindow::askToExportReport() {
    exportToFile(this, tr("Export a report"), QStringLiteral("report.html"), {"html"},
                 [this](const QString &file) { exportHtmlReport(*m_workspace, file.toStdString()); });
}

void MainWindow::askToExportSlice() {
    exportToFile(this, tr("Export the slice"), QStringLiteral("slice.txt"), {"txt", "csv", "json"},
                 [this](const QString &file) { exportSlice(*m_workspace, file.toStdString()); });
}

void MainWindow::askToExportFocused() {
    QWidget *focus = QApplication::focusWidget();
    if (ancestorOf<SlicePanel>(focus) != nullptr)
        askToExportSlice();
    else if (auto *table = ancestorOf<ItemView>(focus))
        table->exportCsv();
    else if (auto *chart = ancestorOf<ChartPanel>(focus))
        chart->exportPicture();
    else if (auto *model = ancestorOf<SmmPanel>(focus))
        model->exportPicture();
    else if (auto *clusters = ancestorOf<ClustersPanel>(focus))
        clusters->exportPicture();
    else if (auto *transition = ancestorOf<TransitionPanel>(focus))
        transition->exportPicture();
    else if (ancestorOf<TimelineWidget>(focus) != nullptr)
        askToExportTimeline();
    else
        askToExportGraph();
}

void MainWindow::askToSaveSession() {
    exportToFile(this, tr("Save the session"), QStringLiteral("session.json"), {"json"}, [this](const QString &file) {
        QString error;
        if (!saveSessionTo(file, &error))
            throw std::runtime_error(error.toStdString());
    });
}

void MainWindow::askForSession() {
    const QString title = tr("Open a session");
    const QString file = QFileDialog::getOpenFileName(this, title, exportFolder(), tr("Session (*.json)"));
    QString error;
    if (!file.isEmpty() && !openSession(file, &error))
        QMessageBox::warning(this, title, error);
}

} // namespace laggard
