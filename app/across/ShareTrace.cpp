// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/ShareTrace.h"

#include "app/across/Agreement.h"
#include "app/across/Shares.h"
#include "app/across/Tree.h"
#include "ingest/MemoryEstimate.h"
#include "ingest/modeldump/ContentFields.h"

#include <algorithm>
#include <optional>
#include <set>

namespace laggard {
namespace {

/// When the events of a share were, and what the trace says of all.
struct Extent {
    bool hasEvents = false;
    TimeRange events;
    TimeRange range;         ///< Trace::range as it was read
    bool isDeclared = false; ///< the range is not that of the events: it was declared
    std::uint64_t lost = 0;  ///< ranks of which earlier events were overwritten
};

template <typename A> void packFields(A &a, Extent &v) {
    a(v.hasEvents, v.events.begin, v.events.end, v.range.begin, v.range.end, v.isDeclared, v.lost);
}

bool hasLostEvents(const Process &process) {
    return process.eventsFrom != 0 || !process.model.empty() || !process.unrecordedSends.empty();
}

TimeRange united(TimeRange a, TimeRange b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

Extent extentOf(const Trace &trace) {
    Extent extent;
    extent.range = trace.range;
    std::optional<TimeRange> all; // also of locations that belong to no rank, which are in no share
    for (const Location &location : trace.locations) {
        if (location.eventCount == 0)
            continue;
        const TimeRange own{location.firstEvent, location.lastEvent};
        all = all ? united(*all, own) : own;
        if (location.rank == none)
            continue;
        extent.events = extent.hasEvents ? united(extent.events, own) : own;
        extent.hasEvents = true;
    }
    extent.isDeclared = extent.range != all.value_or(TimeRange{});
    extent.lost = static_cast<std::uint64_t>(std::ranges::count_if(trace.processes, hasLostEvents));
    return extent;
}

void joinExtents(Extent &own, const Extent &other) {
    own.lost += other.lost;
    if (other.hasEvents)
        own.events = own.hasEvents ? united(own.events, other.events) : other.events;
    own.hasEvents |= other.hasEvents;
    if (other.isDeclared)
        own.range = own.isDeclared ? united(own.range, other.range) : other.range;
    own.isDeclared |= other.isDeclared;
}

/// As the readers have it: a declared range counts if all events lie in it.
TimeRange rangeOf(const Extent &extent) {
    const bool contains =
        !extent.hasEvents || (extent.range.begin <= extent.events.begin && extent.events.end <= extent.range.end);
    return extent.isDeclared && contains ? extent.range : extent.events;
}

/// What the readers say of the part that was read, and of messages between two of its ranks, is not about the trace.
bool isAboutTrace(const Warning &warning) {
    return warning.id != WarningId::PartRead && warning.id != WarningId::ReversedMessages;
}

/// Each process meets the definitions, and says what is wrong with them.
void addNewWarnings(std::vector<Warning> &all, const std::vector<Warning> &more) {
    for (const Warning &warning : more) {
        const bool isKnown = std::ranges::any_of(all, [&](const Warning &known) {
            return known.id == warning.id && known.message == warning.message && known.place == warning.place &&
                   known.location == warning.location;
        });
        if (!isKnown)
            all.push_back(warning);
    }
}

/// Leaves what is of the share's ranks. Locations of no rank are read only where all ranks are.
void keepOwn(Trace &trace) {
    std::set<std::uint64_t> strangers;
    for (Location &location : trace.locations) {
        if (location.rank != none)
            continue;
        strangers.insert(location.id);
        location.events = {};
        location.eventCount = 0;
    }
    std::erase_if(trace.warnings, [&](const Warning &warning) {
        return !isAboutTrace(warning) || (warning.location && strangers.contains(*warning.location));
    });
}

void unmatch(Trace &trace) {
    for (Location &location : trace.locations)
        for (MessageEnds *ends : {&location.events.sends, &location.events.receives})
            std::fill(ends->match.begin(), ends->match.end(), std::uint32_t{none});
    trace.messageCount = trace.reversedMessages = trace.unmatchedSends = trace.unmatchedReceives = 0;
    trace.clock.resolution = 0;
}

std::vector<std::uint64_t> bordersOf(Transport &transport, const Located &located, const Work &work) {
    std::vector<std::uint64_t> borders;
    if (transport.rank() == 0)
        borders = shareBorders(located.format->outline(located.file, work).eventBytes, transport.size());
    return borders;
}

} // namespace

ShareTrace openShare(Transport &transport, const Located &located, const Work &work) {
    ShareTrace share;
    doTogether(transport, [&] { share.borders = bordersOf(transport, located, work); });
    share.borders = unpacked<std::vector<std::uint64_t>>(broadcast(transport, packed(share.borders)));
    const std::vector<std::uint64_t> &borders = share.borders;
    for (std::uint64_t rank = borders[transport.rank()]; rank < borders[transport.rank() + 1]; ++rank)
        share.ranks.push_back(static_cast<Rank>(rank));
    std::shared_ptr<Trace> trace;
    doTogether(transport, [&] {
        if (share.ranks.empty()) { // more processes than ranks
            trace = std::make_shared<Trace>();
            trace->path = located.file;
            return;
        }
        OpenOptions options;
        options.ranks = share.ranks;
        // Nobody else has it yet.
        trace = std::const_pointer_cast<Trace>(located.format->open(located.file, options, work));
        if (trace->enqueues)
            throw std::invalid_argument("\"" + trace->path + "\" is judged by one process: it is about queues of a device");
    });
    const Extent extent = reduceForAll(transport, extentOf(*trace), joinExtents);
    if (extent.lost != 0)
        throw TogetherError(
            "\"" + trace->path +
                "\" has lost earlier events: what was received before them only all of the recording tells, so that "
                "it is judged by one process without --summary",
            false);
    trace->range = rangeOf(extent);
    trace->part = {};
    unmatch(*trace);
    keepOwn(*trace);
    share.warnings = std::move(trace->warnings);
    trace->warnings.clear();
    addNewWarnings(share.warnings, located.others);
    reduceToFirst(transport, share.warnings, addNewWarnings);
    share.trace = std::move(trace);
    return share;
}

} // namespace laggard
