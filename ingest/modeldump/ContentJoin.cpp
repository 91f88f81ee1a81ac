// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/ContentJoin.h"

#include "ingest/modeldump/ContentFields.h"
#include "trace/Work.h"

#include <algorithm>
#include <iterator>

namespace laggard::modeldump {
namespace {

/// Puts ranges behind others; where they go on, they become one.
void append(RankRanges &all, const RankRanges &more) {
    for (const auto &[first, last] : more)
        if (!all.empty() && all.back().second + 1 == first && first != 0)
            all.back().second = last;
        else
            all.emplace_back(first, last);
}

} // namespace

DumpContent ContentJoin::take() {
    DumpContent all = std::move(m_all);
    *this = ContentJoin();
    return all;
}

void ContentJoin::fail(const char *place, const std::string &reason) const {
    throw ReadError("The model dump \"" + m_file + "\" is damaged (" + place + "): " + reason + '.');
}

std::uint32_t ContentJoin::joined(const Numbers &table, std::uint32_t number, const char *place) const {
    if (number == none)
        return none;
    if (number >= table.size())
        fail(place, "number " + std::to_string(number) + " does not exist");
    return table[number];
}

std::uint32_t ContentJoin::joinedNumber(const Numbers &table, std::uint32_t number, const char *place) const {
    if (number == none)
        fail(place, "a number is missing");
    return joined(table, number, place);
}

/// Notes the ranks; true if none of them was there.
bool ContentJoin::addRanks(std::map<Rank, Rank> &known, const RankRanges &ranks) {
    bool areNew = true;
    for (auto [first, last] : ranks) {
        auto next = known.upper_bound(first);
        if (next != known.begin())
            if (const auto before = std::prev(next); before->second >= first || before->second + 1 == first) {
                areNew &= before->second < first;
                first = before->first;
                last = std::max(last, before->second);
                known.erase(before);
            }
        while (next != known.end() && (next->first <= last || next->first == last + 1)) {
            areNew &= next->first > last;
            last = std::max(last, next->second);
            next = known.erase(next);
        }
        known[first] = last;
    }
    return areNew;
}

template <typename Entry> void ContentJoin::addEntry(Section &section, std::vector<Entry> &all, Entry entry) {
    const RankRanges ranks = std::exchange(entry.ranks, {});
    if (!addRanks(section.ranks, ranks))
        section.numberOf.clear();
    const auto [known, isNew] = section.numberOf.try_emplace(packed(entry), all.size());
    if (isNew)
        all.push_back(std::move(entry));
    append(all[known->second].ranks, ranks);
}

void ContentJoin::add(DumpContent content) {
    m_file = content.file;
    addJob(content);
    std::move(content.warnings.begin(), content.warnings.end(), std::back_inserter(m_all.warnings));
    addCode(content);
    addProcesses(content);
    addCommunicators(content);
    addModels(content);
    if (content.hasWaits) {
        addActivities(content);
        addWaits(content);
    }
    addRequests(content);
    if (content.hasSamples)
        addSamples(content);
    m_isEmpty = false;
}

void ContentJoin::addJob(const DumpContent &content) {
    if (m_isEmpty) {
        m_all.file = content.file;
        m_all.source = content.source;
        m_all.format = content.format;
        m_all.creator = content.creator;
        m_all.ticksPerSecond = content.ticksPerSecond;
        m_all.startUtc = content.startUtc;
        m_all.tellsOpenCalls = content.tellsOpenCalls;
    } else if (content.ticksPerSecond != m_all.ticksPerSecond) {
        fail("job", "its clock is not that of \"" + m_all.file + '"');
    }
    m_all.rankCount = std::max(m_all.rankCount, content.rankCount);
    m_all.ticks = std::max(m_all.ticks, content.ticks);
    m_all.events += content.events;
    m_all.messageCount += content.messageCount;
    m_all.hasWaits |= content.hasWaits;
    m_all.at = std::max(m_all.at, content.at);
    m_all.lastEvent = std::max(m_all.lastEvent, content.lastEvent);
}

void ContentJoin::addCode(DumpContent &content) {
    Numbers functions;
    for (std::size_t i = 0; i < content.functions.size(); ++i) {
        Region &region = content.functions[i];
        CodePlace &place = content.places[i];
        const auto [entry, isNew] = m_functionNumbers.try_emplace(
            {region.name, region.canonicalName, region.file, region.line, region.isMpi(), place.module, place.offset},
            static_cast<std::uint32_t>(m_all.functions.size()));
        functions.push_back(entry->second);
        if (isNew) {
            m_all.functions.push_back(std::move(region));
            m_all.places.push_back(std::move(place));
        }
    }
    m_sites.clear();
    for (CallSite &site : content.sites) {
        const auto [entry, isNew] =
            m_siteNumbers.try_emplace({site.file, site.line, site.datatype}, static_cast<std::uint32_t>(m_all.sites.size()));
        m_sites.push_back(entry->second);
        if (isNew)
            m_all.sites.push_back(std::move(site));
    }
    m_paths.clear();
    for (const DumpContent::Path &path : content.paths) {
        const std::uint32_t parent = joined(m_paths, path.parent, "call_paths"); // only earlier ones: no circle
        const std::uint32_t function = joinedNumber(functions, path.function, "call_paths");
        const std::uint32_t site = joined(m_sites, path.site, "call_paths");
        m_paths.push_back(m_pathTable.intern(parent, function, site));
        if (m_paths.back() == m_all.paths.size())
            m_all.paths.push_back({parent, function, site});
    }
}

void ContentJoin::addProcesses(DumpContent &content) {
    for (DumpContent::Host &host : content.hosts) {
        const auto [entry, isNew] = m_hosts.try_emplace(host.name, m_all.hosts.size());
        if (isNew)
            m_all.hosts.push_back({host.name, {}});
        append(m_all.hosts[entry->second].ranks, host.ranks);
    }
    if (content.pids.size() > m_all.pids.size())
        m_all.pids.resize(content.pids.size(), 0);
    for (std::size_t rank = 0; rank < content.pids.size(); ++rank)
        if (content.pids[rank] != 0)
            m_all.pids[rank] = content.pids[rank];
    for (DumpContent::End &end : content.ends)
        addEntry(m_ends, m_all.ends, std::move(end));
    append(m_all.damaged, content.damaged);
}

void ContentJoin::addCommunicators(DumpContent &content) {
    m_communicators.clear();
    for (std::size_t i = 0; i < content.communicators.size(); ++i) {
        DumpContent::WrittenCommunicator &written = content.communicators[i];
        if (written.key.empty())
            written.key = '#' + std::to_string(i); // as in assembling: without keys, equal numbers are the same
        const auto [entry, isNew] =
            m_communicatorNumbers.try_emplace(written.key, static_cast<std::uint32_t>(m_all.communicators.size()));
        m_communicators.push_back(entry->second);
        if (isNew) {
            m_all.communicators.push_back(std::move(written));
            written.parent = std::exchange(m_all.communicators.back().parent, none);
        }
    }
    for (std::size_t i = 0; i < content.communicators.size(); ++i) {
        const std::uint32_t parent = joined(m_communicators, content.communicators[i].parent, "communicators");
        if (parent != none && parent < m_communicators[i])
            m_all.communicators[m_communicators[i]].parent = parent;
    }
    if (content.world != none)
        m_all.world = joined(m_communicators, content.world, "world");
}

void ContentJoin::addModels(DumpContent &content) {
    m_states.clear();
    for (DumpContent::State &state : content.states) {
        const std::uint32_t path = joined(m_paths, state.path, "states");
        const auto [entry, isNew] =
            m_stateNumbers.try_emplace({state.kind, path, state.datatype}, static_cast<std::uint32_t>(m_all.states.size()));
        m_states.push_back(entry->second);
        if (isNew)
            m_all.states.push_back({state.kind, path, std::move(state.datatype)});
    }
    for (DumpContent::Model &model : content.models) {
        for (Transition &t : model.transitions)
            t = {joinedNumber(m_states, t.from, "models"), joinedNumber(m_states, t.to, "models"), t.count};
        std::ranges::sort(model.transitions);
        addEntry(m_models, m_all.models, std::move(model));
    }
    for (DumpContent::Task &task : content.tasks) {
        task.state = joined(m_states, task.state, "tasks");
        task.last = task.hasLast ? joined(m_states, task.last, "tasks") : none;
        addEntry(m_tasks, m_all.tasks, std::move(task));
    }
}

void ContentJoin::addActivities(DumpContent &content) {
    for (DumpContent::WrittenActivity &activity : content.activities) {
        activity.path = joined(m_paths, activity.path, "waits.activities");
        activity.site = joined(m_sites, activity.site, "waits.activities");
        activity.mpiPath = joined(m_paths, activity.mpiPath, "waits.activities");
        for (const auto &[first, last] : activity.ranks) {
            if (last >= m_all.rankCount && last >= content.rankCount)
                fail("waits.activities", "the job has no rank " + std::to_string(last));
            if (last >= m_all.since.size())
                m_all.since.resize(std::size_t{last} + 1, 0);
            for (std::size_t rank = first; rank <= last; ++rank)
                m_all.since[rank] = rank < content.since.size() ? content.since[rank] : 0;
        }
        addEntry(m_activities, m_all.activities, std::move(activity));
    }
}

void ContentJoin::addWaits(DumpContent &content) {
    for (DumpContent::Open &open : content.openCalls) {
        constexpr const char *place = "waits.open_calls";
        if (open.call.isCollective)
            open.call.collective.communicator = joinedNumber(m_communicators, open.call.collective.communicator, place);
        for (DumpContent::Receive &each : open.receives)
            each.receive.communicator = joined(m_communicators, each.receive.communicator, place);
        for (DumpContent::Send &each : open.sends)
            each.send.communicator = joined(m_communicators, each.send.communicator, place);
        addEntry(m_openCalls, m_all.openCalls, std::move(open));
    }
    for (DumpContent::Collectives &collectives : content.collectives) {
        for (CollectiveCount &count : collectives.counts)
            count.communicator = joinedNumber(m_communicators, count.communicator, "waits.collectives");
        addEntry(m_collectives, m_all.collectives, std::move(collectives));
    }
    for (DumpContent::Messages &messages : content.messages) {
        for (auto *ends : {&messages.sent, &messages.received})
            for (DumpContent::PeerMessages &each : *ends)
                each.count.communicator = joined(m_communicators, each.count.communicator, "waits.messages");
        addEntry(m_messages, m_all.messages, std::move(messages));
    }
    for (MissingSend &missing : content.missingSends) {
        missing.callPath = joined(m_paths, missing.callPath, "waits.missing_sends");
        m_all.missingSends.push_back(std::move(missing));
    }
}

void ContentJoin::addRequests(DumpContent &content) {
    for (DumpContent::Pending &pending : content.pending) {
        for (DumpContent::Request &each : pending.requests) {
            each.request.communicator = joined(m_communicators, each.request.communicator, "pending");
            each.request.callPath = joined(m_paths, each.request.callPath, "pending");
        }
        addEntry(m_pending, m_all.pending, std::move(pending));
    }
}

void ContentJoin::addSamples(DumpContent &content) {
    constexpr const char *place = "samples.threads";
    m_all.hasSamples = true;
    for (DumpContent::Sampled &sampled : content.sampled) {
        sampled.stack.callPath = joinedNumber(m_paths, sampled.stack.callPath, place);
        sampled.stack.site = joined(m_sites, sampled.stack.site, place);
        sampled.stack.stays = joined(m_paths, sampled.stack.stays, place);
        if (sampled.stack.sample >= content.sampleTimes.size())
            fail(place, "the sample has no time");
        const RankRanges ranks = std::exchange(sampled.ranks, {});
        const auto [known, isNew] = m_sampled.try_emplace(packed(sampled), m_all.sampled.size());
        if (isNew)
            m_all.sampled.push_back(std::move(sampled));
        append(m_all.sampled[known->second].ranks, ranks);
    }
    if (content.sampleTimes.size() > m_all.sampleTimes.size())
        m_all.sampleTimes = std::move(content.sampleTimes);
}

} // namespace laggard::modeldump
