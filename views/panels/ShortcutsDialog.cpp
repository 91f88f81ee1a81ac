// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/ShortcutsDialog.h"

#include "views/kit/ItemView.h"
#include "views/panels/FilterEdit.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace laggard {

ShortcutsDialog::ShortcutsDialog(const std::vector<ShortcutGroup> &groups, QWidget *parent)
    : QDialog(parent), m_view(new ItemView(tr("Keys"))) {
    setWindowTitle(tr("Keys"));
    m_search = new FilterEdit(tr("Search actions and keys"), *m_view);
    m_model.setGroups(groups);
    m_found.setSourceModel(&m_model);
    m_found.setRecursiveFilteringEnabled(true);
    m_found.setFilterKeyColumn(-1);
    m_found.setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(&m_found);
    m_view->setEmptyText(tr("No action has this name or key."));
    m_view->setRootIsDecorated(false);
    m_view->expandAll();
    m_view->fitColumns(ShortcutsModel::Action);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_search);
    layout->addWidget(m_view, 1);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 95, fontMetrics().height() * 44);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_found.setFilterFixedString(text);
        m_view->expandAll();
    });
    m_search->setFocus();
}

} // namespace laggard
