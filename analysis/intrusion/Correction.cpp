// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intrusion/Correction.h"

#include "analysis/clocks/Retime.h"
#include "analysis/intrusion/RecorderTime.h"
#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

using Kind = DependencePoint::Kind;

/// Who polls as often as this does nothing else between two polls: it waits. Ticks are nanoseconds in recordings, the only traces
/// with runs of polls.
constexpr Tick busyPolling = 10'000;

/// Which message each probe saw: the one that the first fitting receive after it took.
std::vector<std::vector<DependencePoint>> probesOf(const Trace &trace) {
    std::vector<std::vector<DependencePoint>> probes(trace.locations.size());
    for (LocationIndex l = 0; l < trace.locations.size(); ++l) {
        const LocationEvents &events = trace.locations[l].events;
        for (const TakenMessage &probed : events.probed) {
            const Tick end = events.track.end[probed.row];
            const Envelope &wanted = events.envelopes[probed.envelope];
            const auto first = std::lower_bound(events.receives.time.begin(), events.receives.time.end(), end);
            constexpr std::ptrdiff_t farthest = 64; // a program receives what it has probed before long
            for (const auto *at = first; at != events.receives.time.end() && at - first < farthest; ++at) {
                const auto i = static_cast<std::uint32_t>(at - events.receives.time.begin());
                const Envelope &found = events.envelopes[events.receives.envelope[i]];
                if (found.peer != wanted.peer || found.tag != wanted.tag || found.communicator != wanted.communicator)
                    continue;
                if (events.receives.match[i] != none)
                    probes[l].push_back({end, i, Kind::Probe});
                break;
            }
        }
        std::ranges::stable_sort(probes[l], {}, &DependencePoint::time);
    }
    return probes;
}

class Correction {
  public:
    Correction(const Trace &trace, const Work &work)
        : m_trace(trace),
          m_dependences(trace, work, probesOf(trace)),
          m_mpi(trace),
          m_progress(trace.locations.size()),
          m_revisited(trace.locations.size()),
          m_lastEntry(trace.collectives.size()) {
        m_times.maps.resize(trace.locations.size());
        m_times.sentBefore.resize(trace.locations.size());
        m_times.sentAfter.resize(trace.locations.size());
        m_recorder.reserve(trace.locations.size());
        for (LocationIndex l = 0; l < trace.locations.size(); ++l) {
            throwIfCancelled(work);
            m_recorder.emplace_back(trace, trace.locations[l].events, m_mpi);
            const Column<Tick> &sends = trace.locations[l].events.sends.time;
            for (const Tick time : sends)
                m_times.sentBefore[l].push_back(begunAt(l, m_recorder[l].callOfSend(time), time));
            m_times.sentAfter[l].assign(sends.size(), 0);
        }
        measureTransfers(work);
    }

    IntrusionTimes run(const Work &work) {
        const auto problem = m_dependences.inOrder(
            [this](LocationIndex l, std::size_t first, std::size_t end) {
                return visit(l, m_dependences.points(l).data() + first, end - first);
            },
            work);
        if (problem) {
            m_times.problem = *problem;
            m_times.maps.clear();
            return std::move(m_times);
        }
        for (LocationIndex l = 0; l < m_progress.size(); ++l)
            finish(l);
        return std::move(m_times);
    }

  private:
    /// How far a location has come: the latest point, as recorded and corrected.
    struct Progress {
        Tick before = 0;
        Tick after = 0;
        bool begun = false;
        std::size_t stretch = 0; ///< the first of the recorder's stretches that is not in the map
    };
    /// The latest of the entries that an instance needs.
    struct LastEntry {
        Tick before = 0;
        Tick after = 0;
    };
    /// What a completion waited for.
    struct Arrival {
        Tick before = 0;
        Tick after = 0;
        bool isKnown = false;
    };

    [[nodiscard]] Tick begunAt(LocationIndex l, std::size_t call, Tick time) const {
        if (call == none)
            return time;
        const CostedCall &costed = m_recorder[l].calls()[call];
        return costed.end < time ? time : std::max(time, costed.begun);
    }

    /// Since when a completion at `time` was waited for: the beginning of its call, or of the polls before it.
    [[nodiscard]] Tick readyAt(LocationIndex l, Tick time) const {
        const std::vector<CostedCall> &calls = m_recorder[l].calls();
        std::size_t call = m_recorder[l].callOfCompletion(time);
        if (call == none)
            return time;
        Tick ready = std::min(calls[call].begun, time);
        if (calls[call].polls && calls[call].pollCount == 0 && call > 0) {
            const CostedCall &run = calls[call - 1];
            if (run.pollCount > 1 && (calls[call].start - run.start) / run.pollCount < busyPolling)
                ready = std::min(ready, run.start);
        }
        return ready;
    }

