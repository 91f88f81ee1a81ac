// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/CallTrace.h"

#include "ingest/assembly/ByteProgress.h"
#include "ingest/assembly/Linking.h"
#include "ingest/assembly/PartOptions.h"
#include "ingest/assembly/PartialTrace.h"
#include "ingest/calltrace/FileReader.h"
#include "trace/MpiName.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <tuple>
#include <unordered_map>

namespace laggard::calltrace {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t nanosecondsPerSecond = 1'000'000'000;

/// A process: its number in a file.
struct ProcessKey {
    std::size_t file = 0;
    std::int32_t pid = 0;
};

/// In order of host, process number and file.
void sortProcesses(std::vector<ProcessKey> &processes, const std::vector<TraceFile> &files) {
    std::stable_sort(processes.begin(), processes.end(), [&](const ProcessKey &a, const ProcessKey &b) {
        const std::string &hostA = files[a.file].host;
        const std::string &hostB = files[b.file].host;
        if (hostA != hostB)
            return comesBefore(hostA, hostB);
        return std::pair(a.pid, a.file) < std::pair(b.pid, b.file);
    });
}

/// The clock of the trace, and of each file. Stamps are kept as they are if all files count alike.
std::vector<ClockMap> settleClocks(const std::vector<TraceFile> &files, Clock &clock) {
    const auto rateOf = [](const TraceFile &file) { return file.header.ticksPerSecond.value_or(nanosecondsPerSecond); };
    bool alike = true;
    std::uint64_t zero = openEnd;
    for (const TraceFile &file : files) {
        alike = alike && rateOf(file) == rateOf(files.front()) && file.header.zeroUtc == files.front().header.zeroUtc;
        zero = std::min(zero, file.header.zeroUtc.value_or(openEnd));
    }
    std::vector<ClockMap> maps(files.size());
    if (alike) {
        clock.ticksPerSecond = rateOf(files.front());
        return maps;
    }
    for (std::size_t i = 0; i < files.size(); ++i)
        maps[i] = {rateOf(files[i]), files[i].header.zeroUtc.value_or(zero) - zero};
    return maps;
}

struct Scan {
    std::vector<ProcessKey> processes;
    TimeRange range{openEnd, 0};
};

Scan scanForProcesses(const std::vector<TraceFile> &files, const std::vector<ClockMap> &clocks, const Work &work) {
    std::vector<FileGlance> glances(files.size());
    forEachParallel(files.size(), work, [&](std::size_t i, unsigned) { glances[i] = glanceAt(files[i], true, work); });
    Scan scan;
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (const std::int32_t pid : glances[i].pids)
            scan.processes.push_back({i, pid});
        if (!glances[i].pids.empty())
            scan.range = {std::min(scan.range.begin, clocks[i](glances[i].first)),
                          std::max(scan.range.end, clocks[i](glances[i].last))};
    }
    sortProcesses(scan.processes, files);
    return scan;
}

