// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/selection/Selection.h"

#include <QTreeView>

#include <vector>

namespace laggard {

/// How a click with these keys held meets the selection: Ctrl adds, Shift extends, otherwise it replaces.
[[nodiscard]] SelectMode selectMode(Qt::KeyboardModifiers modifiers);

/// The list, table or tree of a panel: rows are chosen by click, Enter or Space; Ctrl+C copies the marked rows as text, the
/// context menu copies and exports all of them.
class ItemView : public QTreeView {
    Q_OBJECT

  public:
    /// `what` names the view to screen readers and, in lower case, its CSV file ("findings").
    explicit ItemView(const QString &what, QWidget *parent = nullptr);

    /// The marked rows as text, or all rows when none is marked.
    [[nodiscard]] QString selectedText() const;
    /// Every row of the model, also those that a filter of the view hides.
    [[nodiscard]] QByteArray csv() const;

    /// Columns as wide as their contents, at most `widest` characters; column `wide` takes what is left. Where there is less room
    /// than that, the widest give way, numbers never; where all would be too narrow to read, the view scrolls. Widths follow the
    /// size of the view until the user changes one.
    void fitColumns(int wide, int widest = 40);

    /// Marks `rows` and scrolls to the first, without choosing them.
    void mark(const QModelIndexList &rows);

    /// A sentence that stands in the view while it has no rows.
    void setEmptyText(const QString &text);

    /// Actions that the context menu shows above its own.
    void setRowActions(const QList<QAction *> &actions) { m_rowActions = actions; }

  public slots:
    void copy() const;
    /// Asks for a file and writes `csv()` to it. An error is told.
    void exportCsv();

  signals:
    void chosen(const QModelIndex &index, laggard::SelectMode mode);

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void reset() override;
    void dataChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight, const QList<int> &roles = {}) override;
    void rowsInserted(const QModelIndex &parent, int start, int end) override;

  private:
    void shareWidth();
    void measureAnew();
    [[nodiscard]] std::vector<int> sharedWidths() const;
    [[nodiscard]] int headerWidth(int column) const;

    int m_wideColumn = -1;      ///< none
    int m_widest = 40;          ///< characters of the other columns
    std::vector<int> m_content; ///< by column, width of its texts; empty: to be measured
    bool m_isSharing = false;
    bool m_isUserSized = false;
    QList<QAction *> m_rowActions;
    QString m_emptyText;
};

} // namespace laggard
