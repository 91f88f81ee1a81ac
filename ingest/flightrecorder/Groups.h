// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/flightrecorder/Dump.h"
#include "trace/Trace.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace laggard::flightrecorder {

/// Process groups of all ranks as communicators. Names repeat in a job (each rank's first pipeline group may be called "43"): a
/// group is told by its name and its members together.
class GroupTable {
  public:
    /// The communicator of a group of this rank. One whose members are not told has those ranks that know it by this name.
    [[nodiscard]] CommunicatorId intern(const DumpGroup &group, Rank rank);

    /// Notes that operations of this kind are known on it, and of how many ranks the largest is.
    void noteUse(CommunicatorId communicator, bool isMessage) {
        (isMessage ? m_uses[communicator].messages : m_uses[communicator].collectives) = true;
    }
    [[nodiscard]] bool hasMessages(CommunicatorId communicator) const { return m_uses[communicator].messages; }
    [[nodiscard]] bool hasCollectives(CommunicatorId communicator) const { return m_uses[communicator].collectives; }

    /// One more than the largest rank that is a member of any.
    [[nodiscard]] std::size_t worldSize() const { return m_worldSize; }
    [[nodiscard]] const std::vector<Communicator> &all() const { return m_all; }

    /// Moves the communicators to the trace, and finds the one of all ranks. The table is spent.
    void finish(Trace &trace);

  private:
    struct Use {
        bool messages = false;
        bool collectives = false;
    };
    std::map<std::pair<std::string, std::vector<Rank>>, CommunicatorId> m_known;
    std::vector<Communicator> m_all;
    std::vector<bool> m_isUntold; ///< members grow with the ranks that know the group
    std::vector<Use> m_uses;
    std::size_t m_worldSize = 0;
};

} // namespace laggard::flightrecorder
