// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/ProcessFiles.h"

#include "collect/store/SystemCalls.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

bool readText(FileThread &files, const char *path, std::span<char> text) {
    bool isOpen = false;
    files.run([&] {
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        isOpen = file >= 0;
        if (!isOpen)
            return;
        std::size_t length = 0;
        const std::size_t room = text.size() - 1;
        for (long bytes; length < room && (bytes = readFrom(file, text.data() + length, room - length)) > 0;)
            length += static_cast<std::size_t>(bytes);
        ::close(file);
        text[length] = '\0';
    });
    return isOpen;
}

char readState(FileThread &files, const char *path) {
    char text[512];
    if (!readText(files, path, text))
        return '\0';
    // The state is the first letter after the name, which stands in brackets and may contain anything.
    const char *name = std::strrchr(text, ')');
    if (name == nullptr || name[1] == '\0')
        return 'R';
    return name[2] == '\0' ? 'X' : name[2];
}

OwnThreads::OwnThreads(FileThread &files) : m_files(files) {
    files.run([this] { m_folder = ::open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
}

OwnThreads::~OwnThreads() {
    if (m_folder >= 0)
        m_files.run([this] { ::close(m_folder); });
}

std::int32_t OwnThreads::next() {
    struct Entry { // linux_dirent64
        std::uint64_t inode;
        std::int64_t offset;
        std::uint16_t length;
        std::uint8_t type;
        char name[1];
    };
    for (;;) {
        if (m_at >= m_bytes) {
            m_at = m_bytes = 0;
            if (m_folder >= 0)
                m_files.run([this] { m_bytes = syscall(SYS_getdents64, m_folder, m_entries, sizeof m_entries); });
            if (m_bytes <= 0)
                return 0;
        }
        const auto *entry = reinterpret_cast<const Entry *>(m_entries + m_at);
        m_at += entry->length;
        if (const int tid = std::atoi(entry->name); tid > 0)
            return tid;
    }
}

} // namespace laggard::collect
