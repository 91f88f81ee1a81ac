// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace laggard::slice {

/// A set of small numbers: 64 of them in a word, words in order, empty ones left out. Sets of pointers are small or have runs.
class LocationSet {
  public:
    [[nodiscard]] bool empty() const { return words.empty(); }
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool contains(std::uint32_t value) const;
    /// The only member; none (all bits) where there are more or fewer.
    [[nodiscard]] std::uint32_t only() const;
    bool insert(std::uint32_t value);
    void erase(std::uint32_t value);
    /// Adds all of another; whether that made a difference.
    bool unite(const LocationSet &other);
    /// Adds all of another and puts what was new into `added`.
    bool unite(const LocationSet &other, LocationSet &added);
    [[nodiscard]] bool includes(const LocationSet &other) const;
    [[nodiscard]] bool intersects(const LocationSet &other) const;
    [[nodiscard]] LocationSet intersection(const LocationSet &other) const;
    [[nodiscard]] LocationSet without(const LocationSet &other) const;
    [[nodiscard]] bool operator==(const LocationSet &) const = default;
    [[nodiscard]] std::size_t hash() const;

    template <typename Function> void forEach(Function &&function) const {
        for (const auto &word : words)
            for (auto bits = word.bits; bits != 0; bits &= bits - 1)
                function(word.index * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }

  private:
    struct Word {
        std::uint32_t index = 0;
        std::uint64_t bits = 0;
        [[nodiscard]] bool operator==(const Word &) const = default;
    };
    std::vector<Word> words;
};

} // namespace laggard::slice
