// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "trace/RankSet.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace laggard {

/// Collective `number` on a communicator.
using QueueInstance = std::pair<CommunicatorId, std::uint32_t>;

/// What all ranks have enqueued, looked up from both sides of each operation.
class QueueIndex {
  public:
    explicit QueueIndex(const JobView &job);

    [[nodiscard]] static const std::vector<QueuedOperation> &nothing();
    [[nodiscard]] const std::vector<QueuedOperation> &queue(Rank rank) const;
    /// False for a rank that left no dump, or whose dump was not read.
    [[nodiscard]] bool isKnown(Rank rank) const;

    /// For each collective that somebody has enqueued and not completed: its members, sorted, and the operation as each has it.
    struct Entry {
        Rank rank = none;
        const QueuedOperation *operation = nullptr;
        bool isFirst = false; ///< the rank has enqueued nothing before it that is not complete, but parts of the same batch
        bool isHead = false;  ///< nothing on the same communicator
    };
    using Entries = std::vector<Entry>;
    [[nodiscard]] const std::map<QueueInstance, Entries> &collectives() const { return m_collectives; }

    /// Messages between two ranks on a communicator that an end has enqueued and not seen complete, in order.
    using Channel = std::tuple<Rank, Rank, CommunicatorId>; ///< sender, receiver
    struct Messages {
        Entries sends;
        Entries receives;
    };
    [[nodiscard]] const std::map<Channel, Messages> &messages() const { return m_messages; }

    /// Where both members count alike: how many messages the rank has enqueued and seen complete on the communicator; nullptr
    /// where that is not known.
    [[nodiscard]] const QueuedMessages *counted(Rank rank, CommunicatorId communicator) const;

    /// Members of a communicator, sorted; all ranks where they are not told.
    [[nodiscard]] const RankSet &members(CommunicatorId communicator) const { return m_members[communicator]; }

  private:
    void add(Rank rank);

    const JobView &m_job;
    std::map<QueueInstance, Entries> m_collectives;
    std::map<Channel, Messages> m_messages;
    std::vector<RankSet> m_members;
};

} // namespace laggard
