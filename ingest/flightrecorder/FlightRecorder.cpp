// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/FlightRecorder.h"

#include "ingest/assembly/ByteProgress.h"
#include "ingest/assembly/LinkTrace.h"
#include "ingest/assembly/PartOptions.h"
#include "ingest/flightrecorder/Agreement.h"
#include "ingest/flightrecorder/Dump.h"
#include "ingest/flightrecorder/DumpFiles.h"
#include "ingest/flightrecorder/RankBuilder.h"
#include "ingest/flightrecorder/RasSnapshot.h"
#include "trace/Parallel.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace laggard::flightrecorder {
namespace {

namespace fs = std::filesystem;

std::uint64_t sizeOf(const std::string &file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

/// A dump, or why there is none.
struct ReadFile {
    RankDump dump;
    std::string complaint;
};

/// Reads all files, some at a time: whole rings of thousands of ranks do not fit into memory.
class JobReader {
  public:
    JobReader(const DumpFiles &files, const OpenOptions &options, const Work &work, Trace &trace)
        : m_files(files), m_options(options), m_work(work), m_trace(trace), m_tables(trace) {}

    void read() {
        std::uint64_t bytes = 0;
        for (const DumpFiles::Entry &file : m_files.entries)
            bytes += sizeOf(file.path);
        ByteProgress progress(m_work, bytes);
        constexpr std::size_t atOnce = 64; // files
        for (std::size_t first = 0; first < m_files.entries.size(); first += atOnce) {
            std::vector<ReadFile> batch(std::min(atOnce, m_files.entries.size() - first));
            forEachParallel(batch.size(), m_work, [&](std::size_t i, unsigned) {
                const DumpFiles::Entry &file = m_files.entries[first + i];
                try {
                    batch[i].dump = readDump(file.path, m_work);
                } catch (const ReadError &failure) {
                    batch[i].complaint = failure.what();
                }
                progress.add(sizeOf(file.path));
            });
            for (std::size_t i = 0; i < batch.size(); ++i)
                take(m_files.entries[first + i], std::move(batch[i]));
        }
        if (m_locations.empty())
            throw ReadError(m_firstComplaint);
        settle();
    }

  private:
    void take(const DumpFiles::Entry &file, ReadFile read) {
        if (!read.complaint.empty()) {
            m_firstComplaint = m_firstComplaint.empty() ? read.complaint : m_firstComplaint;
            m_trace.warnings.push_back(
                {WarningId::UnreadableDump, Warning::Severity::DataLoss, std::nullopt, file.path, read.complaint});
            return;
        }
        findContradictions(read.dump, file.rank);
        m_texts.add(read.dump, file.rank);
        std::ranges::move(read.dump.warnings, std::back_inserter(m_trace.warnings));
        m_versions.insert(read.dump.version);
        if (!read.dump.library.empty())
            m_libraries.insert(read.dump.library);
        m_locations.push_back(locationOf(read.dump, file.rank, m_tables, m_unseen));
    }

    void settle() {
        std::vector<Dissent> dissents = m_texts.dissents();
        const std::vector<CommunicatorId> becomes = m_tables.groups.settle(dissents);
        for (Location &location : m_locations)
            renumberGroups(location.events, becomes);
        for (UnseenGroup &each : m_unseen)
            each.communicator = becomes[each.communicator];
        addProcesses();
        setRange();
        setPart(m_options, m_trace.range.begin, m_trace);
        m_trace.creator = "PyTorch's Flight Recorder " + joinedNames(m_versions) +
                          (m_libraries.empty() ? "" : ", communication library " + joinedNames(m_libraries));
        for (Location &location : m_locations) {
            Process &process = m_trace.processes[location.rank];
            if (!m_trace.isRead(location.rank))
                continue;
            if (location.events.track.empty())
                addOutside(location);
            process.mainLocation = static_cast<LocationIndex>(m_trace.locations.size());
            process.locations.push_back(process.mainLocation);
            m_trace.eventCount += location.eventCount;
            m_trace.locations.push_back(std::move(location));
        }
        std::erase_if(m_unseen, [this](const UnseenGroup &each) { return !m_trace.isRead(each.rank); });
        settleUnseen(m_unseen, m_tables.groups, m_trace);
        m_tables.groups.finish(m_trace);
        linkAll();
        std::ranges::move(dissentsAboutCollectives(m_trace), std::back_inserter(dissents));
        note(dissents);
        noteSilent();
    }

    void note(const std::vector<Dissent> &dissents) {
        for (const Dissent &each : dissents) {
            const auto file = std::ranges::lower_bound(m_files.entries, each.rank, {}, &DumpFiles::Entry::rank);
            m_trace.warnings.push_back(
                {WarningId::DissentingDump, Warning::Severity::DataLoss, each.rank, file->path, each.message});
        }
    }

    /// A ring without entries: whatever the rank has enqueued is complete, and it does something else.
    void addOutside(Location &location) {
        Track &track = location.events.track;
        track.start.push_back(m_trace.range.begin);
        track.end.push_back(openEnd);
        track.callPath.push_back(m_tables.callPaths.intern(none, m_tables.outside()));
        track.parent.push_back(none);
        location.eventCount = 1;
        location.firstEvent = location.lastEvent = m_trace.range.begin;
    }

    /// Members of groups are ranks that there were, whether they left a dump or not.
    void addProcesses() {
        const std::size_t named = m_files.entries.back().rank + std::size_t{1};
        const std::size_t count = std::max<std::size_t>(m_tables.groups.worldSize(), named);
        constexpr std::size_t alwaysPossible = 65'536;
        constexpr std::size_t ranksPerName = 64; // more than that is no job of which these are the dumps
        if (count > alwaysPossible && count > named * ranksPerName)
            throw ReadError("The dumps of \"" + m_trace.path + "\" name rank " + describeCount(count - 1) +
                            " as a member of a group, and there are only " + plural(m_files.entries.size(), "dump") +
                            ": they are damaged.");
        m_trace.processes.resize(count);
        for (Rank rank = 0; rank < count; ++rank)
            m_trace.processes[rank].name = "rank " + std::to_string(rank);
    }

    void setRange() {
        m_trace.range = {openEnd, 0};
        for (const Location &location : m_locations)
            if (location.eventCount != 0)
                m_trace.range = {std::min(m_trace.range.begin, location.firstEvent),
                                 std::max(m_trace.range.end, location.lastEvent)};
        if (m_trace.range.begin > m_trace.range.end)
            m_trace.range = {0, 0};
        m_trace.clock = {1'000'000'000, 0, m_trace.range.begin};
    }

    void linkAll() {
        TimeCut cut;
        const std::vector<std::uint32_t> tableOf(m_trace.locations.size(), 0);
        std::vector<CallPathTable> tables;
        tables.push_back(std::move(m_tables.callPaths));
        if (m_trace.part.time) {
            cut.records.resize(m_trace.locations.size());
            cut.collectiveStart.resize(m_trace.locations.size());
            for (LocationIndex location = 0; location < m_trace.locations.size(); ++location)
                cutCalls(m_trace.locations[location].events, m_trace.regions, tables[0], *m_trace.part.time, location, cut);
        }
        linkCallPaths(m_trace, tables, tableOf, m_work);
        linkTrace(m_options, cut, m_work, m_trace);
    }

    void noteSilent() {
        RankSet silent;
        for (Rank rank = 0; rank < m_trace.processes.size(); ++rank)
            if (m_trace.processes[rank].locations.empty() && m_trace.isRead(rank))
                silent.push_back(rank);
        if (!silent.empty())
            m_trace.warnings.push_back({WarningId::MissingDumps,
                                        Warning::Severity::DataLoss,
                                        std::nullopt,
                                        m_trace.path,
                                        "There is no dump of " + describeRankSet(silent) + " that can be read, of " +
                                            plural(m_trace.processes.size(), "rank") + '.',
                                        {{"ranks", formatRanges(silent)}}});
    }

    static std::string joinedNames(const std::set<std::string> &names) {
        std::string text;
        for (const std::string &name : names)
            text += (text.empty() ? "" : ", ") + name;
        return text;
    }

    const DumpFiles &m_files;
    const OpenOptions &m_options;
    const Work &m_work;
    Trace &m_trace;
    JobTables m_tables;
    std::vector<Location> m_locations;
    std::vector<UnseenGroup> m_unseen;
    TextCensus m_texts;
    std::set<std::string> m_versions;
    std::set<std::string> m_libraries;
    std::string m_firstComplaint;
};

} // namespace

std::vector<std::string> find(const std::string &path) { return findDumps(path); }

TracePtr open(const std::string &path, const OpenOptions &options, const Work &work) {
    const DumpFiles files = filesOf(path);
    auto trace = std::make_shared<Trace>();
    trace->path = path;
    trace->format = "Flight Recorder";
    trace->tellsOpenCalls = true;
    trace->enqueues = true;
    trace->warnings = files.warnings;
    JobReader(files, options, work, *trace).read();
    addSnapshots(files.snapshots, *trace, work);
    return trace;
}

TraceOutline outline(const std::string &path, const Work &work) {
    // Some 250 bytes make a row of 24 bytes; twenty bytes of events make one in the estimate.
    constexpr std::uint64_t bytesPerEventByte = 12;
    const DumpFiles files = filesOf(path);
    TraceOutline outline;
    outline.locations = files.entries.size();
    outline.eventBytes.resize(files.entries.back().rank + std::size_t{1}, 0);
    for (const DumpFiles::Entry &file : files.entries) {
        throwIfCancelled(work);
        const std::uint64_t bytes = sizeOf(file.path);
        outline.eventBytes[file.rank] = bytes / bytesPerEventByte;
        constexpr std::uint64_t asValues = 16; // a value of some bytes takes 64, and its list
        outline.bufferBytes = std::max(outline.bufferBytes, bytes * asValues);
    }
    return outline;
}

} // namespace laggard::flightrecorder
