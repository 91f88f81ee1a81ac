// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/PdgListModel.h"

#include "analysis/stacks/Frames.h"
#include "analysis/verdict/Describe.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <QCoreApplication>
#include <QFont>

#include <algorithm>
#include <iterator>

namespace laggard {
namespace {

// Internal ids: 0 is the top level (nodes), 1 + n the edges below row n.
constexpr quintptr topLevel = 0;

void unite(RankSet &ranks, const RankSet &more) {
    RankSet united;
    std::set_union(ranks.begin(), ranks.end(), more.begin(), more.end(), std::back_inserter(united));
    ranks = std::move(united);
}

QString stateKind(ModelState::Kind kind) {
    switch (kind) {
    case ModelState::Kind::Communication:
        return PdgListModel::tr("communication");
    case ModelState::Kind::Computation:
        return PdgListModel::tr("computation");
    case ModelState::Kind::Start:
        break;
    }
    return PdgListModel::tr("program start");
}

} // namespace

QString edgeKindText(ProgressEdge::Kind kind) {
    switch (kind) {
    case ProgressEdge::Kind::PointToPoint:
        return QCoreApplication::translate("ProgressEdge", "point-to-point");
    case ProgressEdge::Kind::Loop:
        return QCoreApplication::translate("ProgressEdge", "loop");
    case ProgressEdge::Kind::Collective:
        break;
    }
    return QCoreApplication::translate("ProgressEdge", "collective");
}

void PdgListModel::setGraph(std::shared_ptr<const ProgressGraph> graph) {
    beginResetModel();
    m_graph = std::move(graph);
    m_rows.clear();
    m_rowOfNode.clear();
    if (m_graph) {
        const auto count = static_cast<std::uint32_t>(m_graph->nodes.size());
        for (const bool leastProgressed : {true, false})
            for (std::uint32_t node = 0; node < count; ++node)
                if (m_graph->nodes[node].leastProgressed == leastProgressed)
                    m_rows.push_back({node, {}, {}, {}});
        m_rowOfNode.resize(count);
        for (std::uint32_t row = 0; row < count; ++row)
            m_rowOfNode[m_rows[row].node] = row;
        for (std::uint32_t i = 0; i < m_graph->edges.size(); ++i) {
            const ProgressEdge &edge = m_graph->edges[i];
            m_rows[m_rowOfNode[edge.from]].edges.push_back(i);
            if (edge.dependence == ProgressEdge::Dependence::Undefined)
                continue;
            unite(m_rows[m_rowOfNode[edge.from]].waitsFor, m_graph->nodes[edge.to].ranks);
            unite(m_rows[m_rowOfNode[edge.to]].waitedForBy, m_graph->nodes[edge.from].ranks);
        }
    }
    endResetModel();
}

std::uint32_t PdgListModel::node(const QModelIndex &index) const {
    return index.isValid() && index.internalId() == topLevel ? m_rows[static_cast<std::size_t>(index.row())].node : none;
}

std::uint32_t PdgListModel::edge(const QModelIndex &index) const {
    return index.isValid() && index.internalId() != topLevel
               ? m_rows[index.internalId() - 1].edges[static_cast<std::size_t>(index.row())]
               : none;
}

QModelIndex PdgListModel::indexOfNode(std::uint32_t node) const {
    return node < m_rowOfNode.size() ? createIndex(static_cast<int>(m_rowOfNode[node]), 0, topLevel) : QModelIndex();
}

QModelIndex PdgListModel::indexOfEdge(std::uint32_t edge) const {
    if (!m_graph || edge >= m_graph->edges.size())
        return {};
    const std::uint32_t row = m_rowOfNode[m_graph->edges[edge].from];
    const std::vector<std::uint32_t> &edges = m_rows[row].edges;
    const auto position = std::find(edges.begin(), edges.end(), edge) - edges.begin();
    return createIndex(static_cast<int>(position), 0, quintptr{row} + 1);
}

QModelIndex PdgListModel::index(int row, int column, const QModelIndex &parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : topLevel);
}

QModelIndex PdgListModel::parent(const QModelIndex &index) const {
    if (!index.isValid() || index.internalId() == topLevel)
        return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, topLevel);
}

int PdgListModel::rowCount(const QModelIndex &parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_rows.size());
    if (parent.internalId() != topLevel || parent.column() > 0)
        return 0;
    return static_cast<int>(m_rows[static_cast<std::size_t>(parent.row())].edges.size());
}

int PdgListModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QString PdgListModel::functionOf(const ProgressNode &node) const {
    return node.stack.empty() ? tr("outside all recorded calls") : toLine(node.stack.front().function);
}

QString PdgListModel::placeOf(const ProgressNode &node) const {
    if (node.stack.empty())
        return {};
    return placeText(node.stack[innermostWithSource(node.stack)]);
}

QString PdgListModel::relations(const Row &row) const {
    QStringList parts;
    if (!row.waitedForBy.empty())
        parts << tr("%1 wait for it").arg(rankPhrase(row.waitedForBy));
    if (!row.waitsFor.empty())
        parts << tr("waits for %1").arg(rankPhrase(row.waitsFor));
    return parts.isEmpty() ? tr("waits for nobody") : parts.join("; ");
}

QVariant PdgListModel::nodeData(const Row &row, int column, int role) const {
    const ProgressNode &shown = m_graph->nodes[row.node];
    if (role == Qt::FontRole && shown.leastProgressed) {
        QFont font;
        font.setBold(true);
        return font;
    }
    if (role == Qt::ToolTipRole) {
        QString text = rankPhrase(shown.ranks) + " (" + countText(shown.ranks.size(), "rank") + "): " + relations(row);
        for (const Frame &frame : shown.stack)
            text += '\n' + toLine(frame.function) + (frame.file.empty() ? QString() : " (" + placeText(frame) + ')');
        if (shown.damaged)
            text += '\n' + tr("Some events of these ranks could not be read.");
        return toolTipText(text);
    }
    if (role != Qt::DisplayRole && role != ExportRole)
        return {};
    switch (column) {
    case Ranks:
        return role == ExportRole ? toText(formatRanges(shown.ranks)) : rankText(shown.ranks);
    case State:
        return functionOf(shown);
    case Place:
        return placeOf(shown);
    case Kind:
        return stateKind(shown.kind);
    case Confidence:
        return shown.leastProgressed ? QVariant(toText(describeConfidence(m_graph->confidence))) : QVariant();
    case Evidence: {
        QString text = (shown.leastProgressed ? tr("Least progressed; ") : QString()) + relations(row);
        return shown.damaged ? text + tr("; damaged") : text;
    }
    default:
        return {};
    }
}

QVariant PdgListModel::edgeData(const ProgressEdge &edge, int column, int role) const {
    const ProgressNode &target = m_graph->nodes[edge.to];
    const bool isUndefined = edge.dependence == ProgressEdge::Dependence::Undefined;
    if (role == Qt::ToolTipRole)
        return toolTipText(
            toText(edge.evidence) + '\n' +
            (edge.observed ? tr("From calls and messages of the trace.") : tr("From probabilities of the models.")));
    if (role != Qt::DisplayRole && role != ExportRole)
        return {};
    switch (column) {
    case Ranks:
        return isUndefined ? tr("undefined with %1").arg(rankText(target.ranks)) : tr("waits for %1").arg(rankText(target.ranks));
    case State:
        return functionOf(target);
    case Place:
        return placeOf(target);
    case Kind:
        return edgeKindText(edge.kind);
    case Confidence:
        return role == ExportRole ? QVariant(edge.confidence) : QVariant(toText(describeConfidence(edge.confidence)));
    case Evidence:
        return toLine(edge.evidence);
    default:
        return {};
    }
}

QVariant PdgListModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || !m_graph)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == ElideRole)
        return index.column() == Place ? QVariant(Qt::ElideMiddle) : QVariant(); // the line is at the end
    const std::uint32_t shownEdge = edge(index);
    if (shownEdge != none)
        return edgeData(m_graph->edges[shownEdge], index.column(), role);
    return nodeData(m_rows[static_cast<std::size_t>(index.row())], index.column(), role);
}

QVariant PdgListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Ranks"), QT_TR_NOOP("Ranks in this state; below, whom they wait for")},
        {QT_TR_NOOP("Function"), QT_TR_NOOP("Innermost function")},
        {QT_TR_NOOP("Source"), QT_TR_NOOP("File and line of the function, or of its nearest caller with a known source")},
        {QT_TR_NOOP("Kind"),
         QT_TR_NOOP("Of a state: communication or computation. Of a dependence: collective, point-to-point or loop")},
        {QT_TR_NOOP("Confidence"), QT_TR_NOOP("0 to 1: how sure the dependence, or the choice of the least progressed, is")},
        {QT_TR_NOOP("Evidence"), QT_TR_NOOP("What the dependence rests on")},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
