// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/PathMapDialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace laggard {
namespace {

QPushButton *addButton(QBoxLayout *column, const QString &text) {
    auto *button = new QPushButton(text);
    button->setAutoDefault(false);
    column->addWidget(button);
    return button;
}

QLabel *titled(const QString &text, QWidget *buddy) {
    auto *label = new QLabel(text);
    label->setWordWrap(true);
    label->setBuddy(buddy);
    return label;
}

} // namespace

PathMapDialog::PathMapDialog(const PathMap &map, const QString &recorded, QWidget *parent)
    : QDialog(parent), m_map(map), m_rules(new QTableWidget(0, 2)), m_folders(new QListWidget) {
    setWindowTitle(tr("Where source files are"));
    m_rules->setHorizontalHeaderLabels({tr("Built in"), tr("Is here")});
    m_rules->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_rules->verticalHeader()->hide();
    m_rules->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_rules->setTabKeyNavigation(false);
    m_rules->setAccessibleName(tr("Path mappings"));
    m_folders->setAccessibleName(tr("Folders to search"));
    for (const PathMap::Rule &rule : map.rules())
        addRule(rule);
    m_folders->addItems(map.folders());

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(
        titled(tr("&Paths that begin as on the left begin as on the right; the longest that fits is taken:"), m_rules));
    layout->addLayout(rulePart(recorded), 3);
    layout->addWidget(titled(tr("&Folders that are searched besides the one of the trace:"), m_folders));
    layout->addLayout(folderPart(), 2);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 26);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (!recorded.isEmpty() && !map.mapped(recorded)) {
        addRule({QFileInfo(recorded).path(), {}});
        m_rules->setCurrentCell(m_rules->rowCount() - 1, 1);
    }
}

QLayout *PathMapDialog::rulePart(const QString &recorded) {
    auto *column = new QVBoxLayout;
    const QPushButton *add = addButton(column, tr("&Add"));
    const QPushButton *browse = addButton(column, tr("&Browse…"));
    const QPushButton *remove = addButton(column, tr("&Remove"));
    column->addStretch();
    connect(add, &QPushButton::clicked, this, [this, recorded] {
        addRule({recorded.isEmpty() ? QString() : QFileInfo(recorded).path(), {}});
        m_rules->setCurrentCell(m_rules->rowCount() - 1, 0);
        m_rules->editItem(m_rules->currentItem());
    });
    connect(browse, &QPushButton::clicked, this, [this] {
        const int row = m_rules->currentRow();
        const QString folder = row < 0 ? QString() : QFileDialog::getExistingDirectory(this, tr("Folder with the sources"));
        if (!folder.isEmpty())
            m_rules->item(row, 1)->setText(folder);
    });
    connect(remove, &QPushButton::clicked, this, [this] { m_rules->removeRow(m_rules->currentRow()); });
    auto *row = new QHBoxLayout;
    row->addWidget(m_rules, 1);
    row->addLayout(column);
    return row;
}

QLayout *PathMapDialog::folderPart() {
    auto *column = new QVBoxLayout;
    const QPushButton *add = addButton(column, tr("A&dd folder…"));
    const QPushButton *remove = addButton(column, tr("R&emove folder"));
    column->addStretch();
    connect(add, &QPushButton::clicked, this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder to search for sources"));
        if (!folder.isEmpty())
            m_folders->addItem(folder);
    });
    connect(remove, &QPushButton::clicked, this, [this] { delete m_folders->currentItem(); });
    auto *row = new QHBoxLayout;
    row->addWidget(m_folders, 1);
    row->addLayout(column);
    return row;
}

void PathMapDialog::addRule(const PathMap::Rule &rule) {
    const int row = m_rules->rowCount();
    m_rules->insertRow(row);
    m_rules->setItem(row, 0, new QTableWidgetItem(rule.from));
    m_rules->setItem(row, 1, new QTableWidgetItem(rule.to));
}

PathMap PathMapDialog::result() const {
    PathMap edited = m_map;
    std::vector<PathMap::Rule> rules;
    for (int row = 0; row < m_rules->rowCount(); ++row)
        rules.push_back({m_rules->item(row, 0)->text(), m_rules->item(row, 1)->text()});
    edited.setRules(rules);
    edited.setFolders({});
    for (int row = 0; row < m_folders->count(); ++row)
        edited.addFolder(m_folders->item(row)->text());
    return edited;
}

} // namespace laggard
