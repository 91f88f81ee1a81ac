// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/Dump.h"

#include "ingest/flightrecorder/FileBytes.h"
#include "ingest/flightrecorder/Pickle.h"
#include "ingest/flightrecorder/PlainJson.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace laggard::flightrecorder {
namespace {

constexpr std::size_t mostFrames = 256; // in a stack; Python itself stops at a thousand, and only the ends of such tell anything
constexpr std::size_t mostTensors = 4096;      // in an operation
constexpr std::size_t mostDimensions = 64;     // PyTorch's own limit
constexpr std::size_t mostMembers = 4'194'304; // as many ranks as a model dump may have

/// The ranks of "[0, 1, 2]"; nothing if it is not so.
std::vector<Rank> writtenRanks(std::string_view text) {
    std::vector<Rank> ranks;
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        return {};
    text = text.substr(1, text.size() - 2);
    const char *at = text.data();
    const char *end = text.data() + text.size();
    while (at != end && ranks.size() < mostMembers) {
        while (at != end && (*at == ' ' || *at == ','))
            ++at;
        Rank rank = 0;
        const auto [next, error] = std::from_chars(at, end, rank);
        if (error != std::errc() || rank >= mostMembers)
            return {};
        ranks.push_back(rank);
        at = next;
    }
    return ranks;
}

class DumpReader {
  public:
    DumpReader(const PlainDocument &document, const std::string &subject, RankDump &dump, const Work &work)
        : m_document(document), m_subject(subject), m_dump(dump), m_work(work) {}

    void read() {
        const PlainValue &root = m_document[m_document.root];
        if (root.kind != PlainValue::Kind::Map || m_document.member(root, "version") == nullptr)
            throw ReadError(m_subject + " cannot be read: it is no dump of the Flight Recorder, as it has no version.");
        readVersion(*m_document.member(root, "version"));
        for (const char *key : {"nccl_version", "comm_lib_version"})
            if (const std::string_view text = PlainDocument::text(m_document.member(root, key)); !text.empty())
                m_dump.library = text;
        if (const PlainValue *config = m_document.member(root, "pg_config"))
            readGroups(*config);
        if (const PlainValue *entries = m_document.member(root, "entries"))
            readEntries(*entries);
        if (const PlainValue *status = m_document.member(root, "pg_status"))
            readStatus(*status);
    }

  private:
    void readVersion(const PlainValue &value) {
        m_dump.version = PlainDocument::text(&value);
        const bool isKnown = m_dump.version.starts_with("2.") && m_dump.version.size() > 2;
        unsigned minor = 0;
        const char *end = m_dump.version.data() + m_dump.version.size();
        if (!isKnown || std::from_chars(m_dump.version.data() + 2, end, minor).ptr != end)
            throw ReadError(m_subject + " cannot be read: it is of version \"" + m_dump.version.substr(0, 20) +
                            "\" of the Flight Recorder's format, and 2.0 to 2.10 are known.");
        constexpr unsigned newest = 10;
        if (minor > newest)
            warn(WarningId::NewerVersion, Warning::Severity::Note,
                 "It is of version " + m_dump.version + " of the Flight Recorder's format, and 2.10 is the " +
                     "newest known: what is new in it is not read.",
                 {{"version", m_dump.version}});
    }

    void warn(WarningId id, Warning::Severity severity, std::string message, std::vector<Warning::Datum> data) {
        m_dump.warnings.push_back({id, severity, std::nullopt, m_dump.file, std::move(message), std::move(data)});
    }

