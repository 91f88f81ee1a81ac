// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

/// The rank that most likely did something by mistake: something else than it did each of three or more times before after the
/// same acts (ActSequence.h), and that came no oftener after. The longest run of equal acts, of up to sixteen, that came so often
/// decides. What it receives is no act of its own, so that whoever gets something unusual, or nothing, and goes on as always, or
/// stands where it always stood, has broken no habit.
///
/// What several did alike at that place is the program's way (a loop ends, every tenth step is written), and no break. If one of
/// the rest is the fault, and the others happened by themselves after n times alike with the chance 1 / (n + 2) that the rule of
/// succession gives them, then each is it in proportion to n + 2: `share`, of the ranks' breaks together. The first is told.
///
/// Where a rank has gone silent outside MPI in which it always went on, or breaks its habits again and again, nothing can be told
/// of the others. Nothing for model dumps, parts of a trace, and jobs with damaged ranks: what is lost looks like what was not
/// done.
class HabitBreaks {
  public:
    /// `job` must live as long. Throws Cancelled.
    HabitBreaks(const JobView &job, const Work &work);
    /// Of the breaks of all ranks.
    [[nodiscard]] std::optional<HabitBreak> odd() const;
    /// Of those of these ranks alone, where it is known that one of them is the fault. What others did alike is still no break.
    [[nodiscard]] std::optional<HabitBreak> oddOf(const RankSet &ranks) const;

  private:
    const JobView &m_job;
    std::vector<std::vector<HabitBreak>> m_ofRank; ///< those that no other rank has as well
    std::vector<bool> m_isErratic;                 ///< by rank: it breaks its habits again and again
};

} // namespace laggard
