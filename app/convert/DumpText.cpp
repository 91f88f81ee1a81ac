// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/DumpText.h"

#include "app/convert/AnswerText.h"
#include "app/convert/JsonWriter.h"
#include "trace/DumpCheck.h"
#include "trace/ModelDumpNames.h"
#include "trace/PhaseModels.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace laggard {
namespace {

/// Entries of a section by their text: ranks with the same text share one.
class Classes {
  public:
    void add(Rank rank, std::string body) {
        const auto [entry, isNew] = m_classOf.try_emplace(std::move(body), m_ranks.size());
        if (isNew) {
            m_bodies.push_back(&entry->first);
            m_ranks.emplace_back();
        }
        m_ranks[entry->second].push_back(rank);
    }
    [[nodiscard]] std::size_t size() const { return m_ranks.size(); }
    /// An array of objects: the ranks, then the body (members of an object).
    void write(JsonWriter &json, std::string_view name) const {
        json.line().key(name).beginArray();
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            json.line().beginObject().key("ranks").string(formatRanges(m_ranks[i]));
            json.raw(*m_bodies[i]).endObject();
        }
        json.line().endArray();
    }

  private:
    std::unordered_map<std::string, std::size_t> m_classOf;
    std::vector<const std::string *> m_bodies;
    std::vector<RankSet> m_ranks;
};

/// How the ranks that an entry names are written: as they are, or as distance from the entry's own rank, whichever lets more
/// ranks share their entries.
class Peers {
  public:
    Peers(Rank self, bool relative) : m_self(self), m_isRelative(relative) {}
    void write(JsonWriter &json, Rank peer) const {
        if (peer == none)
            json.null();
        else if (m_isRelative)
            json.signedNumber(static_cast<std::int64_t>(peer) - static_cast<std::int64_t>(m_self));
        else
            json.number(peer);
    }
    [[nodiscard]] bool isRelative() const { return m_isRelative; }

  private:
    Rank m_self;
    bool m_isRelative;
};

/// Writes a section whose entries name other ranks. `write(json, rank, peers)` writes the members of an entry; false: the rank
/// has none.
template <typename Write> void writePeerSection(JsonWriter &json, std::string_view name, std::size_t ranks, Write write) {
    Classes classes[2];
    for (const bool relative : {false, true})
        for (Rank rank = 0; rank < ranks; ++rank) {
            JsonWriter body;
            if (relative)
                body.key("relative").boolean(true);
            if (write(body, rank, Peers(rank, relative)))
                classes[relative ? 1 : 0].add(rank, body.take());
        }
    classes[classes[1].size() < classes[0].size() ? 1 : 0].write(json, name);
}

class DumpWriter {
  public:
    explicit DumpWriter(const ModelDump &dump) : m_dump(dump), m_job(*dump.job) {}

    std::string write() {
        m_json.beginObject().line().key("schema").string("laggard.model/2");
        writeJob();
        writeWarnings();
        writeFrames();
        writeHosts();
        writeCommunicators();
        writeStates();
        writeModels();
        if (m_dump.phaseModels)
            writeSemiMarkov(*m_dump.phaseModels);
        if (m_dump.hasWaits)
            writeWaits();
        if (m_dump.answer)
            writeAnswer(m_json, *m_dump.answer, m_job.range.begin);
        writePending();
        std::string text = m_json.take();
        const std::string check = dumpCheck(text);
        return (text += dumpCheckMember) += '"' + check + "\"\n}\n";
    }

  private:
    /// Times count from the start of the job.
    [[nodiscard]] Tick ticks(Tick time) const { return time > m_job.range.begin ? time - m_job.range.begin : 0; }
    [[nodiscard]] std::size_t rankCount() const { return m_job.processes.size(); }

    void writeJob() {
        m_json.line().key("job").beginObject();
        m_json.key("ranks").number(rankCount());
        m_json.key("source").string(m_job.path);
        m_json.key("format").string(m_job.format);
        m_json.key("creator").string(m_job.creator);
        m_json.key("ticks_per_second").number(m_job.clock.ticksPerSecond);
        m_json.key("ticks").number(m_job.range.length());
        if (m_job.clock.startNanosecondsUtc != 0)
            m_json.key("start_utc_ns").number(m_job.clock.startNanosecondsUtc);
        m_json.key("events").number(m_job.eventCount);
        m_json.key("messages").number(m_job.messageCount);
        m_json.key("tells_open_calls").boolean(m_job.tellsOpenCalls);
        m_json.endObject();
    }

