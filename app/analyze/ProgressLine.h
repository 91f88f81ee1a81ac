// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Work.h"

#include <chrono>
#include <string>

namespace laggard {

/// One line on standard error that says how far the work is, rewritten at most five times a second. Silent unless
/// standard error is a terminal.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    void show(const Progress &progress);
    void clear();

  private:
    bool m_isTerminal;
    bool m_isShown = false;
    std::chrono::steady_clock::time_point m_lastShown;
};

} // namespace laggard
