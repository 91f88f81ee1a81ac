// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/DumpAssembly.h"

#include "trace/ModelDumpNames.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace laggard::modeldump {
namespace {

constexpr std::uint64_t mostRanks = 4'194'304;
constexpr std::uint64_t mostElements = 64'000'000; ///< that classes of ranks may unfold to

using Numbers = std::vector<std::uint32_t>; ///< by number in a file's table: that in the joined one

class Assembly {
  public:
    Assembly(std::string path, const Work &work) : m_work(work), m_trace(std::make_shared<Trace>()) {
        m_trace->path = std::move(path);
        m_trace->format = "model dump";
        m_trace->isSummary = true;
    }

    void setJob(const std::vector<DumpContent> &contents) {
        const DumpContent &first = contents.front();
        std::uint64_t ranks = 0;
        for (const DumpContent &content : contents) {
            m_file = &content.file;
            ranks = std::max(ranks, content.rankCount);
            if (content.ticksPerSecond != first.ticksPerSecond)
                fail("job", "its clock is not that of \"" + first.file + '"');
            m_trace->range.end = std::max({m_trace->range.end, content.ticks, content.at});
            m_trace->eventCount += content.events;
            m_trace->messageCount += content.messageCount;
            m_dump.hasWaits |= content.hasWaits;
        }
        if (ranks == 0 || ranks > mostRanks)
            fail("job.ranks", ranks == 0 ? "a job without ranks" : plural(ranks, "rank") + " are more than can be");
        m_trace->creator = first.creator.empty() ? first.format : first.creator;
        m_trace->clock.ticksPerSecond = first.ticksPerSecond;
        m_trace->clock.startNanosecondsUtc = first.startUtc;
        m_trace->tellsOpenCalls = first.tellsOpenCalls;
        m_trace->processes.resize(ranks);
        for (Rank rank = 0; rank < ranks; ++rank)
            m_trace->processes[rank].name = "MPI Rank " + std::to_string(rank);
        m_dump.models.modelOfRank.assign(ranks, none);
        m_dump.models.stateOfRank.assign(ranks, none);
        m_dump.models.lastStateOfRank.assign(ranks, none);
        if (m_dump.hasWaits)
            m_dump.state.tasks.resize(ranks);
        m_sent.resize(ranks);
        m_received.resize(ranks);
        m_dump.pending.resize(ranks);
    }

    void add(const DumpContent &content) {
        throwIfCancelled(m_work);
        m_file = &content.file;
        m_trace->warnings.insert(m_trace->warnings.end(), content.warnings.begin(), content.warnings.end());
        addPaths(content);
        addProcesses(content);
        addCommunicators(content);
        addStates(content);
        addModels(content);
        addPhaseModels(content);
        if (content.hasWaits)
            addWaits(content);
        addPending(content);
        if (content.hasSamples)
            addSamples(content);
    }

    /// What was found in a job of which this is all, as it was written.
    void addAnswer(const DumpContent &content) {
        if (!content.answer || !content.answer->isWhole || content.wasChanged || !m_dump.hasWaits)
            return;
        const DumpContent::Answer &written = *content.answer;
        DumpedAnswer answer = written.answer;
        const std::size_t ranks = m_trace->processes.size();
        const HeadlineFacts &facts = answer.headline;
        if (facts.job != ranks || facts.known > ranks || facts.others > ranks || answer.waiting > ranks ||
            answer.since > m_trace->range.end)
            fail("answer", "it is not of this job");
        answer.headline.ranks = ranksOf(written.headline);
        answer.crashed = ranksOf(written.crashed);
        answer.byWaits.ranks = ranksOf(written.byWaits);
        answer.leastProgressed.ranks = ranksOf(written.leastProgressed);
        for (std::size_t i = 0; i < answer.findings.size(); ++i) {
            DumpedAnswer::Finding &finding = answer.findings[i];
            finding.ranks = ranksOf(written.ofFindings[i]);
            finding.callPath = joined(m_paths, finding.callPath, "answer.findings");
        }
        if (!agrees(answer))
            fail("answer", "what it says of the job contradicts itself");
        m_dump.answer = std::make_shared<const DumpedAnswer>(std::move(answer));
    }

