// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::flightrecorder {

using ValueId = std::uint32_t; ///< position in PlainDocument::values

/// A value without behaviour, as pickles and JSON have them. Lists, tuples and sets are one kind.
struct PlainValue {
    enum class Kind : std::uint8_t { None, Bool, Integer, Real, Text, List, Map };
    Kind kind = Kind::None;
    std::uint8_t depth = 0;   ///< for List and Map: how deep their elements are nested
    std::int64_t integer = 0; ///< for Bool and Integer
    double real = 0;
    std::string_view text;      ///< points into the document
    std::vector<ValueId> items; ///< for List: its items; for Map: key, value, key, value …
};

/// A tree of values, held flat: a value may stand in several places, and in a hostile pickle within itself, so that readers go
/// down by the names that they know, and no deeper.
struct PlainDocument {
    std::deque<std::string> texts; ///< what the values' texts point into
    std::vector<PlainValue> values;
    ValueId root = 0;

    [[nodiscard]] const PlainValue &operator[](ValueId id) const { return values[id]; }
    /// The member of a map; nullptr if it is no map or has none. If several: the last.
    [[nodiscard]] const PlainValue *member(const PlainValue &map, std::string_view key) const;
    /// A number, also one written as text (PyTorch's JSON has some so); `otherwise` for everything else.
    [[nodiscard]] std::int64_t integer(const PlainValue *value, std::int64_t otherwise) const;
    [[nodiscard]] bool boolean(const PlainValue *value) const;
    /// Empty if it is no text.
    [[nodiscard]] static std::string_view text(const PlainValue *value);
    /// Elements of a list, nothing of all else.
    [[nodiscard]] static const std::vector<ValueId> &elements(const PlainValue *value);
};

/// Adds values to a document. Those that have no content of their own, and small numbers, are there once: most of a dump are
/// such.
class ValueMaker {
  public:
    /// `bytes`: size of the file that is read.
    ValueMaker(PlainDocument &document, std::size_t bytes);

    /// Nothing if there are more values than a dump has in so many bytes.
    [[nodiscard]] std::optional<ValueId> make(PlainValue value);
    [[nodiscard]] std::size_t most() const { return m_most; }

  private:
    PlainDocument &m_document;
    std::size_t m_most;
    static constexpr ValueId notYet = ~ValueId{0};
    ValueId m_nothing = notYet;
    std::array<ValueId, 2> m_bools;
    std::array<ValueId, 256> m_integers;
};

/// Elements deeper than this are no dump: entries, frames and their members take six.
inline constexpr std::uint8_t mostDepth = 32;
/// Values of one file: a ring of 100,000 entries with stacks has some 10 million.
inline constexpr std::size_t mostValues = 100'000'000;
/// The fewest bytes that a value takes on average; an entry of a dump has some 25 values in 250 bytes. A hostile file with a
/// value in each byte would take seventy times its size.
inline constexpr std::size_t bytesPerValue = 4;
inline constexpr std::size_t alwaysPossibleValues = 1'000'000; ///< 64 MB

} // namespace laggard::flightrecorder