std::string hex(std::uint64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

/// Makes the regions of the trace from the addresses of all files: the same function of several processes is one.
class RegionTable {
  public:
    explicit RegionTable(Trace &trace) : m_trace(trace) {}

    std::vector<RegionId> number(const TraceFile &file, const std::vector<std::uint64_t> &addresses) {
        std::vector<RegionId> regions;
        std::size_t named = 0;
        for (const std::uint64_t address : addresses) {
            const std::uint64_t own = address >= file.header.loadAddress ? address - file.header.loadAddress : address;
            const Symbol *symbol = file.symbols->find(own);
            named += symbol == nullptr ? 0 : 1;
            regions.push_back(symbol == nullptr ? intern({.name = hex(own), .canonicalName = hex(own), .file = {}}, 0)
                                                : intern({.name = symbol->name,
                                                          .canonicalName = symbol->canonicalName,
                                                          .file = symbol->file,
                                                          .line = symbol->line},
                                                         symbol->copy));
        }
        if (named == 0 && !addresses.empty() && !file.symbolPath.empty())
            ++m_strangers[file.symbolPath];
        return regions;
    }

    void addWarnings() {
        for (const auto &[path, files] : m_strangers)
            m_trace.warnings.push_back(
                {WarningId::ForeignSymbols,
                 Warning::Severity::Note,
                 std::nullopt,
                 path,
                 "No function of the symbol file begins at an address of the records" +
                     (files == 1 ? std::string() : " of " + plural(files, "file")) +
                     ": it is of another program or build, or the program was loaded at an address that a line like \"# "
                     "load-address 0x555555554000\" has to tell.",
                 {{"files", files}}});
    }

  private:
    RegionId intern(Region region, std::uint32_t copy) {
        const std::string key =
            region.canonicalName + '\n' + region.file + '\n' + std::to_string(region.line) + '\n' + std::to_string(copy);
        const auto [entry, isNew] = m_index.try_emplace(key, static_cast<RegionId>(m_trace.regions.size()));
        if (isNew) {
            region.role = RegionRole::Function;
            const bool isMpi = isMpiName(region.name);
            region.paradigm = isMpi ? Paradigm::Mpi : Paradigm::Compiler;
            m_trace.regions.push_back(std::move(region));
        }
        return entry->second;
    }

    Trace &m_trace;
    std::unordered_map<std::string, RegionId> m_index;
    std::map<std::string, std::size_t> m_strangers; ///< symbol files, and for how many files they had no name
};

/// Numbers the places of calls, which files tell by the line alone: it is one of the caller's file.
class CallSites {
  public:
    explicit CallSites(Trace &trace) : m_trace(trace) {}
    CallSiteId intern(RegionId caller, std::uint32_t line) {
        if (line == none || m_trace.regions[caller].file.empty())
            return none;
        const auto [entry, isNew] = m_index.try_emplace({m_trace.regions[caller].file, line}, m_trace.callSites.size());
        if (isNew)
            m_trace.callSites.push_back({m_trace.regions[caller].file, line});
        return static_cast<CallSiteId>(entry->second);
    }

  private:
    Trace &m_trace;
    std::map<std::pair<std::string, std::uint32_t>, std::size_t> m_index;
};

/// Call paths over the trace's regions instead of a file's own numbers. Two addresses may be of one function.
CallPathTable translate(const CallPathTable &paths, const std::vector<RegionId> &regions, FileContent &content,
                        CallSites &sites) {
    CallPathTable result;
    std::vector<CallPathId> renumbering(paths.size());
    bool changes = false;
    for (CallPathId path = 0; path < paths.size(); ++path) {
        const CallPathId parent = paths[path].parent;
        const CallSiteId site = parent == none ? none : sites.intern(regions[paths[parent].region], paths[path].site);
        renumbering[path] = result.intern(parent == none ? none : renumbering[parent], regions[paths[path].region], site);
        changes = changes || renumbering[path] != path;
    }
    if (changes)
        for (FileProcess &process : content.processes)
            for (Location &location : process.locations)
                for (CallPathId &path : location.events.track.callPath)
                    path = renumbering[path];
    return result;
}

void addHosts(const std::vector<ProcessKey> &keys, const std::vector<TraceFile> &files, Trace &trace) {
    std::map<std::string, SystemNodeId> nodes;
    for (Rank rank = 0; rank < keys.size(); ++rank) {
        const std::string &host = files[keys[rank].file].host;
        const auto [entry, isNew] = nodes.try_emplace(host, static_cast<SystemNodeId>(trace.systemNodes.size()));
        if (isNew)
            trace.systemNodes.push_back({host.empty() ? "unknown host" : host, "node", none});
        Process &process = trace.processes[rank];
        process.node = entry->second;
        process.pid = keys[rank].pid;
        process.name = (host.empty() ? "" : host + ", ") + "pid " + std::to_string(keys[rank].pid);
    }
    for (Rank rank = 1; rank < keys.size(); ++rank) {
        const TraceFile &before = files[keys[rank - 1].file];
        const TraceFile &file = files[keys[rank].file];
        if (!file.host.empty() && file.host == before.host && keys[rank].pid == keys[rank - 1].pid)
            trace.warnings.push_back({WarningId::ProcessTwice, Warning::Severity::Note, std::nullopt, file.path,
                                      "Process " + std::to_string(keys[rank].pid) + " of " + file.host + " is in \"" +
                                          fs::path(before.path).filename().string() +
                                          "\" as well; the two are shown as two processes."});
    }
}

/// Clocks that count from the start of each machine have nothing in common.
void noteForeignClocks(Trace &trace, const std::vector<TraceFile> &files) {
    if (std::any_of(files.begin(), files.end(), [](const TraceFile &file) { return file.header.zeroUtc.has_value(); }))
        return;
    std::vector<TimeRange> ranges;
    Tick longest = 0;
    for (const Process &process : trace.processes) {
        TimeRange range{openEnd, 0};
        for (const LocationIndex location : process.locations) {
            range.begin = std::min(range.begin, trace.locations[location].firstEvent);
            range.end = std::max(range.end, trace.locations[location].lastEvent);
        }
        if (range.begin > range.end)
            continue;
        ranges.push_back(range);
        longest = std::max(longest, range.length());
    }
    std::sort(ranges.begin(), ranges.end(), [](const TimeRange &a, const TimeRange &b) { return a.begin < b.begin; });
    Tick latest = ranges.empty() ? 0 : ranges.front().end;
    for (const TimeRange &range : ranges) {
        if (range.begin > latest && range.begin - latest > 10 * longest) {
            trace.warnings.push_back({WarningId::UnrelatedClocks, Warning::Severity::Note, std::nullopt, trace.path,
                                      "The processes were not recorded at the same time, or their clocks count from different "
                                      "moments: who did something first cannot be told."});
            return;
        }
        latest = std::max(latest, range.end);
    }
}

/// Moves what was read into the trace, process by process.
std::vector<std::uint32_t> moveLocations(const std::vector<ProcessKey> &keys, std::vector<FileContent> &contents, Trace &trace) {
    std::vector<std::uint32_t> fileOf;
    for (Rank rank = 0; rank < keys.size(); ++rank) {
        std::vector<FileProcess> &found = contents[keys[rank].file].processes;
        const auto process =
            std::find_if(found.begin(), found.end(), [&](const FileProcess &p) { return p.pid == keys[rank].pid; });
        if (process == found.end())
            continue; // its rank was not asked for
        for (Location &location : process->locations) {
            const auto number = static_cast<LocationIndex>(trace.locations.size());
            location.id = std::uint64_t{rank} << 32U | trace.processes[rank].locations.size();
            location.rank = rank;
            trace.processes[rank].locations.push_back(number);
            trace.eventCount += location.eventCount;
            trace.locations.push_back(std::move(location));
            fileOf.push_back(static_cast<std::uint32_t>(keys[rank].file));
        }
        trace.processes[rank].mainLocation = trace.processes[rank].locations.front();
    }
    return fileOf;
}

std::vector<FileContent> readAll(const std::vector<TraceFile> &files, const std::vector<ClockMap> &clocks,
                                 const std::vector<std::set<std::int32_t>> *wanted, const Work &work, Trace &trace) {
    std::vector<FileContent> contents(files.size());
    std::uint64_t total = 0;
    for (const TraceFile &file : files)
        total += file.bytes;
    ByteProgress progress(work, total);
    forEachParallel(files.size(), work, [&](std::size_t i, unsigned) {
        if (wanted != nullptr && (*wanted)[i].empty())
            return;
        try {
            contents[i] = readFile(files[i], clocks[i], wanted == nullptr ? nullptr : &(*wanted)[i], work,
                                   [&](std::uint64_t bytes) { progress.add(bytes); });
        } catch (const ReadError &failure) {
            contents[i].warnings.push_back(
                {WarningId::UnreadableFile, Warning::Severity::DataLoss, std::nullopt, files[i].path, failure.what()});
        }
    });
    for (FileContent &content : contents) {
        std::move(content.warnings.begin(), content.warnings.end(), std::back_inserter(trace.warnings));
        for (const auto &[kind, count] : content.unshown)
            trace.unshown[kind] += count;
    }
    return contents;
}

/// `scanned`: the range of all processes, where only some were read.
void setRange(const std::vector<TraceFile> &files, TimeRange scanned, Trace &trace) {
    trace.range = scanned;
    for (const Location &location : trace.locations) {
        trace.range.begin = std::min(trace.range.begin, location.firstEvent);
        trace.range.end = std::max(trace.range.end, location.lastEvent);
    }
    std::uint64_t zero = openEnd;
    for (const TraceFile &file : files)
        zero = std::min(zero, file.header.zeroUtc.value_or(openEnd));
    if (zero != openEnd)
        trace.clock.startNanosecondsUtc = zero + ClockMap{trace.clock.ticksPerSecond, 0}(trace.range.begin);
}

std::string creatorOf(const std::vector<TraceFile> &files) {
    const std::string &program = files.front().header.program;
    return program.empty() ? "call trace" : "call trace of " + fs::path(program).filename().string();
}

void noteUnit(const std::vector<TraceFile> &files, Trace &trace) {
    const auto silent =
        std::count_if(files.begin(), files.end(), [](const TraceFile &file) { return !file.header.ticksPerSecond; });
    if (silent != 0)
        trace.warnings.push_back({WarningId::UnknownTicks, Warning::Severity::Note, std::nullopt, trace.path,
                                  "The files do not say what their time stamps count: nanoseconds are assumed. A line like \"# "
                                  "ticks-per-second 1400000000\" at the beginning tells."});
}

} // namespace

