// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/StalledCalls.h"

#include "analysis/delays/WaitSegments.h"
#include "trace/MpiCall.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace laggard {
namespace {

using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
using Edge = std::pair<std::size_t, std::size_t>;

/// The calls looked at, and who of them needs whom.
class CallNeeds {
  public:
    CallNeeds(const Trace &trace, const std::vector<Occurrence> &calls)
        : m_trace(trace), m_table(trace), m_calls(calls), m_of(trace.processes.size()), m_nodes(calls.size()) {
        for (std::size_t i = 0; i < calls.size(); ++i)
            m_of[calls[i].rank].push_back(i);
    }

    /// Row of the call in its rank's track; `none` if it is not there.
    [[nodiscard]] std::uint32_t rowOf(const Occurrence &call) const {
        const Track &track = m_trace.mainEvents(call.rank)->track;
        std::uint32_t outermost = none;
        for (std::uint32_t row = track.innermostAt(call.time.begin); row != none; row = track.parent[row])
            if (m_table[track.callPath[row]].isMpi())
                outermost = row;
        return outermost;
    }

    /// True for calls that return at once by definition; a recording keeps a run of polls as one call, and that may wait.
    [[nodiscard]] bool returnsAtOnce(const Occurrence &call) const {
        const std::uint32_t row = rowOf(call);
        if (row == none)
            return false;
        const LocationEvents &events = *m_trace.mainEvents(call.rank);
        const MpiCall &mpi = m_table[events.track.callPath[row]];
        const auto run =
            std::find_if(events.polls.begin(), events.polls.end(), [row](const PollRun &polls) { return polls.row == row; });
        return mpi.kind == MpiCall::Kind::Post || (mpi.isPoll() && (run == events.polls.end() || run->count < 2));
    }

    void findAll(const Work &work) {
        for (std::size_t i = 0; i < m_calls.size(); ++i) {
            throwIfCancelled(work);
            if (const std::uint32_t row = rowOf(m_calls[i]); row != none && !returnsAtOnce(m_calls[i]))
                find(i, row);
        }
        for (const auto &[instance, members] : m_members)
            addCollective(m_trace.collectives[instance], members);
    }

    /// Calls that need no other call. Where calls need each other, the first of them to return.
    [[nodiscard]] std::vector<std::size_t> ends() {
        std::sort(m_edges.begin(), m_edges.end());
        m_edges.erase(std::unique(m_edges.begin(), m_edges.end()), m_edges.end());
        const Graph graph(boost::edges_are_sorted, m_edges.begin(), m_edges.end(), m_nodes);
        std::vector<std::size_t> componentOf(m_nodes);
        const std::size_t count = boost::strong_components(
            graph, boost::make_iterator_property_map(componentOf.begin(), boost::get(boost::vertex_index, graph)));
        std::vector<bool> isEnd(count, true);
        for (const auto &[from, to] : m_edges)
            if (componentOf[from] != componentOf[to])
                isEnd[componentOf[from]] = false;
        std::map<std::size_t, std::size_t> first; // by component
        for (std::size_t i = 0; i < m_calls.size(); ++i)
            if (isEnd[componentOf[i]]) {
                std::size_t &best = first.try_emplace(componentOf[i], i).first->second;
                if (std::tuple(m_calls[i].time.end, m_calls[i].rank) < std::tuple(m_calls[best].time.end, m_calls[best].rank))
                    best = i;
            }
        std::vector<std::size_t> result;
        for (const auto &[component, call] : first)
            result.push_back(call);
        return result;
    }

  private:
    /// The call of `rank` that was going on at `time`; `none` if it is not one of those looked at.
    [[nodiscard]] std::size_t callAt(Rank rank, Tick time) const {
        for (const std::size_t i : m_of[rank])
            if (m_calls[i].time.begin <= time && time <= m_calls[i].time.end)
                return i;
        return none;
    }
    void need(std::size_t from, std::size_t to) {
        if (to != none && from != to)
            m_edges.emplace_back(from, to);
    }

