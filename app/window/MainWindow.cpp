// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MainWindow.h"

#include "analysis/verdict/Describe.h"
#include "app/window/Accessibility.h"
#include "app/window/AnalysisStatus.h"
#include "app/window/AttachJob.h"
#include "app/window/CorrectionJob.h"
#include "app/window/LoadJob.h"
#include "app/window/LoadingPage.h"
#include "app/window/MemoryBudget.h"
#include "app/window/PartDialog.h"
#include "app/window/Session.h"
#include "app/window/StartPage.h"
#include "app/window/Workspace.h"
#include "views/kit/Text.h"
#include "views/panels/VerdictPanel.h"
#include "views/source/SourceEditor.h"
#include "views/source/SourceView.h"
#include "views/timeline/TimelineWidget.h"

#include <QActionGroup>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTemporaryDir>

namespace laggard {
namespace {

constexpr int mostRecent = 10;
const QString recentKey = QStringLiteral("recent");
const QString layoutKey = QStringLiteral("layouts");
const QString unfoldedKey = QStringLiteral("verdictUnfolded");
const QString geometryKey = QStringLiteral("geometry");
constexpr int messageMilliseconds = 8000;

} // namespace

MainWindow::MainWindow(QWidget *parent) : QMainWindow(parent) {
    nameRolesOfPictures();
    setAcceptDrops(true);
    resize(1500, 950);
    m_pages = new QStackedWidget(this);
    m_start = new StartPage(m_pages);
    m_loading = new LoadingPage(m_pages);
    m_workspace = new Workspace(m_pages);
    m_pages->addWidget(m_start);
    m_pages->addWidget(m_loading);
    m_pages->addWidget(m_workspace);
    setCentralWidget(m_pages);
    m_analysisStatus = new AnalysisStatus(this);
    statusBar()->addPermanentWidget(m_analysisStatus);
    m_status = new QLabel(this);
    statusBar()->addPermanentWidget(m_status);
    buildMenus();
    buildToolbar();

    connect(m_start, &StartPage::openRequested, this, &MainWindow::askForFile);
    connect(m_start, &StartPage::openFolderRequested, this, &MainWindow::askForFolder);
    connect(m_start, &StartPage::fileChosen, this, [this](const QString &file) { open(file); });
    connect(m_loading, &LoadingPage::cancelRequested, this, &MainWindow::cancelLoading);
    connect(m_workspace, &Workspace::message, this,
            [this](const QString &text) { statusBar()->showMessage(text, messageMilliseconds); });

    connect(m_workspace, &Workspace::analysing, m_analysisStatus, &AnalysisStatus::showProgress);
    connect(m_workspace, &Workspace::analysesEnded, this, [this](const QString &error) {
        m_analysisStatus->hide();
        if (!error.isEmpty())
            statusBar()->showMessage(error, messageMilliseconds);
    });
    connect(m_analysisStatus, &AnalysisStatus::cancelRequested, m_workspace, &Workspace::cancelAnalyses);

    connect(m_workspace, &Workspace::replayRequested, this, &MainWindow::askToReplay);
    connect(&m_workspace->slice(), &SlicePanel::exportRequested, this, &MainWindow::askToExportSlice);

    const QSettings settings;
    restoreGeometry(settings.value(geometryKey).toByteArray());
    m_workspace->docks().restore(settings.value(layoutKey).toByteArray());
    m_workspace->verdict().setUnfolded(settings.value(unfoldedKey).toString() == QLatin1String("true"));
    connect(&m_workspace->verdict(), &VerdictPanel::unfoldedChanged, this, [](bool unfolded) {
        QSettings().setValue(unfoldedKey, unfolded ? QStringLiteral("true") : QStringLiteral("false"));
    });
    m_preferences = loadPreferences();
    applyPreferences();
    m_start->setExample(exampleFolder());
    fillRecent();
    showStart();
}

MainWindow::~MainWindow() = default;

QString MainWindow::exampleFolder() {
    const QDir program(QCoreApplication::applicationDirPath());
    for (const char *place : {"../share/laggard/examples/hung-stencil", "../../../resources/examples/hung-stencil"})
        if (program.exists(QLatin1String(place)))
            return QDir::cleanPath(program.absoluteFilePath(QLatin1String(place)));
    return {};
}

// --- opening --------------------------------------------------------------------------------------------------------

void MainWindow::open(const QString &path) { load(path, {}, memoryBudget()); }

void MainWindow::load(const QString &path, const OpenOptions &part, std::uint64_t budget) {
    delete m_question;
    if (m_job)
        m_job->cancel();
    const QString file = QFileInfo(path).absoluteFilePath();
    auto *job = new LoadJob(file, this);
    OpenOptions options = part;
    options.askDebugServers = m_preferences.askDebugServers;
    job->setPart(std::move(options));
    job->setBudget(budget);
    m_job = job;
    m_loading->setFile(file);
    m_pages->setCurrentWidget(m_loading);
    enableCommands();
    connect(job, &LoadJob::progressed, m_loading, &LoadingPage::setProgress);
    connect(job, &LoadJob::finished, this, [this, file](const DocumentPtr &document) {
        m_job.clear();
        take(document, file);
        emit loadingEnded({});
    });
    connect(job, &LoadJob::failed, this, [this](const QString &sentence) {
        m_job.clear();
        showError(sentence);
        emit loadingEnded(sentence);
    });
    connect(job, &LoadJob::exceedsBudget, this, [this, file, budget](const TraceOutline &outline) {
        m_job.clear();
        askForPart(file, outline, budget);
    });
    job->start();
}

void MainWindow::askForPart(const QString &file, const TraceOutline &outline, std::uint64_t budget) {
    auto *question = new PartDialog(file, outline, budget, physicalMemory(), this);
    m_question = question;
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QDialog::accepted, this, [this, question, file] {
        if (const auto part = question->options()) {
            m_question.clear(); // closes and deletes itself
            load(file, *part, 0);
        }
    });
    connect(question, &QDialog::rejected, this, [this] {
        showStart();
        statusBar()->showMessage(tr("Loading was cancelled"), messageMilliseconds);
        emit loadingEnded(tr("cancelled"));
    });
    question->open();
}

