// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelDump.h"

#include <string>

namespace laggard {

/// A model dump as JSON, schema "laggard.model/2": docs/model-dump.md.
[[nodiscard]] std::string dumpText(const ModelDump &dump);

} // namespace laggard
