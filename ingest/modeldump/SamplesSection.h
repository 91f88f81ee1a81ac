// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/modeldump/DumpInput.h"

namespace laggard::modeldump {

/// The stacks of a job that nobody recorded (docs/model-dump.md), as they are written. Throws ReadError.
void readSamples(DumpInput &json, JsonInput::Value value, DumpContent &content);

} // namespace laggard::modeldump
