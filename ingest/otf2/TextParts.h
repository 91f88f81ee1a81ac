// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/IdMap.h"

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::otf2 {

/// What numbers in the texts of attributes and properties may refer to; what is beyond is `none`.
struct Limits {
    const IdMap &communicators; ///< from the archive's numbers
    Rank ranks = 0;
    std::uint32_t names = 0;   ///< Trace::names
    std::uint32_t windows = 0; ///< Trace::windows
};

[[nodiscard]] inline std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + separator.size());
    }
}

/// The whole text as a number; false if it is none that fits.
template <typename Number> bool parse(std::string_view text, Number &number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// One operation: a word and values by key, "receive from=3 tag=7".
class Part {
  public:
    explicit Part(std::string_view text) : m_words(split(text, " ")) {}

    [[nodiscard]] std::string_view word() const { return m_words.front(); }
    [[nodiscard]] std::string_view value(std::string_view key) const {
        for (const std::string_view word : m_words)
            if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=')
                return word.substr(key.size() + 1);
        return {};
    }
    template <typename Number> [[nodiscard]] Number number(std::string_view key, Number otherwise) const {
        Number found = otherwise;
        return parse(value(key), found) ? found : otherwise;
    }
    [[nodiscard]] bool flag(std::string_view key) const { return number<unsigned>(key, 0) != 0; }
    /// A position in a table of `size` entries.
    [[nodiscard]] std::uint32_t position(std::string_view key, std::uint32_t size) const {
        const auto found = number<std::uint32_t>(key, none);
        return found < size ? found : none;
    }
    [[nodiscard]] std::uint32_t communicator(const Limits &limits) const {
        const auto reference = number<std::uint32_t>("communicator", none);
        return reference == none ? none : limits.communicators.find(reference);
    }

  private:
    std::vector<std::string_view> m_words;
};

/// " key=7"; empty for `none`.
[[nodiscard]] inline std::string valueIfAny(const char *key, std::uint32_t number) {
    return number == none ? std::string() : std::string(" ") + key + '=' + std::to_string(number);
}
/// " key=1" if it is set.
[[nodiscard]] inline std::string flagIfSet(const char *key, bool isSet) {
    return isSet ? std::string(" ") + key + "=1" : std::string();
}

} // namespace laggard::otf2
