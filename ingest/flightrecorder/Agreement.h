// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/flightrecorder/Dump.h"
#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <map>
#include <string>
#include <vector>

namespace laggard::flightrecorder {

/// A dump that tells something else than the others.
struct Dissent {
    Rank rank = none;
    std::string message; ///< one sentence, about "it"
};

/// Names of operations and types in all dumps. What one dump alone tells, and what differs in a letter from what several others
/// tell and it does not, is theirs with a letter changed.
class TextCensus {
  public:
    void add(const RankDump &dump, Rank rank);
    [[nodiscard]] std::vector<Dissent> dissents() const;

  private:
    struct Tellers {
        std::size_t dumps = 0;
        Rank first = none;
    };
    std::map<std::string, Tellers, std::less<>> m_tellers;
};

/// In collectives that all members completed: those who tell another operation or size of it than most members do, or both of
/// two. What is not complete is left to the verdict, as that may be why the job hangs. Instances must be linked.
[[nodiscard]] std::vector<Dissent> dissentsAboutCollectives(const Trace &trace);

} // namespace laggard::flightrecorder
