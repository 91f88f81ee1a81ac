// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/EpochText.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace laggard::otf2 {
namespace {

using EpochKind = EpochCall::Kind;

constexpr std::array<std::pair<EpochKind, std::string_view>, 15> kindNames = {{{EpochKind::Create, "create"},
                                                                               {EpochKind::Free, "free"},
                                                                               {EpochKind::Fence, "fence"},
                                                                               {EpochKind::Post, "post"},
                                                                               {EpochKind::Start, "start"},
                                                                               {EpochKind::Complete, "complete"},
                                                                               {EpochKind::Wait, "wait"},
                                                                               {EpochKind::Test, "test"},
                                                                               {EpochKind::Lock, "lock"},
                                                                               {EpochKind::LockAll, "lockall"},
                                                                               {EpochKind::Unlock, "unlock"},
                                                                               {EpochKind::UnlockAll, "unlockall"},
                                                                               {EpochKind::Flush, "flush"},
                                                                               {EpochKind::FlushAll, "flushall"},
                                                                               {EpochKind::Access, "access"}}};

/// Ranges below `rankCount`, each above the one before: no text makes a set of more ranks than there are.
std::optional<RankSet> ranksIn(std::string_view text, Rank rankCount) {
    RankSet ranks;
    if (text == "-")
        return ranks;
    for (const std::string_view range : split(text, ",")) {
        const std::size_t dash = range.find('-');
        Rank first = none;
        Rank last = none;
        if (!parse(range.substr(0, dash), first) ||
            !parse(dash == std::string_view::npos ? range : range.substr(dash + 1), last) || last >= rankCount || first > last ||
            (!ranks.empty() && first <= ranks.back()))
            return std::nullopt;
        for (Rank rank = first; rank <= last; ++rank)
            ranks.push_back(rank);
    }
    return ranks;
}

} // namespace

std::string textOf(const EpochCall &call, const std::vector<RankSet> &groups) {
    std::string text;
    for (const auto &[kind, word] : kindNames)
        if (kind == call.kind)
            text = word;
    text += valueIfAny("window", call.window) + valueIfAny("target", call.target);
    if (call.group < groups.size())
        text += " group=" + (groups[call.group].empty() ? "-" : formatRanges(groups[call.group]));
    return text + flagIfSet("exclusive", call.exclusive) + flagIfSet("failed", call.failed) +
           valueIfAny("started", call.startedBy);
}

std::vector<EpochCall> epochCalls(std::string_view text, const Limits &limits, std::vector<RankSet> &groups) {
    std::vector<EpochCall> calls;
    for (const std::string_view each : split(text, "; ")) {
        const Part part(each);
        const auto *const known = std::ranges::find(kindNames, part.word(), [](const auto &entry) { return entry.second; });
        if (known == kindNames.end())
            continue;
        EpochCall call;
        call.kind = known->first;
        call.exclusive = part.flag("exclusive");
        call.failed = part.flag("failed");
        call.startedBy = part.number<std::uint32_t>("started", none);
        call.window = part.position("window", limits.windows);
        call.target = part.position("target", limits.ranks);
        if (const std::string_view group = part.value("group"); !group.empty()) {
            auto ranks = ranksIn(group, limits.ranks);
            if (!ranks)
                continue;
            const auto same = std::ranges::find(groups, *ranks);
            call.group = static_cast<std::uint32_t>(same - groups.begin());
            if (same == groups.end())
                groups.push_back(std::move(*ranks));
        }
        calls.push_back(call);
    }
    return calls;
}

} // namespace laggard::otf2
