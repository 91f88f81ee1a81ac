// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/WriteFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace laggard {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string &path, int error) {
    throw WriteError("cannot write \"" + path + "\": " + std::strerror(error));
}

/// Writes and closes; 0, or the number of the error.
int writeAndClose(int file, std::string_view content) {
    int error = 0;
    while (error == 0 && !content.empty()) {
        const ssize_t written = ::write(file, content.data(), content.size());
        if (written >= 0)
            content.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            error = errno;
    }
    if (::close(file) != 0 && error == 0)
        error = errno;
    return error;
}

void writeInPlace(const std::string &path, std::string_view content) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        fail(path, errno);
    if (const int error = writeAndClose(file, content); error != 0)
        fail(path, error);
}

/// The permissions of the file that is replaced, else those of any new file.
mode_t modeFor(const std::string &path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0)
        return status.st_mode & 07777U;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666U & ~mask;
}

/// Devices and pipes cannot be replaced, and /dev/stdout stands for a file that others are writing to.
bool isReplaceable(const std::string &path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return (fs::is_regular_file(status) || status.type() == fs::file_type::not_found) && !path.starts_with("/dev/") &&
           !path.starts_with("/proc/");
}

} // namespace

// Not with QSaveFile: it cannot write names that are not valid UTF-8, and does not notice a full device.
void writeFile(const std::string &path, std::string_view content) {
    if (!isReplaceable(path))
        return writeInPlace(path, content);
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error); // a link stays, its target is replaced
    const fs::path target = error ? fs::path(path) : canonical;
    std::string temporary = (target.parent_path() / ".laggard-XXXXXX").string();
    const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0 && (errno == EACCES || errno == EPERM)) // no new file in this folder; an old one may be writable
        return writeInPlace(path, content);
    if (file < 0)
        fail(path, errno);
    static_cast<void>(::fchmod(file, modeFor(target.string()))); // some file systems have no permissions
    int problem = writeAndClose(file, content);
    if (problem == 0 && ::rename(temporary.c_str(), target.c_str()) != 0)
        problem = errno;
    if (problem != 0) {
        ::unlink(temporary.c_str());
        fail(path, problem);
    }
}

} // namespace laggard
