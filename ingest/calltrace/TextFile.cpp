// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/TextFile.h"

#include "trace/Work.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace laggard::calltrace {

TextFile::TextFile(std::string path) : m_path(std::move(path)) {
    m_file = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (m_file < 0)
        throw ReadError('"' + m_path + "\" cannot be read: " + std::strerror(errno) + '.');
    struct stat status {};
    if (::fstat(m_file, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(m_file);
        throw ReadError('"' + m_path + "\" cannot be read: it is not a file.");
    }
    m_bytes = static_cast<std::uint64_t>(status.st_size);
}

TextFile::~TextFile() { ::close(m_file); }

void TextFile::seek(std::uint64_t offset) {
    m_offset = offset;
    m_begin = m_end = 0;
    m_skipping = false;
}

std::uint64_t TextFile::takeLeftOut() { return std::exchange(m_leftOut, 0); }

/// Reads behind what is there. False at the end of the file.
bool TextFile::fill() {
    if (m_buffer.empty()) // a folder may have very many small files
        m_buffer.resize(std::clamp<std::uint64_t>(m_bytes + 1, std::size_t{1} << 16U, pieceBytes));
    std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
    m_end -= std::exchange(m_begin, 0);
    const std::size_t before = m_end;
    while (m_end < m_buffer.size()) {
        const ssize_t size = ::pread(m_file, m_buffer.data() + m_end, m_buffer.size() - m_end, static_cast<off_t>(m_offset));
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            m_failure = std::strerror(errno);
        if (size <= 0)
            break;
        m_end += static_cast<std::size_t>(size);
        m_offset += static_cast<std::uint64_t>(size);
    }
    return m_end > before;
}

std::string_view TextFile::next() {
    while (fill()) {
        if (m_skipping) {
            const void *feed = std::memchr(m_buffer.data(), '\n', m_end);
            if (feed == nullptr) {
                m_end = 0;
                continue;
            }
            m_begin = static_cast<std::size_t>(static_cast<const char *>(feed) - m_buffer.data()) + 1;
            m_skipping = false;
            ++m_leftOut;
        }
        const void *last = ::memrchr(m_buffer.data() + m_begin, '\n', m_end - m_begin);
        if (last == nullptr) {
            if (m_begin == 0 && m_end == m_buffer.size()) {
                m_skipping = true;
                m_end = 0;
            }
            continue;
        }
        const std::size_t from = m_begin;
        m_begin = static_cast<std::size_t>(static_cast<const char *>(last) - m_buffer.data()) + 1;
        return {m_buffer.data() + from, m_begin - from};
    }
    if (std::exchange(m_skipping, false))
        ++m_leftOut;
    return {};
}

} // namespace laggard::calltrace
