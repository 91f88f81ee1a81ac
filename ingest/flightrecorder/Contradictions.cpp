// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/Contradictions.h"

#include "ingest/flightrecorder/Dump.h"
#include "trace/DeviceOperation.h"

#include <algorithm>
#include <map>

namespace laggard::flightrecorder {
namespace {

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

/// A rank has groups of which it is a member, and no member twice.
void checkMembers(RankDump &dump, Rank rank) {
    for (const DumpGroup &group : dump.groups) {
        if (group.ranks.empty())
            continue;
        std::vector<Rank> sorted = group.ranks;
        std::ranges::sort(sorted);
        if (!std::ranges::binary_search(sorted, rank))
            dump.contradictions.add("Its file's name says that it is of rank " + std::to_string(rank) +
                                    ", which is no member of its group " + quoted(group.name));
        if (std::ranges::adjacent_find(sorted) != sorted.end())
            dump.contradictions.add("Its group " + quoted(group.name) + " has a member twice");
    }
}

/// Each group has a number of its own, by which entries call it as well.
void checkNumbers(RankDump &dump) {
    std::map<std::int64_t, const DumpGroup *> byId;
    for (const DumpGroup &group : dump.groups)
        if (group.id >= 0)
            if (const auto [known, isNew] = byId.try_emplace(group.id, &group); !isNew)
                dump.contradictions.add("Its groups " + quoted(known->second->name) + " and " + quoted(group.name) +
                                        " have one number");
}

/// "nccl:send 1->2": the rank's own number in the group, and the other's.
void checkOwnNumber(RankDump &dump, const DumpEntry &entry, Rank rank) {
    const std::optional<DeviceOperation> operation = deviceOperation(entry.name);
    const std::vector<Rank> &members = dump.groups[entry.group].ranks;
    if (!operation || operation->kind == DeviceOperation::Kind::Collective || members.empty() || operation->own == none)
        return;
    const bool isOwn = operation->own < members.size() && members[operation->own] == rank;
    if (!isOwn || (operation->peer != none && operation->peer >= members.size()))
        dump.contradictions.add("Its operation " + quoted(entry.name) + " is none that rank " + std::to_string(rank) +
                                " can have in its group " + quoted(dump.groups[entry.group].name));
}

/// In order of record, what is counted on a group never falls, and each entry has a record of its own.
void checkOrder(RankDump &dump) {
    struct Last {
        std::uint64_t collective = 0;
        std::uint64_t message = 0;
    };
    std::vector<Last> lasts(dump.groups.size());
    const DumpEntry *before = nullptr;
    for (const DumpEntry &entry : dump.entries) {
        if (before != nullptr && entry.record != 0 && before->record == entry.record)
            dump.contradictions.add("Two of its entries are record " + std::to_string(entry.record));
        Last &last = lasts[entry.group];
        if (entry.collective < last.collective || entry.message < last.message)
            dump.contradictions.add("What it counts on its group " + quoted(dump.groups[entry.group].name) + " falls, from " +
                                    std::to_string(entry.collective < last.collective ? last.collective : last.message) + " to " +
                                    std::to_string(entry.collective < last.collective ? entry.collective : entry.message));
        last = {entry.collective, entry.message};
        before = &entry;
    }
}

} // namespace

void findContradictions(RankDump &dump, Rank rank) {
    checkMembers(dump, rank);
    checkNumbers(dump);
    checkOrder(dump);
    for (const DumpEntry &entry : dump.entries)
        checkOwnNumber(dump, entry, rank);
    if (dump.contradictions.count == 0)
        return;
    const std::uint64_t more = dump.contradictions.count - 1;
    dump.warnings.push_back(
        {WarningId::ContradictingDump,
         Warning::Severity::DataLoss,
         rank,
         dump.file,
         dump.contradictions.first +
             (more == 0 ? std::string() : ", and " + std::to_string(more) + " more of its parts do not fit the rest") +
             ": the dump is damaged, or it is another rank's.",
         {{"parts", dump.contradictions.count}}});
}

} // namespace laggard::flightrecorder
