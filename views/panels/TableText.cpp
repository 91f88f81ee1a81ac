// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/TableText.h"

#include <QStringList>

namespace laggard {
namespace {

void collectRows(const QAbstractItemModel &model, const QModelIndex &parent, QModelIndexList &rows) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        rows.append(model.index(row, 0, parent));
        collectRows(model, rows.last(), rows);
    }
}

QString quoted(QString value) {
    if (!value.contains(',') && !value.contains('"') && !value.contains('\n') && !value.contains('\r'))
        return value;
    return '"' + value.replace('"', "\"\"") + '"';
}

QString exported(const QVariant &precise, const QVariant &shown) {
    const QVariant &value = precise.isValid() ? precise : shown;
    if (value.typeId() == QMetaType::Double)
        return QString::number(value.toDouble(), 'g', 15);
    return value.toString();
}

int depth(QModelIndex index) {
    int depth = 0;
    for (index = index.parent(); index.isValid(); index = index.parent())
        ++depth;
    return depth;
}

} // namespace

QModelIndexList allRows(const QAbstractItemModel &model) {
    QModelIndexList rows;
    collectRows(model, {}, rows);
    return rows;
}

QByteArray toCsv(const QAbstractItemModel &model) {
    QByteArray csv;
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells << quoted(exported(model.headerData(column, Qt::Horizontal, ExportRole), model.headerData(column, Qt::Horizontal)));
    csv += cells.join(',').toUtf8() + '\n';
    for (const QModelIndex &row : allRows(model)) {
        cells.clear();
        for (int column = 0; column < model.columnCount(); ++column) {
            const QModelIndex cell = row.siblingAtColumn(column);
            cells << quoted(exported(cell.data(ExportRole), cell.data()));
        }
        csv += cells.join(',').toUtf8() + '\n';
    }
    return csv;
}

QString toPlainText(const QAbstractItemModel &model, const QModelIndexList &rows, const std::function<bool(int)> &isHidden) {
    QStringList lines;
    for (const QModelIndex &row : rows) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            if (!isHidden || !isHidden(column))
                cells << row.siblingAtColumn(column).data().toString();
        lines << QString(2 * depth(row), ' ') + cells.join('\t');
    }
    return lines.join('\n');
}

} // namespace laggard
