// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/slice/SliceModel.h"

#include "analysis/words/SliceWords.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <QCoreApplication>
#include <QFontDatabase>

#include <algorithm>

namespace laggard {
namespace {

constexpr qsizetype mostOfCode = 400; ///< letters that are measured and drawn

} // namespace

QString reasonName(SliceReason reason) {
    switch (reason) {
    case SliceReason::Criterion:
        return QCoreApplication::translate("SliceModel", "Criterion");
    case SliceReason::Data:
        return QCoreApplication::translate("SliceModel", "Data");
    case SliceReason::Control:
        return QCoreApplication::translate("SliceModel", "Control");
    case SliceReason::Call:
        return QCoreApplication::translate("SliceModel", "Call");
    case SliceReason::Message:
        break;
    }
    return QCoreApplication::translate("SliceModel", "Message");
}

void SliceModel::setSlice(SlicePtr slice, std::size_t rankCount) {
    beginResetModel();
    m_slice = std::move(slice);
    m_rankCount = rankCount;
    chooseRows();
    endResetModel();
}

void SliceModel::setHidden(const std::set<SliceReason> &reasons) {
    beginResetModel();
    m_hidden = reasons;
    chooseRows();
    endResetModel();
}

void SliceModel::chooseRows() {
    m_rows.clear();
    for (std::uint32_t step = 0; m_slice && step < m_slice->lines.size(); ++step)
        if (!m_hidden.contains(m_slice->lines[step].reason))
            m_rows.push_back(step);
}

RankSet SliceModel::ranks(std::uint32_t step) const { return spelledOut(m_slice->lines[step].ranks, m_rankCount); }

int SliceModel::rowOf(std::uint32_t step) const {
    return static_cast<int>(std::upper_bound(m_rows.begin(), m_rows.end(), step) - m_rows.begin()) - 1;
}

int SliceModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int SliceModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QString SliceModel::text(std::uint32_t step, int column) const {
    const SliceLine &line = m_slice->lines[step];
    switch (column) {
    case Step:
        return QString::number(step + 1);
    case Place:
        return toLine(placeOf(line));
    case Code:
        return shortened(toLine(line.code), mostOfCode);
    case Why:
        return reasonName(line.reason) + ": " + toLine(describeReason(line));
    case Variable:
        return toLine(line.variable);
    case Distance:
        return QString::number(line.distance);
    case Function:
        return toLine(line.function);
    case Ranks:
        return rankText(ranks(step));
    default:
        return {};
    }
}

QVariant SliceModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const std::uint32_t at = step(index.row());
    const SliceLine &line = m_slice->lines[at];
    switch (role) {
    case Qt::DisplayRole:
        return text(at, index.column());
    case ExportRole:
        return index.column() == Place ? QString::fromStdString(line.file) + ':' + QString::number(line.line)
                                       : text(at, index.column());
    case SortRole:
        return index.column() == Step       ? QVariant(at)
               : index.column() == Distance ? QVariant(line.distance)
                                            : QVariant(text(at, index.column()));
    case Qt::FontRole:
        return index.column() == Code ? QVariant(QFontDatabase::systemFont(QFontDatabase::FixedFont)) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Step || index.column() == Distance ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ToolTipRole:
        return toolTipText(text(at, Code) + '\n' + text(at, Why) + '\n' + toLine(line.file) + ':' + QString::number(line.line) +
                           '\n' + tr("Dependences from where the rank stands: %1").arg(line.distance));
    default:
        return {};
    }
}

QVariant SliceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Step"), QT_TR_NOOP("In which order to look at the lines: nearest first"), nullptr, true},
        {QT_TR_NOOP("Line"), QT_TR_NOOP("File and line")},
        {QT_TR_NOOP("Code")},
        {QT_TR_NOOP("Why"), QT_TR_NOOP("How a line before depends on this one")},
        {QT_TR_NOOP("Variable")},
        {QT_TR_NOOP("Distance"), QT_TR_NOOP("Number of dependences between this line and where the rank stands"),
         QT_TR_NOOP("Distance (dependences)"), true},
        {QT_TR_NOOP("Function")},
        {QT_TR_NOOP("Ranks"), QT_TR_NOOP("Whose code it is: another rank's once the slice has gone over a message")},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
