// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/HabitBreaks.h"

#include "analysis/waitfor/ActSequence.h"
#include "analysis/waitfor/TokenHash.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace laggard {
namespace {

constexpr std::array<std::size_t, 8> runs = {1, 2, 3, 4, 6, 8, 12, 16}; ///< of acts before, that are compared
constexpr std::uint32_t fewestAlike = 3;                                ///< as for other habits (Judge)
/// Who breaks its habits more often has none that tells anything.
constexpr std::size_t mostBreaks = 8;

/// One act after a run of equal ones.
struct Following {
    std::uint64_t run = 0;
    std::uint64_t deed = 0;
    std::uint32_t act = 0;
    auto operator<=>(const Following &) const = default;
};

class Habits {
  public:
    explicit Habits(const std::vector<Act> &acts) : m_acts(acts) {
        for (std::size_t length = runs.size(); length-- > 0;)
            m_following[length] = following(runs[length]);
    }

    struct Break {
        std::uint32_t act = none;      ///< the odd one; `none`: what is to come
        std::uint32_t expected = none; ///< an act that came in its place before
        std::uint32_t times = 0;
        bool isOneOfSeveral = false; ///< other acts came there before as well, each of them again and again
    };

    /// Acts that came once, after what was always followed by another one, or by one of a few.
    [[nodiscard]] std::vector<Break> breaks() const {
        std::vector<Break> found;
        std::vector<bool> isDecided(m_acts.size(), false);
        for (std::size_t length = runs.size(); length-- > 0;)
            forEachRun(length, [&](auto first, auto last) {
                if (static_cast<std::uint32_t>(last - first) <= fewestAlike)
                    return;
                const Odd odd = onlyOdd(first, last);
                if (odd.others != 0 && !isDecided[odd.act]) {
                    const auto before = std::count_if(first, last, [&](const Following &each) { return each.act < odd.act; });
                    const auto after = last - first - 1 - before;
                    // Each of the others was new once, too.
                    const std::uint32_t times = static_cast<std::uint32_t>(before) / odd.others;
                    if (times >= fewestAlike && after <= before)
                        found.push_back({odd.act, odd.usual, times, odd.others > 1});
                }
                for (auto each = first; each != last; ++each)
                    isDecided[each->act] = true;
            });
        std::ranges::sort(found, {}, &Break::act);
        return found;
    }

    /// What is due now, if all that came before after the same acts was one.
    [[nodiscard]] std::optional<Break> due() const {
        for (std::size_t length = runs.size(); length-- > 0;) {
            if (m_acts.size() < runs[length])
                continue;
            const std::uint64_t run = runBefore(m_acts.size(), runs[length]);
            const auto first = std::ranges::lower_bound(m_following[length], run, {}, &Following::run);
            const auto last = std::ranges::upper_bound(m_following[length], run, {}, &Following::run);
            if (last - first < static_cast<std::ptrdiff_t>(fewestAlike))
                continue;
            if (first->deed != (last - 1)->deed)
                return std::nullopt;
            return Break{none, (last - 1)->act, static_cast<std::uint32_t>(last - first), false};
        }
        return std::nullopt;
    }

    /// The longest time between an act that is like this one and the act before it, in ticks.
    [[nodiscard]] Tick longestBefore(std::uint32_t like, const Track &track) const {
        Tick longest = 0;
        for (std::size_t i = 1; i < m_acts.size(); ++i) {
            const Tick ended = track.end[m_acts[i - 1].row];
            const Tick began = track.start[m_acts[i].row];
            if (m_acts[i].deed == m_acts[like].deed && ended < began)
                longest = std::max(longest, began - ended);
        }
        return longest;
    }

  private:
    using Iterator = std::vector<Following>::const_iterator;

    [[nodiscard]] std::uint64_t runBefore(std::size_t act, std::size_t length) const {
        std::uint64_t run = length;
        for (std::size_t back = 1; back <= length; ++back)
            run = mixedWith(run, m_acts[act - back].whole);
        return run;
    }

