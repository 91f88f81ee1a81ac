// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/fuzz/Target.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <string>

namespace laggard::test {

/// One thread, so that the same bytes take the same way each time.
[[nodiscard]] inline Work oneThread() {
    Work work;
    work.threads = 1;
    return work;
}

/// Calls a reader, which may refuse with a sentence.
template <typename Read> void readOrRefuse(const Read &read) {
    try {
        read();
    } catch (const ReadError &error) {
        if (!std::string(error.what()).ends_with('.'))
            breakOff(std::string("What cannot be read is to be refused with a sentence, not \"") + error.what() + "\".");
    }
}

/// What a report asks of a trace, without pictures and words: who waits for whom, who made the least progress, who is to blame,
/// models and delays.
void judgeTrace(const TracePtr &trace);

} // namespace laggard::test