void MainWindow::attach(const QStringList &arguments, bool givesFolder) {
    cancelLoading();
    if (!m_attached || !m_attached->isValid()) // there may be room now
        m_attached = std::make_unique<QTemporaryDir>();
    if (!m_attached->isValid())
        return showError(tr("What is seen of the job cannot be written: %1.").arg(m_attached->errorString()));
    QString output;
    for (int number = 1; output.isEmpty() || QFileInfo::exists(output); ++number)
        output = m_attached->filePath(givesFolder ? tr("job-%1").arg(number) : tr("job-%1.json").arg(number));
    delete m_attachJob;
    m_attachJob = new AttachJob(arguments, output, this);
    m_loading->setFile(tr("A job that nobody recorded"));
    m_loading->setProgress(tr("Looking at its processes"), -1);
    m_pages->setCurrentWidget(m_loading);
    enableCommands();
    connect(m_attachJob, &AttachJob::finished, this, [this](const QString &file, const QString &notes) {
        m_attachJob->deleteLater();
        m_attachJob.clear();
        open(file);
        statusBar()->showMessage(notes.section('\n', 0, 0), messageMilliseconds);
    });
    connect(m_attachJob, &AttachJob::failed, this, [this](const QString &sentences) {
        m_attachJob->deleteLater();
        m_attachJob.clear();
        showError(sentences);
        emit loadingEnded(sentences);
    });
    m_attachJob->start();
}

void MainWindow::cancelLoading() {
    if (!isLoading())
        return;
    delete m_attachJob; // ends the program
    if (m_job)
        m_job->cancel();
    m_job.clear();
    showStart();
    statusBar()->showMessage(tr("Loading was cancelled"), messageMilliseconds);
    emit loadingEnded(tr("cancelled"));
}

void MainWindow::take(const DocumentPtr &document, const QString &path) {
    keepSession();
    m_correction->cancel();
    m_recorded.reset();
    m_withoutRecorder->setChecked(false);
    m_openPath = path;
    m_start->setError({});
    // While it is hidden its panels find their places once, not with every text that changes.
    m_workspace->setDocument(document);
    restoreKept();
    m_pages->setCurrentWidget(m_workspace);
    m_workspace->runAnalyses();
    remember(path);
    showTitle();
    enableCommands();
}

void MainWindow::showError(const QString &sentence) {
    m_start->setError(sentence);
    if (m_workspace->document()) {
        m_pages->setCurrentWidget(m_workspace);
        statusBar()->showMessage(sentence);
    } else {
        m_pages->setCurrentWidget(m_start);
    }
    enableCommands();
}

