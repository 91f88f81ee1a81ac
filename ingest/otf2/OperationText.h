// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/TextParts.h"
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
inline constexpr std::string_view fingerprintAttribute = "LAGGARD_FINGERPRINT"; ///< on sends and receives: the contents'
inline constexpr std::string_view collectiveAttribute = "LAGGARD_COLLECTIVE";   ///< on the end of a collective: textOfFacts
inline constexpr std::string_view rowAttribute =
    "LAGGARD_POSTED_BY"; ///< on receives and collectives: number of the posting Enter
inline constexpr std::string_view howAttribute = "LAGGARD_POSTED_HOW";       ///< on receives: ReceivePostings::how
inline constexpr std::string_view threadAttribute = "LAGGARD_POSTED_THREAD"; ///< on receives: ReceivePostings::thread
inline constexpr std::string_view epochAttribute = "LAGGARD_EPOCH";          ///< on Enter: what it does to epochs of windows
inline constexpr std::string_view takenAttribute = "LAGGARD_TAKEN";    ///< on Enter of a probe: the message that it took for good
inline constexpr std::string_view namesProperty = "LAGGARD_NAMES";     ///< on the first location group: Trace::names
inline constexpr std::string_view windowsProperty = "LAGGARD_WINDOWS"; ///< on the first location group: Trace::windows
inline constexpr std::string_view bridgesProperty = "LAGGARD_INTERCOMMUNICATORS"; ///< on the first location group: which ones
inline constexpr std::string_view datatypesProperty = "LAGGARD_DATATYPES";        ///< on the first location group: by call site
inline constexpr std::string_view endStackProperty = "LAGGARD_END_STACK";         ///< on location groups: ProcessEnd::stack
inline constexpr std::string_view errorStackProperty = "LAGGARD_MPI_ERROR_STACK"; ///< on location groups
inline constexpr std::string_view hangProperty = "LAGGARD_HANG_NOTICED";          ///< on location groups: ticks
inline constexpr std::string_view fileLockProperty = "LAGGARD_FILE_LOCK";         ///< on location groups: rank, ticks
inline constexpr std::string_view unrecordedProperty = "LAGGARD_UNRECORDED"; ///< on location groups: Process::unrecordedSends
inline constexpr std::string_view callersOnlyProperty =
    "LAGGARD_CALLERS_ONLY"; ///< on locations: not LocationEvents::tellsFunctions
inline constexpr std::string_view earlierProperty = "LAGGARD_EARLIER_COLLECTIVES"; ///< on locations
inline constexpr std::string_view epochsProperty = "LAGGARD_EPOCHS"; ///< on locations: epochs opened before the first event
inline constexpr std::string_view pidProperty = "LAGGARD_PID";       ///< on location groups
inline constexpr std::string_view eventsFromProperty = "LAGGARD_EVENTS_FROM"; ///< on location groups: Process::eventsFrom
inline constexpr std::string_view endProperty = "LAGGARD_END";                ///< on location groups: how the process ended
inline constexpr std::string_view mpiErrorProperty = "LAGGARD_MPI_ERROR";     ///< on location groups: "TICKS TEXT"
inline constexpr std::string_view waitingProperty = "LAGGARD_WAITING";        ///< on location groups: Process::leftOver
inline constexpr std::string_view lossesProperty = "LAGGARD_LOSSES";          ///< on the first location group: what was damaged
inline constexpr std::string_view damagedProperty = "LAGGARD_DAMAGED";        ///< on locations: Location::damaged
inline constexpr std::string_view stoppedProperty = "LAGGARD_STOPPED_AT";     ///< on locations: "FILE:LINE"

/// What was posted by a request that is pending.
struct PostedOperation {
    bool isCollective = false;
    Envelope envelope; ///< a receive's; no peer if `anySource`
    bool anySource = false;
    bool anyTag = false;
    CollectiveKind collective;
    bool matchedProbe = false;
    std::uint32_t part = 0;
    // Rows of the track. `row`: the posting call, where that is not the innermost open one. The others: calls whose paths are
    // PendingRequest::startedBy and ::madeBy.
    std::uint32_t row = none;
    std::uint32_t startedBy = none;
    std::uint32_t madeBy = none;
};

/// "receive from=3 communicator=0 tag=7 bytes=80". Ranks are those in MPI_COMM_WORLD, "*" is a wildcard.
[[nodiscard]] std::string textOf(const PostedOperation &operation);
/// "receive from=3 communicator=0 tag=7; send index=12; any". Call paths are written as the numbers that they are: writers put a
/// row of the track there, and readers find its path.
[[nodiscard]] std::string textOf(const OpenParts &parts);
/// Messages as operations that would receive them, each as above: "receive from=3 …; receive from=4 …".
[[nodiscard]] std::string textOf(const std::vector<MessageCount> &waiting);
/// "collective nonblocking=1 reduction=0 type=1": what OTF2's record of a collective does not tell; empty if there is nothing.
[[nodiscard]] std::string textOfFacts(const CollectiveKind &kind);
/// As a receive of it: "receive from=3 communicator=0 tag=7 bytes=80 anysource=1".
[[nodiscard]] std::string textOf(const TakenMessage &taken, const Envelope &envelope);
/// "exited 0 1234567 exit=normal finalized=1": kind, value and time in ticks, and what else is known, without the stacks.
[[nodiscard]] std::string textOf(const ProcessEnd &end);

/// Reads such a text; nothing if it is none.
[[nodiscard]] std::optional<PostedOperation> postedOperation(std::string_view text, const Limits &limits);
[[nodiscard]] std::optional<OpenParts> openParts(std::string_view text, const Limits &limits);
/// What is not whole is left out.
[[nodiscard]] std::vector<MessageCount> waitingMessages(std::string_view text, const Limits &limits);
void readFacts(std::string_view text, const Limits &limits, CollectiveKind &kind);
[[nodiscard]] std::optional<std::pair<TakenMessage, Envelope>> takenMessage(std::string_view text, const Limits &limits);
[[nodiscard]] std::optional<ProcessEnd> processEnd(std::string_view text);

} // namespace laggard::otf2
