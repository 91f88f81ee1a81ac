// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/CallPrefixModel.h"

#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <QFont>

#include <algorithm>
#include <iterator>

namespace laggard {
namespace {

// Internal ids are positions in the tree's nodes; ranks without a call follow behind the last node.
QString reason(Activity::Kind kind) {
    switch (kind) {
    case Activity::Kind::Finished:
        return CallPrefixModel::tr("finished");
    case Activity::Kind::NotStarted:
        return CallPrefixModel::tr("not started yet");
    case Activity::Kind::Unknown:
        return CallPrefixModel::tr("not known");
    default:
        return CallPrefixModel::tr("outside all recorded calls");
    }
}

RankSet common(const RankSet &a, const RankSet &b) {
    RankSet both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

} // namespace

void CallPrefixModel::setTree(TracePtr trace, CallPrefixTree tree, RankSet leastProgressed) {
    beginResetModel();
    m_trace = std::move(trace);
    m_tree = m_trace ? std::move(tree) : CallPrefixTree();
    m_leastProgressed = std::move(leastProgressed);
    m_rowOf.assign(m_tree.nodes.size(), 0);
    for (const CallPrefixNode &node : m_tree.nodes)
        for (std::uint32_t row = 0; row < node.children.size(); ++row)
            m_rowOf[node.children[row]] = row;
    endResetModel();
}

const CallPrefixNode *CallPrefixModel::node(const QModelIndex &index) const {
    return index.isValid() && index.internalId() < m_tree.nodes.size() ? &m_tree.nodes[index.internalId()] : nullptr;
}

const RanksWithoutCall *CallPrefixModel::idle(const QModelIndex &index) const {
    return index.isValid() && index.internalId() >= m_tree.nodes.size()
               ? &m_tree.withoutCall[index.internalId() - m_tree.nodes.size()]
               : nullptr;
}

RankSet CallPrefixModel::ranks(const QModelIndex &index) const {
    if (const CallPrefixNode *call = node(index))
        return call->ranks;
    const RanksWithoutCall *others = idle(index);
    return others == nullptr ? RankSet() : others->ranks;
}

CallPathId CallPrefixModel::callPath(const QModelIndex &index) const {
    const CallPrefixNode *call = node(index);
    return call == nullptr ? none : call->callPath;
}

bool CallPrefixModel::hasLeastProgressed(const QModelIndex &index) const {
    return !common(ranks(index), m_leastProgressed).empty();
}

QString CallPrefixModel::leastProgressedText(const QModelIndex &index) const {
    const RankSet named = common(ranks(index), m_leastProgressed);
    if (named.empty() || node(index) == nullptr || !node(index)->children.empty())
        return {};
    return named.size() == ranks(index).size() ? tr(", least progressed") : tr(", least progressed: %1").arg(rankText(named));
}

QModelIndex CallPrefixModel::find(CallPathId callPath) const {
    if (callPath == none)
        return {};
    for (std::uint32_t i = 1; i < m_tree.nodes.size(); ++i)
        if (m_tree.nodes[i].callPath == callPath)
            return indexOf(i);
    return {};
}

QModelIndex CallPrefixModel::indexOf(std::uint32_t node, int column) const {
    return node == 0 ? QModelIndex() : createIndex(static_cast<int>(m_rowOf[node]), column, quintptr{node});
}

QModelIndex CallPrefixModel::index(int row, int column, const QModelIndex &parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    const CallPrefixNode &above = parent.isValid() ? *node(parent) : m_tree.nodes[0];
    const auto position = static_cast<std::size_t>(row);
    if (position < above.children.size())
        return createIndex(row, column, quintptr{above.children[position]});
    return createIndex(row, column, static_cast<quintptr>(m_tree.nodes.size() + position - above.children.size()));
}

QModelIndex CallPrefixModel::parent(const QModelIndex &index) const {
    const CallPrefixNode *call = node(index);
    return call == nullptr ? QModelIndex() : indexOf(call->parent);
}

int CallPrefixModel::rowCount(const QModelIndex &parent) const {
    if (parent.column() > 0)
        return 0;
    if (!parent.isValid())
        return static_cast<int>(m_tree.nodes[0].children.size() + m_tree.withoutCall.size());
    const CallPrefixNode *call = node(parent);
    return call == nullptr ? 0 : static_cast<int>(call->children.size());
}

int CallPrefixModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QString CallPrefixModel::functionText(const QModelIndex &index) const {
    if (const RanksWithoutCall *others = idle(index))
        return reason(others->kind);
    return toLine(m_trace->region(callPath(index)).name);
}

QString CallPrefixModel::toolTip(const QModelIndex &index) const {
    const RankSet inside = ranks(index);
    QString text = functionText(index) + '\n' + rankPhrase(inside) + " (" + countText(inside.size(), "rank") + ')';
    if (const CallPrefixNode *call = node(index)) {
        const Region &region = m_trace->region(call->callPath);
        if (!region.file.empty())
            text += '\n' + tr("Defined at %1")
                               .arg(toText(region.file) + (region.line == 0 ? QString() : ':' + QString::number(region.line)));
        if (!call->innermost.empty())
            text += '\n' + tr("Innermost call of %1").arg(rankPhrase(call->innermost));
    }
    const RankSet slowest = common(inside, m_leastProgressed);
    if (!slowest.empty())
        text += '\n' + tr("Least progressed: %1").arg(rankPhrase(slowest));
    return toolTipText(text);
}

QVariant CallPrefixModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || !m_trace)
        return {};
    if (role == Qt::ToolTipRole)
        return toolTip(index);
    if (role == Qt::FontRole && hasLeastProgressed(index)) {
        QFont font;
        font.setBold(true);
        return font;
    }
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == Count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == ElideRole && index.column() == Place)
        return static_cast<int>(Qt::ElideMiddle); // the line is at the end
    if (role != Qt::DisplayRole && role != ExportRole && role != SortRole)
        return {};
    switch (index.column()) {
    case Function:
        return functionText(index);
    case Count:
        return static_cast<qulonglong>(ranks(index).size());
    case Ranks:
        if (role == ExportRole)
            return toText(formatRanges(ranks(index)));
        return rankText(ranks(index)) + leastProgressedText(index);
    case Place: {
        const CallPrefixNode *call = node(index);
        if (call == nullptr)
            return QString();
        const Region &region = m_trace->region(call->callPath);
        return placeText(region.file, region.line);
    }
    default:
        return {};
    }
}

QVariant CallPrefixModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Call"), QT_TR_NOOP("Open calls, from the outermost one; bold: least-progressed ranks are inside")},
        {QT_TR_NOOP("Count"), QT_TR_NOOP("Number of ranks inside the call"), nullptr, true},
        {QT_TR_NOOP("Ranks"), QT_TR_NOOP("Ranks inside the call")},
        {QT_TR_NOOP("Defined at"), QT_TR_NOOP("File and line at which the function begins")},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
