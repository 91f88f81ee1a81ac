// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QString>

#include <vector>

class QAction;

namespace laggard {

/// Actions that belong together, in their order.
struct ShortcutGroup {
    QString title;
    QList<QAction *> actions;
    /// Keys that no action stands for: {what they do, "W / S"}.
    std::vector<std::pair<QString, QString>> others = {};
};

/// All actions and their keys, by group. What it shows is copied: it may outlive the actions.
class ShortcutsModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { Action, Keys, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    void setGroups(const std::vector<ShortcutGroup> &groups);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    struct Row {
        QString action;
        QString keys;
        QString toolTip;
    };
    struct Group {
        QString title;
        std::vector<Row> rows;
    };
    std::vector<Group> m_groups;
};

} // namespace laggard
