// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Work.h"

#include <algorithm>
#include <thread>

namespace laggard {

unsigned Work::threadCount() const { return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency()); }

void throwIfCancelled(const Work &work) {
    if (work.stop.stop_requested())
        throw Cancelled();
}

} // namespace laggard
