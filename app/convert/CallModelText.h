// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/CallModel.h"

#include <string>

namespace laggard {

/// A call model as JSON, schema "laggard.call-model/1": docs/call-model.md. Equal models are equal texts.
[[nodiscard]] std::string callModelText(const CallModel &model);

} // namespace laggard
