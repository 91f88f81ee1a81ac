// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/HeadlineFacts.h"
#include "trace/Ids.h"
#include "trace/Trace.h"

#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// What was found of a job when all its events were at hand. A summary alone does not tell what its ranks did before, and so
/// less, or something else.
struct DumpedAnswer {
    struct Finding {
        std::string method;
        RankSet ranks;
        std::string function; ///< innermost function; empty where nothing is known
        std::string file;
        std::uint32_t line = 0;
        bool isDefinition = false; ///< `line` is where that function begins
        double score = 0;          ///< 0..1
        CallPathId callPath = none;
        std::optional<TimeRange> time;
        std::string why; ///< a sentence
        bool operator==(const Finding &) const = default;
    };
    /// Whom one of the methods names.
    struct Named {
        RankSet ranks;
        double confidence = 0; ///< 0..1
        std::string why;
        bool operator==(const Named &) const = default;
    };
    std::string state; ///< "hung", "crashed" …
    HeadlineFacts headline;
    std::string summary;
    double confidence = 0;   ///< 0..1, of the summary
    RankSet crashed;         ///< of a job that crashed, whom the summary holds to be the cause
    bool ofDamaged = false;  ///< damaged ranks were involved
    bool ofPart = false;     ///< only a part of the trace was read
    std::string waitsKind;   ///< "mismatch", "left_out" …: what the waits tell of those
    Named byWaits;           ///< who all others wait for
    std::size_t waiting = 0; ///< ranks that wait for those
    bool everybodyWaits = false;
    Tick since = 0; ///< from when on nothing has changed in this
    Named leastProgressed;
    std::vector<Finding> findings; ///< in falling order of score
    bool operator==(const DumpedAnswer &) const = default;
};

} // namespace laggard