    ModelDumpPtr finish() {
        for (ModelState &state : m_dump.models.states)
            state.stack = stackOf(state.callPath);
        if (m_dump.hasWaits) {
            m_dump.state.at = std::min(m_dump.state.at, m_trace->range.end);
            countUnreceived();
        }
        if (m_phaseModels)
            checkPhases();
        m_trace->phaseModels = std::move(m_phaseModels);
        m_trace->binaries.assign(m_binaries.begin(), m_binaries.end());
        m_dump.samples = finishedSamples();
        m_dump.job = std::move(m_trace);
        return std::make_shared<const ModelDump>(std::move(m_dump));
    }

  private:
    [[noreturn]] void fail(const std::string &place, const std::string &reason) const {
        throw ReadError("The model dump \"" + *m_file + "\" is damaged (" + place + "): " + reason + '.');
    }

    /// Number `number` of a file's table, joined; `none` stays.
    [[nodiscard]] std::uint32_t joined(const Numbers &table, std::uint32_t number, const char *place) const {
        if (number == none)
            return none;
        if (number >= table.size())
            fail(place, "number " + std::to_string(number) + " does not exist");
        return table[number];
    }
    [[nodiscard]] std::uint32_t joinedNumber(const Numbers &table, std::uint32_t number, const char *place) const {
        if (number == none)
            fail(place, "a number is missing");
        return joined(table, number, place);
    }

    /// Its state is that of the headline, which names ranks where it is about some.
    [[nodiscard]] static bool agrees(const DumpedAnswer &answer) {
        using Kind = HeadlineFacts::Kind;
        const Kind kind = answer.headline.kind;
        const auto isOneOf = [kind](std::initializer_list<Kind> kinds) { return std::ranges::find(kinds, kind) != kinds.end(); };
        if (kind == Kind::Running || kind == Kind::Finished || kind == Kind::Crashed)
            if (answer.state != dumpName(kind))
                return false;
        return isOneOf(
                   {Kind::Unknown, Kind::Running, Kind::Finished, Kind::Crashed, Kind::Spinning, Kind::Slower, Kind::Standing}) ||
               !answer.headline.ranks.empty();
    }

    [[nodiscard]] RankSet ranksOf(const RankRanges &ranges) {
        RankSet ranks;
        forEachRank(ranges, 0, "answer", [&](Rank rank) { ranks.push_back(rank); });
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        return ranks;
    }

    /// Calls `visit(rank)` for each rank of the ranges; `cost`: elements that each one takes.
    template <typename Visit> void forEachRank(const RankRanges &ranges, std::uint64_t cost, const char *place, Visit visit) {
        for (const auto &[first, last] : ranges) {
            if (last >= m_trace->processes.size())
                fail(place, "the job has no rank " + std::to_string(last));
            m_elements += (std::uint64_t{last} - first + 1) * (cost + 1);
            if (m_elements > mostElements)
                fail(place, "it unfolds to more than can be read");
            for (Rank rank = first; rank <= last; ++rank)
                visit(rank);
        }
    }

    [[nodiscard]] Rank peerOf(WrittenPeer peer, bool relative, Rank self, const char *place) const {
        if (peer == noPeer)
            return none;
        if (peer < -static_cast<WrittenPeer>(mostRanks) || peer > static_cast<WrittenPeer>(mostRanks))
            fail(place, "the job has no rank " + std::to_string(peer));
        const WrittenPeer rank = relative ? peer + static_cast<WrittenPeer>(self) : peer;
        if (rank < 0 || rank >= static_cast<WrittenPeer>(m_trace->processes.size()))
            fail(place, "the job has no rank " + std::to_string(rank));
        return static_cast<Rank>(rank);
    }