    void readGroups(const PlainValue &config) {
        if (config.kind != PlainValue::Kind::Map)
            return;
        for (std::size_t i = 0; i + 1 < config.items.size(); i += 2) {
            const PlainValue &group = m_document[config.items[i + 1]];
            const PlainValue *ranks = m_document.member(group, "ranks");
            DumpGroup read;
            read.name = PlainDocument::text(&m_document[config.items[i]]);
            read.description = PlainDocument::text(m_document.member(group, "desc"));
            if (const std::string_view text = PlainDocument::text(ranks); !text.empty())
                read.ranks = writtenRanks(text);
            for (const ValueId each : PlainDocument::elements(ranks))
                if (const std::int64_t rank = m_document.integer(&m_document[each], -1);
                    rank >= 0 && rank < static_cast<std::int64_t>(mostMembers) && read.ranks.size() < mostMembers)
                    read.ranks.push_back(static_cast<Rank>(rank));
            read.isListed = true;
            if (const std::string_view again = PlainDocument::text(m_document.member(group, "name"));
                !again.empty() && again != read.name)
                m_dump.contradictions.add("It calls one group \"" + read.name + "\" and \"" + std::string(again) + '"');
            m_groupOf.try_emplace(read.name, static_cast<std::uint32_t>(m_dump.groups.size()));
            m_dump.groups.push_back(std::move(read));
        }
    }

    /// Entries name their group and what it is for; old versions by the name alone.
    std::uint32_t groupOf(const PlainValue &entry) {
        const PlainValue *group = m_document.member(entry, "process_group");
        if (group == nullptr)
            group = m_document.member(entry, "pg_name");
        const std::vector<ValueId> &parts = PlainDocument::elements(group);
        const std::string name(PlainDocument::text(parts.empty() ? group : &m_document[parts[0]]));
        const auto [found, isNew] = m_groupOf.try_emplace(name, static_cast<std::uint32_t>(m_dump.groups.size()));
        if (isNew) {
            DumpGroup made;
            made.name = name;
            made.description = parts.size() < 2 ? std::string_view() : PlainDocument::text(&m_document[parts[1]]);
            m_dump.groups.push_back(std::move(made));
        }
        DumpGroup &known = m_dump.groups[found->second];
        checkGroup(entry, parts.size() < 2 ? std::string_view() : PlainDocument::text(&m_document[parts[1]]), known);
        return found->second;
    }

    /// An entry tells again what the list of groups tells, and its group's number.
    void checkGroup(const PlainValue &entry, std::string_view description, DumpGroup &group) {
        const std::int64_t id = integer(entry, "pg_id", -1);
        if (group.id < 0)
            group.id = id;
        const auto contradict = [&](const std::string &what) {
            m_dump.contradictions.add("Its group \"" + group.name + "\" " + what);
        };
        if (id >= 0 && id != group.id)
            contradict("has two numbers, " + std::to_string(group.id) + " and " + std::to_string(id));
        if (!group.isListed && !m_dump.groups.empty() && m_dump.groups.front().isListed)
            contradict("has operations, and is not in its list of groups");
        if (group.isListed && !description.empty() && description != group.description)
            contradict("is described as \"" + group.description + "\" and as \"" + std::string(description) + '"');
    }

    [[nodiscard]] std::int64_t integer(const PlainValue &map, std::string_view key, std::int64_t otherwise) const {
        return m_document.integer(m_document.member(map, key), otherwise);
    }
    [[nodiscard]] std::uint64_t natural(const PlainValue &map, std::string_view key) const {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(integer(map, key, 0), 0));
    }

    /// Each text once.
    std::string_view keep(std::string_view text) {
        const auto known = m_names.find(text);
        if (known != m_names.end())
            return known->second;
        const std::string_view kept = m_dump.names.emplace_back(text);
        m_names.emplace(kept, kept);
        return kept;
    }

    [[nodiscard]] std::uint64_t elementsOf(const PlainValue &entry, std::string_view key) const {
        std::uint64_t sum = 0;
        std::size_t tensors = 0;
        for (const ValueId tensor : PlainDocument::elements(m_document.member(entry, key))) {
            std::uint64_t product = 1;
            std::size_t dimensions = 0;
            for (const ValueId size : PlainDocument::elements(&m_document[tensor])) {
                product *= static_cast<std::uint64_t>(std::max<std::int64_t>(m_document.integer(&m_document[size], 0), 0));
                if (++dimensions == mostDimensions)
                    break;
            }
            sum += product;
            if (++tensors == mostTensors)
                break;
        }
        return sum;
    }

