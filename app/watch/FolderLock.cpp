// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/FolderLock.h"

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace laggard::watch {

FolderLock::FolderLock(const std::string &folder, const std::string &job)
    : m_file(::open((folder + "/watch-" + job).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)), m_node(0) {
    if (m_file < 0)
        throw std::system_error(errno, std::generic_category(), folder);
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    constexpr std::size_t nodes = std::size_t{1} << 40U; // two that share a place are as one
    m_node = static_cast<std::int64_t>(2 + std::hash<std::string_view>()(host) % nodes * 2);
}

FolderLock::~FolderLock() { ::close(m_file); }

bool FolderLock::take(std::int64_t place) const {
    // The lock belongs to the open file, not to the process: a child that shares the file, or another descriptor that is closed,
    // takes nothing away.
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = place;
    lock.l_len = 1;
    if (::fcntl(m_file, F_OFD_SETLK, &lock) == 0)
        return true;
    if (errno != EAGAIN && errno != EACCES && errno != EINTR)
        throw std::system_error(errno, std::generic_category(), "its file system has no locks");
    return false;
}

bool FolderLock::takeJob() { return take(1); }
bool FolderLock::takeNode() { return take(m_node); }
bool FolderLock::takeReserve() { return take(m_node + 1); }

FolderLock::Word FolderLock::word() const {
    char word = 0;
    if (::pread(m_file, &word, 1, 0) != 1)
        return Word::Nothing;
    return word == static_cast<char>(Word::Told) || word == static_cast<char>(Word::Stop) ? static_cast<Word>(word)
                                                                                          : Word::Nothing;
}

void FolderLock::say(Word word) const {
    const char text = static_cast<char>(word);
    if (::pwrite(m_file, &text, 1, 0) != 1)
        throw std::system_error(errno, std::generic_category(), "what was said of the job");
}

} // namespace laggard::watch