    void addPaths(const DumpContent &content) {
        Numbers functions;
        for (std::size_t i = 0; i < content.functions.size(); ++i) {
            const Region &region = content.functions[i];
            const CodePlace &place = content.places[i];
            const auto [entry, isNew] = m_functions.try_emplace(
                {region.name, region.canonicalName, region.file, region.line, region.isMpi(), place.module, place.offset},
                static_cast<RegionId>(m_trace->regions.size()));
            if (isNew) {
                m_trace->regions.push_back(region);
                m_dump.places.push_back(place);
                if (!region.file.empty() && !place.module.empty())
                    m_binaries.insert({place.module, place.buildId});
            }
            functions.push_back(entry->second);
        }
        m_sites.clear();
        for (const CallSite &site : content.sites) {
            const auto [entry, isNew] = m_siteNumbers.try_emplace({site.file, site.line, site.datatype},
                                                                  static_cast<CallSiteId>(m_trace->callSites.size()));
            if (isNew)
                m_trace->callSites.push_back(site);
            m_sites.push_back(entry->second);
        }
        m_paths.clear();
        for (const DumpContent::Path &path : content.paths) {
            const std::uint32_t parent = joined(m_paths, path.parent, "call_paths"); // only earlier ones: no circle
            const std::uint32_t function = joinedNumber(functions, path.function, "call_paths");
            m_paths.push_back(m_trace->callPaths.intern(parent, function, joined(m_sites, path.site, "call_paths")));
            if (m_trace->callPaths[m_paths.back()].depth > deepest)
                fail("call_paths", "a call path is deeper than " + std::to_string(deepest));
        }
    }
    static constexpr std::uint32_t deepest = 100'000;

    void addProcesses(const DumpContent &content) {
        for (const DumpContent::Host &host : content.hosts) {
            if (m_trace->systemNodes.empty())
                m_trace->systemNodes.push_back({"machine", "machine", none});
            const auto [entry, isNew] = m_hosts.try_emplace(host.name, static_cast<SystemNodeId>(m_trace->systemNodes.size()));
            if (isNew)
                m_trace->systemNodes.push_back({host.name, "node", 0});
            forEachRank(host.ranks, 0, "hosts", [&, node = entry->second](Rank rank) { m_trace->processes[rank].node = node; });
        }
        if (content.pids.size() > m_trace->processes.size())
            fail("pids", "there are more of them than ranks");
        for (Rank rank = 0; rank < content.pids.size(); ++rank)
            if (content.pids[rank] != 0)
                m_trace->processes[rank].pid = content.pids[rank];
        for (const DumpContent::End &end : content.ends)
            forEachRank(end.ranks, end.end.stack.size(), "ends", [&](Rank rank) {
                m_trace->processes[rank].end = end.end;
                m_trace->processes[rank].hangNoticed = end.hangNoticed;
            });
        forEachRank(content.damaged, 8, "damaged", [&](Rank rank) {
            Location location;
            location.id = rank;
            location.rank = rank;
            location.damaged = true;
            m_trace->processes[rank].mainLocation = static_cast<LocationIndex>(m_trace->locations.size());
            m_trace->processes[rank].locations = {m_trace->processes[rank].mainLocation};
            m_trace->locations.push_back(std::move(location));
        });
    }

    /// Communicators of different files are the same if they have the same key, or without keys the same number.
    void addCommunicators(const DumpContent &content) {
        m_communicators.clear();
        for (std::size_t i = 0; i < content.communicators.size(); ++i) {
            const DumpContent::WrittenCommunicator &written = content.communicators[i];
            const std::string key = written.key.empty() ? "#" + std::to_string(i) : written.key;
            const auto [entry, isNew] =
                m_communicatorOfKey.try_emplace(key, static_cast<CommunicatorId>(m_trace->communicators.size()));
            if (isNew) {
                Communicator communicator;
                communicator.name = written.name;
                communicator.isSelf = written.isSelf;
                for (const DumpContent::Run &run : written.members)
                    addMembers(run, communicator.members.edit());
                m_trace->communicators.push_back(std::move(communicator));
            }
            m_communicators.push_back(entry->second);
        }
        for (std::size_t i = 0; i < content.communicators.size(); ++i) {
            const std::uint32_t parent = joined(m_communicators, content.communicators[i].parent, "communicators");
            if (parent != none && parent < m_communicators[i])
                m_trace->communicators[m_communicators[i]].parent = parent;
        }
        if (content.world != none)
            m_trace->world = joined(m_communicators, content.world, "world");
    }

    void addMembers(const DumpContent::Run &run, std::vector<Rank> &members) {
        const auto size = static_cast<std::int64_t>(m_trace->processes.size());
        std::int64_t rank = static_cast<std::int64_t>(run.first);
        m_elements += run.count;
        if (m_elements > mostElements)
            fail("communicators", "it unfolds to more than can be read");
        if (run.step > size || run.step < -size)
            fail("communicators", "members are further apart than there are ranks");
        for (std::uint64_t i = 0; i < run.count; ++i, rank += run.step) {
            if (rank < 0 || rank >= size)
                fail("communicators", "the job has no rank " + std::to_string(rank));
            members.push_back(static_cast<Rank>(rank));
        }
    }

