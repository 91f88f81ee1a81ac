// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/Agreement.h"

#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <compare>

namespace laggard::flightrecorder {
namespace {

/// Numbers in names ("nccl:send 0->1") are another matter.
bool differInALetter(std::string_view a, std::string_view b) {
    if (a.size() != b.size() || a.size() < 3)
        return false;
    std::size_t letters = 0;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) {
            if (isDigit(a[i]) && isDigit(b[i]))
                return false;
            ++letters;
        }
    return letters == 1;
}

/// What all members must tell alike of a collective.
struct Told {
    RegionId operation = none;
    std::uint64_t bytes = 0; ///< 0 where members may differ
    auto operator<=>(const Told &) const = default;
};

/// PyTorch lets members of other operations bring tensors of different sizes: uneven gathers and scatters, a broadcast into a
/// view.
std::uint64_t agreedBytes(const CollectiveKind &kind) {
    return kind.operation == CollectiveOperation::Allreduce ? kind.bytesSent : 0;
}

/// Calls visit(rank, instance, Told) for each completed collective call.
template <typename Visit> void forEachTold(const Trace &trace, Visit visit) {
    for (const Location &location : trace.locations) {
        const LocationEvents &events = location.events;
        for (std::size_t i = 0; i < events.collectives.size(); ++i) {
            const std::uint32_t instance = events.collectives.instance[i];
            const std::uint32_t row = events.collectives.row[i];
            if (instance < trace.collectives.size() && row != none)
                visit(location.rank, instance,
                      Told{trace.callPaths[events.track.callPath[row]].region,
                           agreedBytes(events.collectiveKinds[events.collectives.kind[i]])});
        }
    }
}

/// The instances of which not all members tell the same.
std::map<std::uint32_t, std::vector<std::pair<Rank, Told>>> disputed(const Trace &trace) {
    std::vector<Told> first(trace.collectives.size());
    std::map<std::uint32_t, std::vector<std::pair<Rank, Told>>> instances;
    forEachTold(trace, [&](Rank, std::uint32_t instance, const Told &told) {
        if (first[instance].operation == none)
            first[instance] = told;
        else if (first[instance] != told)
            instances.try_emplace(instance);
    });
    if (!instances.empty())
        forEachTold(trace, [&](Rank rank, std::uint32_t instance, const Told &told) {
            if (const auto found = instances.find(instance); found != instances.end())
                found->second.emplace_back(rank, told);
        });
    return instances;
}

} // namespace

void TextCensus::add(const RankDump &dump, Rank rank) {
    for (const std::string &text : dump.names)
        if (Tellers &tellers = m_tellers[text]; tellers.dumps++ == 0)
            tellers.first = rank;
}

std::vector<Dissent> TextCensus::dissents() const {
    std::vector<Dissent> dissents;
    for (const auto &[text, tellers] : m_tellers) {
        if (tellers.dumps != 1)
            continue;
        for (const auto &[other, others] : m_tellers)
            if (others.dumps > 1 && differInALetter(text, other)) {
                dissents.push_back({tellers.first, "It tells of \"" + text + "\", as no other dump does, and " +
                                                       plural(others.dumps, "dump") + " of \"" + other +
                                                       "\": a letter was changed, and the dump is damaged."});
                break;
            }
    }
    return dissents;
}

std::vector<Dissent> dissentsAboutCollectives(const Trace &trace) {
    struct Found {
        std::uint32_t instance = 0;
        std::uint64_t count = 0;
        bool isEven = false;
    };
    std::map<Rank, Found> found;
    for (const auto &[instance, told] : disputed(trace)) {
        std::map<Told, std::size_t> counts;
        for (const auto &[rank, one] : told)
            ++counts[one];
        std::size_t most = 0;
        for (const auto &[one, count] : counts)
            most = std::max(most, count);
        const bool isEven = 2 * most <= told.size();
        for (const auto &[rank, one] : told)
            if (isEven || counts[one] < most) {
                Found &each = found[rank];
                if (each.count++ == 0 || (each.isEven && !isEven)) // told is what says most
                    each = {instance, each.count, isEven};
            }
    }
    std::vector<Dissent> dissents;
    for (const auto &[rank, each] : found) {
        const CollectiveInstance &collective = trace.collectives[each.instance];
        const Communicator &group = trace.communicators[collective.communicator];
        const std::string others = each.isEven ? "the other dumps" : "most dumps";
        dissents.push_back({rank, "It tells another operation or size of collective " +
                                      describeCount(std::uint64_t{collective.number} + 1) + " on communicator " + group.name +
                                      ", which is complete, than " + others + " of its members" +
                                      (each.count == 1 ? "" : ", and so of " + describeCount(each.count - 1) + " more") +
                                      (each.isEven ? ": one of them is damaged, or the program is wrong."
                                                   : ": it is damaged, or the program is wrong.")});
    }
    return dissents;
}

} // namespace laggard::flightrecorder
