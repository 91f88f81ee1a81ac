// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/JudgeUnits.h"

#include <optional>

namespace laggard {

/// A call of a unit, of the model of such units, or of both (thesis Figure 6.4).
struct UnitTreeCall {
    enum class Presence : std::uint8_t { Both, UnitOnly, ModelOnly };
    std::uint32_t parent = none; ///< position in UnitTree::calls, smaller than its own; `none` at the outermost level
    Presence presence = Presence::Both;
    std::string function;
    std::string site;           ///< "server.c:41": where it is called; empty where unknown
    std::string file;           ///< the function's file; empty where unknown
    std::uint32_t line = 0;     ///< the function's line
    CallPathId callPath = none; ///< of the unit's call; `none` for ModelOnly
    double probability = 0;     ///< p: share of the model's units with this call; 0 for UnitOnly
    bool counts = false;        ///< an effective node (equation 6.2)
    double score = 0;           ///< Δ of the node (equation 6.1); 0 unless it counts
};

/// The call tree of a unit beside the model's: callers first, and below each caller what the unit calls, in order of the first
/// calls, before what it does not.
struct UnitTree {
    std::vector<UnitTreeCall> calls;
    std::uint64_t modelUnits = 0; ///< that the model was made from; 0: it has none of this kind and connection
    double score = 0;             ///< Δ(u) (equation 6.2)
};

/// The tree of a unit that judgeUnits has found in this trace with this model. Nothing if the model does not know the process, or
/// the trace has no such unit. Throws Cancelled.
[[nodiscard]] std::optional<UnitTree> unitTree(const Trace &trace, const CallModel &model, const JudgedUnit &unit,
                                               const Work &work);

} // namespace laggard
