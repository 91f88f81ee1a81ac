// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/LocationReader.h"

#include "ingest/otf2/RecordFile.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard::otf2 {
namespace {

constexpr std::uint64_t eventBatch = 50'000; // events between two looks at the request to stop: some milliseconds

struct EventCallbacksDeleter {
    void operator()(OTF2_EvtReaderCallbacks *callbacks) const { OTF2_EvtReaderCallbacks_Delete(callbacks); }
};

/// "Location 14 (rank 14)".
std::string describe(const Location &location) {
    std::string text = "Location " + std::to_string(location.id);
    if (location.rank != none)
        text += " (rank " + std::to_string(location.rank) + ')';
    return text;
}

} // namespace

/// How much of an event file there is, and how much of it is believed.
struct LocationReader::Extent {
    std::string file;
    std::uint64_t size = 0;     ///< bytes; 0 if it is missing
    std::uint64_t believed = 0; ///< events
    std::uint64_t declared = 0; ///< events according to the file itself; a hint
    std::string damage;         ///< what is wrong; empty if nothing is known to be
};

/// One reading of an event file.
struct LocationReader::Attempt {
    Attempt(const ArchiveContext &context, CallPathTable &callPaths, const Location &location, const Extent &extent)
        : sink(context.references, context.unknownRegions, callPaths, location.rank, extent.believed, extent.size,
               context.declared) {}
    EventSink sink;
    OTF2_ErrorCode status = OTF2_SUCCESS;
    std::string error; ///< libotf2's words where it failed
    Oddities odd;
};

LocationReader::LocationReader(const ArchiveContext &context, std::span<Location *const> locations)
    : m_context(context), m_reader(openReader(context.files)) {
    for (const Location *location : locations)
        OTF2_Reader_SelectLocation(m_reader.get(), location->id);
    OTF2_Reader_OpenDefFiles(m_reader.get());
    OTF2_Reader_OpenEvtFiles(m_reader.get());
}

LocationReader::~LocationReader() {
    OTF2_Reader_CloseDefFiles(m_reader.get());
    OTF2_Reader_CloseEvtFiles(m_reader.get());
}

LocationReader::Extent LocationReader::checkFile(const Location &location) const {
    Extent extent;
    extent.file = m_context.files.events(location.id);
    extent.size = fileSize(extent.file).value_or(0);
    if (const std::string problem = whyUnreadable(extent.file); !problem.empty()) {
        extent.damage = "its event file " + problem;
        return extent;
    }
    const RecordScan scan = scanRecords(extent.file, RecordKind::Events, m_context.eventChunk);
    extent.believed = scan.records;
    extent.declared = scan.declared;
    if (!scan.complete)
        extent.damage = "its event file is damaged: " + scan.reason;
    return extent;
}

bool LocationReader::readDefinitions(const Location &location, LocationResult &result) {
    const std::string file = m_context.files.definitions(location.id);
    const auto warn = [&](const std::string &what) {
        result.warnings.push_back(
            {WarningId::DamagedLocalDefinitions, Warning::Severity::DataLoss, location.id, file,
             describe(location) + ": " + what +
                 ", so its clock is not corrected and its functions and communicators may be mistaken for others."});
        return false;
    };
    if (const std::string problem = whyUnreadable(file); !problem.empty())
        return !m_context.hasLocalDefinitions || warn("its definition file " + problem);
    const RecordScan scan = scanRecords(file, RecordKind::Definitions, m_context.definitionChunk);
    if (scan.records == 0) // a reader has a buffer of megabytes, which libotf2 clears
        return scan.complete || warn("its definition file is damaged: " + scan.reason);
    OTF2_DefReader *reader = OTF2_Reader_GetDefReader(m_reader.get(), location.id);
    if (reader == nullptr)
        return warn("its definition file cannot be read (" + m_log.takeFirst("unknown reason") + ')');
    std::uint64_t read = 0;
    const OTF2_ErrorCode status = OTF2_Reader_ReadLocalDefinitions(m_reader.get(), reader, scan.records, &read);
    OTF2_Reader_CloseDefReader(m_reader.get(), reader);
    if (status != OTF2_SUCCESS)
        return warn("its definition file is damaged (" + m_log.takeFirst("unknown reason") + ')');
    return scan.complete || warn("its definition file is damaged: " + scan.reason);
}

