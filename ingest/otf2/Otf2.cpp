// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/Otf2.h"

#include "ingest/assembly/LinkTrace.h"
#include "ingest/assembly/PartOptions.h"
#include "ingest/otf2/Archive.h"
#include "ingest/otf2/Definitions.h"
#include "ingest/otf2/Locations.h"
#include "ingest/otf2/Tables.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace laggard::otf2 {
namespace {

namespace fs = std::filesystem;

std::string creatorOf(OTF2_Reader *reader) {
    ErrorLog log;
    char *text = nullptr;
    if (OTF2_Reader_GetCreator(reader, &text) != OTF2_SUCCESS || text == nullptr)
        return {};
    std::string creator = text;
    std::free(text);
    return creator;
}

/// True for what is an anchor by its name and may not be looked into: opening it tells the user so.
bool isWithheld(const std::string &path) {
    return path.ends_with(".otf2") && ::access(path.c_str(), R_OK) != 0 && errno == EACCES;
}

/// The anchor beside a definition file of an archive, or above a file of its folder.
std::vector<std::string> anchorOf(const fs::path &file) {
    std::vector<std::string> found;
    std::error_code error; // the working directory may be gone
    const fs::path folder = fs::absolute(file, error).parent_path();
    for (fs::path stem : {fs::path(file).replace_extension(), folder})
        if (const std::string anchor = stem.string() + ".otf2"; (isAnchor(anchor) || isWithheld(anchor)) && found.empty())
            found.push_back(anchor);
    return found;
}

/// When all events happened, as the clock's definition says; everything if it says nothing that can be.
TimeRange declaredRange(const Definitions &definitions) {
    const Tick begin = definitions.clockOffset;
    const bool fits = definitions.hasClock && definitions.clockLength != 0 && begin < openEnd - definitions.clockLength;
    return fits ? TimeRange{begin, begin + definitions.clockLength} : TimeRange{0, openEnd - 1};
}

/// The declared range if all events lie in it, else theirs.
void setRange(TimeRange declared, Trace &trace) {
    bool hasEvents = false;
    TimeRange events;
    for (const Location &location : trace.locations) {
        if (location.eventCount == 0)
            continue;
        events.begin = hasEvents ? std::min(events.begin, location.firstEvent) : location.firstEvent;
        events.end = hasEvents ? std::max(events.end, location.lastEvent) : location.lastEvent;
        hasEvents = true;
    }
    const bool isDeclared = declared.end != openEnd - 1;
    const bool containsAll = !hasEvents || (declared.begin <= events.begin && events.end <= declared.end);
    trace.range = isDeclared && containsAll ? declared : events;
}

/// Whether any function outside MPI was ever entered: else ranks are not at rest between MPI calls, but in unknown functions. The
/// region that measurement systems make up for the whole program says nothing. Archives of ours say it themselves.
void noteFunctions(Trace &trace) {
    bool tells = false;
    for (CallPathId path = 0; path < trace.callPaths.size() && !tells; ++path) {
        const Region &region = trace.region(path);
        tells = !region.isMpi() && region.role != RegionRole::Artificial && region.paradigm != Paradigm::MeasurementSystem;
    }
    for (Location &location : trace.locations)
        location.events.tellsFunctions = tells;
}

/// `start`: when the trace begins; none: as the archive says.
TracePtr openOnce(const std::string &anchor, const OpenOptions &options, std::optional<Tick> start, Tick &used,
                  const Work &work) {
    auto trace = std::make_shared<Trace>();
    trace->path = anchor;
    trace->format = "OTF2";
    const ArchiveFiles files(anchor);
    const ReaderHandle reader = openReader(files);
    trace->creator = creatorOf(reader.get());
    const Definitions definitions = readDefinitions(files, reader.get(), work, trace->warnings);
    const References references = buildTables(definitions, *trace);
    const TimeRange declared = declaredRange(definitions);
    used = start.value_or(declared.begin);
    setPart(options, used, *trace);
    TimeCut cut;
    readLocations(files, references, declared, work, *trace, cut);
    setRange(declared, *trace);
    if (options.time && trace->range.begin != used)
        return trace; // cut in the wrong place
    linkTrace(options, cut, work, *trace);
    if (!trace->tellsOpenCalls || references.rowAttribute == none)
        noteFunctions(*trace);
    return trace;
}

} // namespace

std::vector<std::string> find(const std::string &path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        if (isAnchor(path))
            return {path};
        return isRecordFile(path) ? anchorOf(path) : std::vector<std::string>{};
    }
    std::vector<std::string> anchors;
    std::vector<std::string> withheld;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
        const std::string file = entry->path().string();
        if (isAnchor(file))
            anchors.push_back(file);
        else if (isWithheld(file))
            withheld.push_back(file);
    }
    std::vector<std::string> &found = anchors.empty() ? withheld : anchors;
    std::sort(found.begin(), found.end());
    return found;
}

TracePtr open(const std::string &anchor, const OpenOptions &options, const Work &work) {
    // A time asked for counts from the start of the trace, which is certain only when all events have been seen. Where the
    // archive does not say when it begins, or says it wrongly, it is read twice.
    Tick start = 0;
    TracePtr trace = openOnce(anchor, options, std::nullopt, start, work);
    if (options.time && trace->range.begin != start)
        trace = openOnce(anchor, options, trace->range.begin, start, work);
    return trace;
}

TraceOutline outline(const std::string &anchor, const Work &work) {
    Trace trace;
    trace.path = anchor;
    const ArchiveFiles files(anchor);
    const ReaderHandle reader = openReader(files);
    const Definitions definitions = readDefinitions(files, reader.get(), work, trace.warnings);
    static_cast<void>(buildTables(definitions, trace));
    TraceOutline outline;
    std::uint64_t eventChunk = 0;
    std::uint64_t definitionChunk = 0;
    if (OTF2_Reader_GetChunkSize(reader.get(), &eventChunk, &definitionChunk) == OTF2_SUCCESS)
        outline.bufferBytes = eventChunk + definitionChunk;
    outline.locations = trace.locations.size();
    outline.eventBytes.resize(trace.processes.size(), 0);
    for (std::size_t i = 0; i < trace.locations.size(); ++i) {
        if ((i & 0x3FFU) == 0)
            throwIfCancelled(work);
        const Location &location = trace.locations[i];
        const std::uint64_t bytes = fileSize(files.events(location.id)).value_or(0);
        (location.rank == none ? outline.otherEventBytes : outline.eventBytes[location.rank]) += bytes;
    }
    if (const TimeRange declared = declaredRange(definitions); declared.end != openEnd - 1)
        outline.seconds = static_cast<double>(declared.length()) / static_cast<double>(trace.clock.ticksPerSecond);
    return outline;
}

} // namespace laggard::otf2
