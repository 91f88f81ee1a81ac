// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/assembly/Linking.h"
#include "ingest/recording/CodeTables.h"
#include "ingest/recording/Processes.h"
#include "ingest/recording/ThreadReader.h"

#include <map>

namespace laggard::recording {

/// What one process recorded.
struct ProcessResult {
    std::vector<Location> locations; ///< main thread first
    ProcessEnd end;
    std::vector<CountedTransition> model; ///< where events are missing; by call paths of the table that was given
    Tick eventsFrom = 0;                  ///< Process::eventsFrom
    std::uint32_t lostThreads = 0;        ///< Process::lostThreads
    std::vector<EarlierMessages> earlier; ///< where records are missing
    std::vector<MessageCount> leftOver;   ///< Process::leftOver
    Tick hangNoticed = openEnd;           ///< Process::hangNoticed
    /// What it saw of other processes of its machine, in order of time.
    struct Neighbour {
        std::int32_t pid = 0;
        Tick time = 0;
        NeighbourState state = NeighbourState::Runs;
    };
    std::vector<Neighbour> neighbours;
    std::vector<Warning> warnings;
    std::map<std::string, std::uint64_t> unshown;
};

/// Reads a process's file, all its threads. `advanced(bytes)` is called from time to time. Throws ReadError and Cancelled.
[[nodiscard]] ProcessResult readProcess(const JobFiles::File &file, const std::vector<CommunicatorId> &communicators,
                                        std::size_t processCount, CodeTables &code, CallPathTable &callPaths, const Work &work,
                                        const std::function<void(std::uint64_t)> &advanced);

} // namespace laggard::recording
