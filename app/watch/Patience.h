// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace laggard::watch {

/// What the analysis said of a job that stands still.
struct Judged {
    std::string state;     ///< as in the report: "hung", "running" …
    std::string kind;      ///< of verdict.facts: "deadlock", "computing" …
    double confidence = 0; ///< of the verdict
};

/// What is known of the standstill itself.
struct Stillness {
    double seconds = 0;          ///< since the last transition of any process
    double jobSeconds = 0;       ///< since the first process began to record
    double longestBefore = 0;    ///< seconds: the longest that any process was in one place and then went on
    std::optional<double> given; ///< --hang-timeout, where the user has said a time
};

/// After how many seconds of standing still the job is said to hang, judged so; nothing: not however long it lasts.
///
/// Where the waits themselves show that nothing will come (a deadlock, ranks in different collectives, a message that was never
/// sent by who waits itself), no time makes it surer. Where a rank computes, or is in a call of which nothing is missing, it may
/// come: then as long as the recorder needs at the least, far longer than anything that the job has survived, and a tenth of what
/// it has run already, so that a wrong word ends no more than it could cost to wait.
[[nodiscard]] std::optional<double> patienceFor(const Judged &judged, const Stillness &stillness);

} // namespace laggard::watch
