// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace laggard::collect::mpi {

/// Where the bytes of a datatype's elements lie, if an element is so many blocks of one length at one distance: basic types, rows
/// and columns of them.
struct Layout {
    std::uint64_t block = 0;  ///< bytes; 0: not known, or of another shape
    std::uint64_t blocks = 0; ///< in an element
    std::int64_t stride = 0;  ///< bytes from one block to the next
    std::int64_t extent = 0;  ///< bytes from one element to the next
    bool operator==(const Layout &) const = default;

    [[nodiscard]] bool isKnown() const { return block != 0; }
    [[nodiscard]] bool isDense() const { return blocks == 1 && extent == static_cast<std::int64_t>(block); }
};
[[nodiscard]] Layout layoutOf(MPI_Datatype type);

/// Pages of memory that can be read, as the system has just said: asking costs as much as all the rest of a fingerprint. It is
/// valid for the messages of one call while the thread does nothing else.
class ReadablePages {
  public:
    [[nodiscard]] bool contains(std::uintptr_t page);
    void forget() { m_count = 0; }

  private:
    static constexpr std::size_t most = 16;
    std::uintptr_t m_pages[most];
    std::size_t m_count = 0; ///< asked so far; the latest are kept
};

/// The buffer of a message.
struct Contents {
    const void *buffer = nullptr;
    Layout layout;
    std::uint64_t room = 0; ///< bytes

    /// A number that messages of equal contents have in common, made from at most 512 of the `bytes` that the message has. 0
    /// where the contents cannot be read (memory of an accelerator) or their layout is not known. Two different messages get the
    /// same one once in 2^32, or when they differ elsewhere only.
    [[nodiscard]] std::uint32_t fingerprint(std::uint64_t bytes, ReadablePages &pages) const;
};

} // namespace laggard::collect::mpi
