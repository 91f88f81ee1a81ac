// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"
#include "ingest/recording/ThreadReader.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <string>
#include <vector>

namespace laggard::recording {

/// The files of one job, and which rank each is.
struct JobFiles {
    struct File {
        std::string path;
        FileHeader header{};
        std::vector<FileDefinitions::Communicator> communicators;
        std::uint64_t bytes = 0;
        Rank rank = none;
        ClockMap clock;
        std::uint64_t newestEventBytes = 0; ///< OpenOptions::newestEventBytes
        Tick until = openEnd;               ///< for a job that runs: the moment that all files are read up to
        std::vector<FileDefinitions::Window> windows = {};
        std::vector<FileDefinitions::Offset> clockOffsets = {};
        std::string commandLine = {};             ///< as FileDefinitions has it
        std::vector<std::uint32_t> windowOf = {}; ///< by number in the file: position in `Trace::windows`, or `none`
    };
    std::string folder;
    std::vector<File> files;      ///< by rank; those of the same program without MPI in order of their start
    std::size_t processCount = 0; ///< processes of the job, missing ones included
    RankSet missing;              ///< ranks without a file
    std::uint64_t startUtc = 0;   ///< nanoseconds since 1970
    Tick lastSign = 0;            ///< when any process was last seen alive, or ended
    std::vector<Warning> warnings;
};

/// The recordings at `path`: those of the folder, or of the folder of the file that is named. Sorted.
[[nodiscard]] std::vector<std::string> recordingFilesAt(const std::string &path);

/// Reads the headers of all files and finds out which rank each is, and how their clocks differ. Files that cannot be used are
/// in the warnings. Throws ReadError if none can, and Cancelled.
[[nodiscard]] JobFiles surveyJob(const std::string &path, const Work &work);

/// The communicators of all files, joined by their keys. `numberOf[file][number in the file]` is the position in
/// `trace.communicators`, or `none`.
struct JoinedCommunicators {
    std::vector<Communicator> all;
    std::vector<std::uint64_t> keys; ///< as `all`; 0 for MPI_COMM_SELF
    CommunicatorId world = none;
    std::vector<std::vector<CommunicatorId>> numberOf;
};
[[nodiscard]] JoinedCommunicators joinCommunicators(const JobFiles &job, std::vector<Warning> &warnings);

/// If some process of the job runs here, sets the moment up to which all files are read: now. As files are read one after the
/// other while their processes go on, they would otherwise tell of different moments, and messages seem to come from nowhere.
void stopTheClock(JobFiles &job);

/// How the process of a file ended, at this moment.
[[nodiscard]] ProcessEnd endOf(const JobFiles::File &file);

} // namespace laggard::recording
