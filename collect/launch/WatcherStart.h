// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/launch/Options.h"

#include <string>

namespace laggard::collect {

struct WatcherPlace {
    std::string watcher;  ///< path of laggard-watch
    std::string analyzer; ///< path of laggard-analyze
    std::string folder;   ///< of the recording
    std::string job;      ///< as environmentJob() names it
};

/// Starts the watcher of a job that this process is about to become a part of. It belongs to nobody: it is no child of the
/// program, is in a session of its own, and has none of its descriptors, so that the program finds everything as without it.
void startWatcher(const Options &options, const WatcherPlace &place);

} // namespace laggard::collect