    void writeWarnings() {
        m_json.line().key("warnings").beginArray();
        std::vector<Warning> warnings = m_job.warnings;
        if (m_dump.phaseModels && !m_dump.phaseModels->note.empty())
            warnings.push_back({WarningId::PhaseModels, Warning::Severity::Note, std::nullopt, {}, m_dump.phaseModels->note});
        for (const Warning &warning : warnings) {
            m_json.line()
                .beginObject()
                .key("id")
                .string(name(warning.id))
                .key("message")
                .string(warning.message)
                .key("place")
                .string(warning.place);
            m_json.key("data_loss").boolean(warning.severity == Warning::Severity::DataLoss).endObject();
        }
        m_json.line().endArray();
    }

    void writeFrames() {
        m_json.line().key("functions").beginArray();
        for (RegionId id = 0; id < m_job.regions.size(); ++id)
            writeFunction(m_job.regions[id], id < m_dump.places.size() ? m_dump.places[id] : CodePlace());
        m_json.line().endArray().line().key("sites").beginArray();
        for (const CallSite &site : m_job.callSites) {
            m_json.line().beginArray().string(site.file).number(site.line);
            if (!site.datatype.empty())
                m_json.string(site.datatype);
            m_json.endArray();
        }
        m_json.line().endArray().line().key("call_paths").beginArray();
        for (CallPathId id = 0; id < m_job.callPaths.size(); ++id) {
            const CallPath &path = m_job.callPaths[id];
            m_json.line().beginArray().numberOrNull(path.parent).number(path.region);
            if (path.site != none)
                m_json.number(path.site);
            m_json.endArray();
        }
        m_json.line().endArray();
    }

    void writeFunction(const Region &region, const CodePlace &place) {
        m_json.line().beginObject().key("name").string(region.name);
        if (region.canonicalName != region.name)
            m_json.key("symbol").string(region.canonicalName);
        if (!region.file.empty())
            m_json.key("file").string(region.file).key("line").number(region.line);
        if (region.isMpi())
            m_json.key("mpi").boolean(true);
        if (!place.module.empty()) {
            m_json.key("module").string(place.module).key("offset").number(place.offset);
            if (!place.buildId.empty())
                m_json.key("build_id").string(place.buildId);
        }
        m_json.endObject();
    }

    void writeHosts() {
        std::map<std::string, RankSet> hosts;
        Classes ends;
        RankSet damaged;
        bool hasPids = false;
        for (Rank rank = 0; rank < rankCount(); ++rank) {
            const Process &process = m_job.processes[rank];
            if (std::string host = m_job.hostOf(rank); !host.empty())
                hosts[std::move(host)].push_back(rank);
            hasPids |= process.pid != 0;
            if (process.end.kind != ProcessEnd::Kind::Unknown || process.hangNoticed != openEnd)
                ends.add(rank, endBody(process));
            if (m_job.isDamaged(rank))
                damaged.push_back(rank);
        }
        m_json.line().key("hosts").beginArray();
        for (const auto &[host, ranks] : hosts)
            m_json.line().beginObject().key("name").string(host).key("ranks").string(formatRanges(ranks)).endObject();
        m_json.line().endArray();
        if (hasPids) {
            m_json.line().key("pids").beginArray();
            for (const Process &process : m_job.processes)
                m_json.number(static_cast<std::uint64_t>(std::max(process.pid, 0)));
            m_json.endArray();
        }
        ends.write(m_json, "ends");
        m_json.line().key("damaged").string(formatRanges(damaged));
    }

