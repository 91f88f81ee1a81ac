// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/ShareContent.h"

#include "analysis/progress/TraceModels.h"
#include "analysis/waitfor/LeftOutSends.h"
#include "analysis/waitfor/UnreceivedMessages.h"
#include "app/convert/TraceDump.h"
#include "trace/Parallel.h"

#include <unordered_map>

namespace laggard {
namespace {

using modeldump::DumpContent;
using modeldump::noPeer;
using modeldump::WrittenPeer;

/// Peers are written as distances, so that ranks which do the same share what is written.
WrittenPeer distance(Rank self, Rank peer) {
    return peer == none ? noPeer : static_cast<WrittenPeer>(peer) - static_cast<WrittenPeer>(self);
}

/// Numbers of the trace's things among those that the content has, in the order in which they were first asked for.
class Tables {
  public:
    Tables(const Trace &trace, DumpContent &content) : m_trace(trace), m_content(content) {}

    std::uint32_t path(CallPathId id) {
        if (id == none)
            return none;
        if (const auto known = m_paths.find(id); known != m_paths.end())
            return known->second;
        const CallPath &written = m_trace.callPaths[id];
        const std::uint32_t parent = path(written.parent);
        const std::uint32_t function = functionOf(written.region);
        m_content.paths.push_back({parent, function, site(written.site)});
        return m_paths[id] = static_cast<std::uint32_t>(m_content.paths.size() - 1);
    }
    std::uint32_t site(CallSiteId id) {
        if (id == none)
            return none;
        const auto [entry, isNew] = m_sites.try_emplace(id, static_cast<std::uint32_t>(m_content.sites.size()));
        if (isNew)
            m_content.sites.push_back(m_trace.callSites[id]);
        return entry->second;
    }
    std::uint32_t state(const ModelSet &models, std::uint32_t number) {
        if (number == none)
            return none;
        const auto [entry, isNew] = m_states.try_emplace(number, static_cast<std::uint32_t>(m_content.states.size()));
        if (isNew)
            m_content.states.push_back({models.states[number].kind, path(models.states[number].callPath), {}});
        return entry->second;
    }

  private:
    std::uint32_t functionOf(RegionId id) {
        const auto [entry, isNew] = m_functions.try_emplace(id, static_cast<std::uint32_t>(m_content.functions.size()));
        if (isNew) {
            m_content.functions.push_back(m_trace.regions[id]);
            m_content.places.emplace_back();
        }
        return entry->second;
    }

    const Trace &m_trace;
    DumpContent &m_content;
    std::unordered_map<CallPathId, std::uint32_t> m_paths;
    std::unordered_map<CallSiteId, std::uint32_t> m_sites;
    std::unordered_map<RegionId, std::uint32_t> m_functions;
    std::unordered_map<std::uint32_t, std::uint32_t> m_states;
};

class ShareWriter {
  public:
    ShareWriter(const ShareTrace &share, const Snapshot &snapshot, const ModelSet &models)
        : m_trace(*share.trace), m_snapshot(snapshot), m_models(models), m_tables(m_trace, m_content) {}

    void addJob(const ShareTrace &share, Tick lastEvent) {
        m_content.file = m_trace.path;
        m_content.rankCount = m_trace.processes.size();
        m_content.source = m_trace.path;
        m_content.format = m_trace.format;
        m_content.creator = m_trace.creator;
        m_content.ticksPerSecond = m_trace.clock.ticksPerSecond;
        m_content.ticks = m_trace.range.length();
        m_content.startUtc = m_trace.clock.startNanosecondsUtc;
        m_content.tellsOpenCalls = m_trace.tellsOpenCalls;
        m_content.warnings = share.warnings;
        m_content.hasWaits = true;
        m_content.at = ticks(m_snapshot.at);
        m_content.lastEvent = ticks(lastEvent);
        m_content.world = m_trace.world;
        for (const Location &location : m_trace.locations)
            m_content.events += location.eventCount;
        for (const Communicator &communicator : m_trace.communicators)
            addCommunicator(communicator);
    }

