// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/ProgressLine.h"

#include <cstdio>
#include <unistd.h>

namespace laggard {

ProgressLine::ProgressLine() : m_isTerminal(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const Progress &progress) {
    const auto now = std::chrono::steady_clock::now();
    if (!m_isTerminal || (m_isShown && now - m_lastShown < std::chrono::milliseconds(200)))
        return;
    m_lastShown = now;
    m_isShown = true;
    const double percent =
        progress.total == 0 ? 0.0 : 100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total);
    std::fprintf(stderr, "\r\033[K%.*s %3.0f %%", static_cast<int>(progress.what.size()), progress.what.data(), percent);
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (m_isShown)
        std::fputs("\r\033[K", stderr);
    m_isShown = false;
}

} // namespace laggard
