// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/JobErrors.h"

#include "app/watch/WatchedJob.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::watch {
namespace {

#ifdef SYS_pidfd_getfd
constexpr long getDescriptor = SYS_pidfd_getfd;
#else
constexpr long getDescriptor = 438;
#endif

/// A descriptor for the standard error of the process; negative if it cannot be had. Sockets cannot be opened by name: they are
/// asked of the process, where the system allows it (Linux 5.6).
int openErrorsOf(std::int32_t pid) {
    const std::string path = "/proc/" + std::to_string(pid) + "/fd/2";
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISSOCK(status.st_mode)) {
        const int append = S_ISREG(status.st_mode) ? O_APPEND : 0; // where the job itself has come to
        return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | append);
    }
    const ProcessHandle process(pid);
    return process.handle() < 0 ? -1 : static_cast<int>(::syscall(getDescriptor, process.handle(), STDERR_FILENO, 0U));
}

/// All of it, unless nobody reads for some seconds: then the job is ended all the same.
bool writeAll(int descriptor, const std::string &text) {
    constexpr int patience = 5000; // milliseconds
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
        if (count > 0)
            done += static_cast<std::size_t>(count);
        else if (pollfd room{descriptor, POLLOUT, 0};
                 count < 0 && (errno == EINTR || (errno == EAGAIN && ::poll(&room, 1, patience) > 0)))
            continue;
        else
            return false;
    }
    return true;
}

} // namespace

bool writeToJobErrors(const std::vector<std::int32_t> &pids, const FileIdentity &wanted, const std::string &text) {
    for (const std::int32_t pid : pids) {
        const int descriptor = openErrorsOf(pid);
        if (descriptor < 0)
            continue;
        struct stat status {};
        const bool isIt = ::fstat(descriptor, &status) == 0 && status.st_dev == wanted.device && status.st_ino == wanted.number;
        const bool isWritten = isIt && writeAll(descriptor, text);
        ::close(descriptor);
        if (isWritten)
            return true;
    }
    return false;
}

} // namespace laggard::watch
