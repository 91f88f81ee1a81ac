// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/MappedFile.h"

#include "collect/store/JobEnvironment.h"
#include "collect/store/OwnThread.h"
#include "collect/store/SystemCalls.h"
#include "collect/store/ThreadLog.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace laggard::collect {

using namespace recording;

namespace {

/// As of core dumps: a recording may hold what was on a stack.
constexpr mode_t onlyOwner = 0600;

std::uint64_t pageBytes() { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

/// Ticks that reading the clock takes: the least of many pairs.
std::uint64_t measureClock() {
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i < 100; ++i) {
        const Ticks before = now();
        const Ticks after = now();
        if (after - before < least)
            least = after - before;
    }
    return least;
}

std::uint64_t utcNanoseconds() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

void hostName(char *name, std::size_t bytes) {
    if (gethostname(name, bytes) != 0)
        std::snprintf(name, bytes, "unknown");
    name[bytes - 1] = '\0';
}

/// Out of the way of the program, where it shares the table of descriptors: one that closes all descriptors, also those that are
/// not its own, gets their numbers for the next files that it opens, the lowest first. A high number is not among them, and what
/// is done with it fails instead.
int moveHigh(int descriptor) {
    if (hasOwnDescriptors())
        return descriptor;
    constexpr rlim_t high = 1000;
    constexpr rlim_t some = 16;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < 4 * some)
        return descriptor;
    const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, static_cast<int>(std::min(high, limit.rlim_cur - some)));
    if (moved < 0)
        return descriptor;
    ::close(descriptor);
    return moved;
}

/// False, with errno, if it cannot be written whole.
bool writeAt(int descriptor, std::uint64_t offset, const void *from, std::size_t bytes) {
    for (const auto *at = static_cast<const char *>(from); bytes > 0;) {
        const ssize_t written = ::pwrite(descriptor, at, bytes, static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        offset += static_cast<std::uint64_t>(written);
        bytes -= static_cast<std::size_t>(written);
    }
    return true;
}

/// Writes zeros. False, with errno, if there is no room for all of them.
bool writeZeros(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
    alignas(64) static const char zeros[chunkUnit] = {};
    if (::lseek(descriptor, static_cast<off_t>(offset), SEEK_SET) < 0)
        return false;
    while (bytes > 0) {
        const ssize_t written = ::write(descriptor, zeros, std::min<std::uint64_t>(bytes, sizeof zeros));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes -= static_cast<std::uint64_t>(written);
    }
    return true;
}

} // namespace

Ticks now() {
    timespec time; // NOLINT: filled by the call
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<Ticks>(time.tv_sec) * 1'000'000'000U + static_cast<Ticks>(time.tv_nsec);
}

const char *MappedFile::create(const Settings &settings) {
    std::snprintf(m_folder, sizeof m_folder, "%s", settings.folder);
    m_mappings = static_cast<Mapping *>(newPages(maxMappings * sizeof(Mapping)));
    if (m_mappings == nullptr)
        return "there is no memory";
    if (struct stat errors{}; ::fstat(2, &errors) == 0) {
        m_errorsDevice = errors.st_dev;
        m_errorsInode = errors.st_ino;
    }
    m_files.start();
    const char *problem = "the thread that makes the file has died";
    m_files.run([&] { problem = make(); });
    if (problem != nullptr) {
        const int error = errno;
        m_files.stop();
        errno = error;
        return problem;
    }
    m_bytes = headerBytes;
    fillHeader(settings);
    return nullptr;
}

/// The file with room for its header.
const char *MappedFile::make() {
    char host[65];
    hostName(host, sizeof host);
    // A program that exec'ed another one has left a file of the same name.
    int descriptor = -1;
    for (int attempt = 1; attempt < 10000; ++attempt) {
        char suffix[16] = {};
        if (attempt > 1)
            std::snprintf(suffix, sizeof suffix, "-%d", attempt);
        std::snprintf(m_path, sizeof m_path, "%s/%s.%d%s%s", m_folder, host, getpid(), suffix, fileSuffix);
        descriptor = ::open(m_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, onlyOwner);
        if (descriptor >= 0 || errno != EEXIST)
            break;
    }
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0)
        return "the file cannot be made";
    m_device = status.st_dev;
    m_inode = status.st_ino;
    if (allocate(descriptor, 0, headerBytes))
        m_header = static_cast<FileHeader *>(map(descriptor, 0, headerBytes));
    const int error = errno;
    ::close(descriptor);
    if (m_header == nullptr) {
        ::unlink(m_path);
        errno = error;
        return "there is no room for the file";
    }
    return nullptr;
}

