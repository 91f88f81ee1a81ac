// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/races/CausalReach.h"

#include <algorithm>

namespace laggard {
namespace {

using Kind = DependencePoint::Kind;

constexpr std::size_t mostBytes = std::size_t{256} << 20U; ///< memory for the clocks that sends carry
constexpr std::size_t mostColumns = 64;                    ///< entries of a clock that are followed at once
constexpr std::size_t mostWalks = 64;                      ///< walks over the whole trace: a minute for 10 million messages

/// One walk over the trace with some entries of all clocks.
class Walk {
  public:
    Walk(const Dependences &dependences, const std::vector<LocationIndex> &columns, std::vector<std::vector<Tick>> &known)
        : m_dependences(dependences), m_trace(dependences.trace()), m_columns(columns), m_known(known) {
        const std::size_t locations = m_trace.locations.size();
        m_columnOfRank.assign(m_trace.processes.size(), none);
        m_columnOf.assign(locations, none);
        for (std::uint32_t c = 0; c < columns.size(); ++c) {
            m_columnOfRank[m_trace.locations[columns[c]].rank] = c;
            m_columnOf[columns[c]] = c;
        }
        m_versions.resize(locations);
        m_versionOfSend.resize(locations);
        for (LocationIndex l = 0; l < locations; ++l) {
            m_versions[l].assign(columns.size(), 0);
            m_versionOfSend[l].assign(m_trace.locations[l].events.sends.size(), 0);
        }
        m_instances.resize(m_trace.collectives.size());
    }

    std::optional<std::string> run(const Work &work) {
        return m_dependences.inOrder([this](LocationIndex l, std::size_t first, std::size_t end) { return visit(l, first, end); },
                                     work);
    }

  private:
    bool visit(LocationIndex l, std::size_t first, std::size_t end) {
        std::vector<Tick> now(m_versions[l].end() - static_cast<std::ptrdiff_t>(m_columns.size()), m_versions[l].end());
        bool changed = false;
        for (std::size_t i = first; i < end; ++i)
            changed |= learn(l, m_dependences.points(l)[i], now);
        if (changed)
            m_versions[l].insert(m_versions[l].end(), now.begin(), now.end());
        for (std::size_t i = first; i < end; ++i)
            tell(l, m_dependences.points(l)[i], now);
        return changed;
    }

    /// What a completion brings.
    bool learn(LocationIndex l, const DependencePoint &point, std::vector<Tick> &now) const {
        bool changed = false;
        const auto raise = [&](std::uint32_t c, Tick to) {
            if (m_columnOf[l] != c && now[c] < to) {
                now[c] = to;
                changed = true;
            }
        };
        if (point.kind == Kind::Receive) {
            const MessageEnd send = m_dependences.sendOf(l, point.index);
            if (send.location == none)
                return false;
            const Tick *version =
                m_versions[send.location].data() + m_versionOfSend[send.location][send.index] * m_columns.size();
            for (std::uint32_t c = 0; c < m_columns.size(); ++c)
                raise(c, version[c]);
            if (const std::uint32_t own = m_columnOf[send.location]; own != none)
                raise(own, m_trace.locations[send.location].events.sends.time[send.index]);
        } else if (point.kind == Kind::CollectiveEnd) {
            const std::uint32_t instance = m_dependences.instanceNeeded(l, point.index);
            if (instance != none && !m_instances[instance].empty())
                for (std::uint32_t c = 0; c < m_columns.size(); ++c)
                    raise(c, m_instances[instance][c]);
        }
        return changed;
    }

    /// What others can learn.
    void tell(LocationIndex l, const DependencePoint &point, const std::vector<Tick> &now) {
        const LocationEvents &events = m_trace.locations[l].events;
        if (point.kind == Kind::Send) {
            m_versionOfSend[l][point.index] = m_versions[l].size() / m_columns.size() - 1;
            const Rank to = events.envelopes[events.sends.envelope[point.index]].peer;
            if (const std::uint32_t c = to == none ? none : m_columnOfRank[to]; c != none)
                m_known[l][point.index] = m_columnOf[l] == c ? point.time : now[c];
        } else if (point.kind == Kind::CollectiveEnter && m_dependences.isNeeded(l, point.index)) {
            std::vector<Tick> &all = m_instances[events.collectives.instance[point.index]];
            all.resize(m_columns.size(), 0);
            for (std::uint32_t c = 0; c < m_columns.size(); ++c)
                all[c] = std::max(all[c], m_columnOf[l] == c ? point.time : now[c]);
        }
    }

    const Dependences &m_dependences;
    const Trace &m_trace;
    const std::vector<LocationIndex> &m_columns;
    std::vector<std::vector<Tick>> &m_known;
    std::vector<std::uint32_t> m_columnOfRank;
    std::vector<std::uint32_t> m_columnOf;                 ///< by location: its own entry
    std::vector<std::vector<Tick>> m_versions;             ///< by location: one clock after the other
    std::vector<std::vector<std::size_t>> m_versionOfSend; ///< by location and send: in m_versions
    std::vector<std::vector<Tick>> m_instances;            ///< by collective instance: what its entries bring
};

} // namespace

CausalReach::CausalReach(const Dependences &dependences, const std::vector<LocationIndex> &receivers, const Work &work)
    : m_known(dependences.trace().locations.size()) {
    const Trace &trace = dependences.trace();
    std::size_t completions = trace.locations.size() + trace.collectives.size();
    for (LocationIndex l = 0; l < trace.locations.size(); ++l) {
        m_known[l].assign(trace.locations[l].events.sends.size(), 0);
        completions += trace.locations[l].events.receives.size() + trace.locations[l].events.collectives.size();
    }
    const std::size_t atOnce = std::clamp(mostBytes / sizeof(Tick) / completions, std::size_t{1}, mostColumns);
    std::size_t walks = 0;
    for (std::size_t first = 0; first < receivers.size(); first += atOnce, ++walks) {
        const auto begin = receivers.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = receivers.begin() + static_cast<std::ptrdiff_t>(std::min(first + atOnce, receivers.size()));
        if (walks >= mostWalks) {
            m_leftOut.assign(begin, receivers.end());
            std::sort(m_leftOut.begin(), m_leftOut.end());
            return;
        }
        const std::vector<LocationIndex> columns(begin, end);
        if (const auto problem = Walk(dependences, columns, m_known).run(work)) {
            m_problem = *problem;
            return;
        }
    }
}

} // namespace laggard