    void addRank(Rank rank, const TaskState &task, std::vector<MissingSend> leftOut) {
        addProcess(rank);
        addModel(rank);
        addTask(rank, task);
        addMessages(rank);
        addPending(rank);
        for (MissingSend &missing : leftOut) {
            missing.due = ticks(missing.due);
            missing.callPath = m_tables.path(missing.callPath);
            m_content.missingSends.push_back(std::move(missing));
        }
    }

    DumpContent take() { return std::move(m_content); }

  private:
    /// Times count from the start of the job.
    [[nodiscard]] Tick ticks(Tick time) const { return time > m_trace.range.begin ? time - m_trace.range.begin : 0; }
    [[nodiscard]] static RankRanges just(Rank rank) { return {{rank, rank}}; }

    void addCommunicator(const Communicator &communicator) {
        DumpContent::WrittenCommunicator written;
        written.name = communicator.name;
        written.parent = communicator.parent;
        written.isSelf = communicator.isSelf;
        for (const Rank rank : communicator.members) {
            if (!written.members.empty()) {
                DumpContent::Run &run = written.members.back();
                const std::int64_t step = std::int64_t{rank} - static_cast<std::int64_t>(run.first) -
                                          static_cast<std::int64_t>(run.count - 1) * run.step;
                if (run.count == 1 || step == run.step) {
                    run.step = step;
                    ++run.count;
                    continue;
                }
            }
            written.members.push_back({rank, 1, 1});
        }
        m_content.communicators.push_back(std::move(written));
    }

    void addProcess(Rank rank) {
        const Process &process = m_trace.processes[rank];
        if (std::string host = m_trace.hostOf(rank); !host.empty()) {
            if (m_content.hosts.empty() || m_content.hosts.back().name != host)
                m_content.hosts.push_back({std::move(host), {}});
            m_content.hosts.back().ranks.emplace_back(rank, rank);
        }
        m_content.pids.resize(std::size_t{rank} + 1, 0);
        m_content.pids[rank] = std::max(process.pid, 0);
        if (process.end.kind != ProcessEnd::Kind::Unknown || process.hangNoticed != openEnd) {
            ProcessEnd end = process.end;
            end.time = ticks(end.time);
            end.mpiErrorTime = end.mpiError.empty() ? 0 : ticks(end.mpiErrorTime);
            const Tick noticed = process.hangNoticed == openEnd ? openEnd : ticks(process.hangNoticed);
            m_content.ends.push_back({just(rank), std::move(end), noticed});
        }
        if (m_trace.isDamaged(rank))
            m_content.damaged.emplace_back(rank, rank);
    }

    void addModel(Rank rank) {
        const std::uint32_t number = m_models.modelOfRank[rank];
        if (number != none) {
            DumpContent::Model model{just(rank), {}};
            for (const Transition &t : m_models.models[number].transitions) {
                const std::uint32_t from = m_tables.state(m_models, t.from);
                model.transitions.push_back({from, m_tables.state(m_models, t.to), t.count});
            }
            m_content.models.push_back(std::move(model));
        }
        const std::uint32_t state = m_tables.state(m_models, m_models.stateOfRank[rank]);
        m_content.tasks.push_back({just(rank), state, m_tables.state(m_models, m_models.lastStateOfRank[rank]), true});
    }

    void addTask(Rank rank, const TaskState &task) {
        const std::uint32_t path = m_tables.path(task.activity.callPath);
        const std::uint32_t mpiPath = m_tables.path(task.mpiPath);
        m_content.activities.push_back({just(rank), task.activity.kind, path, mpiPath, m_tables.site(task.activity.site)});
        m_content.since.resize(std::size_t{rank} + 1, 0);
        m_content.since[rank] = ticks(task.activity.since);
        addOpenCall(rank, task.open);
        if (!task.collectives.empty())
            m_content.collectives.push_back({just(rank), task.collectives});
    }