    std::string endBody(const Process &process) {
        const ProcessEnd &end = process.end;
        JsonWriter body;
        body.key("kind").string(dumpName(end.kind)).key("value").signedNumber(end.value).key("ticks").number(ticks(end.time));
        if (end.exit != ProcessEnd::Exit::Unknown)
            body.key("exit").string(dumpName(end.exit));
        if (end.finalized)
            body.key("finalized").boolean(true);
        if (end.isStopped)
            body.key("stopped").boolean(true);
        if (end.lastSeen != ProcessEnd::Seen::Nothing)
            body.key("last_seen").string(dumpName(end.lastSeen));
        if (process.hangNoticed != openEnd)
            body.key("hang_noticed_ticks").number(ticks(process.hangNoticed));
        if (!end.mpiError.empty())
            body.key("mpi_error").string(end.mpiError).key("mpi_error_ticks").number(ticks(end.mpiErrorTime));
        if (!end.stack.empty()) {
            body.key("stack").beginArray();
            for (const Frame &frame : end.stack)
                body.beginArray().string(frame.function).string(frame.file).number(frame.line).endArray();
            body.endArray();
        }
        return body.take();
    }

    void writeCommunicators() {
        m_json.line().key("world").numberOrNull(m_job.world).line().key("communicators").beginArray();
        for (const Communicator &communicator : m_job.communicators) {
            m_json.line().beginObject().key("name").string(communicator.name);
            if (communicator.parent != none)
                m_json.key("parent").number(communicator.parent);
            if (communicator.isSelf)
                m_json.key("self").boolean(true);
            writeMembers(communicator.members);
            m_json.endObject();
        }
        m_json.line().endArray();
    }

    /// Runs of equal distance: [first, number, distance].
    void writeMembers(const std::vector<Rank> &members) {
        m_json.key("members").beginArray();
        for (std::size_t begin = 0; begin < members.size();) {
            std::size_t end = begin + 1;
            std::int64_t step = 1;
            if (end < members.size()) {
                step = static_cast<std::int64_t>(members[end]) - static_cast<std::int64_t>(members[begin]);
                while (end < members.size() &&
                       static_cast<std::int64_t>(members[end]) - static_cast<std::int64_t>(members[end - 1]) == step)
                    ++end;
            }
            m_json.beginArray().number(members[begin]).number(end - begin);
            if (step != 1)
                m_json.signedNumber(step);
            m_json.endArray();
            begin = end;
        }
        m_json.endArray();
    }

    void writeStates() {
        m_json.line().key("states").beginArray();
        for (std::uint32_t id = 0; id < m_dump.models.states.size(); ++id) {
            const ModelState &state = m_dump.models.states[id];
            m_json.line().beginObject().key("kind").string(dumpName(state.kind));
            if (state.callPath != none)
                m_json.key("call_path").number(state.callPath);
            if (id < m_dump.datatypeOfState.size() && !m_dump.datatypeOfState[id].empty())
                m_json.key("datatype").string(m_dump.datatypeOfState[id]);
            m_json.endObject();
        }
        m_json.line().endArray();
    }

    void writeModels() {
        const ModelSet &models = m_dump.models;
        std::vector<RankSet> ranksOf(models.models.size());
        Classes tasks;
        for (Rank rank = 0; rank < models.modelOfRank.size(); ++rank) {
            if (models.modelOfRank[rank] != none)
                ranksOf[models.modelOfRank[rank]].push_back(rank);
            JsonWriter body;
            body.key("state").numberOrNull(models.stateOfRank[rank]);
            if (!models.lastStateOfRank.empty())
                body.key("last").numberOrNull(models.lastStateOfRank[rank]);
            tasks.add(rank, body.take());
        }
        m_json.line().key("models").beginArray();
        for (std::size_t i = 0; i < ranksOf.size(); ++i) {
            m_json.line().beginObject().key("ranks").string(formatRanges(ranksOf[i])).key("transitions").beginArray();
            for (const Transition &t : models.models[i].transitions)
                m_json.beginArray().number(t.from).number(t.to).number(t.count).endArray();
            m_json.endArray().endObject();
        }
        m_json.line().endArray();
        tasks.write(m_json, "tasks");
    }

