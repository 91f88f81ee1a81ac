// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/FileBytes.h"

#include "trace/Quantity.h"
#include "trace/Work.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace laggard::flightrecorder {
namespace {

/// Reads until the file ends or there are `most` bytes. Nothing on errors, with errno. Room, which is cleared first, is made as
/// the file's size says, and in growing steps where it does not: a job has thousands of dumps of a few KiB.
bool readUpTo(int file, std::size_t most, std::string &bytes) {
    constexpr std::size_t smallest = 4096; // a page
    struct stat status = {};
    const bool isSized = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    std::size_t step = isSized ? static_cast<std::size_t>(status.st_size) + 1 : smallest; // one more, to see its end
    while (bytes.size() < most) {
        const std::size_t old = bytes.size();
        const std::size_t asked = std::min(step, most - old);
        bytes.resize(old + asked);
        const ssize_t size = ::read(file, bytes.data() + old, asked);
        const std::size_t got = size > 0 ? static_cast<std::size_t>(size) : 0;
        bytes.resize(old + got);
        if (size < 0 && errno != EINTR)
            return false;
        if (size == 0)
            return true;
        step = isSized && got < asked ? 1 : std::max(smallest, bytes.size()); // the end of a file, or of what a pipe holds
    }
    return true;
}

/// -1 if it cannot be opened, with errno. Never waits for the other end of a pipe.
int openForReading(const std::string &file) { return ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }

} // namespace

std::string wholeFile(const std::string &file, const std::string &subject) {
    const int opened = openForReading(file);
    struct stat status = {};
    if (opened >= 0 && ::fstat(opened, &status) == 0 && S_ISREG(status.st_mode) &&
        static_cast<std::size_t>(status.st_size) > mostFileBytes) {
        ::close(opened);
        throw ReadError(subject + " cannot be read: it has " + plural(static_cast<std::uint64_t>(status.st_size), "byte") +
                        ", and no more than " + describeCount(mostFileBytes) + " are read.");
    }
    std::string bytes;
    const bool isRead = opened >= 0 && readUpTo(opened, mostFileBytes, bytes);
    const int error = errno;
    if (opened >= 0)
        ::close(opened);
    if (!isRead)
        throw ReadError(subject + " cannot be read: " + std::strerror(error) + '.');
    if (bytes.empty())
        throw ReadError(subject + " is empty.");
    return bytes;
}

std::string beginningOf(const std::string &file, std::size_t most) {
    const int opened = openForReading(file);
    std::string bytes;
    if (opened >= 0) {
        if (!readUpTo(opened, most, bytes))
            bytes.clear();
        ::close(opened);
    }
    return bytes;
}

} // namespace laggard::flightrecorder
