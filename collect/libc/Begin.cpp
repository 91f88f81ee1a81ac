// SPDX-License-Identifier: GPL-3.0-or-later
// Every process is recorded from its start, whatever it calls: that it was there, and whose child it is, tells as well.
#include "collect/store/ThreadLog.h"

namespace laggard::collect {

namespace {
[[gnu::constructor]] void begin() {
    if (ProcessLog *process = processLog())
        static_cast<void>(process->thread());
}
} // namespace

} // namespace laggard::collect
