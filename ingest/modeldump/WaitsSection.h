// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/modeldump/DumpInput.h"

namespace laggard::modeldump {

// What ranks do and wait for (docs/model-dump.md), as it is written. Both throw ReadError.

void readWaits(DumpInput &json, JsonInput::Value value, DumpContent &content);
/// The list of requests that are not complete.
void readPending(DumpInput &json, JsonInput::Value value, DumpContent &content);

} // namespace laggard::modeldump