    void addOpenCall(Rank rank, const OpenCall &open) {
        if (open.source == OpenCall::Source::Unclear && open.receives.empty() && open.sends.empty() && !open.isCollective &&
            open.confidence == 0)
            return;
        DumpContent::Open written{just(rank), true, {}, {}, {}};
        written.call.source = open.source;
        written.call.confidence = open.confidence;
        written.call.precedent = {none, open.precedent.run, open.precedent.tested, open.precedent.right, 0};
        written.call.anyReceive = open.anyReceive;
        written.call.goesOnWithout = open.goesOnWithout;
        written.call.servesMeanwhile = open.servesMeanwhile;
        written.call.sendConfidence = open.sendConfidence;
        written.call.isCollective = open.isCollective;
        if (open.isCollective) {
            written.call.collective = {open.collective.operation, open.collective.communicator, open.collective.root};
            written.call.collectiveNumber = open.collectiveNumber;
        }
        for (const ExpectedReceive &each : open.receives) {
            written.receives.push_back({distance(rank, each.from), each});
            written.receives.back().receive.from = none;
        }
        for (const AwaitedSend &each : open.sends) {
            written.sends.push_back({distance(rank, each.to), each});
            written.sends.back().send.to = none;
            written.sends.back().send.postedBy = none;
        }
        m_content.openCalls.push_back(std::move(written));
    }

    static std::vector<DumpContent::PeerMessages> writtenCounts(Rank rank, const std::vector<MessageCount> &counts) {
        std::vector<DumpContent::PeerMessages> written;
        for (const MessageCount &count : counts) {
            written.push_back({distance(rank, count.peer), count});
            written.back().count.peer = none;
        }
        return written;
    }

    /// What a matched probe has taken is nobody else's, as if it had been received.
    void addProbed(Rank rank, std::vector<MessageCount> &received) const {
        for (const LocationIndex location : m_trace.processes[rank].locations) {
            const LocationEvents &events = m_trace.locations[location].events;
            for (const TakenMessage &each : events.taken)
                if (each.row != none && events.track.end[each.row] <= m_snapshot.at) {
                    const Envelope &envelope = events.envelopes[each.envelope];
                    received.push_back({envelope.peer, envelope.communicator, envelope.tag, 1, envelope.bytes, 0});
                }
        }
    }

    void addMessages(Rank rank) {
        std::vector<MessageCount> received = receivedMessages(m_trace, rank);
        for (const MessageCount &count : received)
            m_content.messageCount += count.messages;
        addProbed(rank, received);
        DumpContent::Messages messages{just(rank), true, writtenCounts(rank, sentMessages(m_snapshot, rank)),
                                       writtenCounts(rank, received)};
        if (!messages.sent.empty() || !messages.received.empty())
            m_content.messages.push_back(std::move(messages));
    }

    void addPending(Rank rank) {
        DumpContent::Pending pending{just(rank), true, {}};
        for (DumpedRequest &request : pendingOf(m_trace, rank)) {
            DumpContent::Request written{distance(rank, request.peer), request};
            written.request.peer = none;
            written.request.callPath = m_tables.path(request.callPath);
            pending.requests.push_back(written);
        }
        if (!pending.requests.empty())
            m_content.pending.push_back(std::move(pending));
    }

    const Trace &m_trace;
    const Snapshot &m_snapshot;
    const ModelSet &m_models;
    DumpContent m_content;
    Tables m_tables;
};

} // namespace

DumpContent contentOf(const ShareTrace &share, const Snapshot &snapshot, const std::vector<TaskState> &tasks, Tick lastEvent,
                      const Work &work) {
    std::vector<std::vector<MissingSend>> leftOut(share.ranks.size());
    forEachParallel(share.ranks.size(), work, [&](std::size_t i, unsigned) {
        const LocationEvents *events = share.trace->mainEvents(share.ranks[i]);
        if (events != nullptr && !events->track.empty())
            leftOut[i] = leftOutSends(snapshot, share.ranks[i]);
    });
    const TraceModels models = buildTraceModels(*share.trace, openEnd, work);
    ShareWriter writer(share, snapshot, models.set);
    writer.addJob(share, lastEvent);
    for (std::size_t i = 0; i < share.ranks.size(); ++i) {
        throwIfCancelled(work);
        writer.addRank(share.ranks[i], tasks[share.ranks[i]], std::move(leftOut[i]));
    }
    return writer.take();
}

} // namespace laggard