    std::string_view typeOf(const PlainValue &entry) {
        std::string_view only;
        std::size_t seen = 0;
        for (const char *key : {"input_dtypes", "output_dtypes"})
            for (const ValueId each : PlainDocument::elements(m_document.member(entry, key))) {
                const std::string_view type = PlainDocument::text(&m_document[each]);
                if (++seen > mostTensors || (!only.empty() && only != type))
                    return {};
                only = type;
            }
        return only.empty() ? only : keep(only);
    }

    std::uint32_t stackOf(const PlainValue &entry) {
        const PlainValue *frames = m_document.member(entry, "frames");
        const std::vector<ValueId> &list = PlainDocument::elements(frames);
        if (list.empty())
            return none;
        const auto known = m_stackOf.find(list);
        if (known != m_stackOf.end())
            return known->second;
        std::vector<DumpFrame> stack;
        for (const ValueId each : list) {
            const PlainValue &frame = m_document[each];
            stack.push_back({std::string(PlainDocument::text(m_document.member(frame, "name"))),
                             std::string(PlainDocument::text(m_document.member(frame, "filename"))),
                             static_cast<std::uint32_t>(std::min<std::uint64_t>(natural(frame, "line"), none - 1))});
            if (stack.size() == mostFrames)
                break;
        }
        const auto number = static_cast<std::uint32_t>(m_dump.stacks.size());
        m_dump.stacks.push_back(std::move(stack));
        if (list.size() <= mostFrames)
            m_stackOf.emplace(list, number);
        return number;
    }

    void readEntries(const PlainValue &list) {
        bool isInOrder = true;
        std::uint64_t odd = 0;
        for (const ValueId id : PlainDocument::elements(&list)) {
            if (m_dump.entries.size() % 4096 == 0)
                throwIfCancelled(m_work);
            const PlainValue &value = m_document[id];
            DumpEntry entry;
            entry.name = PlainDocument::text(m_document.member(value, "profiling_name"));
            entry.created = natural(value, "time_created_ns");
            if (entry.name.empty() || entry.created == 0) {
                ++odd;
                continue;
            }
            entry.name = keep(entry.name);
            readEntry(value, entry);
            isInOrder &= m_dump.entries.empty() || m_dump.entries.back().record <= entry.record;
            m_dump.entries.push_back(entry);
        }
        if (!isInOrder)
            std::stable_sort(m_dump.entries.begin(), m_dump.entries.end(),
                             [](const DumpEntry &a, const DumpEntry &b) { return a.record < b.record; });
        if (odd != 0)
            warn(WarningId::UnreadableEntries, Warning::Severity::DataLoss,
                 plural(odd, "entry") + (odd == 1 ? " has" : " have") + " no name or no time, and cannot be read.",
                 {{"entries", odd}});
    }

    void readEntry(const PlainValue &value, DumpEntry &entry) {
        entry.record = natural(value, "record_id");
        entry.group = groupOf(value);
        entry.collective =
            natural(value, m_document.member(value, "collective_seq_id") != nullptr ? "collective_seq_id" : "seq_id");
        entry.message = natural(value, "p2p_seq_id");
        entry.started = natural(value, "time_discovered_started_ns");
        entry.completed = natural(value, "time_discovered_completed_ns");
        const std::string_view state = PlainDocument::text(m_document.member(value, "state"));
        entry.state = state == "completed" || entry.completed != 0 ? DumpEntry::State::Completed
                      : state == "started" || entry.started != 0   ? DumpEntry::State::Started
                                                                   : DumpEntry::State::Scheduled;
        if (!state.empty() && state != "completed" && state != "started" && state != "scheduled")
            m_dump.contradictions.add("The state of an operation is \"" + std::string(state) + "\", which there is not");
        else if (entry.completed != 0 && !state.empty() && state != "completed")
            m_dump.contradictions.add("An operation has been seen complete, and is said to be " + std::string(state));
        entry.isMessage = m_document.boolean(m_document.member(value, "is_p2p"));
        entry.timeoutMilliseconds = natural(value, "timeout_ms");
        entry.inputElements = elementsOf(value, "input_sizes");
        entry.outputElements = elementsOf(value, "output_sizes");
        entry.type = typeOf(value);
        entry.stack = stackOf(value);
    }