std::unique_ptr<LocationReader::Attempt> LocationReader::readEvents(const Location &location, const Extent &extent,
                                                                    CallPathTable &callPaths,
                                                                    const std::function<void(std::uint64_t)> &advanced) {
    auto result = std::make_unique<Attempt>(m_context, callPaths, location, extent);
    Attempt &attempt = *result;
    if (extent.believed == 0)
        return result;
    OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(m_reader.get(), location.id);
    if (reader == nullptr) {
        attempt.status = OTF2_ERROR_FILE_CAN_NOT_OPEN;
        attempt.error = m_log.takeFirst("unknown reason");
        return result;
    }
    const std::unique_ptr<OTF2_EvtReaderCallbacks, EventCallbacksDeleter> callbacks(OTF2_EvtReaderCallbacks_New());
    registerCallbacks(callbacks.get());
    OTF2_Reader_RegisterEvtCallbacks(m_reader.get(), reader, callbacks.get(), &attempt.sink);
    std::uint64_t read = 0;
    bool isEnd = false;
    while (!isEnd && attempt.status == OTF2_SUCCESS && !attempt.sink.isFull() && !m_context.work.stop.stop_requested()) {
        const std::uint64_t before = attempt.sink.eventCount();
        const std::uint64_t wanted = std::min(eventBatch, extent.believed - before);
        attempt.status = OTF2_Reader_ReadLocalEvents(m_reader.get(), reader, wanted, &read);
        isEnd = attempt.sink.eventCount() - before < wanted; // to ask again would be an error
        advanced(std::min(attempt.sink.bytesRead(), extent.size));
    }
    OTF2_Reader_CloseEvtReader(m_reader.get(), reader);
    throwIfCancelled(m_context.work);
    attempt.error = m_log.takeFirst("unknown reason");
    attempt.odd = attempt.sink.oddities();
    return result;
}

/// After a reading: believes less where something shows that the file is damaged. False if the reading can be kept.
bool LocationReader::narrow(const Attempt &attempt, Extent &extent) {
    const std::uint64_t read = attempt.sink.eventCount();
    const Oddities &odd = attempt.odd;
    const bool failed = attempt.status != OTF2_SUCCESS || odd.exceedsFile;
    std::uint64_t believed = extent.believed;
    if (failed) {
        if (extent.damage.empty())
            extent.damage = odd.exceedsFile ? "its event file is damaged: it seems to hold more events than fit in it"
                                            : "its event file cannot be read on (" + attempt.error + ')';
        believed = std::min(believed, read);
    } else if (read < believed) {
        extent.damage = "its event file cannot be read to its end";
        believed = read;
    }
    if (odd.runsBackward) {
        if (extent.damage.empty())
            extent.damage = "its time steps back by " + plural(odd.largestStep, "tick") + " for good";
        believed = std::min(believed, odd.backwardFrom);
    }
    if (!extent.damage.empty()) // what is merely odd in a sound file is not believed near damage
        believed = std::min(believed, odd.plausible);
    extent.believed = believed;
    return read > believed;
}

void LocationReader::keep(Location &location, Attempt &attempt, LocationResult &result) {
    location.eventCount = attempt.sink.eventCount();
    if (location.eventCount != 0) {
        location.firstEvent = attempt.sink.firstTime();
        location.lastEvent = attempt.sink.lastTime();
    }
    location.events = attempt.sink.finish(std::move(location.events)); // so far what the definitions tell
    result.unshown = attempt.sink.unshownCounts();
}

