// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QByteArray>

#include <functional>

namespace laggard {

/// Roles that the models of panels have beside Qt's.
enum ItemRole {
    SortRole = Qt::UserRole, ///< numbers as numbers
    ExportRole, ///< what goes into a CSV file where it differs from what is shown: full numbers, in the header the unit
};

/// A model as comma separated values (RFC 4180, UTF-8, lines end with "\n"): header first, all rows, children below their
/// parents.
[[nodiscard]] QByteArray toCsv(const QAbstractItemModel &model);

/// The shown text of whole rows, columns separated by tabs; children are indented by two spaces. Columns for which `isHidden` is
/// true are left out.
[[nodiscard]] QString toPlainText(const QAbstractItemModel &model, const QModelIndexList &rows,
                                  const std::function<bool(int column)> &isHidden = {});

/// All rows of a model, children below their parents (first column).
[[nodiscard]] QModelIndexList allRows(const QAbstractItemModel &model);

} // namespace laggard
