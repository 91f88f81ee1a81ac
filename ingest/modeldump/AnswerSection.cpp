// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/AnswerSection.h"

#include <algorithm>
#include <array>

namespace laggard::modeldump {
namespace {

using Value = JsonInput::Value;

class AnswerReader {
  public:
    AnswerReader(DumpInput &json, DumpContent::Answer &answer) : m_json(json), m_answer(answer) {}

    void read(Value value) {
        DumpedAnswer &answer = m_answer.answer;
        constexpr std::array needed{std::string_view("state"),      std::string_view("summary"),
                                    std::string_view("confidence"), std::string_view("headline"),
                                    std::string_view("waits"),      std::string_view("least_progressed")};
        std::size_t seen = 0;
        m_json.object(value, [&](std::string_view key, Value each) {
            seen += std::ranges::count(needed, key);
            if (key == "state")
                answer.state = m_json.string(each);
            else if (key == "summary")
                answer.summary = m_json.string(each);
            else if (key == "confidence")
                answer.confidence = share(each);
            else if (key == "crashed")
                m_answer.crashed = m_json.ranks(each);
            else if (key == "damaged_ranks_involved")
                answer.ofDamaged = m_json.boolean(each);
            else if (key == "rests_on_a_part")
                answer.ofPart = m_json.boolean(each);
            else if (key == "headline")
                headline(each);
            else if (key == "waits")
                waits(each);
            else if (key == "least_progressed")
                named(each, answer.leastProgressed, m_answer.leastProgressed);
            else if (key == "findings")
                m_json.array(each, [&](Value v) { finding(v); });
        });
        m_answer.isWhole = seen == needed.size() && m_isKnown;
    }

  private:
    [[nodiscard]] double share(Value value) {
        const double number = m_json.real(value);
        if (!(number >= 0 && number <= 1))
            m_json.fail("it is not between 0 and 1");
        return number;
    }

    /// Nothing for null.
    [[nodiscard]] std::optional<double> amount(Value value) {
        if (m_json.isNull(value))
            return std::nullopt;
        const double number = m_json.real(value);
        constexpr double most = 1e15; // seconds, or times: more than anything takes
        if (!(number >= 0 && number <= most))
            m_json.fail("it is no amount that can be");
        return number;
    }

    /// Later versions may have words that this one does not know.
    template <typename Kind> [[nodiscard]] Kind word(Value value) {
        const std::optional<Kind> kind = fromDumpName<Kind>(m_json.string(value));
        m_isKnown &= kind.has_value();
        return kind.value_or(Kind{});
    }

    bool named(std::string_view key, Value value, DumpedAnswer::Named &read, RankRanges &ranks) {
        if (key == "ranks")
            ranks = m_json.ranks(value);
        else if (key == "confidence")
            read.confidence = share(value);
        else if (key == "why")
            read.why = m_json.string(value);
        else
            return false;
        return true;
    }
    void named(Value value, DumpedAnswer::Named &read, RankRanges &ranks) {
        m_json.object(value, [&](std::string_view key, Value each) { named(key, each, read, ranks); });
    }

    void waits(Value value) {
        DumpedAnswer &answer = m_answer.answer;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (named(key, each, answer.byWaits, m_answer.byWaits))
                return;
            if (key == "kind")
                answer.waitsKind = m_json.string(each);
            else if (key == "waiting")
                answer.waiting = m_json.number32(each);
            else if (key == "everybody_waits")
                answer.everybodyWaits = m_json.boolean(each);
            else if (key == "since_ticks")
                answer.since = m_json.number(each);
        });
    }

    void headline(Value value) {
        HeadlineFacts &facts = m_answer.answer.headline;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "kind")
                facts.kind = word<HeadlineFacts::Kind>(each);
            else if (key == "ranks")
                m_answer.headline = m_json.ranks(each);
            else if (key == "others")
                facts.others = m_json.number32(each);
            else if (key == "function")
                facts.function = m_json.string(each);
            else if (key == "kept")
                facts.isKept = m_json.boolean(each);
            else if (key == "receiver")
                facts.isReceiver = m_json.boolean(each);
            else if (key == "ending")
                facts.ending = word<HeadlineFacts::Ending>(each);
            else if (key == "end_value")
                facts.endValue = m_json.signed32(each);
            else if (key == "at")
                facts.at = amount(each);
            else if (key == "seconds")
                facts.seconds = amount(each);
            else if (key == "usual")
                facts.usual = amount(each);
            else if (key == "times")
                facts.times = amount(each);
            else if (key == "share")
                facts.share = share(each);
            else if (key == "job")
                facts.job = m_json.number32(each);
            else if (key == "known")
                facts.known = m_json.number32(each);
            else if (key == "job_seconds")
                facts.jobSeconds = amount(each);
        });
    }

    void finding(Value value) {
        DumpedAnswer::Finding read;
        RankRanges ranks;
        m_json.object(value, [&](std::string_view key, Value each) {
            if (key == "method")
                read.method = m_json.string(each);
            else if (key == "ranks")
                ranks = m_json.ranks(each);
            else if (key == "function")
                read.function = m_json.string(each);
            else if (key == "file")
                read.file = m_json.string(each);
            else if (key == "line")
                read.line = m_json.number32(each);
            else if (key == "definition")
                read.isDefinition = m_json.boolean(each);
            else if (key == "score")
                read.score = share(each);
            else if (key == "call_path")
                read.callPath = m_json.numberOrNone(each);
            else if (key == "ticks")
                read.time = time(each);
            else if (key == "why")
                read.why = m_json.string(each);
        });
        m_answer.answer.findings.push_back(std::move(read));
        m_answer.ofFindings.push_back(std::move(ranks));
    }

    [[nodiscard]] TimeRange time(Value value) {
        const std::vector<std::uint64_t> ticks = m_json.numbers(value, 2, 2);
        if (ticks[0] > ticks[1])
            m_json.fail("it ends before it begins");
        return {ticks[0], ticks[1]};
    }

    DumpInput &m_json;
    DumpContent::Answer &m_answer;
    bool m_isKnown = true; ///< all words so far
};

} // namespace

void readAnswer(DumpInput &json, Value value, DumpContent &content) {
    const bool isSecond = content.answer.has_value();
    AnswerReader(json, content.answer.emplace()).read(value);
    content.answer->isWhole &= !isSecond; // which of them counts is not known
}

} // namespace laggard::modeldump
