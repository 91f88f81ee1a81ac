// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/Locations.h"

#include "ingest/assembly/ByteProgress.h"
#include "ingest/assembly/Linking.h"
#include "ingest/otf2/LocationReader.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <filesystem>

namespace laggard::otf2 {
namespace {

/// Locations to be read with one handle: neighbours in the trace.
struct Share {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Divides the locations so that workers are busy to the end. A handle of libotf2 gets slow with very many of them.
std::vector<Share> divide(const std::vector<std::uint64_t> &bytes, std::uint64_t total, unsigned threads) {
    constexpr std::size_t mostLocations = 1000;
    constexpr std::uint64_t sharesPerThread = 8;
    const std::uint64_t enough = total / (threads * sharesPerThread) + 1;
    std::vector<Share> shares;
    Share share;
    std::uint64_t inShare = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        inShare += bytes[i];
        share.end = i + 1;
        if (inShare >= enough || share.end - share.begin == mostLocations) {
            shares.push_back(share);
            share = {i + 1, i + 1};
            inShare = 0;
        }
    }
    if (share.begin != share.end)
        shares.push_back(share);
    return shares;
}

bool hasLocalDefinitions(const ArchiveFiles &files, const Trace &trace) {
    return std::any_of(trace.locations.begin(), trace.locations.end(),
                       [&](const Location &l) { return fileSize(files.definitions(l.id)).value_or(0) != 0; });
}

ArchiveContext makeContext(const ArchiveFiles &files, const References &references, UnknownRegions &unknownRegions,
                           const Work &work, const Trace &trace) {
    ArchiveContext context{.files = files, .references = references, .unknownRegions = unknownRegions, .work = work};
    const ReaderHandle reader = openReader(files);
    ErrorLog log;
    OTF2_Reader_GetChunkSize(reader.get(), &context.eventChunk, &context.definitionChunk);
    context.hasLocalDefinitions = hasLocalDefinitions(files, trace);
    return context;
}

/// Event files beside those of the defined locations: their events cannot be attributed.
void warnOfStrangers(const ArchiveFiles &files, Trace &trace) {
    IdMap known;
    for (const Location &location : trace.locations)
        known.insert(location.id, 0);
    std::size_t strangers = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(files.localFolder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.ends_with(".evt") || name.size() > 24 || name.find_first_not_of("0123456789") != name.size() - 4)
            continue;
        if (known.find(std::strtoull(name.c_str(), nullptr, 10)) == none)
            ++strangers;
    }
    if (strangers != 0)
        trace.warnings.push_back({WarningId::StrayEventFiles,
                                  Warning::Severity::DataLoss,
                                  std::nullopt,
                                  files.localFolder,
                                  plural(strangers, "event file") +
                                      (strangers == 1 ? " belongs to a location" : " belong to locations") +
                                      " without definition and cannot be attributed.",
                                  {{"files", strangers}}});
}

/// Receives that another thread has posted: what is said of that one must be there.
void checkPostings(Trace &trace) {
    const auto trackOf = [&](Rank rank, std::uint32_t thread) -> const Track * {
        const bool isThere = rank < trace.processes.size() && thread < trace.processes[rank].locations.size();
        return isThere ? &trace.locations[trace.processes[rank].locations[thread]].events.track : nullptr;
    };
    for (Location &location : trace.locations) {
        ReceivePostings &postings = location.events.postings;
        for (std::size_t i = 0; i < postings.thread.size(); ++i) {
            if (postings.thread[i] == none)
                continue;
            const Track *track = trackOf(location.rank, postings.thread[i]);
            if (track == nullptr)
                postings.thread[i] = none;
            if (track == nullptr || postings.row[i] >= track->size())
                postings.row[i] = none;
        }
    }
}

/// `warnings` by location, `unshown` by worker.
void collect(Trace &trace, std::vector<std::vector<Warning>> &warnings, const std::vector<UnshownCounts> &unshown) {
    for (std::size_t i = 0; i < warnings.size(); ++i) {
        trace.eventCount += trace.locations[i].eventCount;
        std::move(warnings[i].begin(), warnings[i].end(), std::back_inserter(trace.warnings));
    }
    for (const UnshownCounts &counts : unshown)
        for (std::size_t kind = 0; kind < unshownKinds; ++kind)
            if (counts[kind] != 0)
                trace.unshown[std::string(unshownName(kind))] += counts[kind];
}

} // namespace

void readLocations(const ArchiveFiles &files, const References &references, TimeRange declared, const Work &work, Trace &trace,
                   TimeCut &cut) {
    UnknownRegions unknownRegions(trace.regions.size());
    ArchiveContext context = makeContext(files, references, unknownRegions, work, trace);
    context.declared = declared;
    std::vector<LocationIndex> wanted;
    std::vector<Location *> locations;
    std::vector<std::uint64_t> bytes; // by position in `wanted`
    std::uint64_t total = 0;
    for (LocationIndex location = 0; location < trace.locations.size(); ++location) {
        if (!trace.isRead(trace.locations[location].rank))
            continue;
        wanted.push_back(location);
        locations.push_back(&trace.locations[location]);
        bytes.push_back(fileSize(files.events(trace.locations[location].id)).value_or(0));
        total += bytes.back();
    }
    cut.records.assign(trace.locations.size(), {});
    cut.collectiveStart.clear();
    cut.collectiveStart.resize(trace.locations.size());
    const std::vector<Share> shares = divide(bytes, total, work.threadCount());
    ByteProgress progress(work, total);
    std::vector<CallPathTable> tables(work.threadCount());
    std::vector<std::uint32_t> tableOf(trace.locations.size(), 0);
    std::vector<std::vector<Warning>> warnings(trace.locations.size());
    std::vector<UnshownCounts> unshown(work.threadCount(), UnshownCounts{});
    forEachParallel(shares.size(), work, [&](std::size_t s, unsigned worker) {
        const Share share = shares[s];
        LocationReader reader(context, std::span(locations).subspan(share.begin, share.end - share.begin));
        for (std::size_t i = share.begin; i < share.end; ++i) {
            throwIfCancelled(work);
            std::uint64_t reported = 0;
            const LocationIndex location = wanted[i];
            tableOf[location] = worker;
            LocationResult result = reader.read(trace.locations[location], tables[worker], [&](std::uint64_t done) {
                if (done > reported)
                    progress.add(done - std::exchange(reported, done));
            });
            progress.add(bytes[i] - reported);
            if (trace.part.time)
                cutCalls(trace.locations[location].events, trace.regions, tables[worker], *trace.part.time, location, cut);
            warnings[location] = std::move(result.warnings);
            for (std::size_t kind = 0; kind < unshownKinds; ++kind)
                unshown[worker][kind] += result.unshown[kind];
        }
    });
    checkPostings(trace);
    unknownRegions.settle(trace.regions, tables);
    linkCallPaths(trace, tables, tableOf, work);
    collect(trace, warnings, unshown);
    warnOfStrangers(files, trace);
}

} // namespace laggard::otf2
