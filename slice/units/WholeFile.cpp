// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/WholeFile.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace laggard {
namespace {

int writeAll(int file, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(file, content.data(), content.size());
        if (written > 0)
            content.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

/// Gives the nameless file its name; one that is there is replaced.
int giveName(int file, const std::string &path) {
    const std::string unnamed = "/proc/self/fd/" + std::to_string(file);
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0)
        return 0;
    if (errno != EEXIST)
        return errno;
    const std::string beside = path + '.' + std::to_string(::getpid()) + '-' + std::to_string(file);
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, beside.c_str(), AT_SYMLINK_FOLLOW) == 0 &&
        ::rename(beside.c_str(), path.c_str()) == 0)
        return 0;
    const int error = errno;
    ::unlink(beside.c_str());
    return error;
}

} // namespace

int writeWhole(const std::string &path, std::string_view content, unsigned mode) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    std::string temporary;
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) { // file systems without nameless files
        temporary = folder + "/.laggard-XXXXXX";
        file = ::mkostemp(temporary.data(), O_CLOEXEC);
    }
    if (file < 0)
        return errno;
    int error = writeAll(file, content);
    if (error == 0 && temporary.empty())
        error = giveName(file, path);
    if (::close(file) != 0 && error == 0)
        error = errno;
    if (!temporary.empty()) {
        if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0)
            error = errno;
        if (error != 0)
            ::unlink(temporary.c_str());
    }
    return error;
}

} // namespace laggard
