// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/MemoryFile.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace laggard {
namespace {

/// Above the numbers that a child gets its files under, so that putting one there replaces none.
constexpr int leastDescriptor = 16;

} // namespace

MemoryFile::MemoryFile() {
    const int file = ::memfd_create("laggard-slice", MFD_CLOEXEC);
    int error = errno;
    if (file >= 0) {
        m_file = ::fcntl(file, F_DUPFD_CLOEXEC, leastDescriptor);
        error = errno;
        ::close(file);
    }
    if (m_file < 0)
        throw std::system_error(error, std::generic_category(), "no file in memory could be made");
}

MemoryFile::~MemoryFile() {
    if (m_file >= 0)
        ::close(m_file);
}

MemoryFile::MemoryFile(MemoryFile &&other) noexcept : m_file(std::exchange(other.m_file, -1)) {}

MemoryFile &MemoryFile::operator=(MemoryFile &&other) noexcept {
    std::swap(m_file, other.m_file);
    return *this;
}

std::uint64_t MemoryFile::size() const {
    struct stat status {};
    return ::fstat(m_file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string MemoryFile::content(std::uint64_t most) const {
    std::string text(std::min(size(), most), '\0');
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t got = ::pread(m_file, text.data() + at, text.size() - at, static_cast<off_t>(at));
        if (got > 0)
            at += static_cast<std::size_t>(got);
        else if (got == 0 || errno != EINTR)
            break;
    }
    text.resize(at);
    return text;
}

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(m_file); }

} // namespace laggard
