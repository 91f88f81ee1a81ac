// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/source/PathMap.h"

#include <QDialog>

class QListWidget;
class QTableWidget;

namespace laggard {

/// Edits where source files are looked for: rules from build folders to folders here, and folders to search.
class PathMapDialog : public QDialog {
    Q_OBJECT

  public:
    /// `recorded`, if not empty, is a file that is looked for: a new rule begins with its folder.
    PathMapDialog(const PathMap &map, const QString &recorded, QWidget *parent = nullptr);

    /// The map as edited.
    [[nodiscard]] PathMap result() const;

  private:
    void addRule(const PathMap::Rule &rule);
    QLayout *rulePart(const QString &recorded);
    QLayout *folderPart();

    PathMap m_map;
    QTableWidget *m_rules;
    QListWidget *m_folders;
};

} // namespace laggard
