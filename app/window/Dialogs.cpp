// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks before it reads or writes files.
#include "app/window/Exports.h"
#include "app/window/MainWindow.h"
#include "app/window/Session.h"
#include "views/charts/ChartPanel.h"
#include "views/panels/ItemView.h"
#include "views/semimarkov/ClustersPanel.h"
#include "views/semimarkov/SmmPanel.h"
#include "views/semimarkov/TransitionPanel.h"
#include "views/timeline/TimelineWidget.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QStandardPaths>
#include <QStatusBar>

namespace laggard {
namespace {

/// Runs `write` for the file that the user chooses; tells where it is, or why it could not be written.
template <typename Write>
void exportTo(QMainWindow *window, const QString &title, const QString &suggested, const QString &filters, Write write) {
    QString file = QFileDialog::getSaveFileName(window, title, suggested, filters);
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += QLatin1Char('.') + QFileInfo(suggested).suffix();
    try {
        write(file.toStdString());
        window->statusBar()->showMessage(QObject::tr("Written: %1").arg(QDir::toNativeSeparators(file)));
    } catch (const std::runtime_error &error) {
        QMessageBox::warning(window, title, QString::fromUtf8(error.what()));
    }
}

template <typename Widget> Widget *ancestorOf(QWidget *widget) {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (auto *found = qobject_cast<Widget *>(widget))
            return found;
    return nullptr;
}

/// Where the user is asked first. Never beside the trace unless the user goes there.
QString documentsFolder() { return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation); }

} // namespace

QString MainWindow::suggestedFile(const QString &what, const QString &ending) const {
    const QString job = QFileInfo(QFileInfo(m_openPath).isDir() ? m_openPath : QFileInfo(m_openPath).absolutePath()).fileName();
    return QDir(documentsFolder()).filePath(job + QLatin1Char('-') + what + QLatin1Char('.') + ending);
}

void MainWindow::askForFile() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a trace"), QFileInfo(m_openPath).absolutePath(),
                                                      tr("OTF2 anchor files (*.otf2);;All files (*)"));
    if (!file.isEmpty())
        open(file);
}

void MainWindow::askForFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Open a folder with a trace"), QFileInfo(m_openPath).absolutePath());
    if (!folder.isEmpty())
        open(folder);
}

void MainWindow::askToExportGraph() {
    exportTo(this, tr("Export the graph"), suggestedFile(QStringLiteral("graph"), QStringLiteral("svg")),
             tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;DOT (*.dot)"),
             [this](const std::string &file) { exportGraph(*m_workspace, file); });
}

void MainWindow::askToExportTimeline() {
    exportTo(this, tr("Export the timeline"), suggestedFile(QStringLiteral("timeline"), QStringLiteral("svg")),
             tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf)"),
             [this](const std::string &file) { exportTimelineRows(*m_workspace, file); });
}

void MainWindow::askToExportReport() {
    exportTo(this, tr("Export a report"), suggestedFile(QStringLiteral("report"), QStringLiteral("html")), tr("HTML (*.html)"),
             [this](const std::string &file) { exportHtmlReport(*m_workspace, file); });
}

void MainWindow::askToExportFocused() {
    QWidget *focus = QApplication::focusWidget();
    if (auto *table = ancestorOf<ItemView>(focus))
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
    const QString title = tr("Save the session");
    const QString file = QFileDialog::getSaveFileName(
        this, title, suggestedFile(QStringLiteral("session"), QStringLiteral("json")), tr("Session (*.json)"));
    QString error;
    if (!file.isEmpty() && !saveSessionTo(file, &error))
        QMessageBox::warning(this, title, error);
}

void MainWindow::askForSession() {
    const QString title = tr("Open a session");
    const QString file = QFileDialog::getOpenFileName(this, title, documentsFolder(), tr("Session (*.json)"));
    QString error;
    if (!file.isEmpty() && !openSession(file, &error))
        QMessageBox::warning(this, title, error);
}

} // namespace laggard
