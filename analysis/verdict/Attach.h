// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"

#include <string>
#include <vector>

namespace laggard {

/// A process that ran when the recording was read, and how a debugger gets into it.
struct Attachable {
    Rank rank = none;
    std::string host;
    std::int32_t pid = 0;
    std::string command; ///< "gdb -p 4711", to be given on `host`
};

/// The first `most` of the ranks that the first finding of a hung job names and whose processes still run.
[[nodiscard]] std::vector<Attachable> attachable(const Trace &trace, const Verdict &verdict, std::size_t most = 4);

} // namespace laggard