void MappedFile::fillHeader(const Settings &settings) {
    FileHeader &header = *m_header;
    header.version = formatVersion;
    header.byteOrder = byteOrderMark;
    header.ticksPerSecond = 1'000'000'000;
    header.clockCost = measureClock();
    header.startTicks = now();
    header.startUtc = utcNanoseconds();
    header.pid = getpid();
    header.parent = static_cast<std::uint32_t>(settings.parent);
    header.environmentRank = settings.rank;
    header.mode = static_cast<std::uint32_t>(settings.mode);
    header.spill = settings.pool ? spillsPool : settings.spill ? 1 : 0;
    header.eventBytesLimit = settings.eventBytes;
    hostName(header.host, sizeof header.host);
    std::memcpy(header.jobId, settings.job, sizeof header.jobId);
    if (const ssize_t length = ::readlink("/proc/self/exe", header.program, sizeof header.program - 1); length >= 0)
        header.program[length] = '\0';
    header.rank = -1;
    header.worldSize = -1;
    header.fileBytes = headerBytes;
    header.aliveTicks = header.startTicks;
    std::memcpy(header.magic, fileMagic, sizeof header.magic);
    sealHeader(header);
}

int MappedFile::reopen() const {
    int descriptor = ::open(m_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor >= 0)
        descriptor = moveHigh(descriptor);
    struct stat status {};
    if (descriptor < 0 || (::fstat(descriptor, &status) == 0 && status.st_dev == m_device && status.st_ino == m_inode))
        return descriptor;
    ::close(descriptor);
    errno = ENOENT;
    return -1;
}

bool MappedFile::allocate(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
    // Beyond the limit on file sizes the system would send SIGXFSZ.
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && offset + bytes > limit.rlim_cur) {
        errno = EFBIG;
        return false;
    }
    if (areSystemCallsFiltered())
        return writeZeros(descriptor, offset, bytes);
    int error = EINTR;
    for (int attempt = 0; error == EINTR && attempt < 100; ++attempt)
        error = ::posix_fallocate(descriptor, static_cast<off_t>(offset), static_cast<off_t>(bytes));
    errno = error;
    return error == 0;
}

/// Brings the pages of a new part of the file into memory, all at once: one by one, when they are written to first, they cost
/// twice as much. Room is there already, so that nothing is lost where this fails.
void MappedFile::bringIn(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
    alignas(64) static const char zeros[4096] = {};
    constexpr std::size_t pieces = chunkUnit / sizeof zeros;
    iovec unit[pieces];
    for (iovec &piece : unit)
        piece = {const_cast<char *>(zeros), sizeof zeros};
    for (const std::uint64_t end = offset + bytes; offset < end; offset += chunkUnit)
        if (::pwritev(descriptor, unit, pieces, static_cast<off_t>(offset)) != static_cast<ssize_t>(chunkUnit))
            return;
}

void *MappedFile::map(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
    const std::uint32_t count = m_mappingCount.load(std::memory_order_relaxed);
    if (count == maxMappings) {
        errno = ENOMEM;
        return nullptr;
    }
    // Chunks begin at multiples of 4 KiB, pages may be larger.
    const std::uint64_t before = offset % pageBytes();
    void *memory =
        ::mmap(nullptr, bytes + before, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, static_cast<off_t>(offset - before));
    if (memory == MAP_FAILED)
        return nullptr;
#ifdef MADV_POPULATE_WRITE
    // All pages at once: 3 % of what recording costs, compared with a fault for each (bench/README.md). Old kernels refuse.
    if (bytes >= chunkUnit && !areSystemCallsFiltered())
        static_cast<void>(::madvise(memory, bytes + before, MADV_POPULATE_WRITE));
#endif
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    m_mappings[count] = {begin, begin + before + bytes};
    m_mappingCount.store(count + 1, std::memory_order_release);
    return static_cast<char *>(memory) + before;
}

/// The mapped memory of new bytes at the end; nullptr, with errno, if there are none.
void *MappedFile::grow(std::uint64_t bytes) {
    // No descriptor is held meanwhile: some programs close all, and its number would be reused.
    const int descriptor = reopen();
    if (descriptor < 0)
        return nullptr;
    void *memory = nullptr;
    if (allocate(descriptor, m_bytes, bytes)) {
        if (!areSystemCallsFiltered())
            bringIn(descriptor, m_bytes, bytes);
        memory = map(descriptor, m_bytes, bytes);
    }
    const int error = errno;
    // What was allocated of a chunk that failed must not stay behind.
    if (memory == nullptr && error != EBADF && !areSystemCallsFiltered())
        static_cast<void>(::ftruncate(descriptor, static_cast<off_t>(m_bytes)) == 0);
    ::close(descriptor);
    errno = error;
    return memory;
}

