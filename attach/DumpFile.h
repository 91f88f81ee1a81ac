// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/JobSamples.h"

#include <string>

namespace laggard::attach {

/// The samples as a model dump (docs/model-dump.md, "samples"). `host`: name of this machine.
[[nodiscard]] std::string dumpText(const JobSamples &samples, const std::string &host);

} // namespace laggard::attach