std::vector<std::string> find(const std::string &path) {
    std::error_code error;
    if (fs::is_directory(path, error))
        return callTracesIn(path).empty() ? std::vector<std::string>{} : std::vector<std::string>{path};
    return isCallTrace(path) ? std::vector<std::string>{path} : std::vector<std::string>{};
}

TracePtr open(const std::string &path, const OpenOptions &options, const Work &work) {
    TraceFiles survey = surveyFiles(path, work);
    const std::vector<TraceFile> &files = survey.files;
    auto trace = std::make_shared<Trace>();
    trace->path = path;
    trace->format = "call trace";
    trace->creator = creatorOf(files);
    trace->warnings = std::move(survey.warnings);
    noteUnit(files, *trace);
    const std::vector<ClockMap> clocks = settleClocks(files, trace->clock);

    std::vector<ProcessKey> keys;
    TimeRange scanned{openEnd, 0};
    std::optional<std::vector<std::set<std::int32_t>>> wanted;
    if (options.ranks) {
        Scan scan = scanForProcesses(files, clocks, work);
        keys = std::move(scan.processes);
        scanned = scan.range;
        trace->processes.resize(keys.size());
        setPart({options.ranks, std::nullopt}, 0, *trace);
        wanted.emplace(files.size());
        for (Rank rank = 0; rank < keys.size(); ++rank)
            if (trace->isRead(rank))
                (*wanted)[keys[rank].file].insert(keys[rank].pid);
    }
    std::vector<FileContent> contents = readAll(files, clocks, wanted ? &*wanted : nullptr, work, *trace);
    if (!wanted) {
        for (std::size_t i = 0; i < files.size(); ++i)
            for (const FileProcess &process : contents[i].processes)
                keys.push_back({i, process.pid});
        sortProcesses(keys, files);
        trace->processes.resize(keys.size());
    }
    if (keys.empty())
        throw ReadError('"' + path + "\" has no records of calls that can be read.");
    addHosts(keys, files, *trace);

    RegionTable regions(*trace);
    CallSites sites(*trace);
    std::vector<CallPathTable> tables;
    for (std::size_t i = 0; i < files.size(); ++i)
        tables.push_back(translate(contents[i].callPaths, regions.number(files[i], contents[i].addresses), contents[i], sites));
    regions.addWarnings();
    const std::vector<std::uint32_t> fileOf = moveLocations(keys, contents, *trace);
    setRange(files, scanned, *trace);
    noteForeignClocks(*trace, files);
    setPart({std::nullopt, options.time}, trace->range.begin, *trace);
    if (trace->part.time) {
        TimeCut cut;
        cut.records.resize(trace->locations.size());
        cut.collectiveStart.resize(trace->locations.size());
        forEachParallel(trace->locations.size(), work, [&](std::size_t location, unsigned) {
            cutCalls(trace->locations[location].events, trace->regions, tables[fileOf[location]], *trace->part.time,
                     static_cast<LocationIndex>(location), cut);
        });
    }
    linkCallPaths(*trace, tables, fileOf, work);
    settlePart(options, *trace);
    return trace;
}

