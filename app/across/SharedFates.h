// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/MessageFates.h"
#include "analysis/waitfor/Snapshot.h"
#include "app/across/ShareTrace.h"

#include <map>
#include <memory>
#include <utility>

namespace laggard {

/// What became of the messages that open calls of a share's ranks are to be judged by.
class SharedFates : public MessageFates {
  public:
    using Send = std::pair<LocationIndex, std::uint32_t>; ///< location and record
    explicit SharedFates(std::map<Send, MessageFate> fates) : m_fates(std::move(fates)) {}
    [[nodiscard]] MessageFate of(LocationIndex sender, std::uint32_t send) const override {
        const auto known = m_fates.find({sender, send});
        return known == m_fates.end() ? MessageFate() : known->second;
    }

  private:
    std::map<Send, MessageFate> m_fates;
};

/// Finds out which messages the open calls of the share's ranks are judged by, and asks the processes where their receivers live:
/// the k-th message of a sender, receiver, communicator and tag is taken by the k-th receive (MPI 3.1 §3.5). All processes call
/// it. Throws TransportError and Cancelled.
[[nodiscard]] SharedFates askForFates(Transport &transport, const ShareTrace &share, const Snapshot &snapshot, const Work &work);

} // namespace laggard
