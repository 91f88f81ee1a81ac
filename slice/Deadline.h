// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace laggard::slice {

/// When work must end. Asking for the time is cheap, but not for every step of it: passed() asks once in a while.
class Deadline {
  public:
    explicit Deadline(std::chrono::milliseconds limit) : end(std::chrono::steady_clock::now() + limit) {}

    [[nodiscard]] bool passed() {
        if (!isOver && ++asked % 256 == 0)
            isOver = std::chrono::steady_clock::now() >= end;
        return isOver;
    }
    [[nodiscard]] bool wasPassed() const { return isOver; }

  private:
    std::chrono::steady_clock::time_point end;
    unsigned asked = 0;
    bool isOver = false;
};

} // namespace laggard::slice
