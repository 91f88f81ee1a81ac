// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replay/RecordedPath.h"
#include "trace/Work.h"

#include <optional>
#include <string>
#include <vector>

namespace laggard::replay {

/// A message that is to come first at a call: --exchange RANK:CALL=SENDER:CALL.
struct Exchange {
    std::uint32_t rank = 0;
    std::uint64_t call = 0; ///< which of the rank's calls takes what comes first, as the list of races has it
    std::uint32_t sender = 0;
    std::uint64_t sendCall = 0; ///< which of the sender's calls sends the message
    bool operator==(const Exchange &) const = default;
};
/// Nothing where it is none.
[[nodiscard]] std::optional<Exchange> readExchange(const std::string &text);
[[nodiscard]] std::string toText(const Exchange &exchange);

struct ReplayRequest {
    std::string recording;
    std::optional<Exchange> exchange;
    std::optional<std::uint32_t> ranks; ///< ranks of the job that is to start; nothing: not known
    std::string program;                ///< path of its binary; empty: not known
    std::optional<std::uint64_t> waitSeconds;
};

/// Thrown where a recording cannot be replayed so: a sentence.
class ReplayError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The plans of all ranks, as trace/recording/ReplayPlan.h has them, by rank. With an exchange, ranks are led only as far as
/// nothing follows from it (Kranzlmüller et al. 2000, §3: after the point of exchange, without control). Throws ReplayError,
/// ReadError, and Cancelled.
[[nodiscard]] std::vector<std::string> makePlans(const ReplayRequest &request, const Work &work);

} // namespace laggard::replay
