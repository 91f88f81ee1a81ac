// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/launch/Options.h"

#include <string>

namespace laggard::collect {

/// Sees to it that the plans of a replay lie in `folder`/replay (trace/recording/ReplayPlan.h): the first process of the job has
/// them made by the program `planner`, the others wait for it. `program`: its binary, if that is certain; else empty. False if
/// the job must not start: why was said.
[[nodiscard]] bool prepareReplay(const Options &options, const std::string &folder, const std::string &planner,
                                 const std::string &program);

} // namespace laggard::collect