    void writeSemiMarkov(const PhaseModels &models) {
        m_json.line().key("semi_markov").beginObject().line().key("source").string(dumpName(models.source));
        m_json.key("region").string(models.region).key("call_path").numberOrNull(models.callPath);
        m_json.key("coverage").real(models.coverage).line().key("sets").beginArray();
        for (const PhaseModels::Set &set : models.sets) {
            m_json.beginObject();
            set.isMark ? m_json.key("level").signedNumber(set.level) : m_json.key("call_path").numberOrNull(set.callPath);
            if (set.joined != 1)
                m_json.key("joined").number(set.joined);
            m_json.endObject();
        }
        m_json.endArray().line().key("states").beginArray();
        for (const PhaseState &state : models.states) {
            m_json.line().beginObject().key("kind").string(dumpName(state.kind));
            if (state.callPath != none)
                m_json.key("call_path").number(state.callPath);
            if (state.kind == PhaseState::Kind::AfterMark)
                m_json.key("level").signedNumber(state.level);
            m_json.endObject();
        }
        m_json.line().endArray().line().key("transitions").beginArray();
        for (const auto &[from, to] : models.transitions)
            m_json.beginArray().number(from).number(to).endArray();
        m_json.endArray().line().key("ranks").beginArray();
        for (Rank rank = 0; rank < models.ranks.size(); ++rank)
            if (!models.ranks[rank].phases.empty())
                writePhasesOf(rank, models.ranks[rank]);
        m_json.line().endArray().endObject();
    }

    void writePhasesOf(Rank number, const PhaseModels::Rank &rank) {
        m_json.line().beginObject().key("rank").number(number).key("end").number(ticks(rank.end)).key("open").boolean(rank.open);
        if (rank.openPath != none)
            m_json.key("open_path").number(rank.openPath);
        m_json.key("phases").beginArray();
        for (const RankPhase &phase : rank.phases) {
            m_json.line().beginObject().key("set").numberOrNull(phase.set).key("begin").number(ticks(phase.begin));
            m_json.key("end").number(ticks(phase.end)).key("transitions");
            writeTransitions(phase.transitions);
            if (!phase.asIfCut.empty()) {
                m_json.key("as_if_cut");
                writeTransitions(phase.asIfCut);
            }
            m_json.endObject();
        }
        m_json.endArray().endObject();
    }

    void writeTransitions(const std::vector<PhaseTransition> &transitions) {
        m_json.beginArray();
        for (const PhaseTransition &t : transitions) {
            m_json.beginArray().number(t.transition);
            if (t.count > 1)
                m_json.number(t.count).real(t.mean).real(t.squares);
            m_json.real(t.longest).number(ticks(t.longestBegin)).numberOrNull(t.longestPath);
            if (t.count > 1) {
                m_json.beginArray();
                for (const Histogram::Bucket &bucket : t.buckets)
                    m_json.real(bucket.mean).real(bucket.count);
                m_json.endArray();
            }
            m_json.endArray();
        }
        m_json.endArray();
    }

    void writeWaits() {
        const JobState &state = m_dump.state;
        m_json.line().key("waits").beginObject().line().key("ticks").number(ticks(state.at));
        m_json.key("last_event_ticks").number(ticks(state.lastEvent));
        Classes activities;
        Classes collectives;
        for (Rank rank = 0; rank < state.tasks.size(); ++rank) {
            activities.add(rank, activityBody(state.tasks[rank]));
            if (!state.tasks[rank].collectives.empty())
                collectives.add(rank, countsBody(state.tasks[rank].collectives));
        }
        activities.write(m_json, "activities");
        m_json.line().key("since_ticks").beginArray();
        for (const TaskState &task : state.tasks)
            m_json.number(ticks(task.activity.since));
        m_json.endArray();
        writePeerSection(m_json, "open_calls", state.tasks.size(), [&](JsonWriter &json, Rank rank, const Peers &peers) {
            return writeOpenCall(json, state.tasks[rank].open, peers);
        });
        collectives.write(m_json, "collectives");
        writePeerSection(m_json, "messages", state.tasks.size(), [&](JsonWriter &json, Rank rank, const Peers &peers) {
            writeCounts(json, "sent", m_dump.sent[rank], peers);
            writeCounts(json, "received", m_dump.received[rank], peers);
            return !m_dump.sent[rank].empty() || !m_dump.received[rank].empty();
        });
        writeMissingSends();
        m_json.line().endObject();
    }

    static std::string activityBody(const TaskState &task) {
        JsonWriter body;
        body.key("doing").string(dumpName(task.activity.kind));
        if (task.activity.callPath != none)
            body.key("call_path").number(task.activity.callPath);
        if (task.mpiPath != none)
            body.key("mpi_call_path").number(task.mpiPath);
        if (task.activity.site != none)
            body.key("site").number(task.activity.site);
        return body.take();
    }