    /// The status goes by the rank's own numbers of its groups. Entries tell which is which; for the rest, groups are numbered in
    /// the order of their making, as their names are where these are numbers.
    void readStatus(const PlainValue &status) {
        if (status.kind != PlainValue::Kind::Map)
            return;
        std::map<std::int64_t, const PlainValue *> byId;
        for (std::size_t i = 0; i + 1 < status.items.size(); i += 2)
            if (const std::int64_t id = m_document.integer(&m_document[status.items[i]], -1); id >= 0)
                byId[id] = &m_document[status.items[i + 1]];
        numberGroups(byId);
        for (DumpGroup &group : m_dump.groups)
            if (const auto found = byId.find(group.id); found != byId.end()) {
                group.lastEnqueued = integer(*found->second, "last_enqueued_collective", -1);
                group.lastCompleted = integer(*found->second, "last_completed_collective", -1);
            }
    }

    void numberGroups(const std::map<std::int64_t, const PlainValue *> &byId) {
        std::map<std::uint64_t, std::uint32_t> byName;
        for (std::uint32_t i = 0; i < m_dump.groups.size(); ++i) {
            const std::string &name = m_dump.groups[i].name;
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
            if (error != std::errc() || end != name.data() + name.size())
                return;
            byName[number] = i;
        }
        if (byName.size() != byId.size() || byName.size() != m_dump.groups.size())
            return;
        const auto pairs = [&](auto visit) {
            auto id = byId.begin();
            for (const auto &[number, group] : byName)
                visit(m_dump.groups[group], (id++)->first);
        };
        bool fits = true;
        pairs([&](const DumpGroup &group, std::int64_t id) { fits &= group.id < 0 || group.id == id; });
        if (fits)
            pairs([](DumpGroup &group, std::int64_t id) { group.id = id; });
    }

    const PlainDocument &m_document;
    const std::string &m_subject;
    RankDump &m_dump;
    const Work &m_work;
    std::unordered_map<std::string, std::uint32_t> m_groupOf;
    std::unordered_map<std::string_view, std::string_view> m_names;
    std::map<std::vector<ValueId>, std::uint32_t> m_stackOf;
};

/// The first byte that is not white space; 0 if there is none.
char firstOf(std::string_view bytes) {
    const std::size_t at = bytes.find_first_not_of(" \t\r\n");
    return at == std::string_view::npos ? '\0' : bytes[at];
}

} // namespace

bool looksLikeDump(std::string_view beginning) {
    const auto has = [&](std::string_view key) { return beginning.find(key) != std::string_view::npos; };
    const bool hasKey = has("pg_config") || has("pg_status") || has("collective_seq_id") || has("nccl_version") ||
                        has("comm_lib_version") || has("nccl_comm_state");
    if (beginsLikePickle(beginning))
        return has("version") && (hasKey || has("entries"));
    return firstOf(beginning) == '{' && hasKey; // PyTorch sorts the keys of its JSON: "version" is the last
}

RankDump readDump(const std::string &file, const Work &work) {
    const std::string subject = "The dump \"" + file + '"';
    RankDump dump;
    dump.file = file;
    std::string bytes = wholeFile(file, subject);
    const PlainDocument document =
        firstOf(bytes) == '{' ? decodeJson(subject, bytes, work) : decodePickle(subject, std::move(bytes), dump.isCut, work);
    DumpReader(document, subject, dump, work).read();
    if (dump.isCut)
        dump.warnings.push_back({WarningId::CutOffDump, Warning::Severity::DataLoss, std::nullopt, file,
                                 "The dump breaks off: its last operations, which tell most, are missing."});
    return dump;
}

} // namespace laggard::flightrecorder