    [[nodiscard]] std::vector<Following> following(std::size_t length) const {
        std::vector<Following> all;
        for (std::size_t i = length; i < m_acts.size(); ++i)
            all.push_back({runBefore(i, length), m_acts[i].deed, static_cast<std::uint32_t>(i)});
        std::ranges::sort(all);
        return all;
    }

    template <typename Visit> void forEachRun(std::size_t length, Visit visit) const {
        const std::vector<Following> &all = m_following[length];
        for (auto first = all.begin(); first != all.end();) {
            auto last = first;
            while (last != all.end() && last->run == first->run)
                ++last;
            visit(first, last);
            first = last;
        }
    }

    struct Odd {
        std::uint32_t act = none;
        std::uint32_t usual = none; ///< one of those that came most often
        std::uint32_t others = 0;   ///< deeds that came there, without the odd one; 0: there is no odd one
    };

    /// The only deed of a sorted range that came once, while each of the others came again and again.
    static Odd onlyOdd(Iterator first, Iterator last) {
        Odd odd;
        std::uint32_t others = 0;
        std::ptrdiff_t most = 0;
        while (first != last) {
            const auto end = std::find_if(first, last, [&](const Following &each) { return each.deed != first->deed; });
            const std::ptrdiff_t times = end - first;
            if ((times > 1 && times < static_cast<std::ptrdiff_t>(fewestAlike)) || (times == 1 && odd.act != none))
                return {};
            if (times == 1) {
                odd.act = first->act;
            } else {
                ++others;
                odd.usual = times > most ? first->act : odd.usual;
                most = std::max(most, times);
            }
            first = end;
        }
        odd.others = odd.act == none ? 0 : others;
        return odd;
    }

    const std::vector<Act> &m_acts;
    std::array<std::vector<Following>, runs.size()> m_following;
};

/// The breaks of one rank.
class BreakFinder {
  public:
    BreakFinder(const JobView &job, Rank rank, std::size_t most) : m_job(job), m_rank(rank), m_acts(actsOf(job, rank, most)) {}

    std::vector<HabitBreak> find() {
        std::vector<HabitBreak> found;
        if (m_acts.size() <= fewestAlike)
            return found;
        const Habits habits(m_acts);
        for (const Habits::Break &each : habits.breaks())
            found.push_back(made(each));
        const std::optional<Habits::Break> due = habits.due();
        if (due && isLeftOpen(habits, *due))
            found.push_back(made(*due));
        return found;
    }

  private:
    [[nodiscard]] const LocationEvents &events() const { return m_job.events(m_rank); }

    /// It does not do what is due: it stands in another call, or has been silent for far longer than ever before it.
    [[nodiscard]] bool isLeftOpen(const Habits &habits, const Habits::Break &due) const {
        const std::uint32_t open = m_job.openRow(m_rank);
        const Act &expected = m_acts[due.expected];
        if (open != none && !m_job.calls[events().track.callPath[open]].isPoll())
            return events().track.callPath[open] != expected.path || isOnAnotherCommunicator(expected);
        const Tick ended = std::min(events().track.end[m_acts.back().row], m_job.state.at);
        return expected.reaches &&
               isFarLonger(m_job.trace, m_job.state.at - ended, habits.longestBefore(due.expected, events().track));
    }

    /// The open collective is the one that is due, and other ranks take part in it.
    [[nodiscard]] bool isOnAnotherCommunicator(const Act &expected) const {
        const OpenCall &now = m_job.open(m_rank);
        if (!now.isCollective || now.collective.communicator == none || expected.records.collectives.empty())
            return false;
        return communicatorOf(expected) != now.collective.communicator;
    }
    /// Of its first collective; there must be one.
    [[nodiscard]] CommunicatorId communicatorOf(const Act &act) const {
        return events().collectiveKinds[events().collectives.kind[act.records.collectives.begin]].communicator;
    }

