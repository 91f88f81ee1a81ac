// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/SkippedSends.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

namespace laggard {
namespace {

constexpr std::array<std::uint32_t, 7> contextLengths = {8, 16, 32, 64, 128, 256, 512};
constexpr std::uint32_t mostSkipsInARow = 4;

/// What followed, and when last, each context of one length.
class Contexts {
  public:
    explicit Contexts(std::uint32_t length) : m_length(length) {
        for (std::uint32_t i = 0; i < length; ++i)
            m_power *= base;
    }
    struct Next {
        std::uint32_t step;
        bool varies;
    };
    /// What followed the context before `place`, earlier; nullptr if it is new.
    [[nodiscard]] const Next *find(std::size_t place) const {
        const auto entry = place < m_length ? m_next.end() : m_next.find(m_hash);
        return entry == m_next.end() ? nullptr : &entry->second;
    }
    /// Goes on past step `place`.
    void advance(const std::vector<Step> &steps, std::size_t place) {
        if (place >= m_length) {
            const auto [entry, isNew] = m_next.try_emplace(m_hash, Next{static_cast<std::uint32_t>(place), false});
            if (!isNew) {
                const bool varies = entry->second.varies || steps[entry->second.step].token != steps[place].token;
                entry->second = {static_cast<std::uint32_t>(place), varies};
            }
            m_hash -= m_power * steps[place - m_length].token;
        }
        m_hash = (m_hash + steps[place].token) * base;
    }
    [[nodiscard]] std::uint32_t length() const { return m_length; }

  private:
    static constexpr std::uint64_t base = 0x9E3779B97F4A7C15U;
    std::uint32_t m_length;
    std::uint64_t m_power = 1;
    std::uint64_t m_hash = 0;
    std::unordered_map<std::uint64_t, Next> m_next;
};

bool isPureSend(const Step &step) {
    return step.isCall && !step.records.sends.empty() && step.records.receives.empty() && step.records.collectives.empty();
}

/// A message or collective of a call without its tag.
using Part = std::tuple<int, Rank, CommunicatorId>;

class Scan {
  public:
    Scan(const LocationEvents &events, const CallHistory &history, CallPathId openPath)
        : m_events(events), m_history(history), m_steps(history.steps()), m_openPath(openPath) {
        for (const std::uint32_t length : contextLengths)
            m_contexts.emplace_back(length);
    }

    SkipScan run() {
        for (std::size_t place = 0; place <= m_steps.size(); ++place) {
            if (place >= m_resume)
                examine(static_cast<std::uint32_t>(place));
            if (place < m_steps.size())
                for (Contexts &contexts : m_contexts)
                    contexts.advance(m_steps, place);
        }
        m_result.skips = std::move(m_found);
        return std::move(m_result);
    }

  private:
    /// Is the step at `place` (the open call behind the last one) what `usual` was?
    [[nodiscard]] bool same(std::uint32_t place, std::uint32_t usual) const {
        if (place < m_steps.size())
            return m_steps[place].token == m_steps[usual].token;
        return place == m_steps.size() && m_openPath != none && m_steps[usual].path == m_openPath;
    }

    [[nodiscard]] std::vector<Part> partsOf(const CallRecords &records) const {
        std::vector<Part> parts;
        const auto add = [&](int kind, const RecordRange &range, const Column<std::uint32_t> &envelopes) {
            for (std::uint32_t i = range.begin; i < range.end; ++i) {
                const Envelope &envelope = m_events.envelopes[envelopes[i]];
                parts.emplace_back(kind, envelope.peer, envelope.communicator);
            }
        };
        add(sendPart, records.sends, m_events.sends.envelope);
        add(receivePart, records.receives, m_events.receives.envelope);
        for (std::uint32_t i = records.collectives.begin; i < records.collectives.end; ++i) {
            const CollectiveKind &kind = m_events.collectiveKinds[m_events.collectives.kind[i]];
            parts.emplace_back(collectivePart + static_cast<int>(kind.operation), kind.root, kind.communicator);
        }
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        return parts;
    }

    /// What the call at `place` lacks of what `usual` did, if it is the same call and did nothing else. Of the open call only its
    /// sends are known.
    [[nodiscard]] std::vector<Part> lacking(std::uint32_t place, std::uint32_t usual) const {
        const bool isOpen = place == m_steps.size();
        if (!m_steps[usual].isCall || m_steps[usual].records.empty() ||
            (isOpen ? m_openPath != m_steps[usual].path
                    : !m_steps[place].isCall || m_steps[place].path != m_steps[usual].path ||
                          m_steps[place].token == m_steps[usual].token))
            return {};
        CallRecords usually = m_steps[usual].records;
        CallRecords came = isOpen ? m_history.openRecords() : m_steps[place].records;
        if (isOpen)
            usually.receives = usually.collectives = came.receives = came.collectives = {};
        const std::vector<Part> all = partsOf(usually);
        const std::vector<Part> made = partsOf(came);
        std::vector<Part> missing;
        if (std::includes(all.begin(), all.end(), made.begin(), made.end()))
            std::set_difference(all.begin(), all.end(), made.begin(), made.end(), std::back_inserter(missing));
        return missing;
    }
    [[nodiscard]] bool lacksSend(std::uint32_t place, std::uint32_t usual) const {
        if (m_steps[usual].records.sends.empty())
            return false;
        const std::vector<Part> missing = lacking(place, usual);
        return !missing.empty() && std::get<0>(missing.front()) == sendPart;
    }

