// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/CallRole.h"

#include <map>
#include <string>

namespace laggard {

/// What the descriptors of one process stood for at which time. Descriptors are used again; a connection is what one stood for
/// from being made to being closed.
class Connections {
  public:
    struct Connection {
        std::vector<CallPathId> setUpBy; ///< calls that set it up, sorted: §6.1.3, and pipe and socketpair
        bool isFile = false;             ///< opened by name: reading it is no event
        std::string peer;                ///< address of who is at the other end; empty: not known
    };

    Connections() = default;
    Connections(const Trace &trace, Rank rank, const std::vector<CallRole> &roles);

    /// What `descriptor` stood for at `time`; nullptr: it was inherited, or the call that made it is not among the events.
    [[nodiscard]] const Connection *at(std::int32_t descriptor, Tick time) const;
    /// Its number; `none` likewise.
    [[nodiscard]] std::uint32_t numberAt(std::int32_t descriptor, Tick time) const;
    [[nodiscard]] const Connection &operator[](std::uint32_t number) const { return m_connections[number]; }

  private:
    struct Use {
        Tick from;
        std::uint32_t connection;
    };
    void apply(const LocationEvents &events, const DescriptorCall &call, CallRole role);
    [[nodiscard]] std::uint32_t make(std::int64_t descriptor, Tick from);
    void use(std::int32_t descriptor, Tick from, std::uint32_t connection);
    [[nodiscard]] std::uint32_t current(std::int32_t descriptor) const;

    std::vector<Connection> m_connections;
    std::map<std::int32_t, std::vector<Use>> m_uses; ///< uses of each descriptor, in order of time
};

} // namespace laggard
