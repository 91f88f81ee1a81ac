// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/CallDetails.h"

#include "analysis/detail/CallSearch.h"
#include "trace/Quantity.h"
#include "views/details/DescriptorLines.h"
#include "views/kit/Text.h"
#include "views/timeline/TimeAxis.h"
#include "views/timeline/TimelineHit.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace laggard {
namespace {

constexpr std::size_t mostPartners = 8;    ///< partners of one kind that are listed; there may be thousands
constexpr std::size_t mostMembers = 65536; ///< members of a collective, asked one by one

QString said(const char *text) { return QCoreApplication::translate("CallDetails", text); }

/// Puts together what is known of one call.
class DetailWriter {
  public:
    DetailWriter(const Trace &trace, const TracePyramid &pyramid, const WaitForGraph *waits, const SelectedCall &call)
        : m_trace(trace), m_pyramid(pyramid), m_waits(waits), m_call(call) {}

    std::vector<Detail> takeCall() {
        times();
        callers();
        const std::vector<Detail> ofDescriptor = descriptorLines(events(), m_call.row);
        m_details.insert(m_details.end(), ofDescriptor.begin(), ofDescriptor.end());
        sends();
        receives();
        collective();
        waiters({m_call.rank}, m_track().isOpen(m_call.row));
        return std::move(m_details);
    }
    std::vector<Detail> takeRanks(const RankSet &ranks) {
        add(said("Ranks"), rankText(ranks));
        if (ranks.size() == 1)
            add(said("Host"), toLine(m_trace.hostOf(ranks.front())));
        waiters(ranks, true);
        return std::move(m_details);
    }

  private:
    [[nodiscard]] const LocationEvents &events() const { return m_trace.locations[m_call.location].events; }
    [[nodiscard]] const Track &m_track() const { return events().track; }
    [[nodiscard]] Tick start() const { return m_track().start[m_call.row]; }
    /// As far as is known: of a call whose end was lost the last event of its thread.
    [[nodiscard]] Tick end() const {
        return std::max(start(), shownEnd(m_track(), m_call.row, m_trace.knownEnd(m_call.location)));
    }
    [[nodiscard]] QString moment(Tick time) const { return formatDuration(m_trace.seconds(time), 9); }
    [[nodiscard]] QString length(Tick from, Tick to) const {
        const double ticks = to >= from ? static_cast<double>(to - from) : -static_cast<double>(from - to);
        return formatDuration(ticks / static_cast<double>(m_trace.clock.ticksPerSecond), 4);
    }
    void add(const QString &name, const QString &value, const QString &tip = {}, std::optional<Selection> goes = {}) {
        if (!value.isEmpty())
            m_details.push_back({name, value, tip, std::move(goes), false});
    }
    void head(const QString &name, const QString &value) { m_details.push_back({name, value, {}, {}, true}); }

    [[nodiscard]] Selection callAt(Rank rank, std::uint32_t row) const {
        Selection selection;
        selection.ranks = {rank};
        const Track &track = m_trace.mainEvents(rank)->track;
        selection.callPath = track.callPath[row];
        selection.region = m_trace.callPaths[selection.callPath].region;
        selection.time = TimeRange{track.start[row], shownEnd(track, row, m_trace.range.end)};
        return selection;
    }
    /// The partner's call at a time, else the rank alone.
    [[nodiscard]] Selection partnerAt(Rank rank, Tick time) const {
        Selection alone;
        alone.ranks = {rank};
        const LocationEvents *of = m_trace.mainEvents(rank);
        const std::uint32_t row = of == nullptr ? none : of->track.innermostAt(time);
        return row == none ? alone : callAt(rank, row);
    }

    void times();
    void callers();
    void sends();
    void receives();
    void message(const QString &name, const Message &message, Rank partner, Tick there, const QString &when);
    void collective();
    void waiters(const RankSet &ranks, bool open);