    void addStates(const DumpContent &content) {
        m_states.clear();
        for (const DumpContent::State &state : content.states) {
            const CallPathId path = joined(m_paths, state.path, "states");
            if (path == none && state.kind != ModelState::Kind::Start)
                fail("states", "only the start has no call path");
            const auto [entry, isNew] = m_stateNumbers.try_emplace({state.kind, path, state.datatype},
                                                                   static_cast<std::uint32_t>(m_dump.models.states.size()));
            if (isNew) {
                m_dump.models.states.push_back({state.kind, path, {}});
                m_dump.datatypeOfState.push_back(state.datatype);
            }
            m_states.push_back(entry->second);
        }
    }

    void addModels(const DumpContent &content) {
        ModelSet &models = m_dump.models;
        for (const DumpContent::Model &written : content.models) {
            MarkovModel model;
            for (const Transition &t : written.transitions)
                model.transitions.push_back(
                    {joinedNumber(m_states, t.from, "models"), joinedNumber(m_states, t.to, "models"), t.count});
            std::sort(model.transitions.begin(), model.transitions.end());
            const auto repeated =
                std::adjacent_find(model.transitions.begin(), model.transitions.end(),
                                   [](const Transition &a, const Transition &b) { return a.from == b.from && a.to == b.to; });
            if (repeated != model.transitions.end())
                fail("models", "a transition is listed twice");
            const auto number = static_cast<std::uint32_t>(models.models.size());
            models.models.push_back(std::move(model));
            forEachRank(written.ranks, 0, "models", [&](Rank rank) { models.modelOfRank[rank] = number; });
        }
        for (const DumpContent::Task &task : content.tasks) {
            const std::uint32_t state = joined(m_states, task.state, "tasks");
            const std::uint32_t last = task.hasLast ? joined(m_states, task.last, "tasks") : state;
            forEachRank(task.ranks, 0, "tasks", [&](Rank rank) {
                models.stateOfRank[rank] = state;
                models.lastStateOfRank[rank] = last;
            });
        }
    }

    /// Analyses keep something for each phase of each rank, whether it has it or not.
    void checkPhases() const {
        std::vector<std::uint64_t> most(m_phaseModels->sets.size());
        std::unordered_map<std::uint32_t, std::uint64_t> own; // by set; a rank has few of many
        for (const PhaseModels::Rank &rank : m_phaseModels->ranks) {
            own.clear();
            for (const RankPhase &phase : rank.phases)
                if (phase.set != none)
                    most[phase.set] = std::max(most[phase.set], ++own[phase.set]);
        }
        std::uint64_t phases = 0;
        for (const std::uint64_t each : most)
            phases += each;
        if (phases * m_phaseModels->ranks.size() > mostElements)
            fail("semi_markov", "so many phases of so many ranks are more than can be read");
    }

    /// The same thing in the tables of different files has one number.
    template <typename T>
    static std::uint32_t numberOf(std::map<T, std::uint32_t> &numbers, std::vector<T> &all, const T &value) {
        const auto [entry, isNew] = numbers.try_emplace(value, static_cast<std::uint32_t>(all.size()));
        if (isNew)
            all.push_back(value);
        return entry->second;
    }

