// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"
#include "trace/Warning.h"

#include <optional>
#include <string>
#include <vector>

namespace laggard::flightrecorder {

/// The files of one job: one for each rank, which only the file's name tells.
struct DumpFiles {
    struct Entry {
        Rank rank = none;
        std::string path;
    };
    std::vector<Entry> entries;         ///< sorted by rank, each once
    std::vector<std::string> snapshots; ///< made by ncclras, beside them: by name
    std::vector<Warning> warnings;
};

/// What a name tells: "_dump_12" is rank 12 of "_dump_", "nccl_trace_rank_3.json" rank 3 of "nccl_trace_rank_".
struct DumpName {
    std::string prefix;
    Rank rank = none;
};

/// Nothing if the name, without an ending of letters, does not end with a number, or with one that is no rank.
[[nodiscard]] std::optional<DumpName> dumpName(const std::string &fileName);

/// What to open for `path`: the folder, if all dumps in it have one prefix; if several, the first file of each; a file itself.
/// Judged by content.
[[nodiscard]] std::vector<std::string> findDumps(const std::string &path);

/// The files that belong to what `findDumps` gave: all files of a folder; with a file those in its folder that have the same
/// prefix. Throws ReadError if there are none.
[[nodiscard]] DumpFiles filesOf(const std::string &path);

} // namespace laggard::flightrecorder
