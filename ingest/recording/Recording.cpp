// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/Recording.h"

#include "ingest/assembly/ByteProgress.h"
#include "ingest/assembly/LinkTrace.h"
#include "ingest/assembly/PartOptions.h"
#include "ingest/recording/JoinedWindows.h"
#include "ingest/recording/LiveProcess.h"
#include "ingest/recording/ProcessReader.h"
#include "ingest/recording/SymbolFile.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace laggard::recording {
namespace {

namespace fs = std::filesystem;

void addHosts(const JobFiles &job, Trace &trace) {
    std::map<std::string, SystemNodeId> nodes;
    for (const JobFiles::File &file : job.files)
        nodes[file.header.host] = none;
    for (auto &[host, node] : nodes) {
        node = static_cast<SystemNodeId>(trace.systemNodes.size());
        trace.systemNodes.push_back({host.empty() ? "unknown host" : host, "node", none});
    }
    for (const JobFiles::File &file : job.files)
        trace.processes[file.rank].node = nodes[file.header.host];
}

/// The process that another one was started by or, of one that became another program, was before; `none`: it is not recorded.
/// Process numbers are used again: the latest that began before it.
Rank originOf(const JobFiles &job, const JobFiles::File &file, std::int32_t pid) {
    Rank found = none;
    Tick latest = 0;
    for (const JobFiles::File &other : job.files)
        if (&other != &file && other.header.pid == pid && std::string_view(other.header.host) == file.header.host &&
            other.clock.toTick <= file.clock.toTick && (found == none || other.clock.toTick >= latest)) {
            found = other.rank;
            latest = other.clock.toTick;
        }
    return found;
}

/// If there are several programs, the name says which one it is, and where it comes from: "process 2 (proxy, of process 0)".
std::string nameOf(const JobFiles &job, const JobFiles::File &file) {
    const std::string name = "process " + std::to_string(file.rank);
    if (std::ranges::all_of(job.files, [&](const JobFiles::File &other) { return other.header.parent == 0; }) ||
        job.files.size() == 1)
        return name;
    const Rank before = originOf(job, file, file.header.pid);
    const Rank parent = before != none ? before : originOf(job, file, static_cast<std::int32_t>(file.header.parent));
    if (parent == none)
        return name;
    return name + " (" + moduleName(file.header.program) + (before != none ? ", earlier process " : ", of process ") +
           std::to_string(parent) + ')';
}

void addProcesses(const JobFiles &job, const JoinedCommunicators &communicators, Trace &trace) {
    const bool isMpi =
        communicators.world != none || job.files.front().header.rank >= 0 || job.files.front().header.environmentRank >= 0;
    trace.processes.resize(job.processCount);
    for (std::size_t rank = 0; rank < job.processCount; ++rank)
        trace.processes[rank].name = (isMpi ? "rank " : "process ") + std::to_string(rank);
    for (const JobFiles::File &file : job.files) {
        trace.processes[file.rank].pid = file.header.pid;
        if (!isMpi)
            trace.processes[file.rank].name = nameOf(job, file);
    }
    addHosts(job, trace);
}

std::string creatorOf(const JobFiles &job) {
    const FileHeader &header = job.files.front().header;
    const std::string program = header.program[0] == '\0' ? std::string("a program") : moduleName(header.program);
    return "laggard-record of " + program + (header.jobId[0] == '\0' ? "" : ", job " + std::string(header.jobId));
}

bool wasEndedFromOutside(const ProcessEnd &end) {
    return end.kind == ProcessEnd::Kind::Killed || end.kind == ProcessEnd::Kind::Signalled || end.isEndedByLibrary();
}

/// What processes saw of each other. At the end of a job all see each other go: that somebody is gone counts only if whoever saw
/// it lived on for a while. Launchers wake those whom they end: who was stopped until then was stopped.
void joinObservations(const JobFiles &job, const std::vector<std::size_t> &wanted, const std::vector<ProcessResult> &results,
                      Trace &trace) {
    constexpr Tick livedOn = 1'000'000'000;
    constexpr Tick woken =
        2'000'000'000; // Open MPI's SIGCONT comes 1 s before SIGKILL; twice that, as a busy machine takes longer
    Tick end = 0;
    for (const Process &process : trace.processes)
        end = std::max(end, process.end.time);
    std::map<std::pair<std::string, std::int32_t>, Rank> rankOf;
    for (const JobFiles::File &file : job.files)
        rankOf[{file.header.host, file.header.pid}] = file.rank;
    std::map<Rank, Tick> seen;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const JobFiles::File &file = job.files[wanted[i]];
        for (const ProcessResult::Neighbour &neighbour : results[i].neighbours) {
            const auto other = rankOf.find({file.header.host, neighbour.pid});
            if (other == rankOf.end())
                continue;
            if (neighbour.state == NeighbourState::HasLock) {
                trace.processes[file.rank].fileLockOf = other->second;
                trace.processes[file.rank].fileLockSeen = neighbour.time;
                continue;
            }
            const bool isGone = neighbour.state == NeighbourState::Gone;
            if (isGone && trace.processes[file.rank].end.time < neighbour.time + livedOn)
                continue;
            if (neighbour.state == NeighbourState::Runs && neighbour.time + woken >= end &&
                wasEndedFromOutside(trace.processes[other->second].end))
                continue;
            Tick &latest = seen[other->second];
            if (neighbour.time < latest)
                continue;
            latest = neighbour.time;
            trace.processes[other->second].end.lastSeen = isGone ? ProcessEnd::Seen::Gone
                                                          : neighbour.state == NeighbourState::Stopped
                                                              ? ProcessEnd::Seen::Stopped
                                                              : ProcessEnd::Seen::Nothing;
        }
    }
}