    void addPhaseModels(const DumpContent &content) {
        constexpr const char *place = "semi_markov";
        if (!content.hasPhaseModels)
            return;
        const PhaseModels &written = content.phaseModels;
        const CallPathId path = joined(m_paths, written.callPath, place);
        if (!m_phaseModels) {
            m_phaseModels = std::make_shared<PhaseModels>();
            m_phaseModels->source = written.source;
            m_phaseModels->region = written.region;
            m_phaseModels->callPath = path;
            m_phaseModels->coverage = written.coverage;
            m_phaseModels->ranks.resize(m_trace->processes.size());
        } else if (m_phaseModels->source != written.source || m_phaseModels->region != written.region ||
                   m_phaseModels->callPath != path) {
            fail(place, "its phases are not those of the other files");
        }
        if (written.source != PhaseSource::WholeRun && written.region.empty())
            fail(place, "phases without the region that delimits them");
        Numbers sets;
        for (PhaseModels::Set set : written.sets) {
            set.callPath = set.isMark ? none : joinedNumber(m_paths, set.callPath, place);
            sets.push_back(numberOf(m_setNumbers, m_phaseModels->sets, set));
        }
        Numbers states;
        for (PhaseState state : written.states) {
            const bool hasPath = state.kind == PhaseState::Kind::Communication || state.kind == PhaseState::Kind::Computation;
            state.callPath = hasPath ? joinedNumber(m_paths, state.callPath, place) : none;
            states.push_back(numberOf(m_phaseStateNumbers, m_phaseModels->states, state));
        }
        Numbers transitions;
        for (const auto &[from, to] : written.transitions) {
            const std::pair<std::uint32_t, std::uint32_t> transition(joined(states, from, place), joined(states, to, place));
            if (m_phaseModels->states[transition.first].kind >= PhaseState::Kind::Finished)
                fail(place, "a state that is none was left");
            transitions.push_back(numberOf(m_phaseTransitionNumbers, m_phaseModels->transitions, transition));
        }
        for (std::size_t i = 0; i < content.phasesOfRank.size(); ++i)
            addPhasesOfRank(content.rankOfPhases[i], content.phasesOfRank[i], sets, transitions);
    }

    void addPhasesOfRank(Rank rank, PhaseModels::Rank phases, const Numbers &sets, const Numbers &transitions) {
        constexpr const char *place = "semi_markov.ranks";
        if (rank >= m_trace->processes.size())
            fail(place, "the job has no such rank");
        phases.openPath = joined(m_paths, phases.openPath, place);
        Tick before = 0;
        for (RankPhase &phase : phases.phases) {
            phase.set = joined(sets, phase.set, place);
            if (phase.begin < before || phase.end < phase.begin)
                fail(place, "its phases are not in order of time");
            before = phase.begin;
            for (auto *each : {&phase.transitions, &phase.asIfCut})
                for (PhaseTransition &t : *each) {
                    t.transition = joined(transitions, t.transition, place);
                    t.longestPath = joined(m_paths, t.longestPath, place);
                }
        }
        m_phaseModels->ranks[rank] = std::move(phases);
    }

    void addWaits(const DumpContent &content) {
        JobState &state = m_dump.state;
        state.at = std::max(state.at, Tick{content.at});
        state.lastEvent = std::max(state.lastEvent, Tick{content.lastEvent});
        if (content.since.size() > state.tasks.size())
            fail("waits.since_ticks", "there are more of them than ranks");
        for (const DumpContent::WrittenActivity &written : content.activities) {
            Activity activity;
            activity.kind = written.kind;
            activity.callPath = joined(m_paths, written.path, "waits.activities");
            activity.site = joined(m_sites, written.site, "waits.activities");
            const CallPathId mpiPath = joined(m_paths, written.mpiPath, "waits.activities");
            const bool isInCall = activity.kind == Activity::Kind::Collective || activity.kind == Activity::Kind::PointToPoint;
            if (isInCall && mpiPath == none)
                fail("waits.activities", "a task in a call without the call's path");
            forEachRank(written.ranks, 0, "waits.activities", [&](Rank rank) {
                TaskState &task = state.tasks[rank];
                task.activity = activity;
                task.mpiPath = mpiPath;
                if (rank < content.since.size())
                    task.activity.since = content.since[rank];
            });
        }
        for (const DumpContent::Open &open : content.openCalls)
            forEachRank(open.ranks, open.receives.size() + open.sends.size(), "waits.open_calls",
                        [&](Rank rank) { addOpenCall(open, rank); });
        for (const DumpContent::Collectives &written : content.collectives)
            addCollectives(written);
        for (const DumpContent::Messages &written : content.messages)
            forEachRank(written.ranks, written.sent.size() + written.received.size(), "waits.messages", [&](Rank rank) {
                addMessages(written.sent, written.relative, rank, m_sent[rank]);
                addMessages(written.received, written.relative, rank, m_received[rank]);
            });
        for (MissingSend missing : content.missingSends) {
            if (missing.from >= state.tasks.size() || missing.to >= state.tasks.size())
                fail("waits.missing_sends", "the job does not have these ranks");
            missing.callPath = joined(m_paths, missing.callPath, "waits.missing_sends");
            m_dump.missingSends.push_back(std::move(missing));
        }
    }