    [[nodiscard]] HabitBreak made(const Habits::Break &each) const {
        const Act &expected = m_acts[each.expected];
        HabitBreak found;
        found.rank = m_rank;
        found.expected = expected.path;
        found.times = each.times;
        found.isOneOfSeveral = each.isOneOfSeveral;
        const Act &before = m_acts[(each.act == none ? m_acts.size() : each.act) - 1];
        found.after = before.path;
        const std::uint32_t row = each.act != none ? m_acts[each.act].row : callInstead();
        found.time = row != none ? events().track.start[row] : std::min(events().track.end[before.row], m_job.state.at);
        found.isSilent = row == none;
        if (row != none)
            found.made = events().track.callPath[row];
        if (each.act == none && found.made == found.expected && isOnAnotherCommunicator(expected)) {
            found.did.communicator = m_job.open(m_rank).collective.communicator;
            found.usual.communicator = communicatorOf(expected);
        }
        if (each.act != none)
            addDifference(m_acts[each.act], expected, found);
        const std::size_t position = each.act == none ? m_acts.size() : each.act;
        const Rank receiver = expected.records.sends.size() == 1 ? receiverOf(expected, position) : none;
        if (found.usual.peer == none && (each.act == none || !sendsTo(m_acts[each.act], receiver)))
            found.usual.peer = receiver;
        return found;
    }

    /// What the rank is in, or calls again and again, and has begun since its last act; `none`: it has called nothing.
    [[nodiscard]] std::uint32_t callInstead() const {
        const std::uint32_t open = m_job.openRow(m_rank);
        const Track &track = events().track;
        if (open != none && !m_job.calls[track.callPath[open]].isPoll())
            return open;
        std::uint32_t poll = none; // the first of those that are made at the last one's place
        for (auto row = static_cast<std::uint32_t>(track.size()); row-- > m_acts.back().row + 1;)
            if (track.start[row] <= m_job.state.at && m_job.calls[track.callPath[row]].isPoll() &&
                (poll == none || track.callPath[row] == track.callPath[poll]))
                poll = row;
        return poll;
    }

    [[nodiscard]] bool sendsTo(const Act &act, Rank receiver) const {
        for (std::uint32_t i = act.records.sends.begin; i < act.records.sends.end; ++i)
            if (events().envelopes[events().sends.envelope[i]].peer == receiver)
                return true;
        return false;
    }

    /// What one message of a call has otherwise than that of the same call before.
    void addDifference(const Act &act, const Act &expected, HabitBreak &found) const {
        if (act.path != expected.path || act.records.sends.size() != 1 || expected.records.sends.size() != 1)
            return;
        const Envelope &one = envelope(act);
        const Envelope &other = envelope(expected);
        found.did = {one.peer, one.tag, one.communicator};
        found.usual = {act.isReply ? none : other.peer, act.hasTag ? other.tag : none, other.communicator};
    }

    [[nodiscard]] const Envelope &envelope(const Act &act) const {
        return events().envelopes[events().sends.envelope[act.records.sends.begin]];
    }

    /// Whom the expected message would have gone to: of an answer, whom the rank had heard of last.
    [[nodiscard]] Rank receiverOf(const Act &expected, std::size_t before) const {
        if (!expected.isReply)
            return envelope(expected).peer;
        for (std::size_t i = before; i-- > 0;)
            if (const RecordRange &receives = m_acts[i].records.receives; !receives.empty())
                return events().envelopes[events().receives.envelope[receives.end - 1]].peer;
        return none;
    }

    const JobView &m_job;
    Rank m_rank;
    std::vector<Act> m_acts;
};

/// A call's place in the program, equal for all ranks.
using Place = std::tuple<RegionId, std::uint32_t, std::string_view>;

Place placeOfCall(const Trace &trace, CallPathId path) {
    if (path == none)
        return {none, none, {}};
    const CallSite *const site = trace.siteOf(path);
    if (site == nullptr)
        return {trace.callPaths[path].region, path, {}};
    return {trace.callPaths[path].region, site->line, site->file};
}

/// Whether ranks' main threads have made such a call.
class MadeCall {
  public:
    MadeCall(const Trace &trace, CallPathId path) : m_trace(trace), m_isSame(trace.callPaths.size()) {
        for (CallPathId each = 0; each < m_isSame.size(); ++each)
            m_isSame[each] = each == path || trace.isSameCall(each, path);
    }
    [[nodiscard]] bool isBy(Rank rank) const {
        const LocationEvents *events = m_trace.mainEvents(rank);
        return events != nullptr &&
               std::ranges::any_of(events->track.callPath, [this](CallPathId each) { return m_isSame[each]; });
    }

