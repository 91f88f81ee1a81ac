// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QByteArray>

#include <functional>
#include <span>

namespace laggard {

/// Roles that the models of panels have beside Qt's.
enum ItemRole {
    SortRole = Qt::UserRole, ///< numbers as numbers
    ExportRole, ///< what goes into a CSV file where it differs from what is shown: full numbers, in the header the unit
    ElideRole,  ///< a Qt::TextElideMode, where it is not the end that can best be done without
};

/// What heads a column.
struct ColumnText {
    const char *name;               ///< marked with QT_TR_NOOP
    const char *meaning = nullptr;  ///< tooltip, marked likewise; also read to those who do not see, where there is no name
    const char *exported = nullptr; ///< in a CSV file, with the unit, where it differs from the name
    bool isNumber = false;          ///< stands on the right
};

/// What `headerData` of a model with these columns answers.
[[nodiscard]] QVariant columnHeader(const QAbstractItemModel &model, std::span<const ColumnText> columns, int section,
                                    Qt::Orientation orientation, int role);

/// A model as comma separated values (RFC 4180, UTF-8, lines end with "\n"): header first, all rows, children below their
/// parents. An apostrophe stands before text that a spreadsheet would compute.
[[nodiscard]] QByteArray toCsv(const QAbstractItemModel &model);

/// The shown text of whole rows, columns separated by tabs, which spreadsheets take from the clipboard: text that they would
/// compute has an apostrophe here, too. Children are indented by two spaces. Columns for which `isHidden` is true are left out.
[[nodiscard]] QString toPlainText(const QAbstractItemModel &model, const QModelIndexList &rows,
                                  const std::function<bool(int column)> &isHidden = {});

/// All rows of a model, children below their parents (first column).
[[nodiscard]] QModelIndexList allRows(const QAbstractItemModel &model);

} // namespace laggard