    void addOpenCall(const DumpContent::Open &written, Rank rank) {
        OpenCall &open = m_dump.state.tasks[rank].open;
        open = written.call;
        open.confidence = std::clamp(open.confidence, 0.0, 1.0);
        open.sendConfidence = std::clamp(open.sendConfidence, 0.0, 1.0);
        if (open.isCollective) {
            open.collective.communicator = joinedNumber(m_communicators, open.collective.communicator, "waits.open_calls");
            if (open.collective.root != none && open.collective.root >= m_trace->processes.size())
                fail("waits.open_calls", "the root is not a rank of the job");
        }
        for (const DumpContent::Receive &each : written.receives) {
            ExpectedReceive receive = each.receive;
            receive.from = peerOf(each.from, written.relative, rank, "waits.open_calls");
            receive.communicator = joined(m_communicators, receive.communicator, "waits.open_calls");
            open.receives.push_back(receive);
        }
        for (const DumpContent::Send &each : written.sends) {
            AwaitedSend send = each.send;
            send.to = peerOf(each.to, written.relative, rank, "waits.open_calls");
            send.communicator = joined(m_communicators, send.communicator, "waits.open_calls");
            open.sends.push_back(send);
        }
    }

    void addCollectives(const DumpContent::Collectives &written) {
        std::vector<CollectiveCount> counts = written.counts;
        for (CollectiveCount &count : counts)
            count.communicator = joinedNumber(m_communicators, count.communicator, "waits.collectives");
        std::sort(counts.begin(), counts.end(),
                  [](const CollectiveCount &a, const CollectiveCount &b) { return a.communicator < b.communicator; });
        forEachRank(written.ranks, counts.size(), "waits.collectives",
                    [&](Rank rank) { m_dump.state.tasks[rank].collectives = counts; });
    }

    void addMessages(const std::vector<DumpContent::PeerMessages> &written, bool relative, Rank self,
                     std::vector<MessageCount> &counts) const {
        for (const DumpContent::PeerMessages &each : written) {
            MessageCount count = each.count;
            count.peer = peerOf(each.peer, relative, self, "waits.messages");
            count.communicator = joined(m_communicators, count.communicator, "waits.messages");
            counts.push_back(count);
        }
    }

    /// What was sent less what was received, per sender, receiver, communicator and tag.
    void countUnreceived() {
        m_dump.state.unreceived.resize(m_sent.size());
        const auto key = [](const MessageCount &c) { return std::tuple(c.peer, c.communicator, c.tag); };
        const auto before = [&](const MessageCount &a, const MessageCount &b) { return key(a) < key(b); };
        for (std::vector<MessageCount> &counts : m_received)
            std::sort(counts.begin(), counts.end(), before);
        for (Rank sender = 0; sender < m_sent.size(); ++sender) {
            std::sort(m_sent[sender].begin(), m_sent[sender].end(), before);
            for (MessageCount count : m_sent[sender]) {
                const std::uint64_t sent = count.messages;
                if (count.peer != none) {
                    MessageCount wanted = count;
                    wanted.peer = sender;
                    const std::vector<MessageCount> &received = m_received[count.peer];
                    for (auto r = std::lower_bound(received.begin(), received.end(), wanted, before);
                         r != received.end() && key(*r) == key(wanted); ++r)
                        count.messages -= std::min(count.messages, r->messages);
                }
                if (count.messages == 0)
                    continue;
                // No more than there were, as no more messages are left than were sent.
                count.bytes = static_cast<std::uint64_t>(static_cast<unsigned __int128>(count.bytes) * count.messages / sent);
                count.held = std::min(count.held, count.messages);
                m_dump.state.unreceived[sender].push_back(count);
            }
            m_sent[sender] = {};
        }
        m_dump.state.received = std::move(m_received);
    }

    void addPending(const DumpContent &content) {
        for (const DumpContent::Pending &written : content.pending)
            forEachRank(written.ranks, written.requests.size(), "pending", [&](Rank rank) {
                for (const DumpContent::Request &each : written.requests) {
                    DumpedRequest request = each.request;
                    request.peer = peerOf(each.peer, written.relative, rank, "pending");
                    request.communicator = joined(m_communicators, request.communicator, "pending");
                    request.callPath = joined(m_paths, request.callPath, "pending");
                    m_dump.pending[rank].push_back(request);
                }
            });
    }

