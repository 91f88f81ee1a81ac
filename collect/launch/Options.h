// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::collect {

/// The command line of laggard-record.
struct Options {
    std::string folder; ///< empty: laggard-PROGRAM-JOBID
    std::uint64_t buffer = std::uint64_t{16} << 20U;
    bool spill = false;
    bool pool = false; ///< `buffer` is for a process, and emptied while it runs
    std::string mode = "both";
    bool libc = false;            ///< calls of the C library instead of MPI
    bool python = false;          ///< functions of Python programs as well
    std::string hangTimeout = ""; ///< empty: auto, and with `libc` never
    std::string stacks = "on";
    std::string fingerprints = "on";
    std::string clockSync = "auto";
    std::string inject;
    std::string replay;     ///< recording that the job is to follow; empty: none
    std::string exchange;   ///< RANK:CALL=SENDER:CALL; empty: none
    std::string replayWait; ///< seconds; empty: by the recording
    std::string mpi = "auto";
    std::string onHang; ///< analyze, stop or a command; empty: nothing
    std::vector<std::string> command;

    /// The user has said after how many seconds a job is to be looked at.
    [[nodiscard]] bool givesHangTimeout() const { return !hangTimeout.empty() && hangTimeout != "auto"; }
};

/// Reads the command line. Returns -1, or the status with which to exit at once (0 after --help, 2 after a mistake, which was
/// printed).
int readOptions(int argc, char **argv, Options &options);

} // namespace laggard::collect
