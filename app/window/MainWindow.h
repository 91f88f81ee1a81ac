// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Document.h"
#include "app/window/Preferences.h"
#include "ingest/MemoryEstimate.h"
#include "views/panels/CommandPalette.h"

#include <QMainWindow>
#include <QPointer>

#include <memory>
#include <vector>

class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;
class QStackedWidget;
class QTemporaryDir;

namespace laggard {

struct Race;
struct RacingMessage;
class AnalysisStatus;
class LoadingPage;
class MomentBar;
class PartDialog;
class AttachJob;
class CorrectionJob;
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
    void open(const QString &path);
    void cancelLoading();
    /// Shows another run of the same program below the one that is open. Nothing without a trace.
    void compareWith(const QString &path);
    /// Shows all times without the recorder's own, or as recorded again. Takes a while in a thread; `correctionEnded` tells.
    void showWithoutRecorder(bool without);
    /// As recorded while the others are being made.
    [[nodiscard]] bool isWithoutRecorder() const;
    [[nodiscard]] bool isLoading() const { return !m_job.isNull() || !m_attachJob.isNull(); }
    [[nodiscard]] Workspace &workspace() { return *m_workspace; }
    [[nodiscard]] MomentBar &moments() { return *m_moments; }
    /// Changes what holds for all traces, now and for the next start.
    void setPreferences(const Preferences &preferences);
    [[nodiscard]] const Preferences &preferences() const { return m_preferences; }
    /// Changes the colours for this time only.
    void showAppearance(Appearance appearance);

    /// Looks at a job by laggard-attach, called with `arguments`, and opens what it has found; `givesFolder`: that is a folder.
    void attach(const QStringList &arguments, bool givesFolder);
    /// Writes layout, notes, filters, colours and source folders. False, with a sentence in `error`, if that was not possible.
    [[nodiscard]] bool saveSessionTo(const QString &file, QString *error);
    /// Restores what `saveSessionTo` wrote, after loading the session's trace if another one is open. False, with a sentence in
    /// `error`, if the file cannot be read.
    [[nodiscard]] bool openSession(const QString &file, QString *error);

    /// All commands of the menus, for the palette and the list of keys.
    [[nodiscard]] QList<QAction *> commands() const;

    /// Where the example that comes with the program lies; empty if it is not there.
    [[nodiscard]] static QString exampleFolder();

  signals:
    /// A trace is shown, or could not be opened (`error` is then a sentence), or loading was cancelled.
    void loadingEnded(const QString &error);
    /// Times are as was asked for (`error` is empty), or as recorded, and `error` says why.
    void correctionEnded(const QString &error);

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
    void addComparisonCommands(QMenu *menu);
    void addTimesCommand(QMenu *menu);
    /// The same run with other times: what the user has set up stays.
    void exchangeDocument(const DocumentPtr &document);
    void endCorrection(const QString &error);
    void showTitle();
    void askToReplay(const Race &race, const RacingMessage &message);
    void askToCompare();
    void buildEditMenu();
    void buildViewMenu();
    void buildGoMenu();
    void buildAnalysisMenu();
    void buildHelpMenu();
    void buildToolbar();
    void buildLayoutMenu(QMenu *view);
    void buildPanelMenu(QMenu *view);
    void buildPanelGoMenu(QMenu *go);
    void showMoments();
    [[nodiscard]] QDockWidget *focusedDock() const;
    void enableCommands();
    void fillRecent();
    void remember(const QString &path);
    /// `budget`: bytes of memory that may be used without asking; 0: any.
    void load(const QString &path, const OpenOptions &part, std::uint64_t budget);
    void askForPart(const QString &file, const TraceOutline &outline, std::uint64_t budget);
    void take(const DocumentPtr &document, const QString &path);
    void showError(const QString &sentence);
    void showStart();
    void askForFile();
    void askForFolder();
    void askToAttach();
    void askToExportGraph();
    void askToExportTimeline();
    void askToExportReport();
    void askToExportSlice();
    void askToExportFocused();
    void askForReferences();
    void askForCallModel();
    void askToSaveSession();
    void askForSession();
    void restoreKept();
    void keepSession();
    void find();
    void goTo();
    void showPalette(const QString &hint, PaletteSource source);
    void showCommands();
    void showKeys();
    void showAbout();
    void showPreferences();
    void applyPreferences();

    Preferences m_preferences;
    QActionGroup *m_appearances = nullptr;
    QStackedWidget *m_pages;
    StartPage *m_start;
    LoadingPage *m_loading;
    Workspace *m_workspace;
    QMenu *m_recentMenu = nullptr;
    QLabel *m_status;
    AnalysisStatus *m_analysisStatus;
    QPointer<LoadJob> m_job;
    QPointer<AttachJob> m_attachJob;
    CorrectionJob *m_correction = nullptr;
    DocumentPtr m_recorded; ///< while times are without the recorder's: the trace as it was read
    QAction *m_withoutRecorder = nullptr;
    std::unique_ptr<QTemporaryDir> m_attached; ///< what jobs were seen to do, until it is saved
    QPointer<PartDialog> m_question;           ///< which part of a large trace to read
    QString m_openPath;
    /// Commands that are on the toolbar as well.
    struct ToolCommands {
        QAction *open, *back, *forward, *leastProgressed, *zoomIn, *zoomOut, *zoomAll, *filter, *exportFocused;
    };
    ToolCommands m_tools{};
    QList<QAction *> m_layouts; ///< by question
    MomentBar *m_moments = nullptr;
    std::vector<QAction *> m_traceCommands; ///< enabled only while a trace is open
};

} // namespace laggard
