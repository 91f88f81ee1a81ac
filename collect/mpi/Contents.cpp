// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Contents.h"

#include "collect/mpi/Construction.h"
#include "collect/mpi/Handles.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace laggard::collect::mpi {

namespace {

constexpr std::uint64_t wordBytes = 8;
constexpr std::uint64_t mostWords = 64;

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

/// Of a derived type; `extent`: of it.
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

/// Programs may send from memory that only an accelerator can read. Asked once per 64 KiB lately used; what lies between two
/// readable ends of a buffer is of the same kind.
bool isReadable(const char *first, const char *last) {
    constexpr std::uintptr_t granule = std::uintptr_t{64} << 10U;
    static thread_local std::array<std::uintptr_t, 64> known{}; // 1 + number of the granule
    static std::atomic<bool> mayAsk{true};
    static std::atomic<bool> isAllReadable{
        true}; // as far as was seen: else memory may change its kind, and is asked about each time
    const auto placeOf = [](const char *at) { return reinterpret_cast<std::uintptr_t>(at) / granule; };
    const auto knows = [&](std::uintptr_t place) { return known[place % known.size()] == place + 1; };
    if (isAllReadable.load(std::memory_order_relaxed) && knows(placeOf(first)) && knows(placeOf(last)))
        return true;
    if (!mayAsk.load(std::memory_order_relaxed))
        return false;
    char bytes[2];
    iovec here{bytes, sizeof bytes};
    iovec there[2] = {{const_cast<char *>(first), 1}, {const_cast<char *>(last), 1}};
    const int error = errno;
    const ssize_t got = process_vm_readv(getpid(), &here, 1, there, 2, 0);
    if (got < 0 && errno != EFAULT && errno != ENOMEM)
        mayAsk = false; // the system does not allow it: no contents are read
    errno = error;
    if (got != sizeof bytes) {
        isAllReadable = false;
        return false;
    }
    known[placeOf(first) % known.size()] = placeOf(first) + 1;
    known[placeOf(last) % known.size()] = placeOf(last) + 1;
    return true;
}

using Lanes = std::array<std::uint64_t, 4>; ///< that do not wait for each other

void mix(std::uint64_t &lane, std::uint64_t word) {
    lane = (lane ^ word) * 0x9E3779B97F4A7C15U;
    lane ^= lane >> 29U;
}

/// Reads a message's bytes in the order in which it carries them.
class Reader {
  public:
    explicit Reader(const Contents &contents) : m_at(static_cast<const char *>(contents.buffer)), m_layout(contents.layout) {}

    [[nodiscard]] const char *place(std::uint64_t position) const {
        if (m_layout.isDense())
            return m_at + position;
        const std::uint64_t block = position / m_layout.block;
        return m_at + static_cast<std::int64_t>(block / m_layout.blocks) * m_layout.extent +
               static_cast<std::int64_t>(block % m_layout.blocks) * m_layout.stride + position % m_layout.block;
    }
    /// Up to eight bytes.
    [[nodiscard]] std::uint64_t word(std::uint64_t position, std::uint64_t bytes) const {
        std::uint64_t value = 0;
        for (std::uint64_t done = 0; done < bytes;) {
            const std::uint64_t inBlock = m_layout.isDense() ? bytes : m_layout.block - (position + done) % m_layout.block;
            const std::uint64_t some = std::min(bytes - done, inBlock);
            std::memcpy(reinterpret_cast<char *>(&value) + done, place(position + done), some);
            done += some;
        }
        return value;
    }
    /// Eight bytes.
    [[nodiscard]] std::uint64_t word(std::uint64_t position) const {
        if (!m_layout.isDense() && m_layout.block % wordBytes != 0)
            return word(position, wordBytes);
        std::uint64_t value = 0;
        std::memcpy(&value, place(position), wordBytes); // in one block, as all positions are multiples
        return value;
    }

  private:
    const char *m_at;
    const Layout &m_layout;
};

} // namespace

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

std::uint32_t Contents::fingerprint(std::uint64_t bytes) const {
    if (buffer == nullptr || bytes == 0 || bytes > room || !layout.isKnown())
        return 0;
    const Reader reader(*this);
    if (!isReadable(reader.place(0), reader.place(bytes - 1)))
        return 0;
    const bool isSampled = bytes > mostWords * wordBytes;
    const std::uint64_t whole = isSampled ? mostWords : bytes / wordBytes;
    // Whole words of the message, so that hardly one lies in two blocks.
    const auto place = [&](std::uint64_t i) {
        return (isSampled ? i * (bytes / wordBytes - 1) / (mostWords - 1) : i) * wordBytes;
    };
    Lanes lanes{bytes, 0, 0, 0};
    std::uint64_t i = 0;
    for (; i + lanes.size() <= whole; i += lanes.size())
        for (std::size_t k = 0; k < lanes.size(); ++k)
            mix(lanes[k], reader.word(place(i + k)));
    for (; i < whole; ++i)
        mix(lanes[i % lanes.size()], reader.word(place(i)));
    if (!isSampled && bytes % wordBytes != 0)
        mix(lanes[i % lanes.size()], reader.word(i * wordBytes, bytes % wordBytes));
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lanes) {
        all = (all ^ lane) * 0xD6E8FEB86659FD93U;
        all ^= all >> 32U;
    }
    const auto fingerprint = static_cast<std::uint32_t>(all);
    return fingerprint == 0 ? 1 : fingerprint;
}

} // namespace laggard::collect::mpi
