// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceDigest.h"

#include <algorithm>
#include <sstream>

namespace laggard::test {
namespace {

constexpr __int128 nanoseconds = 1'000'000'000;

class Digest {
  public:
    Digest(const Trace &trace, Rank rank)
        : m_trace(trace),
          m_process(trace.processes[rank]),
          m_ticksPerSecond(static_cast<std::int64_t>(std::max<std::uint64_t>(trace.clock.ticksPerSecond, 1))) {
        const LocationEvents *main = trace.mainEvents(rank);
        m_zero = main == nullptr || main->track.empty() ? 0 : main->track.start[0];
    }

    std::string get() {
        const ProcessEnd &end = m_process.end;
        m_out << "end " << static_cast<int>(end.kind) << ' ' << end.value << ' ' << static_cast<int>(end.exit) << ' '
              << end.finalized << ' ' << end.mpiError << '\n';
        for (const Frame &frame : end.stack)
            m_out << "frame " << frame.function << ' ' << frame.line << '\n';
        m_out << "from " << m_process.eventsFrom << " hang " << (m_process.hangNoticed != openEnd) << '\n';
        for (const CountedTransition &transition : m_process.model)
            m_out << "model " << transition.count << '\n';
        for (const LocationIndex location : m_process.locations)
            add(m_trace.locations[location]);
        return m_out.str();
    }

  private:
    void time(Tick at) {
        if (at == openEnd)
            m_out << " open";
        else
            m_out << ' ' << static_cast<std::int64_t>(static_cast<std::int64_t>(at - m_zero) * nanoseconds / m_ticksPerSecond);
    }

    /// By its names: numbers depend on the other ranks.
    void communicator(CommunicatorId id) {
        if (id >= m_trace.communicators.size())
            m_out << " -";
        else
            m_out << ' ' << m_trace.communicators[id].name << '/' << m_trace.communicators[id].members.size();
    }
    void path(CallPathId path) {
        for (; path != none; path = m_trace.callPaths[path].parent) {
            m_out << ' ' << m_trace.region(path).name;
            if (const CallSite *site = m_trace.siteOf(path); site != nullptr)
                m_out << '@' << site->line;
        }
    }

    void messages(const char *name, const LocationEvents &events, const MessageEnds &ends) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const Envelope &envelope = events.envelopes[ends.envelope[i]];
            m_out << name;
            time(ends.time[i]);
            m_out << " peer " << envelope.peer << " tag " << envelope.tag << " bytes " << envelope.bytes << " on";
            communicator(envelope.communicator);
            m_out << ' ' << ends.fingerprintOf(i) << '\n';
        }
    }

    void add(const Location &location) {
        const LocationEvents &events = location.events;
        m_out << location.name << ' ' << location.eventCount << '\n';
        for (std::uint32_t row = 0; row < events.track.size(); ++row) {
            time(events.track.start[row]);
            time(events.track.end[row]);
            path(events.track.callPath[row]);
            m_out << '\n';
        }
        messages("send", events, events.sends);
        messages("receive", events, events.receives);
        for (const std::uint32_t kind : events.collectives.kind) {
            m_out << "collective " << name(events.collectiveKinds[kind].operation);
            communicator(events.collectiveKinds[kind].communicator);
            m_out << ' ' << events.collectiveKinds[kind].bytesSent << '\n';
        }
        for (const PhaseMark &phase : events.phases) {
            m_out << "phase " << phase.level;
            time(phase.time);
            m_out << '\n';
        }
        for (const PollRun &polls : events.polls)
            m_out << "polls " << polls.row << ' ' << polls.count << '\n';
        for (const EarlierCollectives &earlier : events.earlierCollectives)
            m_out << "earlier " << earlier.count << '\n';
        m_out << "pending " << events.pending.size() << " open " << events.openParts.has_value() << '\n';
    }

    const Trace &m_trace;
    const Process &m_process;
    std::int64_t m_ticksPerSecond;
    Tick m_zero = 0;
    std::ostringstream m_out;
};

} // namespace

std::vector<std::string> digestByRank(const Trace &trace) {
    std::vector<std::string> digests;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        digests.push_back(Digest(trace, rank).get());
    return digests;
}

} // namespace laggard::test
