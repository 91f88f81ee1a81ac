// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/LoadJob.h"
#include "app/window/MainWindow.h"
#include "app/window/Workspace.h"
#include "views/kit/ItemView.h"
#include "views/panels/FindingsPanel.h"
#include "views/panels/StackPanel.h"
#include "views/panels/VerdictPanel.h"
#include "views/pdg/PdgView.h"
#include "views/source/SourceEditor.h"
#include "views/source/SourceView.h"
#include "views/timeline/TimelineWidget.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QDir>
#include <QDirIterator>
#include <QDockWidget>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace laggard::test {

constexpr int longEnough = 60'000; // milliseconds: what does not happen by then never does

/// What a user of the program starts with: no settings, no sessions. Lives as long as a test function.
struct Home {
    QTemporaryDir folder;
    Home() {
        QStandardPaths::setTestModeEnabled(true);
        QApplication::setApplicationName("laggard-test-window");
        QApplication::setOrganizationName("laggard-test");
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
        QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
        qputenv("LAGGARD_LAYOUT", LAGGARD_LAYOUT_PROGRAM);
        applyAppearance(Appearance::Light);
    }
    ~Home() { QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively(); }
};

inline QString example() { return QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil/traces.otf2"); }

/// A copy of the example that a test may damage.
inline QString copyOfExample(const QTemporaryDir &folder) {
    const QDir from(QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil"));
    const QDir to(folder.path());
    QDirIterator files(from.path(), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        const QString target = to.filePath(from.relativeFilePath(file));
        QDir().mkpath(QFileInfo(target).path());
        QFile::copy(file, target);
        QFile::setPermissions(target, QFile::ReadOwner | QFile::WriteOwner);
    }
    return to.filePath("traces.otf2");
}

/// Three ranks, of which 0 and 1 wait in MPI_Barrier for rank 2. The file's name is returned, or nothing if it cannot be written.
inline QString writeModelDump(const QTemporaryDir &folder) {
    QFile dump(folder.filePath("job.json"));
    if (!dump.open(QIODevice::WriteOnly))
        return {};
    dump.write(R"({"schema":"laggard.model/1","job":{"ranks":3,"ticks":10},
            "functions":[{"name":"solve","file":"s.c","line":7},{"name":"MPI_Barrier","mpi":true}],"call_paths":[[null,0],[0,1]],
            "states":[{"kind":"start"},{"kind":"communication","call_path":1},{"kind":"computation","call_path":1}],
            "models":[{"ranks":"0-2","transitions":[[0,1,1],[1,2,1],[2,1,1]]}],
            "tasks":[{"ranks":"0-1","state":1},{"ranks":"2","state":2}],"communicators":[{"name":"MPI_COMM_WORLD"}],"world":0,
            "waits":{"ticks":10,"activities":[{"ranks":"0-1","doing":"collective","call_path":1,"mpi_call_path":1},
            {"ranks":"2","doing":"computing","call_path":0}],"since_ticks":[5,5,4],
            "open_calls":[{"ranks":"0-1","known":"recorded","confidence":1,"collective":{"operation":"Barrier","communicator":0}}],
            "collectives":[{"ranks":"0-2","counts":[[0,1,1]]}]}})");
    return dump.fileName();
}

/// Names and sizes of all files of a folder.
inline QStringList listing(const QString &folder) {
    QStringList names;
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        names << file + ' ' + QString::number(QFileInfo(file).size());
    }
    names.sort();
    return names;
}

/// A window on the screen.
struct FixtureWindow {
    MainWindow main;

    explicit FixtureWindow(QSize size = {1500, 950}) {
        main.resize(size);
        main.show();
        (void)QTest::qWaitForWindowExposed(&main);
        main.activateWindow(); // a display server refuses it before the window is there
        (void)QTest::qWaitForWindowActive(&main);
    }
    Workspace &workspace() { return main.workspace(); }
    const Selection &selection() { return main.workspace().selection().current(); }
    const Trace &trace() { return *main.workspace().document()->report->trace; }
    TimelineWidget &timeline() { return main.workspace().timeline(); }
    PdgView &graph() { return main.workspace().graph(); }

    /// Opens and waits until the graph has been laid out too. What went wrong is returned.
    QString open(const QString &file) {
        QSignalSpy ended(&main, &MainWindow::loadingEnded);
        main.open(file);
        return waitForEnd(ended);
    }
    QString waitForEnd(QSignalSpy &ended) {
        if (ended.isEmpty() && !ended.wait(longEnough))
            return "loading did not end";
        const QString error = ended.front().front().toString();
        if (error.isEmpty() && !workspace().document()->report->progress.nodes.empty())
            (void)QTest::qWaitFor([this] { return graph().scene() != nullptr || !graph().error().isEmpty(); }, longEnough);
        return error;
    }
    /// The node of the graph that this rank is in.
    std::uint32_t nodeOf(Rank rank) {
        const auto &nodes = workspace().document()->report->progress.nodes;
        for (std::uint32_t id = 0; id < nodes.size(); ++id)
            if (std::find(nodes[id].ranks.begin(), nodes[id].ranks.end(), rank) != nodes[id].ranks.end())
                return id;
        return none;
    }
    QPoint middleOfNode(std::uint32_t node) { return graph().nodeRect(node).center().toPoint(); }
    QAction *command(const QString &text) {
        for (QAction *action : main.commands())
            if (action->text().remove('&') == text)
                return action;
        return nullptr;
    }
    /// Presses a key where the focus is, as a user does.
    void key(Qt::Key which, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget *focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : &main, which, modifiers);
    }
};

/// All texts of a list, depth first, the columns of a row with " | " between them.
inline QStringList rowsOf(const QAbstractItemModel &model, const QModelIndex &parent = {}) {
    QStringList rows;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(parent); ++column)
            cells << model.index(row, column, parent).data().toString();
        rows << cells.join(" | ") << rowsOf(model, model.index(row, 0, parent));
    }
    return rows;
}

/// All text that the labels of a widget show.
inline QString shownText(const QWidget &widget) {
    QStringList texts;
    for (const QLabel *label : widget.findChildren<QLabel *>())
        if (!label->isHidden())
            texts << label->text();
    return texts.join('\n');
}

} // namespace laggard::test