    [[nodiscard]] bool isSameHost(LocationIndex a, LocationIndex b) {
        if (m_host.empty())
            for (Rank rank = 0; rank < m_trace.processes.size(); ++rank)
                m_host.push_back(m_trace.hostOf(rank));
        return m_host[m_trace.locations[a].rank] == m_host[m_trace.locations[b].rank];
    }

    /// t_trans, of messages that were sent while their receiver stood in the call that received them.
    void measureTransfers(const Work &work) {
        for (LocationIndex l = 0; l < m_trace.locations.size(); ++l) {
            throwIfCancelled(work);
            const LocationEvents &events = m_trace.locations[l].events;
            for (std::uint32_t i = 0; i < events.receives.size(); ++i) {
                const MessageEnd send = m_dependences.sendOf(l, i);
                if (send.location == none)
                    continue;
                const Tick sent = m_times.sentBefore[send.location][send.index];
                const Tick received = events.receives.time[i];
                if (sent >= readyAt(l, received) && sent <= received)
                    m_times.transfers.seen(events.envelopes[events.receives.envelope[i]].bytes, isSameHost(l, send.location),
                                           received - sent);
            }
        }
    }

    /// When what a point depends on was there.
    [[nodiscard]] Arrival arrivalAt(LocationIndex l, const DependencePoint &point) {
        if (point.kind == Kind::CollectiveEnd) {
            const std::uint32_t instance = m_dependences.instanceNeeded(l, point.index);
            if (instance == none)
                return {};
            return {std::min(m_lastEntry[instance].before, point.time), m_lastEntry[instance].after, true};
        }
        if (point.kind != Kind::Receive && point.kind != Kind::Probe)
            return {};
        const MessageEnd send = m_dependences.sendOf(l, point.index);
        if (send.location == none)
            return {};
        const LocationEvents &events = m_trace.locations[l].events;
        const Tick sent = m_times.sentBefore[send.location][send.index];
        const std::uint64_t bytes = events.envelopes[events.receives.envelope[point.index]].bytes;
        const Tick transfer =
            std::min(m_times.transfers.of(bytes, isSameHost(l, send.location)), point.time - std::min(sent, point.time));
        return {std::min(sent, point.time) + transfer, m_times.sentAfter[send.location][send.index] + transfer, true};
    }

    /// t_event = max(t_prec_event - t_prec_exit + t_receive - t_init, t_send + t_transfer) (§2), at points of one time. What a
    /// call takes once all is there stays as long as it was; a send waits for nobody.
    bool visit(LocationIndex l, const DependencePoint *points, std::size_t count) {
        const Tick time = points->time;
        if (m_revisited[l].isSet && m_revisited[l].time == time) // points that depend on each other come again
            m_progress[l] = m_revisited[l].progress;
        else
            m_revisited[l] = {true, time, m_progress[l]};
        Arrival arrival;
        for (std::size_t i = 0; i < count; ++i) {
            const Arrival one = arrivalAt(l, points[i]);
            if (!one.isKnown)
                continue;
            arrival.before = std::max(arrival.before, one.before);
            arrival.after = std::max(arrival.after, one.after);
            arrival.isKnown = true;
        }
        if (arrival.isKnown) {
            goTo(l, std::max(readyAt(l, time), m_progress[l].before));
            Progress &progress = m_progress[l];
            const Tick there = std::clamp(arrival.before, progress.before, time);
            const Tick after = std::max(progress.after, arrival.after);
            jumpTo(l, there, after, time);
        }
        goTo(l, time);
        const Tick after = m_progress[l].after;
        bool changed = false;
        for (std::size_t i = 0; i < count; ++i) {
            if (points[i].kind == Kind::Send) {
                Tick &sent = m_times.sentAfter[l][points[i].index];
                changed |= sent != after;
                sent = after;
            } else if (points[i].kind == Kind::CollectiveEnter && m_dependences.isNeeded(l, points[i].index)) {
                LastEntry &last = m_lastEntry[m_trace.locations[l].events.collectives.instance[points[i].index]];
                changed |= after > last.after;
                last.before = std::max(last.before, begunAt(l, m_recorder[l].callOfSend(time), time));
                last.after = std::max(last.after, after);
            }
        }
        return changed;
    }

