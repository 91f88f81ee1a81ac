// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/SourceFiles.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace laggard {
namespace {

/// File systems without content of their own.
constexpr std::array<std::uint64_t, 8> kernelFileSystems{PROC_SUPER_MAGIC,    SYSFS_MAGIC,       DEBUGFS_MAGIC,
                                                         TRACEFS_MAGIC,       SECURITYFS_MAGIC,  CGROUP_SUPER_MAGIC,
                                                         CGROUP2_SUPER_MAGIC, DEVPTS_SUPER_MAGIC};

std::string withoutSlash(std::string folder) {
    while (folder.size() > 1 && folder.ends_with('/'))
        folder.pop_back();
    return folder;
}

} // namespace

std::string mapped(const std::string &path, const PathMap &paths) {
    for (const auto &[from, to] : paths) {
        const std::string folder = withoutSlash(from);
        if (path == folder)
            return to;
        const std::string prefix = folder == "/" ? folder : folder + '/';
        if (!folder.empty() && path.starts_with(prefix))
            return (to == "/" ? to : withoutSlash(to) + '/') + path.substr(prefix.size());
    }
    return path;
}

std::string currentFolder() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::current_path(error);
    return error ? "/" : folder.string();
}

std::string absolutePath(const std::string &path, const std::string &folder) {
    return (std::filesystem::path(folder) / path).lexically_normal().string();
}

bool isPlainFile(const std::string &path) {
    struct stat status {};
    struct statfs system {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || ::statfs(path.c_str(), &system) != 0)
        return false;
    return std::ranges::find(kernelFileSystems, static_cast<std::uint64_t>(system.f_type)) == kernelFileSystems.end();
}

std::optional<std::string> contentOf(const std::string &path, std::uint64_t most) {
    if (!isPlainFile(path))
        return std::nullopt;
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return std::nullopt;
    std::optional<std::string> content(std::in_place);
    std::array<char, 65536> block; // written before it is read
    while (content) {
        const ssize_t size = ::read(file, block.data(), block.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size == 0)
            break;
        if (size < 0 || content->size() + static_cast<std::uint64_t>(size) > most)
            content.reset();
        else
            content->append(block.data(), static_cast<std::size_t>(size));
    }
    ::close(file);
    return content;
}

bool isSameSource(std::string_view a, std::string_view b) {
    while (a.starts_with("./"))
        a.remove_prefix(2);
    while (b.starts_with("./"))
        b.remove_prefix(2);
    if (a.size() < b.size())
        std::swap(a, b);
    return !b.empty() && a.ends_with(b) && (a.size() == b.size() || a[a.size() - b.size() - 1] == '/');
}

std::string_view fileName(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

} // namespace laggard
