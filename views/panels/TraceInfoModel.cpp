// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/TraceInfoModel.h"

#include "analysis/stacks/Hosts.h"
#include "analysis/verdict/Describe.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace laggard {
namespace {

QString count(std::uint64_t number) { return toText(describeCount(number)); }

QString duration(double seconds) { return toText(describeDuration(seconds)); }

QString startTime(const Trace &trace) {
    const auto milliseconds = static_cast<qint64>(trace.clock.startNanosecondsUtc / 1'000'000);
    return QDateTime::fromMSecsSinceEpoch(milliseconds, Qt::UTC).toString("yyyy-MM-dd HH:mm:ss.zzz 'UTC'");
}

QString locationCounts(const Trace &trace) {
    const auto ofKind = [&](LocationKind kind) {
        return std::count_if(trace.locations.begin(), trace.locations.end(),
                             [kind](const Location &location) { return location.kind == kind; });
    };
    QStringList parts;
    const auto add = [&](const char *what, std::ptrdiff_t number) {
        if (number > 0)
            parts << toText(plural(static_cast<std::uint64_t>(number), what));
    };
    add("thread", ofKind(LocationKind::Thread));
    add("accelerator stream", ofKind(LocationKind::AcceleratorStream));
    add("metric location", ofKind(LocationKind::Metric));
    add("other location", ofKind(LocationKind::Unknown));
    return parts.isEmpty() ? QString("0") : parts.join(", ");
}

} // namespace

void TraceInfoModel::setTrace(const TracePtr &trace) {
    beginResetModel();
    m_rows.clear();
    if (trace) {
        add(tr("File"), toLine(trace->path));
        add(tr("Format"), toLine(trace->format));
        add(tr("Creator"), trace->creator.empty() ? tr("not recorded") : toLine(trace->creator));
        if (trace->clock.startNanosecondsUtc != 0)
            add(tr("Recorded"), startTime(*trace));
        add(tr("Duration"), duration(trace->durationSeconds()),
            tr("%1 s, %2 ticks").arg(trace->durationSeconds(), 0, 'f', 9).arg(count(trace->range.length())));
        addCounts(*trace);
        addHosts(*trace);
        addCommunicators(*trace);
        addUnshown(*trace);
    }
    endResetModel();
}

void TraceInfoModel::add(const QString &property, const QString &value, const QString &toolTip) {
    m_rows.push_back({property, value, toolTip.isEmpty() ? value : toolTip, {}, {}});
}

void TraceInfoModel::addCounts(const Trace &trace) {
    add(tr("Clock"), tr("%1 ticks per second").arg(count(trace.clock.ticksPerSecond)));
    const double resolution = static_cast<double>(trace.clock.resolution) / static_cast<double>(trace.clock.ticksPerSecond);
    add(tr("Clock resolution"), trace.clock.resolution == 0 ? tr("no receive precedes its send") : duration(resolution),
        tr("Time stamps closer than this have no order: receives were seen this much before their sends."));
    add(tr("Ranks"), count(trace.processes.size()));
    add(tr("Locations"), locationCounts(trace));
    add(tr("Events"), count(trace.eventCount), tr("%1 of all kinds").arg(toText(plural(trace.eventCount, "event record"))));
    add(tr("Functions"), count(trace.regions.size()));
    QString messages = tr("%1 matched").arg(count(trace.messageCount));
    if (trace.unmatchedSends > 0)
        messages += tr(", %1 never received").arg(count(trace.unmatchedSends));
    if (trace.unmatchedReceives > 0)
        messages += tr(", %1 never sent").arg(count(trace.unmatchedReceives));
    if (trace.reversedMessages > 0)
        messages += tr(", %1 received before they were sent").arg(count(trace.reversedMessages));
    add(tr("Messages"), messages);
    add(tr("Collectives"), count(trace.collectives.size()), tr("Collective operations that at least one rank completed"));
    add(tr("Memory"), QLocale::c().formattedDataSize(static_cast<qint64>(trace.bytes())),
        tr("Held by calls, messages and collectives"));
}

void TraceInfoModel::addHosts(const Trace &trace) {
    const std::vector<HostRanks> hosts = ranksByHost(trace);
    Row parent{tr("Hosts"), count(hosts.size()), tr("Machines that ranks ran on"), {}, {}};
    for (const HostRanks &host : hosts)
        parent.children.push_back({host.host.empty() ? tr("not recorded") : toLine(host.host),
                                   rankPhrase(host.ranks),
                                   rankPhrase(host.ranks),
                                   host.ranks,
                                   {}});
    m_rows.push_back(std::move(parent));
}

void TraceInfoModel::addCommunicators(const Trace &trace) {
    Row parent{tr("Communicators"), count(trace.communicators.size()), tr("Communicators and groups of ranks"), {}, {}};
    for (std::size_t i = 0; i < trace.communicators.size(); ++i) {
        const Communicator &communicator = trace.communicators[i];
        RankSet members = communicator.members;
        std::sort(members.begin(), members.end());
        const QString name = communicator.name.empty() ? tr("unnamed, number %1").arg(i) : toLine(communicator.name);
        const QString value =
            tr("%1: %2").arg(toText(plural(members.size(), "member")), members.empty() ? tr("not recorded") : rankText(members));
        parent.children.push_back({name, communicator.isSelf ? tr("each rank alone") : value, value, std::move(members), {}});
    }
    m_rows.push_back(std::move(parent));
}

void TraceInfoModel::addUnshown(const Trace &trace) {
    std::uint64_t total = 0;
    for (const auto &[kind, number] : trace.unshown)
        total += number;
    Row parent{tr("Events not shown"), count(total), tr("Records that were counted but have no place in the views"), {}, {}};
    for (const auto &[kind, number] : trace.unshown)
        parent.children.push_back({toLine(kind), count(number), toText(plural(number, "record")), {}, {}});
    m_rows.push_back(std::move(parent));
}

const TraceInfoModel::Row *TraceInfoModel::row(const QModelIndex &index) const {
    if (!index.isValid())
        return nullptr;
    // Internal ids: 0 the top level, 1 + n the children of row n.
    if (index.internalId() == 0)
        return &m_rows[static_cast<std::size_t>(index.row())];
    return &m_rows[index.internalId() - 1].children[static_cast<std::size_t>(index.row())];
}

RankSet TraceInfoModel::ranks(const QModelIndex &index) const {
    const Row *shown = row(index);
    return shown == nullptr ? RankSet() : shown->ranks;
}

QModelIndex TraceInfoModel::index(int row, int column, const QModelIndex &parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex TraceInfoModel::parent(const QModelIndex &index) const {
    if (!index.isValid() || index.internalId() == 0)
        return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, quintptr{0});
}

int TraceInfoModel::rowCount(const QModelIndex &parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_rows.size());
    if (parent.internalId() != 0 || parent.column() > 0)
        return 0;
    return static_cast<int>(m_rows[static_cast<std::size_t>(parent.row())].children.size());
}

int TraceInfoModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant TraceInfoModel::data(const QModelIndex &index, int role) const {
    const Row *shown = row(index);
    if (shown == nullptr)
        return {};
    if (role == Qt::ToolTipRole)
        return toolTipText(shown->toolTip);
    if (role == ExportRole && index.column() == Value && !shown->ranks.empty())
        return toText(formatRanges(shown->ranks));
    if (role != Qt::DisplayRole && role != ExportRole)
        return {};
    return index.column() == Property ? shown->property : shown->value;
}

QVariant TraceInfoModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Property")},
        {QT_TR_NOOP("Value")},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