TraceOutline outline(const std::string &path, const Work &work) {
    // Two lines of some 58 characters make a row of 24 bytes, as about 20 bytes of OTF2 do, which the estimate is made for.
    constexpr std::uint64_t textPerEventByte = 6;
    const TraceFiles survey = surveyFiles(path, work);
    Clock clock;
    const std::vector<ClockMap> clocks = settleClocks(survey.files, clock);
    std::vector<ProcessKey> keys;
    std::vector<std::size_t> processes;
    TraceOutline outline;
    TimeRange range{openEnd, 0};
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < survey.files.size(); ++i) {
        throwIfCancelled(work);
        const FileGlance glance = glanceAt(survey.files[i], false, work);
        for (const std::int32_t pid : glance.pids)
            keys.push_back({i, pid});
        processes.push_back(glance.pids.size());
        outline.locations += glance.threads.size();
        if (glance.first <= glance.last)
            range = {std::min(range.begin, clocks[i](glance.first)), std::max(range.end, clocks[i](glance.last))};
        largest = std::max(largest, survey.files[i].bytes);
    }
    sortProcesses(keys, survey.files);
    for (const ProcessKey &key : keys)
        outline.eventBytes.push_back(survey.files[key.file].bytes / processes[key.file] / textPerEventByte);
    // While a file is read, 12 bytes for each of its lines.
    outline.bufferBytes = largest / 4 + (std::uint64_t{1} << 20U);
    if (range.begin <= range.end)
        outline.seconds = static_cast<double>(range.length()) / static_cast<double>(clock.ticksPerSecond);
    return outline;
}

} // namespace laggard::calltrace
