// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/assembly/InternTable.h"
#include "trace/Communication.h"

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace laggard::recording {

/// Messages of a channel (sender, communicator, tag) go to a thread's receives in the order in which these were posted;
/// recordings know when they were completed. Tells which were completed in another order, or may have been.
class ReceiveOrder {
  public:
    /// A receive with a request was posted. If it takes messages of anybody or with any tag, its channel is not known yet.
    void posted(std::uint64_t request, const Envelope &envelope, bool isWild) {
        if (isWild)
            m_wild.insert(request);
        else
            m_places[request] = m_channels[channelOf(envelope)].posted++;
    }
    /// A receive is complete; `request` is 0 if the call was a blocking one. True if it is surely the oldest of its channel.
    bool isNext(std::uint64_t request, const Envelope &envelope) {
        Counts &counts = m_channels[channelOf(envelope)];
        const auto place = m_places.find(request);
        const bool isPosted = request != 0 && place != m_places.end();
        const bool isWild = m_wild.erase(request) != 0;
        const std::uint32_t own = isPosted ? place->second : counts.posted++;
        if (isPosted)
            m_places.erase(place);
        return own == counts.completed++ && m_wild.empty() && (request == 0 || isPosted || isWild);
    }

  private:
    struct Channel {
        Rank peer = none;
        CommunicatorId communicator = none;
        std::uint32_t tag = 0;
        bool operator==(const Channel &) const = default;
    };
    struct Hash {
        std::size_t operator()(const Channel &c) const { return mixHash(c.peer, c.communicator, c.tag); }
    };
    struct Counts {
        std::uint32_t posted = 0;
        std::uint32_t completed = 0;
    };
    static Channel channelOf(const Envelope &envelope) { return {envelope.peer, envelope.communicator, envelope.tag}; }

    std::unordered_map<Channel, Counts, Hash> m_channels;
    std::unordered_map<std::uint64_t, std::uint32_t> m_places; ///< by request: its place in its channel
    std::unordered_set<std::uint64_t> m_wild;                  ///< requests
};

} // namespace laggard::recording
