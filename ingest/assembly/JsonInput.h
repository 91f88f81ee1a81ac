// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Work.h"

#include <cstdint>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace laggard {

/// What the library says of an error; it ends some of its sentences, and others not.
[[nodiscard]] std::string sentenceOf(simdjson::error_code error);

/// Reads JSON from front to back, and says where it is not as expected: what it is, line, and the way through objects and arrays.
class JsonInput {
  public:
    using Value = simdjson::ondemand::value;

    /// `subject` is what sentences call it (`the model dump "x.json"`). Throws ReadError if the text is not JSON.
    JsonInput(std::string subject, simdjson::padded_string text);

    /// Calls `visit(key, value)` for each member of the outermost object.
    template <typename Visit> void root(Visit visit) {
        simdjson::ondemand::object object;
        check(m_document.get_object().get(object), "an object");
        members(object, visit);
    }
    template <typename Visit> void object(Value value, Visit visit) {
        simdjson::ondemand::object object;
        check(value.get_object().get(object), "an object");
        members(object, visit);
    }
    /// Calls `visit(value)` for each element.
    template <typename Visit> void array(Value value, Visit visit) {
        simdjson::ondemand::array array;
        check(value.get_array().get(array), "an array");
        std::size_t index = 0;
        for (auto element : array) {
            m_way.emplace_back(index++);
            Value each;
            check(element.get(each), "a value");
            visit(each);
            m_way.pop_back();
        }
    }

    [[nodiscard]] std::uint64_t number(Value value);
    [[nodiscard]] std::uint32_t number32(Value value);
    [[nodiscard]] std::int64_t signedNumber(Value value);
    [[nodiscard]] double real(Value value);
    [[nodiscard]] bool boolean(Value value);
    [[nodiscard]] std::string string(Value value);
    [[nodiscard]] bool isNull(Value value);
    [[nodiscard]] bool isString(Value value);
    /// "0-2,4-15".
    [[nodiscard]] RankRanges ranks(Value value);
    /// A number, or `none` for null.
    [[nodiscard]] std::uint32_t numberOrNone(Value value);
    /// Numbers of an array that has between `least` and `most` of them; null counts as `none`.
    [[nodiscard]] std::vector<std::uint64_t> numbers(Value value, std::size_t least, std::size_t most);

    /// What stands before the last `mark`; everything if there is none.
    [[nodiscard]] std::string_view textBefore(std::string_view mark) const;
    [[nodiscard]] bool has(std::string_view mark) const { return textBefore(mark).size() < m_text.size(); }

    /// Throws ReadError: "The … is damaged in line 12 (models[3].ranks): REASON."
    [[noreturn]] void fail(const std::string &reason);

  private:
    template <typename Visit> void members(simdjson::ondemand::object &object, Visit &visit) {
        for (auto field : object) {
            std::string_view key;
            check(field.unescaped_key().get(key), "a name");
            m_way.emplace_back(key);
            Value value;
            check(field.value().get(value), "a value");
            visit(key, value);
            m_way.pop_back();
        }
    }
    void check(simdjson::error_code error, const char *expected);
    [[nodiscard]] std::string place();

    std::string m_subject;
    simdjson::padded_string m_text;
    simdjson::ondemand::parser m_parser;
    simdjson::ondemand::document m_document;
    std::vector<std::variant<std::string_view, std::size_t>> m_way;
};

} // namespace laggard