  private:
    const Trace &m_trace;
    std::vector<bool> m_isSame; ///< by call path: paths are few, and rows are many
};

/// Ranks by what they did in place of what, so that what several did alike is known.
class Alike {
  public:
    Alike(const Trace &trace, const std::vector<std::vector<HabitBreak>> &breaks) : m_trace(trace) {
        for (const std::vector<HabitBreak> &ofRank : breaks)
            for (const HabitBreak &each : ofRank)
                m_ranks[keyOf(each)].insert(each.rank);
    }
    [[nodiscard]] bool isShared(const HabitBreak &each) const { return m_ranks.at(keyOf(each)).size() > 1; }

  private:
    /// What was expected, what was made, and in what the two messages differ: receiver, tag, communicator.
    using Key = std::tuple<Place, Place, bool, bool, bool>;
    [[nodiscard]] Key keyOf(const HabitBreak &each) const {
        const bool isSend = each.did.peer != none;
        return {placeOfCall(m_trace, each.expected), placeOfCall(m_trace, each.made), isSend && each.did.peer != each.usual.peer,
                isSend && each.did.tag != each.usual.tag, isSend && each.did.communicator != each.usual.communicator};
    }
    const Trace &m_trace;
    std::map<Key, std::set<Rank>> m_ranks;
};

} // namespace

HabitBreaks::HabitBreaks(const JobView &job, const Work &work)
    : m_job(job), m_ofRank(job.size()), m_isErratic(job.size(), false) {
    if (!job.isWhole())
        return;
    const std::size_t most = latestOfEach(job.size());
    forEachParallel(job.size(), work,
                    [&](std::size_t rank, unsigned) { m_ofRank[rank] = BreakFinder(job, static_cast<Rank>(rank), most).find(); });
    const Alike alike(job.trace, m_ofRank);
    for (Rank rank = 0; rank < m_ofRank.size(); ++rank) {
        m_isErratic[rank] = m_ofRank[rank].size() > mostBreaks;
        std::erase_if(m_ofRank[rank], [&](const HabitBreak &each) { return alike.isShared(each); });
    }
}

std::optional<HabitBreak> HabitBreaks::odd() const {
    RankSet all(m_ofRank.size());
    std::iota(all.begin(), all.end(), Rank{0});
    return oddOf(all);
}

std::optional<HabitBreak> HabitBreaks::oddOf(const RankSet &ranks) const {
    std::optional<HabitBreak> first;
    double best = 0;
    double all = 0;
    for (const Rank rank : ranks) {
        double weight = 0;
        std::optional<HabitBreak> own;
        for (const HabitBreak &each : m_ofRank[rank]) {
            if (each.isSilent || m_isErratic[rank])
                return std::nullopt;
            weight += each.times + 2;
            if (!own || each.time < own->time)
                own = each;
        }
        all += weight;
        if (weight > best) {
            best = weight;
            first = own;
        }
    }
    if (!first)
        return std::nullopt;
    first->share = best / all;
    const MadeCall before(m_job.trace, first->after);
    const MadeCall due(m_job.trace, first->expected);
    // Of some ranks one is wrong, and who of the others makes the same calls tells nothing.
    const bool areAll = ranks.size() == m_job.size();
    for (Rank rank = 0; rank < m_job.size() && !first->isSharedCall; ++rank)
        first->isSharedCall = (areAll ? rank != first->rank : !contains(ranks, rank)) && before.isBy(rank) && due.isBy(rank);
    return first;
}

} // namespace laggard
