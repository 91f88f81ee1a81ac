// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/Together.h"

#include "analysis/waitfor/Observation.h"
#include "app/across/Agreement.h"
#include "app/across/ShareContent.h"
#include "app/across/ShareTrace.h"
#include "app/across/SharedCollectives.h"
#include "app/across/SharedFates.h"
#include "app/across/Shares.h"
#include "app/across/Tree.h"
#include "ingest/modeldump/ContentFields.h"
#include "ingest/modeldump/ContentJoin.h"
#include "ingest/modeldump/DumpAssembly.h"
#include "ingest/modeldump/ModelDumpReader.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sys/resource.h>

namespace laggard {

template <typename A> void packFields(A &a, JobBounds &v) { a(v.allEnded, v.allInInit, v.anyPresent); }
template <typename A> void packFields(A &a, ShareCounts &v) {
    a(v.parts, v.events, v.eventBytes, v.sent.messages, v.sent.bytes, v.contentBytes, v.peakBytes);
}

namespace {

using modeldump::ContentJoin;
using modeldump::DumpContent;

/// Joins the contents of all processes, in their order; at process 0 then is what all have.
void joinContents(Transport &transport, ContentJoin &own, ShareCounts &counts) {
    reduceToFirst(
        transport, own,
        [](ContentJoin &all, DumpContent more) {
            if (more.rankCount != 0) // it had something to read
                all.add(std::move(more));
        },
        [&](const ContentJoin &all) {
            std::string bytes = packed(all.joined());
            counts.contentBytes = bytes.size();
            return bytes;
        },
        [](const std::string &bytes) { return unpacked<DumpContent>(bytes); });
}

JobBounds both(JobBounds a, const JobBounds &b) {
    return {a.allEnded && b.allEnded, a.allInInit && b.allInInit, a.anyPresent || b.anyPresent};
}

/// What the share's ranks do and wait for: others are asked where these alone do not know.
std::vector<TaskState> observeTogether(Transport &transport, const ShareTrace &share, Snapshot &snapshot, const Work &work) {
    snapshot.settle(share.ranks, reduceForAll(transport, snapshot.boundsOf(share.ranks),
                                              [](JobBounds &own, const JobBounds &other) { own = both(own, other); }));
    const SharedFates fates = askForFates(transport, share, snapshot, work);
    snapshot.fates = &fates;
    std::vector<TaskState> tasks(share.trace->processes.size());
    forEachParallel(share.ranks.size(), work,
                    [&](std::size_t i, unsigned) { tasks[share.ranks[i]] = observeRank(snapshot, share.ranks[i]); });
    snapshot.fates = nullptr;
    RankSet lacking;
    for (const Rank rank : share.ranks)
        if (lacksCommunicator(snapshot.calls, tasks[rank]))
            lacking.push_back(rank);
    CommunicatorGuess guess(snapshot, askForKinds(transport, share, snapshot, lacking));
    for (const Rank rank : lacking)
        guess.complete(rank, tasks[rank].open);
    for (const Rank rank : share.ranks)
        beginOpenCollective(snapshot, tasks[rank]);
    return tasks;
}

/// What is certain once all are joined: which messages are under way, and who may have sent them.
ModelDumpPtr finished(const std::string &path, ContentJoin &all, const Work &work) {
    std::vector<DumpContent> contents;
    contents.push_back(all.take());
    const ModelDumpPtr made = modeldump::assemble(path, std::move(contents), work);
    JobState &state = std::const_pointer_cast<ModelDump>(made)->state; // nobody else has it yet
    addUnseenSenders(MpiCallTable(*made->job), state);
    return made;
}

[[noreturn]] void throwForOne(const Format &format) {
    throw TogetherError("a " + std::string(format.name) +
                            " is judged by one process: what can be shared are OTF2 archives, recordings and model dumps of "
                            "several files",
                        false);
}

ModelDumpPtr summariseTrace(Transport &transport, const Located &located, ShareCounts &counts, const Work &work) {
    if (located.format->name != "OTF2" && located.format->name != "recording")
        throwForOne(*located.format);
    const ShareTrace share = openShare(transport, located, work);
    counts.parts = share.ranks.size();
    counts.eventBytes = share.trace->bytes();
    for (const Location &location : share.trace->locations)
        counts.events += location.eventCount;
    Snapshot snapshot(*share.trace, share.ranks, work);
    const std::vector<TaskState> tasks = observeTogether(transport, share, snapshot, work);
    const Tick lastEvent = reduceForAll(transport, lastEventBefore(*share.trace, snapshot.at),
                                        [](Tick &own, const Tick &other) { own = std::max(own, other); });
    ContentJoin own;
    if (!share.ranks.empty())
        own.add(contentOf(share, snapshot, tasks, lastEvent, work));
    joinContents(transport, own, counts);
    return transport.rank() == 0 ? finished(located.file, own, work) : nullptr;
}

/// How large each of the files is; where that cannot be told, as one of no bytes: who reads it will say what is wrong.
std::vector<std::uint64_t> sizesOf(const std::vector<std::string> &files) {
    std::vector<std::uint64_t> sizes;
    for (const std::string &file : files) {
        std::error_code error;
        const std::uint64_t size = std::filesystem::file_size(file, error);
        sizes.push_back(error ? 0 : size);
    }
    return sizes;
}

ModelDumpPtr joinDump(Transport &transport, const Located &located, bool withPhases, ShareCounts &counts, const Work &work) {
    if (located.format->name != "model dump")
        throwForOne(*located.format);
    std::vector<std::string> files;
    std::vector<std::uint64_t> borders;
    if (transport.rank() == 0) { // the others need not look at a folder of a million files
        files = modeldump::filesOf(located.file);
        borders = shareBorders(sizesOf(files), transport.size());
    }
    std::tie(files, borders) = unpacked<std::pair<std::vector<std::string>, std::vector<std::uint64_t>>>(
        broadcast(transport, packed(std::pair(files, borders))));
    if (files.size() == 1 && transport.size() > 1)
        throw TogetherError("the model dump \"" + files.front() +
                                "\" is one file, which is read by one process: start it without mpiexec, or with --across no",
                            false);
    ContentJoin own;
    doTogether(transport, [&] {
        for (std::uint64_t i = borders[transport.rank()]; i < borders[transport.rank() + 1]; ++i) {
            throwIfCancelled(work);
            if (work.report)
                work.report(
                    {"reading models", i - borders[transport.rank()], borders[transport.rank() + 1] - borders[transport.rank()]});
            DumpContent content = modeldump::readContent(files[i]);
            if (content.hasPhaseModels && withPhases)
                throw std::invalid_argument("the model dump \"" + files[i] +
                                            "\" has models by phase, which are compared by one process: --only progress leaves "
                                            "them out");
            own.add(std::move(content));
            ++counts.parts;
        }
    });
    joinContents(transport, own, counts);
    ModelDumpPtr made;
    doTogether(transport, [&] {
        if (transport.rank() != 0)
            return;
        std::vector<DumpContent> contents;
        contents.push_back(own.take());
        contents.back().file = located.file; // what is wrong now is wrong between its files
        made = modeldump::assemble(located.file, std::move(contents), work);
    });
    return made;
}

std::uint64_t peakBytes() {
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

} // namespace

TogetherMade summariseTogether(Transport &transport, const TogetherAsked &asked, const Work &work) {
    Located located;
    doTogether(transport, [&] { located = locateInput(asked.path, work); });
    const bool isDump = located.format->openDump != nullptr;
    if (!isDump && !asked.summary)
        throw TogetherError(
            "judging a trace by all its events is done by one process: start it without mpiexec, or add --summary, "
            "which several can share",
            false);
    TogetherMade made;
    ShareCounts counts;
    made.dump =
        isDump ? joinDump(transport, located, asked.withPhases, counts, work) : summariseTrace(transport, located, counts, work);
    counts.sent = transport.sent();
    counts.peakBytes = peakBytes();
    made.counts = {counts};
    reduceToFirst(transport, made.counts, [](std::vector<ShareCounts> &all, const std::vector<ShareCounts> &more) {
        all.insert(all.end(), more.begin(), more.end());
    });
    return made;
}

} // namespace laggard
