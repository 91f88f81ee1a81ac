// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Appearance.h"
#include "app/window/Document.h"

#include <QMainWindow>
#include <QPalette>
#include <QPointer>

#include <vector>

class QLabel;
class QMenu;
class QStackedWidget;

namespace laggard {

class LoadingPage;
class LoadJob;
class StartPage;
class Workspace;

/// The window: opens traces, shows the workspace, keeps sessions, exports.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Starts loading; the trace that is open stays until the new one is ready.
    void open(const QString &path, double atSeconds = -1);
    void cancelLoading();
    [[nodiscard]] bool isLoading() const { return !m_job.isNull(); }
    [[nodiscard]] Workspace &workspace() { return *m_workspace; }
    void setAppearance(Appearance appearance);

    /// All commands of the menus, for the palette and the list of keys.
    [[nodiscard]] QList<QAction *> commands() const;

    /// Where the example that comes with the program lies; empty if it is not there.
    [[nodiscard]] static QString exampleFolder();

  signals:
    /// A trace is shown, or could not be opened (`error` is then a sentence), or loading was cancelled.
    void loadingEnded(const QString &error);

  protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

  private:
    QAction *addCommand(QMenu *menu, const QString &text, const QKeySequence &keys, const QString &tip,
                        std::function<void()> run);
    QAction *needsTrace(QAction *action);
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildGoMenu();
    void buildHelpMenu();
    void enableCommands();
    void fillRecent();
    void remember(const QString &path);
    void take(const DocumentPtr &document, const QString &path);
    void showError(const QString &sentence);
    void showStart();
    void askForFile();
    void askForFolder();
    void exportGraph();
    void exportTimelineView();
    void exportReport();
    void exportFocused();
    void saveSessionAs();
    void openSession();
    void keepSession();
    void find();
    void goTo();
    void showPalette();
    void showKeys();
    void showAbout();
    [[nodiscard]] QString suggestedFile(const QString &what, const QString &ending) const;

    QPalette m_systemPalette;
    QStackedWidget *m_pages;
    StartPage *m_start;
    LoadingPage *m_loading;
    Workspace *m_workspace;
    QMenu *m_recentMenu = nullptr;
    QLabel *m_status;
    QPointer<LoadJob> m_job;
    QString m_openPath;
    std::vector<QAction *> m_traceCommands; ///< enabled only while a trace is open
};

} // namespace laggard
