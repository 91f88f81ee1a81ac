// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/QueueState.h"

namespace laggard {

bool showsQueues(const Trace &trace, const WaitForGraph &waits) {
    return trace.enqueues && !trace.isSummary && waits.at >= trace.readRange().end;
}

Verdict::State queueStateOf(const WaitForGraph &waits) {
    if (waits.verdict.kind == WaitForVerdict::Kind::Finished)
        return Verdict::State::Finished;
    return waits.verdict.kind == WaitForVerdict::Kind::Unknown && waits.waits.empty() ? Verdict::State::Running
                                                                                      : Verdict::State::Hung;
}

} // namespace laggard
