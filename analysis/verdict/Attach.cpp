// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Attach.h"

namespace laggard {

std::vector<Attachable> attachable(const Trace &trace, const Verdict &verdict, std::size_t most) {
    std::vector<Attachable> found;
    if (verdict.state != Verdict::State::Hung || verdict.findings.empty())
        return found;
    for (const Rank rank : verdict.findings.front().ranks) {
        if (found.size() == most)
            break;
        const Process &process = trace.processes[rank];
        if (process.end.kind == ProcessEnd::Kind::Running && process.pid > 0)
            found.push_back({rank, trace.hostOf(rank), process.pid, "gdb -p " + std::to_string(process.pid)});
    }
    return found;
}

} // namespace laggard