void MainWindow::showStart() {
    m_pages->setCurrentWidget(m_workspace->document() ? static_cast<QWidget *>(m_workspace) : m_start);
    if (!m_workspace->document())
        setWindowTitle(tr("Laggard"));
    enableCommands();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    event->acceptProposedAction();
    const QString file = event->mimeData()->urls().front().toLocalFile();
    if (event->modifiers().testFlag(Qt::ShiftModifier) && m_workspace->document())
        compareWith(file);
    else
        open(file);
}

// --- what is remembered -----------------------------------------------------------------------------------------------

void MainWindow::remember(const QString &path) {
    QSettings settings;
    QStringList files = settings.value(recentKey).toStringList();
    files.removeAll(path);
    files.prepend(path);
    settings.setValue(recentKey, QStringList(files.mid(0, mostRecent)));
    fillRecent();
}

void MainWindow::fillRecent() {
    const QStringList files = QSettings().value(recentKey).toStringList();
    m_start->setRecent(files);
    m_recentMenu->clear();
    for (const QString &file : files)
        m_recentMenu->addAction(QDir::toNativeSeparators(file).replace(QLatin1Char('&'), QStringLiteral("&&")), this,
                                [this, file] { open(file); });
    m_recentMenu->addSeparator();
    QAction *clear = m_recentMenu->addAction(tr("&Clear the list"), this, [this] {
        QSettings().remove(recentKey);
        fillRecent();
    });
    clear->setEnabled(!files.isEmpty());
}

void MainWindow::setPreferences(const Preferences &preferences) {
    m_preferences = preferences;
    savePreferences(preferences);
    applyPreferences();
}

void MainWindow::applyPreferences() {
    showAppearance(m_preferences.appearance);
    m_workspace->setCallLines(m_preferences.callLines);
    m_workspace->source().editor()->setFontPoints(m_preferences.sourcePoints);
}

void MainWindow::showAppearance(Appearance appearance) {
    for (QAction *action : m_appearances->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(appearance));
    applyAppearance(appearance);
}

void MainWindow::restoreKept() {
    // Without a session of its own a trace starts bare: nothing of the trace before may stay.
    Session session;
    if (const QString file = defaultSessionFile(m_openPath); QFileInfo::exists(file)) {
        QString error;
        if (auto kept = loadSession(file, &error))
            session = *std::move(kept);
        if (!error.isEmpty())
            statusBar()->showMessage(error, messageMilliseconds);
    }
    m_workspace->restoreFrom(session);
    m_workspace->uncoverLeastProgressed();
}

void MainWindow::keepSession() {
    if (!m_workspace->document())
        return;
    Session session;
    session.trace = m_openPath;
    m_workspace->storeIn(session);
    QString error;
    if (!saveSession(session, defaultSessionFile(m_openPath), &error))
        statusBar()->showMessage(error, messageMilliseconds);
}

bool MainWindow::saveSessionTo(const QString &file, QString *error) {
    Session session;
    session.trace = m_openPath;
    session.windowGeometry = saveGeometry();
    session.windowState = m_workspace->docks().save();
    m_workspace->storeIn(session);
    return saveSession(session, file, error);
}

bool MainWindow::openSession(const QString &file, QString *error) {
    const std::optional<Session> session = loadSession(file, error);
    if (!session)
        return false;
    const auto apply = [this, session = *session, warning = *error] {
        restoreGeometry(session.windowGeometry);
        m_workspace->docks().restore(session.windowState);
        m_workspace->restoreFrom(session);
        if (!warning.isEmpty())
            statusBar()->showMessage(warning, messageMilliseconds);
    };
    if (m_workspace->document() && session->trace == m_openPath) {
        apply();
        return true;
    }
    open(session->trace);
    connect( // whichever job it is: a part of a large trace is read by another one
        this, &MainWindow::loadingEnded, this,
        [this, apply, trace = session->trace](const QString &failure) {
            if (failure.isEmpty() && m_openPath == trace)
                apply();
        },
        Qt::SingleShotConnection);
    return true;
}

void MainWindow::closeEvent(QCloseEvent *event) {
    keepSession();
    QSettings settings;
    settings.setValue(geometryKey, saveGeometry());
    if (m_workspace->docks().wasShown())
        settings.setValue(layoutKey, m_workspace->docks().save());
    event->accept();
}

} // namespace laggard