    void find(std::size_t i, std::uint32_t row) {
        const Occurrence &call = m_calls[i];
        const LocationEvents &events = *m_trace.mainEvents(call.rank);
        const LocationIndex location = m_trace.processes[call.rank].mainLocation;
        const auto from = [&](const Column<Tick> &time) {
            return static_cast<std::uint32_t>(std::lower_bound(time.begin(), time.end(), call.time.begin) - time.begin());
        };
        for (std::uint32_t r = from(events.receives.time); r < events.receives.size() && events.receives.time[r] <= call.time.end;
             ++r)
            if (events.receives.match[r] != none) {
                const Message message = m_trace.messageOfReceive(location, r);
                need(i, callAt(m_trace.locations[message.sender].rank, message.sent));
            }
        const bool isSend = m_table[events.track.callPath[row]].kind == MpiCall::Kind::Send;
        for (std::uint32_t s = from(events.sends.time);
             isSend && s < events.sends.size() && events.sends.time[s] <= call.time.end; ++s)
            if (events.sends.match[s] != none) {
                const Message message = m_trace.messageOfSend(location, s);
                need(i, callAt(m_trace.locations[message.receiver].rank, message.received));
            }
        const CollectiveCalls &collectives = events.collectives;
        for (std::uint32_t c = from(collectives.end); c < collectives.size() && collectives.end[c] <= call.time.end; ++c)
            if (collectives.row[c] == row && collectives.instance[c] != none)
                m_members[collectives.instance[c]].push_back(i);
    }

    void addCollective(const CollectiveInstance &instance, const std::vector<std::size_t> &members) {
        using Op = CollectiveOperation;
        const Op op = instance.operation;
        if (op == Op::Unknown)
            return;
        const auto root = std::find_if(members.begin(), members.end(), [&](auto i) { return m_calls[i].rank == instance.root; });
        const bool fromRoot = op == Op::Bcast || op == Op::Scatter || op == Op::Scatterv;
        const bool toRoot = op == Op::Reduce || op == Op::Gather || op == Op::Gatherv;
        if (fromRoot || toRoot) {
            for (const std::size_t member : members)
                if (root != members.end())
                    need(fromRoot ? member : *root, fromRoot ? *root : member);
        } else if (op == Op::Scan || op == Op::Exscan) {
            for (std::size_t m = 1; m < members.size(); ++m) // in order of ranks
                need(members[m], members[m - 1]);
        } else {
            const std::size_t meeting = m_nodes++; // one node in place of all pairs
            for (const std::size_t member : members) {
                need(member, meeting);
                need(meeting, member);
            }
        }
    }

    const Trace &m_trace;
    MpiCallTable m_table;
    const std::vector<Occurrence> &m_calls;
    std::vector<std::vector<std::size_t>> m_of;                  ///< calls by rank
    std::map<std::uint32_t, std::vector<std::size_t>> m_members; ///< by collective instance
    std::size_t m_nodes = 0;                                     ///< calls, then meetings
    std::vector<Edge> m_edges;
};

/// Keeps the calls that have a good part of the time that others do not explain.
std::vector<Occurrence> unexplained(const Trace &trace, const std::vector<Occurrence> &calls, const Work &work) {
    TimeRange window = calls.front().time;
    for (const Occurrence &call : calls)
        window = {std::min(window.begin, call.time.begin), std::max(window.end, call.time.end)};
    const std::vector<WaitSegments> waits = findWaitSegments(trace, window, work);
    const CallNeeds needs(trace, calls);
    std::vector<Tick> own;
    for (const Occurrence &call : calls) {
        Tick explained = 0;
        if (!needs.returnsAtOnce(call))
            for (const WaitSegment &wait : waits[call.rank]) {
                const Tick begin = std::max(wait.begin, call.time.begin);
                const Tick end = std::min(wait.end, call.time.end);
                explained += end > begin ? end - begin : 0;
            }
        own.push_back(call.time.length() - explained);
    }
    const Tick most = *std::max_element(own.begin(), own.end());
    std::vector<Occurrence> left;
    for (std::size_t i = 0; i < calls.size(); ++i)
        if (own[i] >= most / 2)
            left.push_back(calls[i]);
    return left;
}

} // namespace

std::vector<Occurrence> stalledCalls(const Trace &trace, std::vector<Occurrence> calls, const Work &work) {
    if (calls.empty())
        return calls;
    std::sort(calls.begin(), calls.end(),
              [](const Occurrence &a, const Occurrence &b) { return std::tuple(a.rank, a.row) < std::tuple(b.rank, b.row); });
    calls = unexplained(trace, calls, work);
    CallNeeds needs(trace, calls);
    needs.findAll(work);
    std::vector<Occurrence> result;
    for (const std::size_t i : needs.ends())
        result.push_back(calls[i]);
    std::sort(result.begin(), result.end(), [](const Occurrence &a, const Occurrence &b) {
        return std::tuple(a.time.end, a.rank, a.row) < std::tuple(b.time.end, b.rank, b.row);
    });
    return result;
}

} // namespace laggard
