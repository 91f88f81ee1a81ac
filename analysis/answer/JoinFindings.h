// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/answer/Report.h"
#include "trace/Work.h"

namespace laggard {

/// Puts the findings of the other analyses behind those of progress, as far as they may stand at the top (SlownessGate). Messages
/// that came twice, and, in a job that is not held up, what the others found, become part of the summary: there it is the answer.
/// Throws Cancelled.
void joinFindings(Report &report, const Work &work);

/// " It is not said above: …", of a change of behaviour that may not stand at the top; empty otherwise.
[[nodiscard]] std::string remarkOnPhases(const Verdict &verdict, const SemiMarkovReport &models);

} // namespace laggard