/// Threads are asked for one after the other; a file's columns are moved into the trace when all are there.
void readAll(const JobFiles &job, const JoinedCommunicators &communicators, CodeTables &code, const Work &work, Trace &trace,
             std::vector<EarlierMessages> &earlier, TimeCut &cut) {
    std::vector<std::size_t> wanted;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < job.files.size(); ++i)
        if (trace.isRead(job.files[i].rank)) {
            wanted.push_back(i);
            total += job.files[i].bytes;
        }
    ByteProgress progress(work, total);
    std::vector<CallPathTable> tables(work.threadCount());
    std::vector<ProcessResult> results(wanted.size());
    std::vector<unsigned> workerOf(wanted.size(), 0);
    forEachParallel(wanted.size(), work, [&](std::size_t i, unsigned worker) {
        const JobFiles::File &file = job.files[wanted[i]];
        workerOf[i] = worker;
        try {
            results[i] = readProcess(file, communicators.numberOf[wanted[i]], job.processCount, code, tables[worker], work,
                                     [&](std::uint64_t bytes) { progress.add(bytes); });
        } catch (const ReadError &failure) {
            results[i].warnings.push_back(
                {WarningId::UnreadableRecording, Warning::Severity::DataLoss, std::nullopt, file.path, failure.what()});
        }
    });
    std::vector<std::uint32_t> tableOf;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const JobFiles::File &file = job.files[wanted[i]];
        Process &process = trace.processes[file.rank];
        process.end = std::move(results[i].end);
        process.model = std::move(results[i].model);
        process.eventsFrom = results[i].eventsFrom;
        process.lostThreads = results[i].lostThreads;
        process.leftOver = std::move(results[i].leftOver);
        process.hangNoticed = results[i].hangNoticed;
        for (Location &location : results[i].locations) {
            const auto number = static_cast<LocationIndex>(trace.locations.size());
            process.locations.push_back(number);
            process.mainLocation = process.mainLocation == none ? number : process.mainLocation;
            trace.eventCount += location.eventCount;
            trace.locations.push_back(std::move(location));
            tableOf.push_back(workerOf[i]);
        }
        std::move(results[i].warnings.begin(), results[i].warnings.end(), std::back_inserter(trace.warnings));
        for (const auto &[kind, count] : results[i].unshown)
            trace.unshown[kind] += count;
        earlier.insert(earlier.end(), results[i].earlier.begin(), results[i].earlier.end());
    }
    joinObservations(job, wanted, results, trace);
    code.settle(trace, tables);
    if (trace.part.time) {
        cut.records.assign(trace.locations.size(), {});
        cut.collectiveStart.clear();
        cut.collectiveStart.resize(trace.locations.size());
        forEachParallel(trace.locations.size(), work, [&](std::size_t location, unsigned) {
            cutCalls(trace.locations[location].events, trace.regions, tables[tableOf[location]], *trace.part.time,
                     static_cast<LocationIndex>(location), cut);
        });
    }
    linkCallPaths(trace, tables, tableOf, work);
}

