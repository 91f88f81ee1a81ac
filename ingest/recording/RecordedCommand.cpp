// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/RecordedCommand.h"

#include "ingest/recording/Processes.h"

#include <algorithm>

namespace laggard::recording {
namespace {

/// By the names that their libraries have.
std::string mpiOf(const FileDefinitions &definitions) {
    for (const FileDefinitions::Module &module : definitions.modules) {
        const std::string name = module.path.substr(module.path.find_last_of('/') + 1);
        if (name.starts_with("libmpich."))
            return "mpich";
        if (name.starts_with("libopen-rte.") || name.starts_with("libopen-pal."))
            return "openmpi";
    }
    return {};
}

} // namespace

RecordedCommand commandOf(const std::string &path, const Work &work) {
    const JobFiles job = surveyJob(path, work);
    RecordedCommand command;
    command.ranks = job.processCount;
    command.mpi = mpiOf(RecordingFile(job.files.front().path, RecordingFile::Depth::Definitions).definitions());
    const std::string &text = job.files.front().commandLine;
    if (text.empty()) {
        command.problem = "The recording does not tell with which arguments the program was started.";
        return command;
    }
    if (!std::ranges::all_of(job.files, [&](const JobFiles::File &file) { return file.commandLine == text; })) {
        command.problem = "The ranks were started in different folders or with different arguments.";
        return command;
    }
    std::vector<std::string> parts; // each has a zero byte behind it
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\0', at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    command.folder = parts.front();
    command.arguments.assign(parts.begin() + 1, parts.end());
    if (command.arguments.empty())
        command.problem = "The recording does not tell with which arguments the program was started.";
    return command;
}

} // namespace laggard::recording
