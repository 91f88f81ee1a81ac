// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Warning.h"

#include <algorithm>
#include <iterator>

namespace laggard {
namespace {

struct NamedId {
    WarningId id;
    std::string_view name;
};

/// In the order of the numbers.
constexpr NamedId names[] = {
    {WarningId::TraceLeftOut, "trace-left-out"},
    {WarningId::DumpChanged, "dump-changed"},
    {WarningId::Converted, "converted"},
    {WarningId::PhaseModels, "phase-models"},
    {WarningId::RanksNotThere, "ranks-not-there"},
    {WarningId::PartRead, "part-read"},
    {WarningId::ReversedMessages, "reversed-messages"},
    {WarningId::NewerVersion, "newer-version"},
    {WarningId::UnreadableEntries, "unreadable-entries"},
    {WarningId::CutOffDump, "cut-off-dump"},
    {WarningId::UnreadableDump, "unreadable-dump"},
    {WarningId::MissingDumps, "missing-dumps"},
    {WarningId::ContradictingDump, "contradicting-dump"},
    {WarningId::DissentingDump, "dissenting-dump"},
    {WarningId::SecondDump, "second-dump"},
    {WarningId::UnreachableProcess, "unreachable-process"},
    {WarningId::SilentRanks, "silent-ranks"},
    {WarningId::FewerLaunched, "fewer-launched"},
    {WarningId::UnreadableSnapshot, "unreadable-snapshot"},
    {WarningId::DamagedDefinitions, "damaged-definitions"},
    {WarningId::ImpossibleClock, "impossible-clock"},
    {WarningId::RepeatedLocations, "repeated-locations"},
    {WarningId::UndefinedLocation, "undefined-location"},
    {WarningId::SharedLocation, "shared-location"},
    {WarningId::UndefinedMembers, "undefined-members"},
    {WarningId::StrayEventFiles, "stray-event-files"},
    {WarningId::DamagedLocalDefinitions, "damaged-local-definitions"},
    {WarningId::DamagedEvents, "damaged-events"},
    {WarningId::BackwardTime, "backward-time"},
    {WarningId::UndefinedFunctions, "undefined-functions"},
    {WarningId::UndefinedCommunicators, "undefined-communicators"},
    {WarningId::UnknownPeers, "unknown-peers"},
    {WarningId::UnknownCalls, "unknown-calls"},
    {WarningId::UnknownRecords, "unknown-records"},
    {WarningId::StrayLeaves, "stray-leaves"},
    {WarningId::UnbalancedLeaves, "unbalanced-leaves"},
    {WarningId::OverwrittenRecords, "overwritten-records"},
    {WarningId::OverwrittenThreads, "overwritten-threads"},
    {WarningId::DroppedRecords, "dropped-records"},
    {WarningId::SeveralJobs, "several-jobs"},
    {WarningId::SeveralRecordings, "several-recordings"},
    {WarningId::WithoutRank, "without-rank"},
    {WarningId::MissingRecordings, "missing-recordings"},
    {WarningId::UnreadableRecording, "unreadable-recording"},
    {WarningId::DateSet, "date-set"},
    {WarningId::ContradictingMembers, "contradicting-members"},
    {WarningId::DamagedRecords, "damaged-records"},
    {WarningId::DamagedPolls, "damaged-polls"},
    {WarningId::DamagedHeader, "damaged-header"},
    {WarningId::CutOffRecording, "cut-off-recording"},
    {WarningId::RecordsBehindEnd, "records-behind-end"},
    {WarningId::DamagedBlock, "damaged-block"},
    {WarningId::DamagedTables, "damaged-tables"},
    {WarningId::DamagedState, "damaged-state"},
    {WarningId::ImpossibleTimes, "impossible-times"},
    {WarningId::UnusableSymbolFile, "unusable-symbol-file"},
    {WarningId::OddSymbolLines, "odd-symbol-lines"},
    {WarningId::UnusableBinary, "unusable-binary"},
    {WarningId::ForeignSymbols, "foreign-symbols"},
    {WarningId::ProcessTwice, "process-twice"},
    {WarningId::UnrelatedClocks, "unrelated-clocks"},
    {WarningId::UnknownTicks, "unknown-ticks"},
    {WarningId::UnreadableFile, "unreadable-file"},
    {WarningId::ReadInPart, "read-in-part"},
    {WarningId::OddLines, "odd-lines"},
    {WarningId::OverlongLines, "overlong-lines"},
    {WarningId::PhantomProcesses, "phantom-processes"},
    {WarningId::PartialLine, "partial-line"},
    {WarningId::OpenBefore, "open-before"},
    {WarningId::NeverLeft, "never-left"},
    {WarningId::TooDeep, "too-deep"},
    {WarningId::OddHeaderValue, "odd-header-value"},
};

constexpr bool areInOrder() {
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (names[i].id != static_cast<WarningId>(i))
            return false;
    return names[std::size(names) - 1].id == lastWarningId;
}
static_assert(areInOrder());

} // namespace

std::string_view name(WarningId id) { return names[static_cast<std::size_t>(id)].name; }

std::optional<WarningId> warningIdOf(std::string_view name) {
    const auto *found = std::ranges::find(names, name, &NamedId::name);
    return found == std::end(names) ? std::nullopt : std::optional(found->id);
}

} // namespace laggard
