// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/Otf2Export.h"

#include "app/convert/EventAttributes.h"
#include "app/convert/NewFolder.h"
#include "app/convert/Otf2Definitions.h"
#include "app/convert/Otf2Status.h"
#include "ingest/otf2/Archive.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <otf2/OTF2_Pthread_Locks.h>

namespace laggard {
namespace {

constexpr std::uint64_t eventChunk = 256U << 10U; // readers of all locations at once have one for each

struct ArchiveCloser {
    void operator()(OTF2_Archive *archive) const { OTF2_Archive_Close(archive); }
};
using ArchiveHandle = std::unique_ptr<OTF2_Archive, ArchiveCloser>;

OTF2_FlushType flushAlways(void *, OTF2_FileType, OTF2_LocationRef, void *, bool) { return OTF2_FLUSH; }

/// libotf2 says what went wrong in words of its own; the user's are the folder and the reason.
[[noreturn]] void fail(const std::string &folder, const std::string &reason) {
    throw WriteError("cannot write \"" + folder + "\": " + reason);
}

/// libotf2 does not say why the system refused what it wrote: a file larger than its chunks is tried. Empty if that works.
std::string refusalOf(const std::string &folder) {
    try {
        writeFile(folder + "/trial", std::string(4 * eventChunk, ' '));
        return {};
    } catch (const WriteError &error) {
        return std::string(error.what()).substr(std::string_view(error.what()).find_last_of(':') + 2);
    }
}

ArchiveHandle openArchive(const Trace &trace, const std::string &folder) {
    const std::uint64_t definitionChunk =
        std::clamp<std::uint64_t>(largestDefinition(trace), OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_CHUNK_SIZE_MAX);
    ArchiveHandle archive(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, eventChunk, definitionChunk,
                                            OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    if (!archive)
        throw WriteError("libotf2 refuses to make an archive");
    // Without a callback after flushes: the time that they take would become an event of its own.
    static const OTF2_FlushCallbacks flush = {flushAlways, nullptr};
    checkOtf2(OTF2_Archive_SetFlushCallbacks(archive.get(), &flush, nullptr));
    checkOtf2(OTF2_Archive_SetSerialCollectiveCallbacks(archive.get()));
    checkOtf2(OTF2_Pthread_Archive_SetLockingCallbacks(archive.get(), nullptr));
    checkOtf2(OTF2_Archive_SetCreator(archive.get(), "Laggard"));
    checkOtf2(OTF2_Archive_SetDescription(archive.get(), ("Converted from " + trace.path).c_str()));
    checkOtf2(OTF2_Archive_OpenEvtFiles(archive.get()));
    checkOtf2(OTF2_Archive_OpenDefFiles(archive.get()));
    return archive;
}

/// Writes the two files of a location.
Otf2Leftovers writeFiles(const Otf2Source &source, OTF2_Archive *archive, Otf2Location &location, const Work &work) {
    otf2::ErrorLog log;
    try {
        OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, location.id);
        if (events == nullptr)
            throw WriteError("libotf2 refuses to write location " + std::to_string(location.id));
        Otf2Leftovers leftovers;
        if (location.source != none)
            leftovers = writeLocation(source, source.trace.locations[location.source], events, work);
        if (location.source != none && source.trace.tellsOpenCalls)
            location.earlierEpochs = EventAttributes(source, source.trace.locations[location.source].events).earlierEpochs();
        checkOtf2(OTF2_EvtWriter_GetNumberOfEvents(events, &location.events));
        checkOtf2(OTF2_Archive_CloseEvtWriter(archive, events));
        OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(archive, location.id);
        if (definitions == nullptr)
            throw WriteError("libotf2 refuses to write the definitions of location " + std::to_string(location.id));
        checkOtf2(OTF2_Archive_CloseDefWriter(archive, definitions));
        return leftovers;
    } catch (const WriteError &error) {
        throw WriteError(log.takeFirst(error.what()));
    }
}

Otf2Leftovers fill(const Trace &trace, const std::string &folder, const Work &work) {
    otf2::ErrorLog log;
    ArchiveHandle archive = openArchive(trace, folder);
    Otf2Strings strings;
    static_cast<void>(strings.number({})); // the empty string is number 0
    const Otf2Source source(trace, strings);
    std::vector<Otf2Location> locations = planLocations(trace);
    std::uint64_t total = 0;
    for (const Location &location : trace.locations)
        total += location.events.track.size() + 1;
    std::mutex mutex;
    std::uint64_t done = 0;
    Otf2Leftovers all;
    forEachParallel(locations.size(), work, [&](std::size_t i, unsigned) {
        const Otf2Leftovers leftovers = writeFiles(source, archive.get(), locations[i], work);
        const std::lock_guard lock(mutex);
        all.messages += leftovers.messages;
        all.collectives += leftovers.collectives;
        done += locations[i].source == none ? 0 : trace.locations[locations[i].source].events.track.size() + 1;
        if (work.report)
            work.report({"writing events", done, total});
    });
    checkOtf2(OTF2_Archive_CloseEvtFiles(archive.get()));
    checkOtf2(OTF2_Archive_CloseDefFiles(archive.get()));
    OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(archive.get());
    if (definitions == nullptr)
        throw WriteError("libotf2 refuses to write the global definitions");
    writeGlobalDefinitions(trace, locations, strings, definitions);
    checkOtf2(OTF2_Archive_CloseGlobalDefWriter(archive.get(), definitions));
    checkOtf2(OTF2_Archive_Close(archive.release())); // writes the anchor file
    return all;
}

} // namespace

Otf2Leftovers writeOtf2(const Trace &trace, const std::string &folder, const Work &work) {
    NewFolder target(folder);
    Otf2Leftovers leftovers;
    try {
        leftovers = fill(trace, target.temporary(), work);
    } catch (const WriteError &error) {
        const std::string refusal = refusalOf(target.temporary());
        fail(folder, refusal.empty() ? error.what() : refusal);
    }
    target.publish();
    return leftovers;
}

} // namespace laggard
