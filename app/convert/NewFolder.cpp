// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/NewFolder.h"

#include "app/report/WriteFile.h"

#include <cerrno>
#include <cstdlib>
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

} // namespace

NewFolder::NewFolder(std::string path) : m_path(std::move(path)) {
    while (m_path.size() > 1 && m_path.ends_with('/'))
        m_path.pop_back();
    struct stat status {};
    if (::lstat(m_path.c_str(), &status) == 0)
        throw WriteError("cannot write \"" + m_path + "\": it exists already, and nothing is overwritten");
    if (errno != ENOENT)
        fail(m_path, errno);
    m_temporary = (fs::path(m_path).parent_path() / ".laggard-XXXXXX").string();
    if (::mkdtemp(m_temporary.data()) == nullptr)
        fail(m_path, errno);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    static_cast<void>(::chmod(m_temporary.c_str(), 0777U & ~mask)); // some file systems have no permissions
}

NewFolder::~NewFolder() {
    std::error_code ignored;
    if (!m_isPublished)
        fs::remove_all(m_temporary, ignored);
}

void NewFolder::publish() {
    if (::renameat2(AT_FDCWD, m_temporary.c_str(), AT_FDCWD, m_path.c_str(), RENAME_NOREPLACE) != 0) {
        // Not every file system can refuse to replace; there, an empty folder made meanwhile is the worst that is lost.
        if ((errno != EINVAL && errno != ENOSYS) || ::rename(m_temporary.c_str(), m_path.c_str()) != 0)
            fail(m_path, errno);
    }
    m_isPublished = true;
}

} // namespace laggard
