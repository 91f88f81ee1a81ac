// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/ShortcutsModel.h"

#include <QDialog>
#include <QSortFilterProxyModel>

class QLineEdit;

namespace laggard {

class ItemView;

/// All keys, by group and searchable by what they do or by the key.
class ShortcutsDialog : public QDialog {
    Q_OBJECT

  public:
    explicit ShortcutsDialog(const std::vector<ShortcutGroup> &groups, QWidget *parent = nullptr);

    [[nodiscard]] ItemView *view() const { return m_view; }
    [[nodiscard]] QLineEdit *search() const { return m_search; }

  private:
    ShortcutsModel m_model;
    QSortFilterProxyModel m_found;
    ItemView *m_view;
    QLineEdit *m_search;
};

} // namespace laggard
