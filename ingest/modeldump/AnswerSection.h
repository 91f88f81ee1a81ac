// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/modeldump/DumpInput.h"

namespace laggard::modeldump {

/// What was found when all events were at hand (docs/model-dump.md), as it is written. Throws ReadError.
void readAnswer(DumpInput &json, JsonInput::Value value, DumpContent &content);

} // namespace laggard::modeldump