    const Trace &m_trace;
    const TracePyramid &m_pyramid;
    const WaitForGraph *m_waits;
    SelectedCall m_call;
    std::vector<Detail> m_details;
};

void DetailWriter::times() {
    const Region &region = m_trace.region(m_track().callPath[m_call.row]);
    const bool open = m_track().isOpen(m_call.row);
    const bool lost = m_trace.locations[m_call.location].damaged;
    const QString host = toLine(m_trace.hostOf(m_call.rank));
    add(said("Function"), toLine(region.name), toText(region.name));
    add(said("Rank"), QString::number(m_call.rank) + (host.isEmpty() ? QString() : said(" on %1").arg(host)));
    add(said("Start"), moment(start()), said("%1 ticks of the trace's clock").arg(start()));
    add(said("End"), !open ? moment(end()) : lost ? said("events lost") : said("not returned"));
    add(said("Length"), (open ? said("at least ") : QString()) + length(start(), end()));
    const Tick own = exclusiveTicks(m_trace, m_pyramid.tracks[m_call.location], m_call.location, m_call.row);
    if (own != end() - start() && !(open && lost))
        add(said("In itself"), length(0, own), said("Outside the functions that it calls"));
}

void DetailWriter::callers() {
    const CallPathId path = m_track().callPath[m_call.row];
    const std::uint32_t caller = m_track().parent[m_call.row];
    const CallSite *site = m_trace.siteOf(path);
    if (caller != none)
        add(said("Called from"),
            toLine(m_trace.region(m_track().callPath[caller]).name) +
                (site == nullptr ? QString() : QStringLiteral(", ") + placeText(site->file, site->line)),
            site == nullptr ? QString() : toText(site->file), callAt(m_call.rank, caller));
    const Region &region = m_trace.region(path);
    add(said("Source"), placeText(region.file, region.line, true), toText(region.file));
    add(said("Datatype"), toLine(m_trace.datatypeOf(path)));
}

void DetailWriter::message(const QString &name, const Message &message, Rank partner, Tick there, const QString &when) {
    QString value = said("rank %1, tag %2, %3").arg(partner).arg(message.envelope.tag).arg(messageSize(message.envelope.bytes));
    if (const CommunicatorId id = message.envelope.communicator;
        id != none && id != m_trace.world && !m_trace.communicators[id].name.empty())
        value += QStringLiteral(", ") + toLine(m_trace.communicators[id].name);
    add(name, value + QStringLiteral("; ") + when, {}, partnerAt(partner, there));
}

void DetailWriter::sends() {
    const MessageEnds &sends = events().sends;
    const auto first = std::lower_bound(sends.time.begin(), sends.time.end(), start());
    const auto last = std::upper_bound(first, sends.time.end(), end());
    std::size_t told = 0;
    const auto count = static_cast<std::size_t>(last - first);
    if (count > 0)
        head(said("Sent"), countText(count, "message"));
    for (auto at = first; at != last && told < mostPartners; ++at, ++told) {
        const auto send = static_cast<std::uint32_t>(at - sends.time.begin());
        if (sends.match[send] == none) {
            const Envelope &envelope = events().envelopes[sends.envelope[send]];
            add(said("to"), said("rank %1, tag %2, %3; never received")
                                .arg(envelope.peer)
                                .arg(envelope.tag)
                                .arg(messageSize(envelope.bytes)));
            continue;
        }
        const Message sent = m_trace.messageOfSend(m_call.location, send);
        const Rank to = m_trace.locations[sent.receiver].rank;
        const std::uint32_t row =
            m_trace.locations[sent.receiver].events.track.innermostAt(sent.received == 0 ? 0 : sent.received - 1);
        QString when = said("received %1 later").arg(length(sent.sent, sent.received));
        if (row != none) // what waited before the message was sent waited for the sender
            if (const Tick came = m_trace.locations[sent.receiver].events.track.start[row]; came < sent.sent)
                when += said("; waited for it %1").arg(length(came, sent.sent));
        message(said("to"), sent, to, sent.received == 0 ? 0 : sent.received - 1, when);
    }
    if (count > told)
        add(said("and"), said("%1 more").arg(count - told));
}

void DetailWriter::receives() {
    const MessageEnds &receives = events().receives;
    const auto first = std::upper_bound(receives.time.begin(), receives.time.end(), start());
    const auto last = std::upper_bound(first, receives.time.end(), end());
    std::size_t told = 0;
    const auto count = static_cast<std::size_t>(last - first);
    if (count > 0)
        head(said("Received"), countText(count, "message"));
    for (auto at = first; at != last && told < mostPartners; ++at, ++told) {
        const auto receive = static_cast<std::uint32_t>(at - receives.time.begin());
        if (receives.match[receive] == none)
            continue;
        const Message got = m_trace.messageOfReceive(m_call.location, receive);
        const QString when = got.sent > start() ? said("sent %1 after this call began: it waited").arg(length(start(), got.sent))
                                                : said("sent %1 before").arg(length(got.sent, start()));
        message(said("from"), got, m_trace.locations[got.sender].rank, got.sent, when);
    }
    if (count > told)
        add(said("and"), said("%1 more").arg(count - told));
}

void DetailWriter::collective() {
    const CollectiveCalls &calls = events().collectives;
    const auto first = std::lower_bound(calls.end.begin(), calls.end.end(), start());
    auto at = static_cast<std::uint32_t>(first - calls.end.begin());
    while (at < calls.size() && calls.end[at] <= end() && calls.row[at] != m_call.row)
        ++at;
    if (at == calls.size() || calls.row[at] != m_call.row)
        return;
    const CollectiveKind &kind = events().collectiveKinds[calls.kind[at]];
    const QString operation = toLine(name(kind.operation));
    if (calls.instance[at] == none) {
        head(said("Collective"), operation);
        return;
    }
    const CollectiveInstance &instance = m_trace.collectives[calls.instance[at]];
    const std::size_t members = m_trace.memberCount(instance.communicator);
    head(said("Collective"), said("%1 of %2, number %3").arg(operation, countText(members, "rank")).arg(instance.number + 1));
    if (instance.communicator != none)
        add(said("Communicator"), toLine(m_trace.communicators[instance.communicator].name));
    if (instance.root != none)
        add(said("Root"), said("rank %1").arg(instance.root), {}, partnerAt(instance.root, instance.lastEnter));
    // Whoever entered last was waited for.
    const bool isLast = start() >= instance.lastEnter;
    Rank last = isLast ? m_call.rank : none;
    for (Rank rank = 0; rank < std::min<std::size_t>(m_trace.processes.size(), mostMembers) && last == none; ++rank) {
        const LocationEvents *of = m_trace.mainEvents(rank);
        if (of == nullptr)
            continue;
        const auto [low, high] = std::equal_range(of->track.start.begin(), of->track.start.end(), instance.lastEnter);
        for (auto row = low; row != high; ++row)
            if (m_trace.region(of->track.callPath[static_cast<std::size_t>(row - of->track.start.begin())]).isMpi())
                last = rank;
    }
    if (isLast)
        add(said("Last to come"), said("this rank; the first waited %1").arg(length(instance.firstEnter, start())));
    else
        add(said("Waited here"), length(start(), std::min(instance.lastEnter, end())),
            said("From its entry until the last rank came"));
    if (last != none && !isLast)
        add(said("Last to come"), said("rank %1, at %2").arg(last).arg(moment(instance.lastEnter)), {},
            partnerAt(last, instance.lastEnter));
}

void DetailWriter::waiters(const RankSet &ranks, bool open) {
    if (m_waits == nullptr || !open)
        return;
    const auto overlap = [&ranks](const RankSet &set) {
        return std::any_of(ranks.begin(), ranks.end(),
                           [&](Rank rank) { return std::binary_search(set.begin(), set.end(), rank); });
    };
    bool any = false;
    std::size_t told = 0;
    for (const bool onThem : {true, false})
        for (const Wait &wait : m_waits->waits) {
            RankSet on = wait.on;
            RankSet waiting = wait.waiters;
            std::sort(on.begin(), on.end());
            std::sort(waiting.begin(), waiting.end());
            if (!overlap(onThem ? on : waiting) || told++ >= mostPartners)
                continue;
            if (!std::exchange(any, true))
                head(said("Who waits"), said("at %1").arg(moment(m_waits->at)));
            Selection partners;
            partners.ranks = onThem ? waiting : on;
            add(onThem ? said("Waited for by") : said("Waits for"), rankPhrase(partners.ranks), toText(wait.evidence), partners);
        }
}

} // namespace

