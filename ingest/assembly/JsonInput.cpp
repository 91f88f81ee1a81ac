// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/JsonInput.h"

#include <algorithm>
#include <charconv>

namespace laggard {

std::string sentenceOf(simdjson::error_code error) {
    std::string text = simdjson::error_message(error);
    if (!text.ends_with('.'))
        text += '.';
    return text;
}

JsonInput::JsonInput(std::string subject, simdjson::padded_string text) : m_subject(std::move(subject)), m_text(std::move(text)) {
    if (const auto error = m_parser.iterate(m_text).get(m_document); error != simdjson::SUCCESS) {
        throw ReadError("The " + m_subject + " is not valid JSON: " + sentenceOf(error));
    }
}

std::string_view JsonInput::textBefore(std::string_view mark) const {
    const std::string_view text(m_text.data(), m_text.size());
    return text.substr(0, text.rfind(mark));
}

std::string JsonInput::place() {
    std::string text;
    const char *at = nullptr;
    if (m_document.current_location().get(at) == simdjson::SUCCESS && at >= m_text.data() && at <= m_text.data() + m_text.size())
        text = " in line " + std::to_string(1 + std::count(static_cast<const char *>(m_text.data()), at, '\n'));
    std::string way;
    for (const auto &step : m_way) {
        if (const auto *key = std::get_if<std::string_view>(&step))
            way.append(way.empty() ? "" : ".").append(key->substr(0, 40));
        else
            way += '[' + std::to_string(std::get<std::size_t>(step)) + ']';
    }
    return way.empty() ? text : text + " (" + way + ')';
}

void JsonInput::fail(const std::string &reason) {
    throw ReadError("The " + m_subject + " is damaged" + place() + ": " + reason + '.');
}

void JsonInput::check(simdjson::error_code error, const char *expected) {
    if (error == simdjson::SUCCESS)
        return;
    if (error == simdjson::INCORRECT_TYPE || error == simdjson::NUMBER_ERROR || error == simdjson::NUMBER_OUT_OF_RANGE)
        fail(std::string(expected) + " was expected");
    fail(std::string(expected) + " was expected, and the JSON ends or breaks off");
}

std::uint64_t JsonInput::number(Value value) {
    std::uint64_t result = 0;
    check(value.get_uint64().get(result), "a number without sign");
    return result;
}

std::uint32_t JsonInput::number32(Value value) {
    const std::uint64_t wide = number(value);
    if (wide > none)
        fail("the number " + std::to_string(wide) + " is too large");
    return static_cast<std::uint32_t>(wide);
}

std::int64_t JsonInput::signedNumber(Value value) {
    std::int64_t result = 0;
    check(value.get_int64().get(result), "a whole number");
    return result;
}

double JsonInput::real(Value value) {
    if (isNull(value))
        return 0;
    double result = 0;
    check(value.get_double().get(result), "a number");
    return result;
}

bool JsonInput::boolean(Value value) {
    bool result = false;
    check(value.get_bool().get(result), "true or false");
    return result;
}

std::string JsonInput::string(Value value) {
    std::string_view result;
    check(value.get_string().get(result), "a string");
    return std::string(result);
}

bool JsonInput::isNull(Value value) {
    simdjson::ondemand::json_type type{};
    check(value.type().get(type), "a value");
    return type == simdjson::ondemand::json_type::null;
}

bool JsonInput::isString(Value value) {
    simdjson::ondemand::json_type type{};
    check(value.type().get(type), "a value");
    return type == simdjson::ondemand::json_type::string;
}

RankRanges JsonInput::ranks(Value value) {
    const std::string text = string(value);
    RankRanges ranges;
    const char *at = text.data();
    const char *last = at + text.size();
    const auto number = [&] {
        Rank rank = 0;
        const auto [end, error] = std::from_chars(at, last, rank);
        if (error != std::errc() || end == at)
            fail('"' + text.substr(0, 40) + "\" is not a list of ranks");
        at = end;
        return rank;
    };
    while (at != last) {
        const Rank first = number();
        Rank end = first;
        if (at != last && *at == '-') {
            ++at;
            end = number();
        }
        if (end < first || (!ranges.empty() && first <= ranges.back().second))
            fail('"' + text.substr(0, 40) + "\" does not name ranks in rising order");
        ranges.emplace_back(first, end);
        if (at != last && *at++ != ',')
            fail('"' + text.substr(0, 40) + "\" is not a list of ranks");
    }
    return ranges;
}

std::uint32_t JsonInput::numberOrNone(Value value) { return isNull(value) ? none : number32(value); }

std::vector<std::uint64_t> JsonInput::numbers(Value value, std::size_t least, std::size_t most) {
    std::vector<std::uint64_t> result;
    array(value, [&](Value each) {
        if (result.size() == most)
            fail("there are more than " + std::to_string(most) + " numbers");
        result.push_back(isNull(each) ? none : number(each));
    });
    if (result.size() < least)
        fail("there are fewer than " + std::to_string(least) + " numbers");
    return result;
}

} // namespace laggard
