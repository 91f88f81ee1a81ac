// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/TableText.h"

#include <QCoreApplication>
#include <QStringList>

namespace laggard {
namespace {

void collectRows(const QAbstractItemModel &model, const QModelIndex &parent, QModelIndexList &rows) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent); // not the list's own, which moves when the list grows
        rows.append(index);
        collectRows(model, index, rows);
    }
}

/// Spreadsheets compute what begins so, and names come from whoever wrote the trace: an apostrophe makes it text. Numbers stay
/// numbers.
QString withoutFormula(const QString &value) {
    bool isNumber = false;
    static_cast<void>(value.toDouble(&isNumber));
    const bool isFormula = !value.isEmpty() && QStringLiteral("=+-@\t\r").contains(value.front()) && !isNumber;
    return isFormula ? '\'' + value : value;
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
    return withoutFormula(value.toString());
}

int depth(QModelIndex index) {
    int depth = 0;
    for (index = index.parent(); index.isValid(); index = index.parent())
        ++depth;
    return depth;
}

} // namespace

QVariant columnHeader(const QAbstractItemModel &model, std::span<const ColumnText> columns, int section,
                      Qt::Orientation orientation, int role) {
    if (orientation != Qt::Horizontal || section < 0 || static_cast<std::size_t>(section) >= columns.size())
        return {};
    const ColumnText &column = columns[static_cast<std::size_t>(section)];
    const auto translated = [&model](const char *text) {
        return QCoreApplication::translate(model.metaObject()->className(), text);
    };
    switch (role) {
    case Qt::DisplayRole:
        return translated(column.name);
    case Qt::ToolTipRole:
        return column.meaning == nullptr ? QVariant() : QVariant(translated(column.meaning));
    case Qt::AccessibleTextRole:
        return *column.name == 0 && column.meaning != nullptr ? QVariant(translated(column.meaning)) : QVariant();
    case Qt::TextAlignmentRole:
        return column.isNumber ? QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case ExportRole:
        return column.exported == nullptr ? QVariant() : QVariant(QLatin1String(column.exported));
    default:
        return {};
    }
}

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
                cells << withoutFormula(row.siblingAtColumn(column).data().toString());
        lines << QString(2 * depth(row), ' ') + cells.join('\t');
    }
    return lines.join('\n');
}

} // namespace laggard