    /// Files of several machines: their samples of one number were taken at about the same time.
    void addSamples(const DumpContent &content) {
        constexpr const char *place = "samples.threads";
        if (!m_samples)
            m_samples = std::make_shared<StackSamples>();
        if (content.sampleTimes.size() > m_samples->times.size())
            m_samples->times.assign(content.sampleTimes.begin(), content.sampleTimes.end());
        for (const DumpContent::Sampled &written : content.sampled) {
            SampledStack stack = written.stack;
            stack.callPath = joinedNumber(m_paths, stack.callPath, place);
            stack.site = joined(m_sites, stack.site, place);
            stack.stays = joined(m_paths, stack.stays, place);
            if (stack.sample >= content.sampleTimes.size())
                fail(place, "the sample has no time");
            if (!m_trace->callPaths.isAncestor(stack.stays, stack.callPath))
                fail(place, "what was not left is not on the stack");
            forEachRank(written.ranks, 1, place, [&](Rank rank) {
                stack.rank = rank;
                m_samples->stacks.push_back(stack);
            });
        }
    }

    [[nodiscard]] std::shared_ptr<const StackSamples> finishedSamples() {
        if (!m_samples)
            return nullptr;
        const auto key = [](const SampledStack &each) { return std::tuple(each.rank, each.thread, each.sample); };
        std::ranges::stable_sort(m_samples->stacks, {}, key);
        std::vector<SampledStack> &stacks = m_samples->stacks;
        stacks.erase(std::unique(stacks.begin(), stacks.end(), [&](const auto &a, const auto &b) { return key(a) == key(b); }),
                     stacks.end());
        return std::move(m_samples);
    }

    /// Innermost first, each function at the line that it has come to where that is known.
    [[nodiscard]] std::vector<Frame> stackOf(CallPathId path) const {
        std::vector<Frame> stack;
        CallSiteId at = none;
        for (; path != none; path = m_trace->callPaths[path].parent) {
            const Region &region = m_trace->region(path);
            if (at != none && m_trace->callSites[at].hasLine())
                stack.push_back({region.name, m_trace->callSites[at].file, m_trace->callSites[at].line});
            else
                stack.push_back({region.name, region.file, region.line, true});
            at = m_trace->callPaths[path].site;
        }
        return stack;
    }

    const Work &m_work;
    const std::string *m_file = nullptr;
    std::shared_ptr<Trace> m_trace;
    ModelDump m_dump;
    std::uint64_t m_elements = 0;

    // What the numbers in the tables of the file at hand are in the joined tables.
    Numbers m_paths, m_sites, m_communicators, m_states;

    std::map<std::tuple<std::string, std::string, std::string, std::uint32_t, bool, std::string, std::uint64_t>, RegionId>
        m_functions;
    std::set<Binary> m_binaries;
    std::map<std::tuple<std::string, std::uint32_t, std::string>, CallSiteId> m_siteNumbers;
    std::unordered_map<std::string, SystemNodeId> m_hosts;
    std::unordered_map<std::string, CommunicatorId> m_communicatorOfKey;
    std::map<std::tuple<ModelState::Kind, CallPathId, std::string>, std::uint32_t> m_stateNumbers;
    std::shared_ptr<PhaseModels> m_phaseModels;
    std::shared_ptr<StackSamples> m_samples;
    std::map<PhaseModels::Set, std::uint32_t> m_setNumbers;
    std::map<PhaseState, std::uint32_t> m_phaseStateNumbers;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_phaseTransitionNumbers;
    std::vector<std::vector<MessageCount>> m_sent;     // by rank
    std::vector<std::vector<MessageCount>> m_received; // by rank
};

} // namespace

ModelDumpPtr assemble(const std::string &path, std::vector<DumpContent> contents, const Work &work) {
    Assembly assembly(path, work);
    assembly.setJob(contents);
    for (DumpContent &content : contents) {
        assembly.add(content);
        if (contents.size() == 1)
            assembly.addAnswer(content);
        content = DumpContent(); // gives back its memory
    }
    return assembly.finish();
}

} // namespace laggard::modeldump