void setRange(const JobFiles &job, Trace &trace) {
    trace.range = {0, job.lastSign};
    for (const Location &location : trace.locations)
        if (location.eventCount != 0)
            trace.range.end = std::max(trace.range.end, location.lastEvent);
    for (const Process &process : trace.processes)
        trace.range.end = std::max(trace.range.end, process.end.time);
}

} // namespace

std::vector<std::string> find(const std::string &path) {
    std::error_code error;
    if (!fs::is_directory(path, error))
        return isRecordingFile(path) ? std::vector<std::string>{path} : std::vector<std::string>{};
    for (const std::string &file : recordingFilesAt(path))
        if (isRecordingFile(file))
            return {path};
    return {};
}

namespace {

std::string folderOf(const std::string &path) {
    std::error_code error;
    if (fs::is_directory(path, error))
        return path;
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

/// Files of processes that run on this machine and can answer.
std::vector<std::string> runningHere(const JobFiles &job) {
    std::vector<std::string> paths;
    for (const JobFiles::File &file : job.files)
        if (file.header.endKind == static_cast<std::uint32_t>(EndKind::StillOpen) && isThisHost(file.header))
            if (const LiveProcess live = liveProcess(file.header, file.path); live.exists && !live.isStopped)
                paths.push_back(file.path);
    return paths;
}

/// `found`: places in the code, if wanted.
TracePtr read(const std::string &path, const OpenOptions &options, const Work &work, KnownPlaces *found) {
    auto trace = std::make_shared<Trace>();
    trace->path = path;
    trace->format = "recording";
    trace->tellsOpenCalls = true;
    JobFiles job = surveyJob(path, work);
    if (found == nullptr && askForStacks(runningHere(job), work))
        job = surveyJob(path, work); // what they said meanwhile
    stopTheClock(job);
    for (JobFiles::File &file : job.files)
        file.newestEventBytes = options.newestEventBytes;
    trace->warnings = job.warnings;
    trace->creator = creatorOf(job);
    trace->clock = {1'000'000'000, 0, job.startUtc};
    JoinedCommunicators communicators = joinCommunicators(job, trace->warnings);
    trace->windows = joinWindows(job, communicators);
    trace->communicators = std::move(communicators.all);
    trace->world = communicators.world;
    addProcesses(job, communicators, *trace);
    setPart(options, 0, *trace);
    CodeTables code(job.startUtc, readSymbolFile(folderOf(path), trace->warnings),
                    options.askDebugServers ? DebugSources::ServersAsWell : DebugSources::ThisMachine);
    std::vector<EarlierMessages> earlier;
    TimeCut cut;
    readAll(job, communicators, code, work, *trace, earlier, cut);
    trace->binaries = code.symbols.binariesWithLines();
    for (Warning &warning : code.symbols.warnings())
        trace->warnings.push_back(std::move(warning));
    setRange(job, *trace);
    linkTrace(options, cut, work, *trace, earlier);
    if (found != nullptr)
        *found = code.symbols.found();
    return trace;
}

} // namespace

TracePtr open(const std::string &path, const OpenOptions &options, const Work &work) {
    return read(path, options, work, nullptr);
}

void keepSymbols(const std::string &path, bool askDebugServers, const Work &work) {
    KnownPlaces found;
    OpenOptions whole;
    whole.askDebugServers = askDebugServers;
    static_cast<void>(read(path, whole, work, &found));
    writeSymbolFile(folderOf(path), found);
}

TraceOutline outline(const std::string &path, const Work &work) {
    const JobFiles job = surveyJob(path, work);
    TraceOutline outline;
    outline.eventBytes.resize(job.processCount, 0);
    for (const JobFiles::File &file : job.files)
        outline.eventBytes[file.rank] = file.bytes;
    outline.locations = job.files.size();
    outline.bufferBytes = chunkUnit;
    outline.seconds = static_cast<double>(job.lastSign) / 1e9;
    return outline;
}

} // namespace laggard::recording
