// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/JsonWriter.h"

#include "trace/Ids.h"
#include "trace/Printable.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace laggard {
namespace {

template <typename Number> void append(std::string &text, Number number) {
    std::array<char, 40> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    text.append(digits.data(), error == std::errc() ? end : digits.data());
}

} // namespace

void JsonWriter::separate() {
    if (m_needsComma)
        m_text += ',';
    if (m_wantsLine)
        m_text += '\n';
    m_needsComma = true;
    m_wantsLine = false;
}

JsonWriter &JsonWriter::open(char bracket) {
    separate();
    m_text += bracket;
    m_needsComma = false;
    return *this;
}

JsonWriter &JsonWriter::close(char bracket) {
    if (m_wantsLine)
        m_text += '\n';
    m_wantsLine = false;
    m_text += bracket;
    m_needsComma = true;
    return *this;
}

JsonWriter &JsonWriter::key(std::string_view name) {
    string(name);
    m_text += ':';
    m_needsComma = false;
    return *this;
}

JsonWriter &JsonWriter::string(std::string_view text) {
    separate();
    m_text += printableJson(nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return *this;
}

JsonWriter &JsonWriter::number(std::uint64_t value) {
    separate();
    append(m_text, value);
    return *this;
}

JsonWriter &JsonWriter::signedNumber(std::int64_t value) {
    separate();
    append(m_text, value);
    return *this;
}

JsonWriter &JsonWriter::real(double value) {
    if (!std::isfinite(value))
        return null();
    separate();
    append(m_text, value);
    return *this;
}

JsonWriter &JsonWriter::boolean(bool value) { return raw(value ? "true" : "false"); }

JsonWriter &JsonWriter::null() { return raw("null"); }

JsonWriter &JsonWriter::numberOrNull(std::uint32_t value) { return value == none ? null() : number(value); }

JsonWriter &JsonWriter::raw(std::string_view json) {
    separate();
    m_text += json;
    return *this;
}

JsonWriter &JsonWriter::line() {
    m_wantsLine = true;
    return *this;
}

} // namespace laggard
