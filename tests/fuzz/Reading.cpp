// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/Reading.h"

#include "analysis/delays/Delays.h"
#include "analysis/messages/RepeatedMessages.h"
#include "analysis/progress/MomentIndex.h"
#include "analysis/progress/ProgressGraph.h"
#include "analysis/verdict/Blame.h"
#include "analysis/verdict/MpiUse.h"
#include "analysis/verdict/Standstill.h"
#include "analysis/words/VerdictWords.h"

namespace laggard::test {

void judgeTrace(const TracePtr &trace) {
    const Work work = oneThread();
    const MomentIndex index(trace, work);
    const WaitForGraph waits = buildWaitForGraph(index.waits, momentToJudge(*trace), work);
    ProgressGraph progress = buildProgressGraph(index, waits, work);
    Verdict verdict = judgeInWords(*trace, waits, progress);
    settleBlame(*trace, verdict, true, progress);
    static_cast<void>(findDelays(*trace, trace->readRange(), work));
    static_cast<void>(findRepeatedMessages(*trace, work));
    static_cast<void>(findMpiUseErrors(*trace, verdict.state == Verdict::State::Finished, work));
}

} // namespace laggard::test