void LocationReader::warnOfDamage(const Location &location, const Extent &extent, LocationResult &result) const {
    std::string kept = "nothing of it was kept";
    if (location.eventCount != 0) {
        kept = plural(location.eventCount, "event");
        if (extent.declared > location.eventCount)
            kept += " of " + describeCount(extent.declared);
        kept += location.eventCount == 1 ? " was kept" : " were kept";
    }
    if (extent.size != 0)
        kept += " (the file has " + plural(extent.size, "byte") + ')';
    result.warnings.push_back({WarningId::DamagedEvents, Warning::Severity::DataLoss, location.id, extent.file,
                               describe(location) + ": " + extent.damage + "; " + kept + '.'});
}

void LocationReader::warnOfOddities(const Location &location, const Oddities &odd, LocationResult &result) const {
    const auto warn = [&](WarningId id, std::uint64_t count, const char *counted, const std::string &message,
                          std::vector<Warning::Datum> more = {}) {
        more.insert(more.begin(), {counted, count});
        if (count != 0)
            result.warnings.push_back({id, Warning::Severity::Note, location.id, m_context.files.events(location.id),
                                       describe(location) + ": " + message + '.', std::move(more)});
    };
    warn(WarningId::BackwardTime, odd.backwardSteps, "events",
         "time steps back " + plural(odd.backwardSteps, "time") + ", by " + plural(odd.largestStep, "tick") +
             " at most; such events take the time of those before them",
         {{"ticks", odd.largestStep}});
    const auto events = [](std::uint64_t count, const char *one, const char *many) {
        return plural(count, "event") + (count == 1 ? one : many);
    };
    warn(WarningId::UndefinedFunctions, odd.unknownRegions, "events",
         events(odd.unknownRegions, " refers to a function that is not defined", " refer to functions that are not defined"));
    warn(WarningId::UndefinedCommunicators, odd.unknownCommunicators, "events",
         events(odd.unknownCommunicators, " refers to a communicator that is not defined",
                " refer to communicators that are not defined"));
    warn(WarningId::UnknownPeers, odd.unknownPeers, "events",
         events(odd.unknownPeers, " names a peer that its communicator does not have",
                " name a peer that their communicator does not have"));
    warn(WarningId::UnknownCalls, odd.unknownCalls, "events",
         events(odd.unknownCalls, " names a call that is not there", " name calls that are not there"));
    warn(WarningId::UnknownRecords, odd.unknownRecords, "events",
         events(odd.unknownRecords, " is of a kind that libotf2 does not know", " are of a kind that libotf2 does not know"));
    warn(WarningId::StrayLeaves, odd.strayLeaves, "calls", plural(odd.strayLeaves, "leave") + " without an enter, dropped");
    warn(WarningId::UnbalancedLeaves, odd.unbalancedLeaves, "calls",
         plural(odd.unbalancedLeaves, "call") + " without a leave, closed with the caller");
}

LocationResult LocationReader::read(Location &location, CallPathTable &callPaths,
                                    const std::function<void(std::uint64_t)> &advanced) {
    LocationResult result;
    m_log.takeFirst({}); // drops what the location before left
    Extent extent = checkFile(location);
    const bool defined = extent.believed == 0 || readDefinitions(location, result);
    const std::size_t knownPaths = callPaths.size();
    std::unique_ptr<Attempt> attempt = readEvents(location, extent, callPaths, advanced);
    // Believing less can bring a further reason to light; a few rounds settle every file seen, the bound is for those unseen.
    for (int round = 0; round < 8 && narrow(*attempt, extent); ++round) {
        callPaths.truncate(knownPaths); // call paths of made-up events
        attempt = readEvents(location, extent, callPaths, advanced);
    }
    const Oddities odd = attempt->odd;
    keep(location, *attempt, result);
    location.damaged |= !extent.damage.empty() || !defined; // or the definitions say so
    if (!extent.damage.empty())
        warnOfDamage(location, extent, result);
    warnOfOddities(location, odd, result);
    return result;
}

} // namespace laggard::otf2
