// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/Groups.h"

#include "trace/Phrases.h"

#include <algorithm>
#include <span>

namespace laggard::flightrecorder {
namespace {

/// "TENSOR_MODEL_PARALLEL_GROUP 35"; PyTorch calls what was made without a name "undefined".
std::string shownName(const std::string &name, const std::string &description) {
    if (description.empty() || description == "undefined" || description == name)
        return name;
    return description + ' ' + name;
}

/// "the dumps of ranks 1-7".
std::string dumpsOf(const RankSet &ranks) {
    return (ranks.size() == 1 ? "the dump of " : "the dumps of ") + describeRankSet(ranks);
}

RankSet asSet(std::vector<Rank> ranks) {
    std::ranges::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

} // namespace

CommunicatorId GroupTable::intern(const DumpGroup &group, Rank rank, bool isSound) {
    if (!isSound && (m_unsound.empty() || m_unsound.back() != rank))
        m_unsound.push_back(rank);
    const auto [known, isNew] = m_known.try_emplace({group.name, group.ranks}, static_cast<CommunicatorId>(m_all.size()));
    const CommunicatorId id = known->second;
    if (isNew) {
        Communicator made;
        made.name = shownName(group.name, group.description);
        made.members = group.ranks;
        made.isSelf = group.ranks.size() == 1;
        m_all.push_back(std::move(made));
        m_told.push_back({group.name, asSet(group.ranks), {}, {}, group.ranks.empty()});
        m_uses.emplace_back();
    }
    Told &told = m_told[id];
    if (group.isListed && !told.isUntold && (told.by.empty() || told.by.back() != rank)) {
        told.by.push_back(rank);
        told.descriptions[group.description].push_back(rank);
    }
    if (told.isUntold)
        if (std::vector<Rank> &members = m_all[id].members.edit(); members.empty() || members.back() < rank)
            members.push_back(rank);
    return id;
}

GroupTable::Weight GroupTable::weightOf(CommunicatorId group) const {
    const Told &told = m_told[group];
    const auto isPhantom = [&](Rank rank) {
        return !contains(m_tellers, rank) && m_knownBy[rank] != none && contains(told.by, m_knownBy[rank]);
    };
    return {std::ranges::count_if(told.by, [&](Rank rank) { return contains(told.members, rank) && !contains(m_unsound, rank); }),
            -std::ranges::count_if(told.members, isPhantom)};
}

void GroupTable::weigh() {
    for (const Told &told : m_told)
        m_tellers.insert(m_tellers.end(), told.by.begin(), told.by.end());
    m_tellers = asSet(std::move(m_tellers));
    m_knownBy.resize(worldSize(), none);
    std::vector<bool> isKnown(m_knownBy.size());
    for (const Told &told : m_told)
        for (const Rank member : told.members) {
            const bool isSame = !isKnown[member] || (told.by.size() == 1 && m_knownBy[member] == told.by.front());
            m_knownBy[member] = isSame && told.by.size() == 1 ? told.by.front() : Rank{none};
            isKnown[member] = true;
        }
    for (CommunicatorId group = 0; group < m_all.size(); ++group)
        m_weight.push_back(weightOf(group));
}

/// All members that tell of groups tell it, nobody else does, and others know its members.
bool GroupTable::isAgreed(CommunicatorId group) const {
    const Told &told = m_told[group];
    return m_weight[group].second == 0 &&
           std::ranges::all_of(told.members, [&](Rank r) { return contains(told.by, r) || !contains(m_tellers, r); }) &&
           std::ranges::all_of(told.by, [&](Rank r) { return contains(told.members, r); });
}

/// All ranks make groups in one order, and each group has its name once. So if some ranks tell a group that members of it do not
/// tell, and these members tell another one, with the same ranks or with the same name and the members, both mean the same group
/// and contradict each other.
bool GroupTable::contradict(CommunicatorId group, CommunicatorId other) const {
    const Told &a = m_told[group];
    const Told &b = m_told[other];
    const bool sameMembers = m_all[group].members == m_all[other].members;
    if (a.by.empty() || b.by.empty() || (!sameMembers && a.name != b.name))
        return false;
    const auto knowsNot = [&](const Told &teller, const Told &told) {
        return std::ranges::all_of(teller.by,
                                   [&](Rank rank) { return contains(told.members, rank) && !contains(told.by, rank); });
    };
    // A member that the one tells and the other has lost must not hide it: one side's is enough.
    return sameMembers ? knowsNot(a, b) && knowsNot(b, a) : knowsNot(a, b) || knowsNot(b, a);
}

/// The heaviest come first, of equals the lowest number: a damaged dump may make hundreds of thousands of groups that share a
/// name or their members, and none of them is compared with all of these.
GroupTable::Rivals GroupTable::possibleRivals() const {
    Rivals rivals;
    for (CommunicatorId group = 0; group < m_all.size(); ++group)
        if (!m_told[group].by.empty()) {
            rivals.ofName[m_told[group].name].push_back(group);
            rivals.ofMembers[{m_all[group].members.begin(), m_all[group].members.end()}].push_back(group);
        }
    const auto heaviestFirst = [this](CommunicatorId a, CommunicatorId b) {
        return m_weight[a] != m_weight[b] ? m_weight[a] > m_weight[b] : a < b;
    };
    for (auto &[name, groups] : rivals.ofName)
        std::ranges::sort(groups, heaviestFirst);
    for (auto &[members, groups] : rivals.ofMembers)
        std::ranges::sort(groups, heaviestFirst);
    return rivals;
}

/// What more dumps, or as many, tell instead; `none` if nothing contradicts.
CommunicatorId GroupTable::rivalOf(CommunicatorId group, const Rivals &rivals) const {
    constexpr std::size_t mostCompared = 1000; // one name or one set of members is told in a few ways, not in a thousand
    CommunicatorId best = none;
    const auto lookAt = [&](const std::vector<CommunicatorId> &heaviestFirst) {
        for (const CommunicatorId other : std::span(heaviestFirst).first(std::min(heaviestFirst.size(), mostCompared))) {
            if (m_weight[other] < m_weight[group])
                return;
            if (other == group || !contradict(group, other))
                continue;
            if (best == none || m_weight[other] > m_weight[best] || (m_weight[other] == m_weight[best] && other < best))
                best = other;
            return;
        }
    };
    if (const auto found = rivals.ofName.find(m_told[group].name); found != rivals.ofName.end())
        lookAt(found->second);
    if (const auto found = rivals.ofMembers.find({m_all[group].members.begin(), m_all[group].members.end()});
        found != rivals.ofMembers.end())
        lookAt(found->second);
    return best;
}

void GroupTable::describeRivals(CommunicatorId group, CommunicatorId rival, std::vector<Dissent> &dissents) const {
    const Told &told = m_told[group];
    const Told &other = m_told[rival];
    const bool isEven = m_weight[group] == m_weight[rival];
    const std::string end = isEven ? ": one of them is damaged." : ": it is damaged, and theirs is taken.";
    for (const Rank rank : told.by)
        if (told.name != other.name)
            dissents.push_back({rank, "It calls the group of " + describeRankSet(told.members) + " \"" + told.name + "\", and " +
                                          dumpsOf(other.by) + " \"" + other.name + '"' + end});
        else
            dissents.push_back({rank, "It says that group \"" + told.name + "\" is of " + describeRankSet(told.members) +
                                          ", and " + dumpsOf(other.by) + " of " + describeRankSet(other.members) +
                                          (told.members == other.members ? " in another order" : "") + end});
}

std::size_t GroupTable::soundOf(const RankSet &ranks) const {
    return static_cast<std::size_t>(std::ranges::count_if(ranks, [&](Rank rank) { return !contains(m_unsound, rank); }));
}

/// Whose dumps have this description, of whatever group.
std::map<std::string, RankSet> GroupTable::allDescriptions() const {
    std::map<std::string, RankSet> all;
    for (const Told &told : m_told)
        for (const auto &[description, ranks] : told.descriptions)
            all[description].insert(all[description].end(), ranks.begin(), ranks.end());
    for (auto &[description, ranks] : all)
        ranks = asSet(std::move(ranks));
    return all;
}

void GroupTable::settleDescription(CommunicatorId group, const std::map<std::string, RankSet> &inAll,
                                   std::vector<Dissent> &dissents) {
    const Told &told = m_told[group];
    if (told.descriptions.empty())
        return;
    const auto weight = [&](const auto &each) { return std::pair(soundOf(each.second), soundOf(inAll.at(each.first))); };
    const auto isLess = [&](const auto &a, const auto &b) { return weight(a) < weight(b); };
    const auto best = std::ranges::max_element(told.descriptions, isLess);
    m_all[group].name = shownName(told.name, best->first);
    for (const auto &other : told.descriptions) {
        if (other.first == best->first)
            continue;
        const bool isEven = !isLess(other, *best);
        for (const Rank rank : other.second)
            dissents.push_back({rank, "It describes group \"" + told.name + "\" of " + describeRankSet(told.members) + " as \"" +
                                          other.first + "\", and " + dumpsOf(best->second) + " as \"" + best->first + '"' +
                                          (isEven ? ": one of them is damaged." : ": it is damaged, and theirs is taken.")});
    }
}

std::vector<CommunicatorId> GroupTable::settle(std::vector<Dissent> &dissents) {
    weigh();
    std::vector<CommunicatorId> rivals(m_all.size(), none);
    const Rivals possible = possibleRivals();
    for (CommunicatorId group = 0; group < m_all.size(); ++group) {
        const CommunicatorId rival = isAgreed(group) ? CommunicatorId{none} : rivalOf(group, possible);
        if (rival == none)
            continue;
        describeRivals(group, rival, dissents);
        if (m_weight[rival] > m_weight[group])
            rivals[group] = rival;
    }
    std::vector<CommunicatorId> becomes = mergeInto(rivals);
    const std::map<std::string, RankSet> inAll = allDescriptions();
    for (CommunicatorId group = 0; group < m_all.size(); ++group)
        settleDescription(group, inAll, dissents);
    return becomes;
}

std::vector<CommunicatorId> GroupTable::mergeInto(const std::vector<CommunicatorId> &rivals) {
    std::vector<CommunicatorId> becomes(m_all.size(), none);
    CommunicatorId kept = 0;
    for (CommunicatorId group = 0; group < m_all.size(); ++group)
        if (rivals[group] == none)
            becomes[group] = kept++;
    for (CommunicatorId group = 0; group < m_all.size(); ++group) {
        if (rivals[group] == none)
            continue;
        CommunicatorId end = rivals[group]; // each rival is told by more dumps than what it beats
        while (rivals[end] != none)
            end = rivals[end];
        becomes[group] = becomes[end];
        m_uses[end].messages = m_uses[end].messages || m_uses[group].messages;
        m_uses[end].collectives = m_uses[end].collectives || m_uses[group].collectives;
    }
    for (CommunicatorId group = 0; group < m_all.size(); ++group)
        if (rivals[group] == none && becomes[group] != group) {
            m_all[becomes[group]] = std::move(m_all[group]);
            m_told[becomes[group]] = std::move(m_told[group]);
            m_uses[becomes[group]] = m_uses[group];
        }
    m_all.resize(kept);
    m_told.resize(kept);
    m_uses.resize(kept);
    return becomes;
}

std::size_t GroupTable::worldSize() const {
    std::size_t size = 0;
    for (const Communicator &group : m_all)
        for (const Rank member : group.members)
            size = std::max(size, std::size_t{member} + 1);
    return size;
}

void GroupTable::finish(Trace &trace) {
    trace.communicators = std::move(m_all);
    for (CommunicatorId id = 0; id < trace.communicators.size() && trace.world == none; ++id)
        if (trace.communicators[id].members.size() == trace.processes.size() && trace.processes.size() > 1)
            trace.world = id;
}

} // namespace laggard::flightrecorder
