// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/modeldump/DumpInput.h"

namespace laggard::modeldump {

/// `semi_markov` (docs/model-dump.md): the models by rank and phase, as they are written. Throws ReadError.
void readPhaseModels(DumpInput &json, JsonInput::Value value, DumpContent &content);

} // namespace laggard::modeldump
