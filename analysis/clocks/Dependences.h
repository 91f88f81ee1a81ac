// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// Where a location depends on others, or others depend on it.
struct DependencePoint {
    enum class Kind : std::uint8_t {
        // In this order where times are equal: receives are recorded before a call returns, sends when the next is entered.
        Receive,       ///< `index` in the receives: after the send of its message
        Probe,         ///< `index` in the receives: it saw the message that this one took
        CollectiveEnd, ///< `index` in the collectives: after the entries that it needs (Becker et al. 2009)
        Send,          ///< `index` in the sends
        CollectiveEnter,
        Mark, ///< depends on nothing
    };
    Tick time = 0;
    std::uint32_t index = none;
    Kind kind = Kind::Send;
};

/// Whose entries the completion of a collective needs at a member. Only what MPI guarantees: an operation that may be local at
/// some members, or moves nothing, orders nobody.
enum class CollectiveOrder : std::uint8_t {
    Nobody,
    Root,     ///< one to all: the root's
    AtRoot,   ///< all to one: everybody's, at the root
    Everybody ///< all to all
};
[[nodiscard]] CollectiveOrder orderOf(const CollectiveKind &kind);

/// The instance whose entries this completion needs; `none`: it needs none. `collective`: in the collectives of the location.
[[nodiscard]] std::uint32_t instanceNeeded(const Location &location, const Trace &trace, std::uint32_t collective);
/// Whether this member's entry is one that completions of its instance need.
[[nodiscard]] bool isEntryNeeded(const Location &location, const Trace &trace, std::uint32_t collective);

/// The other end of a message.
struct MessageEnd {
    LocationIndex location = none; ///< `none`: unmatched
    std::uint32_t index = none;
};

/// The points of all locations in order of time, and what they depend on: messages, and collectives of communicators. 16 bytes a
/// point, 8 a receive.
class Dependences {
  public:
    /// `probes`: by location, further points of Kind::Probe, in order of time; may be empty.
    Dependences(const Trace &trace, const Work &work, std::vector<std::vector<DependencePoint>> probes = {});

    [[nodiscard]] const Trace &trace() const { return m_trace; }
    [[nodiscard]] const std::vector<DependencePoint> &points(LocationIndex location) const { return m_points[location]; }
    [[nodiscard]] MessageEnd sendOf(LocationIndex receiver, std::uint32_t receive) const { return m_sendOf[receiver][receive]; }
    [[nodiscard]] std::uint32_t instanceNeeded(LocationIndex location, std::uint32_t collective) const {
        return laggard::instanceNeeded(m_trace.locations[location], m_trace, collective);
    }
    [[nodiscard]] bool isNeeded(LocationIndex location, std::uint32_t collective) const {
        return isEntryNeeded(m_trace.locations[location], m_trace, collective);
    }
    /// Such entries of an instance.
    [[nodiscard]] std::uint32_t entriesOf(std::uint32_t instance) const { return m_entries[instance]; }

    /// Calls `visit(location, first, end)` for each group of points of a location that have one time, when the points that they
    /// depend on have been visited. Groups of several locations at one time that depend on each other are visited again and again
    /// until no call returns true (something changed). Returns a sentence where the trace contradicts itself: some points depend
    /// on what comes after them; these are not visited. Throws Cancelled.
    using Visit = std::function<bool(LocationIndex, std::size_t, std::size_t)>;
    [[nodiscard]] std::optional<std::string> inOrder(const Visit &visit, const Work &work) const;

  private:
    const Trace &m_trace;
    std::vector<std::vector<DependencePoint>> m_points;
    std::vector<std::vector<MessageEnd>> m_sendOf;
    std::vector<std::uint32_t> m_entries;
};

} // namespace laggard