SelectedCall selectedCall(const Trace &trace, const Selection &selection, Tick at) {
    SelectedCall call;
    if (selection.ranks.size() != 1 || selection.ranks.front() >= trace.processes.size())
        return call;
    call.rank = selection.ranks.front();
    call.location = trace.processes[call.rank].mainLocation;
    const LocationEvents *events = trace.mainEvents(call.rank);
    if (events == nullptr || call.location == none || selection.callPath == none || selection.callPath >= trace.callPaths.size())
        return call;
    const Track &track = events->track;
    if (selection.time) {
        const auto [first, last] = std::equal_range(track.start.begin(), track.start.end(), selection.time->begin);
        for (auto start = first; start != last; ++start)
            if (const auto row = static_cast<std::uint32_t>(start - track.start.begin());
                track.callPath[row] == selection.callPath)
                call.row = row;
        return call;
    }
    for (std::uint32_t row = track.innermostAt(at); row != none; row = track.parent[row])
        if (trace.callPaths.isAncestor(selection.callPath, track.callPath[row]) && track.callPath[row] == selection.callPath)
            call.row = row;
    return call;
}

std::vector<Detail> detailsOf(const Trace &trace, const TracePyramid &pyramid, const WaitForGraph *waits,
                              const Selection &selection) {
    const Tick at = waits != nullptr ? waits->at : trace.range.end;
    const SelectedCall call = selectedCall(trace, selection, at);
    DetailWriter writer(trace, pyramid, waits, call);
    if (call.row != none)
        return writer.takeCall();
    return selection.ranks.empty() ? std::vector<Detail>() : writer.takeRanks(selection.ranks);
}

} // namespace laggard
