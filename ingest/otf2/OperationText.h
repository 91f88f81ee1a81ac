// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/IdMap.h"
#include "trace/Location.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::otf2 {

/// Names of the attributes and properties in which archives written by Laggard keep what recordings know and OTF2 has no place
/// for (docs/otf2.md, "Archives that Laggard writes").
inline constexpr std::string_view callSiteAttribute = "LAGGARD_CALL_SITE"; ///< on Enter: source code location of the call
inline constexpr std::string_view pendingAttribute = "LAGGARD_PENDING";    ///< on requests that stay pending: what was posted
inline constexpr std::string_view openCallAttribute = "LAGGARD_OPEN_CALL"; ///< on Enter of a call that is never left
inline constexpr std::string_view pollsAttribute = "LAGGARD_POLLS";        ///< on Enter: unsuccessful polls kept as one call
inline constexpr std::string_view fingerprintAttribute = "LAGGARD_FINGERPRINT"; ///< on sends and receives: of the contents
inline constexpr std::string_view pidProperty = "LAGGARD_PID";                  ///< of location groups
inline constexpr std::string_view eventsFromProperty = "LAGGARD_EVENTS_FROM";   ///< of location groups: Process::eventsFrom
inline constexpr std::string_view endProperty = "LAGGARD_END";                  ///< of location groups: how the process ended
inline constexpr std::string_view mpiErrorProperty = "LAGGARD_MPI_ERROR";       ///< of location groups: "TICKS TEXT"
inline constexpr std::string_view waitingProperty = "LAGGARD_WAITING";          ///< of location groups: Process::leftOver
inline constexpr std::string_view stoppedProperty = "LAGGARD_STOPPED_AT";       ///< of locations: "FILE:LINE"

/// What was posted by a request that is pending.
struct PostedOperation {
    bool isCollective = false;
    Envelope envelope; ///< of a receive; no peer if `anySource`
    bool anySource = false;
    bool anyTag = false;
    CollectiveKind collective;
};

/// "receive from=3 communicator=0 tag=7 bytes=80". Ranks are those in MPI_COMM_WORLD, "*" is a wildcard.
[[nodiscard]] std::string textOf(const PostedOperation &operation);
/// "receive from=3 communicator=0 tag=7; send index=12; any".
[[nodiscard]] std::string textOf(const OpenParts &parts);
/// Messages as operations that would receive them, each as above: "receive from=3 …; receive from=4 …".
[[nodiscard]] std::string textOf(const std::vector<MessageCount> &waiting);
/// "exited 0 1234567": kind, value and time in ticks.
[[nodiscard]] std::string textOf(const ProcessEnd &end);

/// Reads such a text; nothing if it is none. `communicators` translates the archive's numbers; ranks are below `rankCount`.
[[nodiscard]] std::optional<PostedOperation> postedOperation(std::string_view text, const IdMap &communicators, Rank rankCount);
[[nodiscard]] std::optional<OpenParts> openParts(std::string_view text, const IdMap &communicators, Rank rankCount);
/// What is not whole is left out.
[[nodiscard]] std::vector<MessageCount> waitingMessages(std::string_view text, const IdMap &communicators, Rank rankCount);
[[nodiscard]] std::optional<ProcessEnd> processEnd(std::string_view text);

} // namespace laggard::otf2