    /// On to `time`, without what the recorder took on the way.
    void goTo(LocationIndex l, Tick time) {
        Progress &progress = m_progress[l];
        if (!progress.begun) {
            progress = {m_trace.range.begin, m_trace.range.begin, true, 0};
            m_times.maps[l].add(progress.before, progress.after);
        }
        const auto &stretches = m_recorder[l].stretches();
        while (progress.stretch < stretches.size() && stretches[progress.stretch].end <= progress.before)
            ++progress.stretch;
        for (; progress.stretch < stretches.size() && stretches[progress.stretch].begin < time; ++progress.stretch) {
            const auto &stretch = stretches[progress.stretch];
            step(l, std::max(stretch.begin, progress.before), 1);
            step(l, std::min(stretch.end, time), 0);
            if (stretch.end > time)
                break;
        }
        step(l, time, 1);
    }

    void step(LocationIndex l, Tick time, unsigned share) {
        Progress &progress = m_progress[l];
        if (time <= progress.before)
            return;
        progress.after += (time - progress.before) * share;
        progress.before = time;
        m_times.maps[l].add(progress.before, progress.after);
    }

    /// To `time` as recorded, which is `after` now, on the way to a completion at `end`.
    void jumpTo(LocationIndex l, Tick time, Tick after, Tick end) {
        Progress &progress = m_progress[l];
        progress.after = after;
        if (time <= progress.before && time < end) // the call began no later for that: its end moves
            return;
        progress.before = time;
        m_times.maps[l].add(progress.before, progress.after);
    }

    void finish(LocationIndex l) {
        const auto &stretches = m_recorder[l].stretches();
        if (!stretches.empty())
            goTo(l, std::max(stretches.back().end, m_progress[l].before));
    }

    struct Revisited {
        bool isSet = false;
        Tick time = 0;
        Progress progress;
    };

    const Trace &m_trace;
    Dependences m_dependences;
    MpiCallTable m_mpi;
    std::vector<RecorderTime> m_recorder; ///< by location
    std::vector<Progress> m_progress;     ///< likewise
    std::vector<Revisited> m_revisited;   ///< likewise: as it was before its latest points
    std::vector<LastEntry> m_lastEntry;   ///< by instance
    std::vector<std::string> m_host;      ///< by rank
    IntrusionTimes m_times;
};

bool hasCosts(const Trace &trace) {
    return std::any_of(trace.locations.begin(), trace.locations.end(),
                       [](const Location &location) { return location.events.costs.size() != 0; });
}

} // namespace

IntrusionTimes intrusionTimes(const Trace &trace, const Work &work) { return Correction(trace, work).run(work); }

CorrectedTrace corrected(const TracePtr &trace, const Work &work) {
    auto report = std::make_shared<CorrectionReport>();
    report->recordedSeconds = report->correctedSeconds = trace->durationSeconds();
    report->recorder.assign(trace->processes.size(), 0);
    const auto refuse = [&](std::string problem) {
        report->problem = std::move(problem);
        return CorrectedTrace{trace, report};
    };
    if (!hasCosts(*trace))
        return refuse("The trace does not tell what recording it took: its times are as recorded.");
    std::shared_ptr<const Trace> from = trace;
    report->clocks = reportClocks(*trace, work, &from);
    if (report->clocks && !report->clocks->problem.empty())
        return refuse(report->clocks->problem);
    const IntrusionTimes times = intrusionTimes(*from, work);
    if (!times.problem.empty())
        return refuse(times.problem);
    const MpiCallTable mpi(*from);
    for (const Location &location : from->locations) {
        report->calls += location.events.costs.size();
        if (location.rank < from->processes.size() &&
            from->processes[location.rank].mainLocation == static_cast<LocationIndex>(&location - from->locations.data()))
            report->recorder[location.rank] = static_cast<double>(RecorderTime(*from, location.events, mpi).until(openEnd - 1)) /
                                              static_cast<double>(from->clock.ticksPerSecond);
    }
    report->waited = times.transfers.count();
    const std::shared_ptr<Trace> result = retimed(*from, times.maps, work);
    for (Location &location : result->locations)
        location.events.costs = {}; // are not in these times: nobody is to take them out again
    report->correctedSeconds = result->durationSeconds();
    return {result, report};
}

} // namespace laggard
