// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/Mutation.h"

#include <algorithm>
#include <array>

namespace laggard::test {
namespace {

class Mutator {
  public:
    Mutator(const std::string &bytes, std::mt19937 &random, std::size_t used)
        : m_bytes(bytes), m_random(random), m_used(used == 0 ? bytes.size() : std::min(used, bytes.size())) {}

    Mutation once() {
        if (m_bytes.empty())
            return {{}, "nothing"};
        const std::size_t at = place();
        const std::size_t size = std::array<std::size_t, 4>{1, 8, 64, 4096}[below(4)];
        switch (static_cast<MutationKind>(below(mutationKinds))) {
        case MutationKind::Overwrite:
            return overwrite(at, std::min<std::size_t>(size, 64));
        case MutationKind::Flip:
            m_bytes[at] = static_cast<char>(m_bytes[at] ^ (1 << below(8)));
            return done("a bit flipped", at, 1);
        case MutationKind::Zero:
            return zero(at, size);
        case MutationKind::Insert: {
            const std::size_t few = std::min<std::size_t>(size, 64);
            m_bytes.insert(at, noise(few));
            return done("inserted", at, few);
        }
        case MutationKind::Erase:
            m_bytes.erase(at, size);
            return done("erased", at, size);
        case MutationKind::Swap:
            return swap(at, size);
        case MutationKind::Cut:
            break;
        }
        m_bytes.resize(at);
        return done("cut", at, 0);
    }

  private:
    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(m_random); }

    /// A few attempts to find something.
    std::size_t place() {
        std::size_t at = below(m_used);
        for (int tries = 0; tries < 64 && m_bytes[at] == 0; ++tries)
            at = below(m_used);
        return at;
    }
    std::string noise(std::size_t size) {
        std::string text(size, '\0');
        for (char &c : text)
            c = static_cast<char>(below(256));
        return text;
    }
    Mutation done(const std::string &what, std::size_t at, std::size_t size) {
        return {std::move(m_bytes), what + " at " + std::to_string(at) + ", " + std::to_string(size) + " bytes"};
    }
    Mutation overwrite(std::size_t at, std::size_t size) {
        size = std::min(size, m_bytes.size() - at);
        m_bytes.replace(at, size, noise(size));
        return done("overwritten", at, size);
    }
    Mutation zero(std::size_t at, std::size_t size) {
        if (size == 4096)
            at -= at % size;
        size = std::min(size, m_bytes.size() - at);
        std::fill_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(at), size, '\0');
        return done("zeroed", at, size);
    }
    Mutation swap(std::size_t at, std::size_t size) {
        std::size_t other = place();
        if (below(2) == 0) { // as blocks of a disk are
            at -= at % size;
            other -= other % size;
        }
        if (at > other)
            std::swap(at, other);
        size = std::min({size, other - at, m_bytes.size() - other});
        const auto begin = m_bytes.begin();
        std::swap_ranges(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(at + size),
                         begin + static_cast<std::ptrdiff_t>(other));
        return done("swapped with " + std::to_string(other), at, size);
    }

    std::string m_bytes;
    std::mt19937 &m_random;
    std::size_t m_used;
};

} // namespace

Mutation mutatedOnce(const std::string &bytes, std::mt19937 &random, std::size_t used) {
    return Mutator(bytes, random, used).once();
}

Mutation mutated(const std::string &bytes, std::mt19937 &random) {
    const std::size_t times =
        std::array<std::size_t, 5>{1, 1, 2, 5, 20}[std::uniform_int_distribution<std::size_t>(0, 4)(random)];
    Mutation all{bytes, {}};
    for (std::size_t i = 0; i < times; ++i) {
        Mutation one = mutatedOnce(all.bytes, random);
        all.bytes = std::move(one.bytes);
        all.description += (i == 0 ? "" : "; ") + one.description;
    }
    return all;
}

} // namespace laggard::test
