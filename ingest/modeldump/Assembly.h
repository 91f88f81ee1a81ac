// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/modeldump/DumpContent.h"
#include "trace/Work.h"

#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace laggard::modeldump {

/// Joins the contents of a job's files, one after the other, and checks them. What is wrong is thrown as ReadError.
class Assembly {
  public:
    Assembly(std::string path, const Work &work) : m_work(work), m_trace(std::make_shared<Trace>()) {
        m_trace->path = std::move(path);
        m_trace->format = "model dump";
        m_trace->isSummary = true;
    }

    void setJob(const std::vector<DumpContent> &contents);
    void add(const DumpContent &content);

    /// What was found in a job of which this is all, as it was written.
    void addAnswer(const DumpContent &content);
    ModelDumpPtr finish();

  private:
    using Numbers = std::vector<std::uint32_t>; ///< by number in a file's table: that in the joined one
    static constexpr std::uint64_t mostRanks = 4'194'304;
    static constexpr std::uint64_t mostElements = 64'000'000; ///< that classes of ranks may unfold to
    static constexpr std::uint32_t deepest = 100'000;         ///< call paths

    [[noreturn]] void fail(const std::string &place, const std::string &reason) const;

    /// Number `number` of a file's table, joined; `none` stays.
    [[nodiscard]] std::uint32_t joined(const Numbers &table, std::uint32_t number, const char *place) const;
    [[nodiscard]] std::uint32_t joinedNumber(const Numbers &table, std::uint32_t number, const char *place) const;

    /// Its state is that of the headline, which names ranks where it is about some.
    [[nodiscard]] static bool agrees(const DumpedAnswer &answer);
    [[nodiscard]] RankSet ranksOf(const RankRanges &ranges);

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

    [[nodiscard]] Rank peerOf(WrittenPeer peer, bool relative, Rank self, const char *place) const;
    void addPaths(const DumpContent &content);
    void addProcesses(const DumpContent &content);

    /// Communicators of different files are the same if they have the same key, or without keys the same number.
    void addCommunicators(const DumpContent &content);
    void addMembers(const DumpContent::Run &run, std::vector<Rank> &members);
    void addStates(const DumpContent &content);
    void addModels(const DumpContent &content);

    /// Analyses keep something for each phase of each rank, whether it has it or not.
    void checkPhases() const;

    /// The same thing in the tables of different files has one number.
    template <typename T>
    static std::uint32_t numberOf(std::map<T, std::uint32_t> &numbers, std::vector<T> &all, const T &value) {
        const auto [entry, isNew] = numbers.try_emplace(value, static_cast<std::uint32_t>(all.size()));
        if (isNew)
            all.push_back(value);
        return entry->second;
    }

    void addPhaseModels(const DumpContent &content);
    void addPhasesOfRank(Rank rank, PhaseModels::Rank phases, const Numbers &sets, const Numbers &transitions);
    void addWaits(const DumpContent &content);
    void addOpenCall(const DumpContent::Open &written, Rank rank);
    void addCollectives(const DumpContent::Collectives &written);
    void addMessages(const std::vector<DumpContent::PeerMessages> &written, bool relative, Rank self,
                     std::vector<MessageCount> &counts) const;

    /// What was sent less what was received, per sender, receiver, communicator and tag.
    void countUnreceived();
    void addPending(const DumpContent &content);

    /// Files of several machines: their samples of one number were taken at about the same time.
    void addSamples(const DumpContent &content);
    [[nodiscard]] std::shared_ptr<const StackSamples> finishedSamples();

    /// Innermost first, each function at the line that it has come to where that is known.
    [[nodiscard]] std::vector<Frame> stackOf(CallPathId path) const;

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

} // namespace laggard::modeldump