ChunkHeader *MappedFile::addChunk(ChunkKind kind, std::uint32_t thread, std::uint32_t units, std::uint64_t sequence) {
    const std::lock_guard lock(m_mutex);
    if (m_noRoom && now() < m_retryAt)
        return nullptr;
    const std::uint64_t bytes = units * chunkUnit;
    void *memory = nullptr;
    // The program may close any descriptor at any time.
    for (int attempt = 0; memory == nullptr && attempt < 3 && (attempt == 0 || errno == EBADF); ++attempt)
        m_files.run([&] { memory = grow(bytes); });
    if (memory == nullptr) {
        hasNoRoom(errno);
        return nullptr;
    }
    m_noRoom = false;
    auto *chunk = new (memory) ChunkHeader{};
    chunk->kind = kind;
    chunk->thread = thread;
    chunk->units = units;
    chunk->offset = m_bytes;
    chunk->committed = sealedPosition(0, firstChain(sequence));
    chunk->sequence = sealedSequence(*chunk, sequence);
    publish(chunk->magic, chunkMagic);
    m_bytes += bytes;
    publishField(*m_header, HeaderField::FileBytes, m_header->fileBytes, m_bytes);
    return chunk;
}

void MappedFile::hasNoRoom(int error) {
    if (!m_saidNoRoom)
        m_saidNoRoom = sayNoRoom(error);
    m_noRoom = true;
    m_retryAt = now() + 1'000'000'000;
}

/// Room for a chunk at the end of the file, with a header that tells readers to skip it. Returns a descriptor of the file; -1 if
/// there is none.
int MappedFile::beginAppended(ChunkHeader &header) {
    const std::lock_guard lock(m_mutex);
    if (m_noRoom && now() < m_retryAt)
        return -1;
    const std::uint64_t bytes = header.units * chunkUnit;
    header.offset = m_bytes;
    header.sequence = sealedSequence(header, 0);
    header.committed = sealedPosition(0, firstChain(0)); // behind the end of the file there are no contents
    const int descriptor = reopen();
    if (descriptor >= 0 && allocate(descriptor, m_bytes, bytes) && writeAt(descriptor, m_bytes, &header, sizeof header)) {
        m_noRoom = false;
        m_bytes += bytes;
        publishField(*m_header, HeaderField::FileBytes, m_header->fileBytes, m_bytes);
        return descriptor;
    }
    const int error = errno;
    if (descriptor >= 0) {
        if (!areSystemCallsFiltered()) // what was allocated must not stay behind
            static_cast<void>(::ftruncate(descriptor, static_cast<off_t>(m_bytes)) == 0);
        ::close(descriptor);
    }
    hasNoRoom(error);
    return -1;
}

bool MappedFile::append(const ChunkHeader &chunk) {
    ChunkHeader header = chunk;
    const int descriptor = beginAppended(header);
    if (descriptor < 0)
        return false;
    // Not under the lock: it takes longer, and this thread may end in the middle of it.
    const std::size_t length = positionOf(chunk.committed) * sizeof(std::uint64_t);
    const std::uint64_t sequence = sealedSequence(header, sequenceOf(chunk));
    const bool isWritten =
        writeAt(descriptor, header.offset + sizeof header, &chunk + 1, length) &&
        writeAt(descriptor, header.offset + offsetof(ChunkHeader, committed), &chunk.committed, sizeof chunk.committed) &&
        writeAt(descriptor, header.offset + offsetof(ChunkHeader, sequence), &sequence, sizeof sequence);
    const int error = errno;
    ::close(descriptor);
    if (!isWritten) {
        const std::lock_guard lock(m_mutex);
        hasNoRoom(error);
    }
    return isWritten;
}

bool MappedFile::sayNoRoom(int error) {
    // A program may have closed stderr, and have a file of its own there; the recorder's own thread has none.
    struct stat errors {};
    if (::fstat(2, &errors) != 0 || errors.st_dev != m_errorsDevice || errors.st_ino != m_errorsInode)
        return false;
    // The first process of the job that can make this file speaks for all.
    char marker[3200];
    std::snprintf(marker, sizeof marker, "%s/.no-room", m_folder);
    bool isFirst = false;
    m_files.run([&] {
        const int descriptor = ::open(marker, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, onlyOwner);
        isFirst = descriptor >= 0;
        if (isFirst)
            ::close(descriptor);
    });
    if (!isFirst && errno == EEXIST)
        return true;
    char sentence[4352];
    std::snprintf(sentence, sizeof sentence, "%s cannot grow (%s); the job runs on, and what finds no room is counted.", m_path,
                  std::strerror(error));
    say(sentence, isFirst);
    return true;
}

bool MappedFile::replacePage(const void *address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const std::uint32_t count = m_mappingCount.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count; ++i)
        if (at >= m_mappings[i].begin && at < m_mappings[i].end) {
            const std::uintptr_t page = at & ~(pageBytes() - 1);
            return ::mmap(reinterpret_cast<void *>(page), pageBytes(), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
        }
    return false;
}

void MappedFile::countDropped(std::uint64_t records) {
    __atomic_fetch_add(&m_header->droppedRecords, records, __ATOMIC_RELAXED);
    __atomic_fetch_add(&m_header->droppedAgain, records, __ATOMIC_RELAXED);
}

} // namespace laggard::collect