    void examine(std::uint32_t place) {
        for (auto contexts = m_contexts.rbegin(); contexts != m_contexts.rend(); ++contexts)
            if (const Contexts::Next *next = contexts->find(place)) {
                if (lacksSend(place, next->step) || (isPureSend(m_steps[next->step]) && !same(place, next->step)))
                    follow(place, next->step, contexts->length(), next->varies);
                return;
            }
    }

    /// Follows the earlier course from `usual` on, leaving sends out where that is needed.
    /// What came after the place is not part of the earlier course: where that has come up to the place, it begins again.
    void follow(std::uint32_t place, const std::uint32_t begin, std::uint32_t context, bool seenBefore) {
        const std::size_t first = m_found.size();
        std::uint32_t at = place;
        std::uint32_t skipsInARow = 0;
        std::uint32_t lackingInARow = 0;
        std::size_t confirmed = first; // skips after which the courses met again
        std::uint32_t repeated = begin;
        for (std::uint32_t usual = begin; at <= m_steps.size(); usual = usual + 1 == place ? begin : usual + 1) {
            if (const std::vector<Part> missing = lacking(at, usual); !missing.empty() && lackingInARow < mostSkipsInARow) {
                for (const Part &part : missing)
                    if (std::get<0>(part) == sendPart)
                        addSkip(at, usual, context, seenBefore, &part);
                ++at;
                ++lackingInARow;
                repeated = usual;
                skipsInARow = 0;
                confirmed = m_found.size();
            } else if (same(at, usual)) {
                ++at;
                repeated = usual;
                skipsInARow = lackingInARow = 0;
                confirmed = m_found.size();
            } else if (isPureSend(m_steps[usual]) && skipsInARow++ < mostSkipsInARow) {
                addSkip(at, usual, context, seenBefore, nullptr);
            } else {
                break;
            }
        }
        m_found.resize(confirmed);
        const std::uint32_t resumed = at - place;
        const bool reachedNow = at > m_steps.size();
        if (resumed < 3 && !reachedNow) {
            m_found.resize(first);
            return;
        }
        const double rateOfContext = (context < 64 ? 0.9 : 0.98) * (seenBefore ? 0.3 : 1);
        const auto confidence = [&](std::uint32_t steps) { return rateOfContext * steps / (steps + 2.0); };
        for (std::size_t i = first; i < m_found.size(); ++i) {
            m_found[i].resumed = at - m_found[i].place;
            m_found[i].confidence = confidence(m_found[i].resumed + (m_found[i].callWasMade ? 1 : 0));
        }
        if (reachedNow) {
            m_result.openCallRepeats = repeated;
            m_result.openCallRun = resumed - 1 + context;
            m_result.openCallConfidence = confidence(resumed - 1);
        }
        m_resume = at;
    }

    /// All sends of a call that was left out, or (`only`) the one that a call did not make.
    void addSkip(std::uint32_t place, std::uint32_t usual, std::uint32_t context, bool seenBefore, const Part *only) {
        const RecordRange sends = m_steps[usual].records.sends;
        for (std::uint32_t i = sends.begin; i < sends.end; ++i) {
            const Envelope &envelope = m_events.envelopes[m_events.sends.envelope[i]];
            if (only == nullptr || *only == Part(sendPart, envelope.peer, envelope.communicator))
                m_found.push_back({.to = envelope.peer,
                                   .send = i,
                                   .usual = usual,
                                   .place = place,
                                   .context = context,
                                   .callWasMade = only != nullptr,
                                   .seenBefore = seenBefore});
        }
    }

    static constexpr int sendPart = 0;
    static constexpr int receivePart = 1;
    static constexpr int collectivePart = 2;
    const LocationEvents &m_events;
    const CallHistory &m_history;
    const std::vector<Step> &m_steps;
    CallPathId m_openPath;
    std::vector<Contexts> m_contexts;
    std::vector<SkippedSend> m_found;
    SkipScan m_result;
    std::uint32_t m_resume = 0; ///< before this place the course is explained already
};

} // namespace

SkipScan findSkippedSends(const LocationEvents &events, const CallHistory &history, CallPathId openPath) {
    return Scan(events, history, openPath).run();
}

} // namespace laggard
