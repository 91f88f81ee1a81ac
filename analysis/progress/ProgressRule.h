// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/LoopNest.h"
#include "analysis/progress/ProgressGraph.h"

namespace laggard {

/// What the rule of progress dependence says by itself (PDI §3.2, §4.3, and the loops): from the control flow of the ranks and
/// where they are in it, without any wait that was seen. Beside the answer of the waits it is a second opinion from other
/// evidence.
struct ProgressRule {
    RankSet leastProgressed; ///< empty: nobody can be singled out
    double confidence = 0;   ///< 0..1
    std::string why;         ///< a sentence or two
    std::size_t groups = 0;  ///< groups of ranks in the same place and the same round
    RankSet alone;           ///< ranks that are a group by themselves ("isolated", PDI §5.2)
    // Relations between groups, by what told them.
    std::size_t probabilities = 0; ///< waits
    std::size_t loops = 0;         ///< waits
    std::size_t undefined = 0;     ///< the order is open
};

/// How the rule's answer goes with the one that the graph gives.
enum class RuleAgreement : std::uint8_t {
    Same,
    Part,      ///< some ranks are in both
    Other,     ///< none is
    NoRule,    ///< only the graph names somebody
    OnlyRule,  ///< only the rule does
    NobodyTold ///< neither does
};

/// The rule on the ranks that are in nodes of `graph`. `inner`: TraceModels::innerRounds of the same moment; empty of dumps,
/// which do not tell. Throws Cancelled.
[[nodiscard]] ProgressRule progressByRule(const ProgressGraph &graph, InnerRoundsOfRank inner, const Work &work);

[[nodiscard]] RuleAgreement agreementOf(const ProgressRule &rule, const ProgressGraph &graph);

} // namespace laggard
