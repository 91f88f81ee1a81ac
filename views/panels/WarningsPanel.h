// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/WarningsModel.h"
#include "views/selection/Selection.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace laggard {

class ItemView;
class SelectionModel;

/// Everything in the input that was not as it should be, searchable; below the list the current one in full. Choosing a warning
/// selects its rank.
class WarningsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit WarningsPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Null: nothing is loaded.
    void setTrace(TracePtr trace);

    [[nodiscard]] ItemView *view() const { return m_view; }
    /// What stands below the list.
    [[nodiscard]] QString detail() const;
    [[nodiscard]] QByteArray csv() const;

  private:
    void showDetail();
    void choose(const QModelIndex &index, SelectMode mode);

    SelectionModel &m_selection;
    WarningsModel m_model;
    QSortFilterProxyModel m_sorted;
    QLineEdit *m_filter;
    ItemView *m_view;
    QLabel *m_detail;
};

} // namespace laggard
