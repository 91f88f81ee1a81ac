// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/ReferencesDialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace laggard {

ReferencesDialog::ReferencesDialog(const QStringList &references, const QString &startFolder, QWidget *parent)
    : QDialog(parent), m_folder(startFolder), m_list(new QListWidget(this)), m_remove(new QPushButton(tr("&Remove"), this)) {
    setWindowTitle(tr("Compare with"));
    auto *text = new QLabel(tr("Traces of the same program in which nothing was wrong. What these runs do as well is no reason "
                               "for suspicion, and phases are compared with their counterparts in them."),
                            this);
    text->setWordWrap(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setAccessibleName(tr("Reference traces"));
    auto *addFiles = new QPushButton(tr("Add &files …"), this);
    auto *addFolder = new QPushButton(tr("Add a f&older …"), this);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Co&mpare"));
    auto *side = new QVBoxLayout;
    for (QPushButton *button : {addFiles, addFolder, m_remove})
        side->addWidget(button);
    side->addStretch(1);
    auto *row = new QHBoxLayout;
    row->addWidget(m_list, 1);
    row->addLayout(side);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addLayout(row, 1);
    layout->addWidget(buttons);
    resize(620, 320);

    connect(addFiles, &QPushButton::clicked, this, [this] {
        add(QFileDialog::getOpenFileNames(this, tr("Reference traces"), m_folder,
                                          tr("OTF2 anchor files (*.otf2);;All files (*)")));
    });
    connect(addFolder, &QPushButton::clicked, this, [this] {
        if (const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder with a trace"), m_folder);
            !folder.isEmpty())
            add({folder});
    });
    connect(m_remove, &QPushButton::clicked, this, &ReferencesDialog::removeSelected);
    connect(new QShortcut(QKeySequence::Delete, m_list, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this,
            &ReferencesDialog::removeSelected);
    connect(m_list, &QListWidget::itemSelectionChanged, this,
            [this] { m_remove->setEnabled(!m_list->selectedItems().isEmpty()); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_remove->setEnabled(false);
    add(references);
}

QStringList ReferencesDialog::references() const {
    QStringList paths;
    for (int row = 0; row < m_list->count(); ++row)
        paths << m_list->item(row)->data(Qt::UserRole).toString();
    return paths;
}

void ReferencesDialog::add(const QStringList &paths) {
    for (const QString &path : paths) {
        const QString absolute = QFileInfo(path).absoluteFilePath();
        if (references().contains(absolute))
            continue;
        auto *item = new QListWidgetItem(QDir::toNativeSeparators(absolute), m_list);
        item->setData(Qt::UserRole, absolute);
        m_folder = QFileInfo(absolute).absolutePath();
    }
}

void ReferencesDialog::removeSelected() { qDeleteAll(m_list->selectedItems()); }

} // namespace laggard
