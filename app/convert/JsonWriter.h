// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace laggard {

/// Builds JSON text piece by piece: what has to be large and quick. Commas are put where they belong.
class JsonWriter {
  public:
    JsonWriter &beginObject() { return open('{'); }
    JsonWriter &endObject() { return close('}'); }
    JsonWriter &beginArray() { return open('['); }
    JsonWriter &endArray() { return close(']'); }
    JsonWriter &key(std::string_view name);
    /// What is not UTF-8 is replaced.
    JsonWriter &string(std::string_view text);
    JsonWriter &number(std::uint64_t value);
    JsonWriter &signedNumber(std::int64_t value);
    /// Shortest text that reads back the same; null for what is not a number.
    JsonWriter &real(double value);
    JsonWriter &boolean(bool value);
    JsonWriter &null();
    /// null for `none`.
    JsonWriter &numberOrNull(std::uint32_t value);
    /// JSON made elsewhere.
    JsonWriter &raw(std::string_view json);
    /// The next element stands on a line of its own.
    JsonWriter &line();

    [[nodiscard]] const std::string &text() const { return m_text; }
    [[nodiscard]] std::string take() { return std::move(m_text); }

  private:
    JsonWriter &open(char bracket);
    JsonWriter &close(char bracket);
    void separate();

    std::string m_text;
    bool m_needsComma = false;
    bool m_wantsLine = false;
};

} // namespace laggard