    static std::string countsBody(const std::vector<CollectiveCount> &counts) {
        JsonWriter body;
        body.key("counts").beginArray();
        for (const CollectiveCount &count : counts)
            body.beginArray().number(count.communicator).number(count.begun).number(count.completed).endArray();
        body.endArray();
        return body.take();
    }

    static bool writeOpenCall(JsonWriter &json, const OpenCall &open, const Peers &peers) {
        if (open.source == OpenCall::Source::Unclear && open.receives.empty() && open.sends.empty() && !open.isCollective &&
            open.confidence == 0)
            return false;
        json.key("known").string(dumpName(open.source)).key("confidence").real(open.confidence);
        if (open.source == OpenCall::Source::Predicted)
            json.key("precedent")
                .beginArray()
                .number(open.precedent.run)
                .number(open.precedent.tested)
                .number(open.precedent.right)
                .endArray();
        if (open.anyReceive)
            json.key("any").boolean(true);
        if (open.goesOnWithout)
            json.key("goes_on_without").boolean(true);
        if (open.servesMeanwhile)
            json.key("serves_meanwhile").boolean(true);
        if (!open.receives.empty()) {
            json.key("receives").beginArray();
            for (const ExpectedReceive &receive : open.receives) {
                json.beginArray();
                peers.write(json, receive.from);
                json.numberOrNull(receive.communicator);
                receive.anyTag ? json.null() : json.number(receive.tag);
                json.number(receive.count).endArray();
            }
            json.endArray();
        }
        if (!open.sends.empty()) {
            json.key("send_confidence").real(open.sendConfidence).key("sends").beginArray();
            for (const AwaitedSend &send : open.sends) {
                json.beginArray();
                peers.write(json, send.to);
                json.numberOrNull(send.communicator).number(send.tag).boolean(send.isReceived).endArray();
            }
            json.endArray();
        }
        if (open.isCollective)
            writeCollective(json, open);
        return true;
    }

    static void writeCollective(JsonWriter &json, const OpenCall &open) {
        json.key("collective").beginObject().key("operation").string(name(open.collective.operation));
        json.key("communicator").number(open.collective.communicator).key("root").numberOrNull(open.collective.root);
        if (open.collectiveNumber != none)
            json.key("number").number(open.collectiveNumber);
        json.endObject();
    }

    static void writeCounts(JsonWriter &json, std::string_view name, const std::vector<MessageCount> &counts,
                            const Peers &peers) {
        json.key(name).beginArray();
        for (const MessageCount &count : counts) {
            json.beginArray();
            peers.write(json, count.peer);
            json.numberOrNull(count.communicator).number(count.tag).number(count.messages).number(count.bytes);
            if (count.held != 0)
                json.number(count.held);
            json.endArray();
        }
        json.endArray();
    }

    void writeMissingSends() {
        m_json.line().key("missing_sends").beginArray();
        for (const MissingSend &missing : m_dump.missingSends) {
            m_json.line().beginObject().key("from").number(missing.from).key("to").number(missing.to);
            m_json.key("due_ticks").number(ticks(missing.due)).key("call_path").numberOrNull(missing.callPath);
            m_json.key("confidence").real(missing.confidence).key("evidence").string(missing.evidence);
            m_json.key("times").number(missing.times).endObject();
        }
        m_json.line().endArray();
    }

    void writePending() {
        writePeerSection(m_json, "pending", m_dump.pending.size(), [&](JsonWriter &json, Rank rank, const Peers &peers) {
            if (m_dump.pending[rank].empty())
                return false;
            json.key("requests").beginArray();
            for (const DumpedRequest &request : m_dump.pending[rank]) {
                json.beginArray().string(dumpName(request.kind));
                request.anySource ? json.string("any") : (peers.write(json, request.peer), json);
                json.numberOrNull(request.communicator);
                request.anyTag ? json.string("any") : json.number(request.tag);
                json.number(request.bytes).numberOrNull(request.callPath).endArray();
            }
            json.endArray();
            return true;
        });
    }

    const ModelDump &m_dump;
    const Trace &m_job;
    JsonWriter m_json;
};

} // namespace

std::string dumpText(const ModelDump &dump) { return DumpWriter(dump).write(); }

} // namespace laggard
