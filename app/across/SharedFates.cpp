// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/SharedFates.h"

#include "analysis/waitfor/Observation.h"
#include "analysis/waitfor/OpenCall.h"
#include "trace/Packed.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>

namespace laggard {
namespace {

using Send = SharedFates::Send;
using Channel = std::tuple<Rank, CommunicatorId, std::uint32_t>; ///< the other end, communicator, tag

/// Notes what is asked, and knows nothing: whoever hears that no message was received asks for all that might count.
class NotedFates : public MessageFates {
  public:
    [[nodiscard]] MessageFate of(LocationIndex sender, std::uint32_t send) const override {
        const std::lock_guard lock(m_mutex);
        m_asked[sender].insert(send);
        return {};
    }
    [[nodiscard]] std::map<LocationIndex, std::set<std::uint32_t>> take() { return std::move(m_asked); }

  private:
    mutable std::mutex m_mutex;
    mutable std::map<LocationIndex, std::set<std::uint32_t>> m_asked;
};

struct MessageQuestion {
    Rank from = none;
    Rank to = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    std::uint64_t number = 0; ///< the message's, among those of the same sender, receiver, communicator and tag
};
template <typename A> void packFields(A &a, MessageQuestion &v) { a(v.from, v.to, v.communicator, v.tag, v.number); }

struct MessageAnswer {
    bool isReceived = false;
    Tick asked = 0;
};
template <typename A> void packFields(A &a, MessageAnswer &v) { a(v.isReceived, v.asked); }

/// Calls `visit(location, record, envelope)` for the message ends of a process in order of time, over all its threads.
template <typename Visit> void forEachEnd(const Trace &trace, Rank rank, MessageEnds LocationEvents::*ends, Visit visit) {
    struct End {
        Tick time;
        LocationIndex location;
        std::uint32_t record;
    };
    std::vector<End> all;
    for (const LocationIndex location : trace.processes[rank].locations) {
        const MessageEnds &here = trace.locations[location].events.*ends;
        for (std::uint32_t i = 0; i < here.size(); ++i)
            all.push_back({here.time[i], location, i});
    }
    std::ranges::stable_sort(all, {}, &End::time);
    for (const End &end : all) {
        const LocationEvents &events = trace.locations[end.location].events;
        visit(end.location, end.record, events.envelopes[(events.*ends).envelope[end.record]]);
    }
}

std::map<LocationIndex, std::set<std::uint32_t>> noteQuestions(const ShareTrace &share, Snapshot snapshot, const Work &work) {
    NotedFates noted;
    snapshot.fates = &noted;
    forEachParallel(share.ranks.size(), work, [&](std::size_t i, unsigned) {
        const Rank rank = share.ranks[i];
        if (snapshot.openCalls[rank] != none && mayWait(snapshot.activities[rank]))
            static_cast<void>(describeOpenCall(snapshot, rank));
    });
    return noted.take();
}

/// By process: whose receivers live there.
struct MessageQuestions {
    std::vector<std::vector<MessageQuestion>> of;
    std::vector<std::vector<Send>> about; ///< as `of`
};

MessageQuestions questionsFor(const ShareTrace &share, const std::map<LocationIndex, std::set<std::uint32_t>> &asked,
                              unsigned processes) {
    MessageQuestions questions{std::vector<std::vector<MessageQuestion>>(processes), std::vector<std::vector<Send>>(processes)};
    for (const Rank rank : share.ranks) {
        const auto &locations = share.trace->processes[rank].locations;
        if (std::ranges::none_of(locations, [&](LocationIndex location) { return asked.contains(location); }))
            continue;
        std::map<Channel, std::uint64_t> sent;
        forEachEnd(*share.trace, rank, &LocationEvents::sends,
                   [&](LocationIndex location, std::uint32_t record, const Envelope &envelope) {
                       const std::uint64_t number = sent[{envelope.peer, envelope.communicator, envelope.tag}]++;
                       const auto entry = asked.find(location);
                       if (entry == asked.end() || !entry->second.contains(record) || envelope.peer >= share.borders.back())
                           return;
                       const auto after = std::ranges::upper_bound(share.borders, std::uint64_t{envelope.peer});
                       const auto process = static_cast<std::size_t>(after - share.borders.begin() - 1);
                       questions.of[process].push_back({rank, envelope.peer, envelope.communicator, envelope.tag, number});
                       questions.about[process].emplace_back(location, record);
                   });
    }
    return questions;
}

/// The receives of one of the share's ranks that are asked about, by channel.
std::map<Channel, std::vector<Send>> receivesOf(const Trace &trace, Rank rank, const std::set<Channel> &channels) {
    std::map<Channel, std::vector<Send>> receives;
    forEachEnd(trace, rank, &LocationEvents::receives,
               [&](LocationIndex location, std::uint32_t record, const Envelope &envelope) {
                   const Channel channel{envelope.peer, envelope.communicator, envelope.tag};
                   if (channels.contains(channel))
                       receives[channel].emplace_back(location, record);
               });
    return receives;
}

std::vector<std::string> answersTo(const ShareTrace &share, const std::vector<std::string> &packedQuestions) {
    std::vector<std::vector<MessageQuestion>> questions;
    std::map<Rank, std::set<Channel>> wanted; // by receiver
    for (const std::string &bytes : packedQuestions) {
        questions.push_back(bytes.empty() ? std::vector<MessageQuestion>() : unpacked<std::vector<MessageQuestion>>(bytes));
        for (const MessageQuestion &each : questions.back())
            wanted[each.to].insert({each.from, each.communicator, each.tag});
    }
    std::map<Rank, std::map<Channel, std::vector<Send>>> receives;
    for (const auto &[rank, channels] : wanted)
        receives[rank] = receivesOf(*share.trace, rank, channels);
    std::vector<std::string> answers;
    for (const std::vector<MessageQuestion> &some : questions) {
        std::vector<MessageAnswer> given;
        for (const MessageQuestion &each : some) {
            const std::vector<Send> &taken = receives[each.to][{each.from, each.communicator, each.tag}];
            MessageAnswer &answer = given.emplace_back();
            answer.isReceived = each.number < taken.size();
            if (answer.isReceived)
                answer.asked = askedForAt(*share.trace, taken[each.number].first, taken[each.number].second);
        }
        answers.push_back(given.empty() ? std::string() : packed(given));
    }
    return answers;
}

} // namespace

SharedFates askForFates(Transport &transport, const ShareTrace &share, const Snapshot &snapshot, const Work &work) {
    const MessageQuestions questions = questionsFor(share, noteQuestions(share, snapshot, work), transport.size());
    std::vector<std::string> asked;
    for (const std::vector<MessageQuestion> &some : questions.of)
        asked.push_back(some.empty() ? std::string() : packed(some));
    const std::vector<std::string> answers = transport.exchange(answersTo(share, transport.exchange(std::move(asked))));
    std::map<Send, MessageFate> fates;
    for (std::size_t process = 0; process < answers.size(); ++process) {
        const auto given =
            answers[process].empty() ? std::vector<MessageAnswer>() : unpacked<std::vector<MessageAnswer>>(answers[process]);
        for (std::size_t i = 0; i < std::min(given.size(), questions.about[process].size()); ++i)
            fates[questions.about[process][i]] = {given[i].isReceived, given[i].asked};
    }
    return SharedFates(std::move(fates));
}

} // namespace laggard
