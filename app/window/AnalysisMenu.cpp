// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of the analyses that compare ranks, phases and runs.
#include "app/window/MainWindow.h"
#include "app/window/ReferencesDialog.h"
#include "app/window/Workspace.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

namespace laggard {

void MainWindow::buildAnalysisMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&Analysis"));
    needsTrace(addCommand(menu, tr("Compare &with …"), {}, tr("Choose reference traces: runs of the same program that were well"),
                          [this] { askForReferences(); }));
    needsTrace(addCommand(menu, tr("Compare with &a call model …"), {},
                          tr("Choose what normal runs of a daemon or service call (laggard-analyze --train)"),
                          [this] { askForCallModel(); }));
    const auto addChoices = [&](const QString &title, const auto &texts, auto set, auto get) {
        QMenu *choices = menu->addMenu(title);
        auto *group = new QActionGroup(this);
        for (const auto &[text, value] : texts) {
            QAction *action = group->addAction(needsTrace(choices->addAction(text)));
            action->setCheckable(true);
            connect(action, &QAction::triggered, this, [this, set, value = value] {
                Comparison changed = m_workspace->comparison();
                set(changed, value);
                m_workspace->compare(changed);
            });
            connect(choices, &QMenu::aboutToShow, action,
                    [this, action, get, value = value] { action->setChecked(get(m_workspace->comparison()) == value); });
        }
    };
    using By = ProfileOptions::By;
    using Measure = ProfileOptions::Measure;
    addChoices(
        tr("&Profiles of ranks"),
        std::initializer_list<std::pair<QString, By>>{{tr("By call &path"), By::CallPath}, {tr("By &function"), By::Function}},
        [](Comparison &c, By by) { c.by = by; }, [](const Comparison &c) { return c.by; });
    addChoices(
        tr("They &measure"),
        std::initializer_list<std::pair<QString, Measure>>{{tr("&Time"), Measure::Time},
                                                           {tr("&Coverage: called or not"), Measure::Coverage}},
        [](Comparison &c, Measure measure) { c.measure = measure; }, [](const Comparison &c) { return c.measure; });
    menu->addSeparator();
    needsTrace(addCommand(menu, tr("Rac&es"), {}, tr("Calls that could have taken another message, and replays in that order"),
                          [this] { m_workspace->showRaces(); }));
    needsTrace(addCommand(menu, tr("&Run again"), {}, tr("Compare ranks, phases and runs anew"),
                          [this] { m_workspace->runAnalyses(); }));
    QAction *cancel =
        needsTrace(addCommand(menu, tr("&Cancel the analyses"), {}, tr("End those that are running beside the window"),
                              [this] { m_workspace->cancelAnalyses(); }));
    connect(menu, &QMenu::aboutToShow, cancel,
            [this, cancel] { cancel->setEnabled(m_workspace->document() && m_workspace->isAnalysing()); });
}

void MainWindow::askForReferences() {
    auto *dialog = new ReferencesDialog(m_workspace->comparison().references, QFileInfo(m_openPath).absolutePath(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        Comparison changed = m_workspace->comparison();
        changed.references = dialog->references();
        m_workspace->compare(changed);
    });
    dialog->open();
}

void MainWindow::askForCallModel() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Compare with a call model"), QFileInfo(m_openPath).absolutePath(),
                                                      tr("Call models (*.json);;All files (*)"));
    if (file.isEmpty())
        return;
    Comparison changed = m_workspace->comparison();
    changed.callModel = file;
    m_workspace->compare(changed);
    m_workspace->showUnits();
}

} // namespace laggard
