// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Contents.h"

#include "collect/mpi/Construction.h"
#include "collect/mpi/Handles.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace laggard::collect::mpi {

namespace {

constexpr std::uint64_t wordBytes = 8;
constexpr std::uint64_t mostWords = 64;    ///< that are all read
constexpr std::uint64_t samples = 16;      ///< words of more; each page costs 0.1 µs
constexpr std::uintptr_t pageBytes = 4096; ///< or a part of a page

/// `count` elements of `base`, `stride` bytes from one to the next, as one element.
Layout repeated(const Layout &base, std::int64_t count, std::int64_t stride, std::int64_t extent) {
    if (!base.isKnown() || count <= 0)
        return {};
    const auto times = static_cast<std::uint64_t>(count);
    if (base.blocks == 1 && (count == 1 || stride == static_cast<std::int64_t>(base.block)))
        return {base.block * times, 1, 0, extent};
    if (base.blocks == 1)
        return {base.block, times, stride, extent};
    if (count == 1 || stride == static_cast<std::int64_t>(base.blocks) * base.stride)
        return {base.block, base.blocks * times, base.stride, extent};
    return {};
}

/// The layout of a derived type; `extent`: the type's.
Layout layoutOfDerived(const Construction &construction, std::int64_t extent) {
    if (construction.base() == MPI_DATATYPE_NULL)
        return {};
    const Layout base = layoutOf(construction.base());
    const auto rows = [&](std::int64_t stride) {
        return repeated(repeated(base, construction.number(1), base.extent, 0), construction.number(0), stride, extent);
    };
    switch (construction.combiner()) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return repeated(base, 1, 0, extent);
    case MPI_COMBINER_CONTIGUOUS:
        return repeated(base, construction.number(0), base.extent, extent);
    case MPI_COMBINER_VECTOR:
        return rows(construction.number(2) * base.extent);
    case MPI_COMBINER_HVECTOR:
        return rows(construction.number(2));
    default:
        return {};
    }
}

/// The system looks at the signals that it is given before it refuses what to do with them.
bool isReadable(std::uintptr_t page) {
    constexpr int nothingToDo = ~0;
    const int error = errno;
    const bool isRefused = syscall(SYS_rt_sigprocmask, nothingToDo, page * pageBytes, nullptr, wordBytes) != 0 && errno == EINVAL;
    errno = error;
    return isRefused;
}

using Lanes = std::array<std::uint64_t, 4>; ///< that do not wait for each other

void mix(std::uint64_t &lane, std::uint64_t word) {
    lane = (lane ^ word) * 0x9E3779B97F4A7C15U;
    lane ^= lane >> 29U;
}

/// Reads a message's bytes in the order in which it carries them. Programs may send from memory that only an accelerator can
/// read, and may take memory away of which MPI has said in other ways that it is done with it: each page is asked for.
class Reader {
  public:
    Reader(const Contents &contents, ReadablePages &pages)
        : m_at(static_cast<const char *>(contents.buffer)), m_layout(contents.layout), m_pages(pages) {}

    /// Up to eight bytes; false if they cannot be read.
    bool read(std::uint64_t position, std::uint64_t bytes, std::uint64_t &word) {
        word = 0;
        for (std::uint64_t done = 0; done < bytes;) {
            const std::uint64_t inBlock = m_layout.isDense() ? bytes : m_layout.block - (position + done) % m_layout.block;
            const std::uint64_t some = std::min(bytes - done, inBlock);
            const char *from = place(position + done);
            if (!mayRead(from) || !mayRead(from + some - 1))
                return false;
            std::memcpy(reinterpret_cast<char *>(&word) + done, from, some);
            done += some;
        }
        return true;
    }

  private:
    [[nodiscard]] const char *place(std::uint64_t position) const {
        if (m_layout.isDense())
            return m_at + position;
        const std::uint64_t block = position / m_layout.block;
        return m_at + static_cast<std::int64_t>(block / m_layout.blocks) * m_layout.extent +
               static_cast<std::int64_t>(block % m_layout.blocks) * m_layout.stride + position % m_layout.block;
    }
    bool mayRead(const char *at) {
        const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(at) / pageBytes;
        if (page == m_readable)
            return true;
        if (!m_pages.contains(page))
            return false;
        m_readable = page;
        return true;
    }

    const char *m_at;
    const Layout &m_layout;
    ReadablePages &m_pages;
    std::uintptr_t m_readable = ~std::uintptr_t{0}; ///< the latest page
};

} // namespace

bool ReadablePages::contains(std::uintptr_t page) {
    const auto *end = m_pages + std::min(m_count, most);
    if (std::find<const std::uintptr_t *>(m_pages, end, page) != end)
        return true;
    if (!isReadable(page))
        return false;
    m_pages[m_count++ % most] = page;
    return true;
}

Layout layoutOf(MPI_Datatype type) {
    MPI_Count size = 0;
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || PMPI_Type_get_extent_x(type, &lower, &extent) != MPI_SUCCESS || size <= 0)
        return {};
    const Construction construction(type);
    if (construction.combiner() != MPI_COMBINER_NAMED)
        return layoutOfDerived(construction, extent);
    if (lower != 0 || extent != size)
        return {}; // MPI_DOUBLE_INT and its like
    return {static_cast<std::uint64_t>(size), 1, 0, extent};
}

std::uint32_t Contents::fingerprint(std::uint64_t bytes, ReadablePages &pages) const {
    if (buffer == nullptr || bytes == 0 || bytes > room || !layout.isKnown())
        return 0;
    Reader reader(*this, pages);
    const bool isSampled = bytes > mostWords * wordBytes;
    const std::uint64_t words = isSampled ? samples : (bytes + wordBytes - 1) / wordBytes;
    Lanes lanes{bytes, 0, 0, 0};
    for (std::uint64_t i = 0; i < words; ++i) {
        // Whole words of the message, so that hardly one lies in two blocks.
        const std::uint64_t position = (isSampled ? i * (bytes / wordBytes - 1) / (samples - 1) : i) * wordBytes;
        std::uint64_t word = 0;
        if (!reader.read(position, std::min(wordBytes, bytes - position), word))
            return 0;
        mix(lanes[i % lanes.size()], word);
    }
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lanes) {
        all = (all ^ lane) * 0xD6E8FEB86659FD93U;
        all ^= all >> 32U;
    }
    const auto fingerprint = static_cast<std::uint32_t>(all);
    return fingerprint == 0 ? 1 : fingerprint;
}

} // namespace laggard::collect::mpi
