// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/CommandText.h"

#include "collect/store/Pages.h"
#include "collect/store/SystemCalls.h"

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace laggard::collect {

CommandText::~CommandText() { freePages(m_text, most); }

bool CommandText::read() {
    m_text = static_cast<char *>(newPages(most));
    if (m_text == nullptr || getcwd(m_text, most / 2) == nullptr)
        return false;
    const std::size_t folder = std::strlen(m_text) + 1;
    const int file = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    m_length = folder;
    long length = 0;
    while (m_length < most && (length = readFrom(file, m_text + m_length, most - m_length)) > 0)
        m_length += static_cast<std::size_t>(length);
    ::close(file);
    return length == 0 && m_length > folder && m_length < most && m_text[m_length - 1] == '\0';
}

} // namespace laggard::collect
