// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/convert/JsonWriter.h"
#include "trace/DumpedAnswer.h"

namespace laggard {

/// The member "answer" of a model dump. Ticks count from `start`.
void writeAnswer(JsonWriter &json, const DumpedAnswer &answer, Tick start);

} // namespace laggard
