// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/pointsto/LocationSet.h"

#include <algorithm>

namespace laggard::slice {

namespace {

constexpr auto byIndex = [](const auto &word, std::uint32_t index) { return word.index < index; };

} // namespace

std::size_t LocationSet::size() const {
    std::size_t count = 0;
    for (const auto &word : words)
        count += static_cast<std::size_t>(std::popcount(word.bits));
    return count;
}

bool LocationSet::contains(std::uint32_t value) const {
    const auto at = std::lower_bound(words.begin(), words.end(), value / 64, byIndex);
    return at != words.end() && at->index == value / 64 && (at->bits >> (value % 64) & 1) != 0;
}

std::uint32_t LocationSet::only() const {
    if (words.size() != 1 || !std::has_single_bit(words.front().bits))
        return ~std::uint32_t{0};
    return words.front().index * 64 + static_cast<std::uint32_t>(std::countr_zero(words.front().bits));
}

bool LocationSet::insert(std::uint32_t value) {
    const auto bit = std::uint64_t{1} << (value % 64);
    const auto at = std::lower_bound(words.begin(), words.end(), value / 64, byIndex);
    if (at == words.end() || at->index != value / 64) {
        words.insert(at, {value / 64, bit});
        return true;
    }
    const bool isNew = (at->bits & bit) == 0;
    at->bits |= bit;
    return isNew;
}

void LocationSet::erase(std::uint32_t value) {
    const auto at = std::lower_bound(words.begin(), words.end(), value / 64, byIndex);
    if (at == words.end() || at->index != value / 64)
        return;
    at->bits &= ~(std::uint64_t{1} << (value % 64));
    if (at->bits == 0)
        words.erase(at);
}

bool LocationSet::includes(const LocationSet &other) const {
    auto mine = words.begin();
    for (const auto &word : other.words) {
        while (mine != words.end() && mine->index < word.index)
            ++mine;
        if (mine == words.end() || mine->index != word.index || (word.bits & ~mine->bits) != 0)
            return false;
    }
    return true;
}

bool LocationSet::unite(const LocationSet &other) {
    if (includes(other)) // mostly: nothing is moved then
        return false;
    if (words.empty()) {
        words = other.words;
        return true;
    }
    std::vector<Word> joined;
    joined.reserve(words.size() + other.words.size());
    auto mine = words.begin();
    for (const auto &word : other.words) {
        while (mine != words.end() && mine->index < word.index)
            joined.push_back(*mine++);
        const bool has = mine != words.end() && mine->index == word.index;
        joined.push_back({word.index, word.bits | (has ? (mine++)->bits : 0)});
    }
    joined.insert(joined.end(), mine, words.end());
    words = std::move(joined);
    return true;
}

bool LocationSet::unite(const LocationSet &other, LocationSet &added) {
    auto fresh = other.without(*this);
    if (fresh.empty())
        return false;
    unite(fresh);
    if (added.empty())
        added = std::move(fresh);
    else
        added.unite(fresh);
    return true;
}

bool LocationSet::intersects(const LocationSet &other) const {
    auto a = words.begin(), b = other.words.begin();
    while (a != words.end() && b != other.words.end()) {
        if (a->index < b->index)
            ++a;
        else if (b->index < a->index)
            ++b;
        else if ((a++->bits & b++->bits) != 0)
            return true;
    }
    return false;
}

LocationSet LocationSet::intersection(const LocationSet &other) const {
    LocationSet both;
    auto a = words.begin(), b = other.words.begin();
    while (a != words.end() && b != other.words.end()) {
        if (a->index < b->index)
            ++a;
        else if (b->index < a->index)
            ++b;
        else {
            if (const auto bits = a->bits & b->bits; bits != 0)
                both.words.push_back({a->index, bits});
            ++a;
            ++b;
        }
    }
    return both;
}

LocationSet LocationSet::without(const LocationSet &other) const {
    LocationSet rest;
    auto b = other.words.begin();
    for (const auto &word : words) {
        while (b != other.words.end() && b->index < word.index)
            ++b;
        const auto bits = b != other.words.end() && b->index == word.index ? word.bits & ~b->bits : word.bits;
        if (bits != 0)
            rest.words.push_back({word.index, bits});
    }
    return rest;
}

std::size_t LocationSet::hash() const {
    std::size_t value = words.size();
    for (const auto &word : words)
        value = (value ^ (word.bits + word.index * 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL + (value >> 29);
    return value;
}

} // namespace laggard::slice
