// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/TransitionsModel.h"

#include "trace/Quantity.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/semimarkov/SmmPicture.h"

#include <QFont>

namespace laggard {
namespace {

const QString never = QStringLiteral("–");

QVariant number(const BothTransition &of, int column) {
    switch (column) {
    case TransitionsModel::MeanHere:
        return of.times[0].mean;
    case TransitionsModel::MeanThere:
        return of.times[1].mean;
    case TransitionsModel::Ratio:
        return of.times[1].mean > 0 ? QVariant(of.times[0].mean / of.times[1].mean) : QVariant();
    case TransitionsModel::ShareHere:
        return of.probability[0];
    case TransitionsModel::ShareThere:
        return of.probability[1];
    case TransitionsModel::TimesHere:
        return of.times[0].count;
    default:
        return of.times[1].count;
    }
}

} // namespace

void TransitionsModel::setModels(std::shared_ptr<const BothModels> models) {
    beginResetModel();
    m_models = std::move(models);
    endResetModel();
}

int TransitionsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_models ? 0 : static_cast<int>(m_models->transitions.size());
}

int TransitionsModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant TransitionsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const BothTransition &shown = m_models->transitions[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole && column != Transition)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::FontRole && shown.differs) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    const QString name = toLine(describeTransition(m_models->table, shown.transition));
    if (role == ExportRole || role == SortRole)
        return column == Transition ? QVariant(name) : number(shown, column);
    if (role == Qt::ToolTipRole && column == Transition)
        return toolTipText(name);
    if (role != Qt::DisplayRole)
        return {};
    const auto of = [&](std::size_t run, const QString &text) { return shown.times[run].count == 0 ? never : text; };
    switch (column) {
    case Transition:
        return name;
    case MeanHere:
        return of(0, toText(describeDuration(shown.times[0].mean)));
    case MeanThere:
        return of(1, toText(describeDuration(shown.times[1].mean)));
    case Ratio:
        return shown.times[0].count == 0   ? tr("other run only")
               : shown.times[1].count == 0 ? tr("this run only")
               : shown.times[1].mean > 0   ? QStringLiteral("× %1").arg(shown.times[0].mean / shown.times[1].mean, 0, 'g', 3)
                                           : never;
    case ShareHere:
        return of(0, probabilityText(shown.probability[0]));
    case ShareThere:
        return of(1, probabilityText(shown.probability[1]));
    case TimesHere:
        return of(0, toText(describeCount(static_cast<std::uint64_t>(shown.times[0].count))));
    default:
        return of(1, toText(describeCount(static_cast<std::uint64_t>(shown.times[1].count))));
    }
}

QVariant TransitionsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Transition")},
        {QT_TR_NOOP("This run"), QT_TR_NOOP("Mean time in the state before it"), QT_TR_NOOP("Mean here, s"), true},
        {QT_TR_NOOP("The other"), QT_TR_NOOP("The same in the other run"), QT_TR_NOOP("Mean there, s"), true},
        {QT_TR_NOOP("Ratio"), QT_TR_NOOP("How many times as long as in the other run"), nullptr, true},
        {QT_TR_NOOP("Share"), QT_TR_NOOP("How probable it is in this run once its state was entered"),
         QT_TR_NOOP("Probability here"), true},
        {QT_TR_NOOP("Share, other"), QT_TR_NOOP("The same in the other run"), QT_TR_NOOP("Probability there"), true},
        {QT_TR_NOOP("Times"), QT_TR_NOOP("How often it was taken in this run"), QT_TR_NOOP("Times here"), true},
        {QT_TR_NOOP("Times, other"), QT_TR_NOOP("How often it was taken in the other run"), QT_TR_NOOP("Times there"), true},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
