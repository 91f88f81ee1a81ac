// SPDX-License-Identifier: GPL-3.0-or-later
// What the window writes: pictures, tables, reports and sessions.
#include "app/report/HtmlReport.h"
#include "app/report/ReportPictures.h"
#include "app/report/WriteFile.h"
#include "app/window/MainWindow.h"
#include "app/window/Session.h"
#include "app/window/Workspace.h"
#include "views/graph/ExportPicture.h"
#include "views/panels/ItemView.h"
#include "views/pdg/PdgView.h"
#include "views/timeline/TimelineExport.h"
#include "views/timeline/TimelineWidget.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QStandardPaths>
#include <QStatusBar>

#include <sstream>

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

} // namespace

QString MainWindow::suggestedFile(const QString &what, const QString &ending) const {
    // Never beside the trace unless the user goes there.
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString job = QFileInfo(QFileInfo(m_openPath).isDir() ? m_openPath : QFileInfo(m_openPath).absolutePath()).fileName();
    return QDir(folder).filePath(job + QLatin1Char('-') + what + QLatin1Char('.') + ending);
}

void MainWindow::exportGraph() {
    const GraphScene *scene = m_workspace->graph().scene();
    if (scene == nullptr) {
        statusBar()->showMessage(tr("The graph has not been laid out yet"));
        return;
    }
    exportTo(this, tr("Export the graph"), suggestedFile(QStringLiteral("graph"), QStringLiteral("svg")),
             tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;DOT (*.dot)"),
             [&](const std::string &file) { exportPicture(*scene, file); });
}

void MainWindow::exportTimelineView() {
    exportTo(this, tr("Export the timeline"), suggestedFile(QStringLiteral("timeline"), QStringLiteral("svg")),
             tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf)"),
             [&](const std::string &file) { exportTimeline(m_workspace->timeline().view(), file); });
}

void MainWindow::exportReport() {
    exportTo(this, tr("Export a report"), suggestedFile(QStringLiteral("report"), QStringLiteral("html")), tr("HTML (*.html)"),
             [&](const std::string &file) {
                 ReportPictures pictures;
                 if (const GraphScene *scene = m_workspace->graph().scene())
                     pictures.progressGraph = renderPicture(*scene, PictureFormat::Svg).toStdString();
                 pictures.timeline = renderTimeline(m_workspace->timeline().view(), PictureFormat::Svg).toStdString();
                 std::ostringstream page;
                 writeHtml(page, *m_workspace->document()->report, pictures);
                 writeFile(file, page.str());
             });
}

void MainWindow::exportFocused() {
    QWidget *focus = QApplication::focusWidget();
    if (auto *table = ancestorOf<ItemView>(focus))
        table->exportCsv();
    else if (ancestorOf<TimelineWidget>(focus) != nullptr)
        exportTimelineView();
    else
        exportGraph();
}

void MainWindow::saveSessionAs() {
    const QString title = tr("Save the session");
    const QString file = QFileDialog::getSaveFileName(
        this, title, suggestedFile(QStringLiteral("session"), QStringLiteral("json")), tr("Session (*.json)"));
    if (file.isEmpty())
        return;
    Session session;
    session.trace = m_openPath;
    session.windowGeometry = saveGeometry();
    session.windowState = m_workspace->saveState();
    m_workspace->storeIn(session);
    QString error;
    if (!saveSession(session, file, &error))
        QMessageBox::warning(this, title, error);
}

void MainWindow::openSession() {
    const QString title = tr("Open a session");
    const QString file = QFileDialog::getOpenFileName(
        this, title, QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation), tr("Session (*.json)"));
    if (file.isEmpty())
        return;
    QString error;
    const std::optional<Session> session = loadSession(file, &error);
    if (!session) {
        QMessageBox::warning(this, title, error);
        return;
    }
    const auto apply = [this, session = *session] {
        restoreGeometry(session.windowGeometry);
        m_workspace->restoreState(session.windowState);
        m_workspace->restoreFrom(session);
    };
    if (m_workspace->document() && session->trace == m_openPath) {
        apply();
        return;
    }
    open(session->trace);
    connect(
        this, &MainWindow::loadingEnded, this,
        [apply](const QString &failure) {
            if (failure.isEmpty())
                apply();
        },
        Qt::SingleShotConnection);
}

} // namespace laggard
