// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/modeldump/DumpContent.h"
#include "trace/CallPathTable.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

namespace laggard::modeldump {

/// Makes one content of those of several files of a job, as if it had been written in one file: the same things in their tables
/// get one number, and ranks with the same content share an entry. Phase models are left out.
///
/// Assembling what is joined gives what assembling the files in the same order gives; joining is associative, so that files may
/// be joined in parts (docs/nodes.md).
class ContentJoin {
  public:
    /// Adds the next file's. Throws ReadError if its numbers do not fit its own tables, or its clock is another one.
    void add(DumpContent content);
    [[nodiscard]] bool empty() const { return m_isEmpty; }
    [[nodiscard]] const DumpContent &joined() const { return m_all; }
    /// All that was added; this is empty then.
    [[nodiscard]] DumpContent take();

  private:
    using Numbers = std::vector<std::uint32_t>; ///< by number in the content at hand: that in the joined one

    /// Entries of a section. Those of ranks that had an entry before are put behind all others, as the later one counts.
    struct Section {
        std::unordered_map<std::string, std::size_t> numberOf; ///< by what stands in an entry beside its ranks, packed
        std::map<Rank, Rank> ranks;                            ///< first and last of those that have an entry
    };
    template <typename Entry> void addEntry(Section &section, std::vector<Entry> &all, Entry entry);
    static bool addRanks(std::map<Rank, Rank> &known, const RankRanges &ranks);

    [[noreturn]] void fail(const char *place, const std::string &reason) const;
    [[nodiscard]] std::uint32_t joined(const Numbers &table, std::uint32_t number, const char *place) const;
    [[nodiscard]] std::uint32_t joinedNumber(const Numbers &table, std::uint32_t number, const char *place) const;
    void addJob(const DumpContent &content);
    void addCode(DumpContent &content);
    void addProcesses(DumpContent &content);
    void addCommunicators(DumpContent &content);
    void addModels(DumpContent &content);
    void addActivities(DumpContent &content);
    void addWaits(DumpContent &content);
    void addRequests(DumpContent &content);
    void addSamples(DumpContent &content);

    DumpContent m_all;
    bool m_isEmpty = true;
    std::string m_file; ///< where the content at hand comes from
    Numbers m_paths, m_sites, m_communicators, m_states;

    std::map<std::tuple<std::string, std::string, std::string, std::uint32_t, bool, std::string, std::uint64_t>, std::uint32_t>
        m_functionNumbers;
    std::map<std::tuple<std::string, std::uint32_t, std::string>, std::uint32_t> m_siteNumbers;
    CallPathTable m_pathTable;
    std::unordered_map<std::string, std::size_t> m_hosts;
    std::unordered_map<std::string, std::uint32_t> m_communicatorNumbers;
    std::map<std::tuple<ModelState::Kind, std::uint32_t, std::string>, std::uint32_t> m_stateNumbers;
    Section m_ends, m_models, m_tasks, m_activities, m_openCalls, m_collectives, m_messages, m_pending;
    std::unordered_map<std::string, std::size_t> m_sampled;
};

} // namespace laggard::modeldump
