// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

namespace laggard {

/// Puts the findings of the other analyses behind those of progress. Messages that came twice, and, of a job that is not held up,
/// what the others found, become part of the summary: there it is the answer.
void addOtherFindings(Report &report);

} // namespace laggard
