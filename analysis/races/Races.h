// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// A message that a racing call took, or could have taken.
struct RacingMessage {
    LocationIndex sender = none;
    std::uint32_t send = none; ///< in the sends of `sender`
    Rank from = none;
    std::uint32_t tag = 0;
    std::uint64_t call = 0;     ///< the call that sends it: number as in Race
    bool isTaken = false;       ///< in the recorded run
    Tick sent = 0;              ///< when its send was begun, as recorded
    Tick sentCorrected = 0;     ///< when it would have been sent without the recorder; as recorded where its time is not known
    Tick arrival = 0;           ///< at the earliest, as recorded: when it was sent, and t_trans
    Tick arrivalCorrected = 0;  ///< … without the recorder
    CallPathId callPath = none; ///< call path of the call that sent it; `none` outside all calls
};

/// A call whose outcome depended on which message came first.
struct Race {
    enum class Kind : std::uint8_t {
        Receive,    ///< takes a message from any source: MPI_Recv, MPI_Irecv, MPI_Mprobe
        Probe,      ///< finds a message from any source: MPI_Probe, MPI_Iprobe
        Completion, ///< ends with one of several receives: MPI_Waitany and its like
    };
    Kind kind = Kind::Receive;
    LocationIndex location = none;
    Rank rank = none;
    std::uint32_t row = none;   ///< the call's row in the track (for a receive: of the call that posted it); `none`: not there
    CallPathId callPath = none; ///< likewise
    /// Its number among the MPI calls of its location, from 1; polls that found nothing do not count. 0: it is not there. What
    /// laggard-record --exchange takes.
    std::uint64_t call = 0;
    Tick time = 0;                       ///< when it had its outcome
    std::vector<RacingMessage> messages; ///< two or more, by arrival as recorded
    Tick apart = 0;         ///< between the arrivals of a message that was taken and the nearest one that was not, as recorded
    bool isChanged = false; ///< without the recorder, another message would have come first
};
[[nodiscard]] std::string_view name(Race::Kind kind); ///< "receive", "probe", "completion"

/// What could have come in another order (Kranzlmüller et al. 2000, §3).
struct RaceReport {
    std::vector<Race> races;    ///< those whose order the recorder has changed first, then the closest; at most `mostRaces`
    std::uint64_t count = 0;    ///< number of all races
    std::uint64_t changed = 0;  ///< how many would have another first message without the recorder
    std::uint64_t examined = 0; ///< calls that take or find a message from any source, or end with one of several receives
    bool knowsRecorder = false; ///< the trace tells what recording it took; else nothing is corrected
    std::string note;           ///< what was not looked at, in a sentence; empty: all was
};
inline constexpr std::size_t mostRaces = 1000;

/// The racing messages of each call: those that it could have taken if all that went before it, and all that its candidates
/// follow from, had gone as recorded. They fit in communicator and tag, are not sent after the call has ended (happened-before),
/// and are the first that fits of their senders which no earlier receive has taken (MPI 3.1 §3.5, non-overtaking). What later
/// calls could have taken after another outcome is not told: that is the business of runs in that order. Throws Cancelled.
[[nodiscard]] RaceReport findRaces(const Trace &trace, const Work &work);

} // namespace laggard
