// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/ShortcutsModel.h"

#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <QAction>
#include <QFont>

namespace laggard {
namespace {

QString plainName(const QAction &action) {
    QString text = action.text();
    return text.replace("&&", QChar(1)).remove('&').replace(QChar(1), '&');
}

QString keysOf(const QAction &action) {
    QStringList keys;
    for (const QKeySequence &sequence : action.shortcuts())
        keys << sequence.toString(QKeySequence::NativeText);
    return keys.join(", ");
}

} // namespace

void ShortcutsModel::setGroups(const std::vector<ShortcutGroup> &groups) {
    beginResetModel();
    m_groups.clear();
    for (const ShortcutGroup &group : groups) {
        Group shown{group.title, {}};
        for (const QAction *action : group.actions)
            if (!action->isSeparator() && !action->text().isEmpty())
                shown.rows.push_back({plainName(*action), keysOf(*action), action->toolTip()});
        for (const auto &[what, keys] : group.others)
            shown.rows.push_back({what, keys, what});
        if (!shown.rows.empty())
            m_groups.push_back(std::move(shown));
    }
    endResetModel();
}

QModelIndex ShortcutsModel::index(int row, int column, const QModelIndex &parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    // Internal ids: 0 a group, 1 + n the actions of group n.
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex ShortcutsModel::parent(const QModelIndex &index) const {
    if (!index.isValid() || index.internalId() == 0)
        return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, quintptr{0});
}

int ShortcutsModel::rowCount(const QModelIndex &parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    if (parent.internalId() != 0 || parent.column() > 0)
        return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].rows.size());
}

int ShortcutsModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant ShortcutsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    if (index.internalId() == 0) {
        if (role == Qt::FontRole) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return role == Qt::DisplayRole && index.column() == Action
                   ? QVariant(m_groups[static_cast<std::size_t>(index.row())].title)
                   : QVariant();
    }
    const Row &row = m_groups[index.internalId() - 1].rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::ToolTipRole)
        return toolTipText(row.toolTip);
    if (role != Qt::DisplayRole)
        return {};
    return index.column() == Action ? row.action : row.keys;
}

QVariant ShortcutsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Action")},
        {QT_TR_NOOP("Keys")},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
