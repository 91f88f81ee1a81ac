// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace laggard::recording {

/// The matched probe that took a message.
struct TakenBy {
    TakenMessage message;
    std::uint64_t number = 0; ///< the message's number in the recording
};

/// Messages that a thread's matched probes (MPI_Mprobe) have taken, from the probe to the receive.
class MatchedMessages {
  public:
    void taken(std::uint64_t number, const TakenMessage &message) { m_taken[number] = message; }

    /// A receive of the message begins; `request` 0: a blocking one.
    void receiveBegins(std::uint64_t number, std::uint64_t request) {
        TakenBy begun{{}, number};
        if (const auto entry = m_taken.find(number); entry != m_taken.end()) {
            begun.message = entry->second;
            m_taken.erase(entry);
        } else {
            m_strange.push_back(number);
        }
        m_begun[request] = begun;
    }

    /// The receive with this request, or 0 for the blocking one that began last, is complete: by which probe its message was
    /// taken. nullptr if it is none of a taken message. Valid until the next call.
    const TakenBy *received(std::uint64_t request) {
        const auto entry = m_begun.find(request);
        if (entry == m_begun.end())
            return nullptr;
        m_last = entry->second;
        m_begun.erase(entry);
        return &m_last;
    }

    /// Messages that another thread has taken.
    [[nodiscard]] const std::vector<std::uint64_t> &strange() const { return m_strange; }
    /// Another thread has received it.
    void forget(std::uint64_t number) { m_taken.erase(number); }

    /// Those that no receive has got, by row.
    [[nodiscard]] std::vector<TakenMessage> left() const {
        std::vector<TakenMessage> messages;
        for (const auto &[number, message] : m_taken)
            messages.push_back(message);
        std::ranges::sort(messages, {}, &TakenMessage::row);
        return messages;
    }

  private:
    std::unordered_map<std::uint64_t, TakenMessage> m_taken; ///< by number
    std::unordered_map<std::uint64_t, TakenBy> m_begun;      ///< by request
    std::vector<std::uint64_t> m_strange;
    TakenBy m_last;
};

} // namespace laggard::recording
