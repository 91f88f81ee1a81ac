// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/CallModel.h"

#include <string>

/// Files of what a program's processes call when all is well: docs/call-model.md.
namespace laggard::callmodel {

/// True for a file that says at its beginning that it is one, of whatever version.
[[nodiscard]] bool isCallModel(const std::string &file);

/// Reads one. Throws ReadError with one sentence, which names the file, the line and the reason: it cannot be read, it is another
/// version or something else, or its counts contradict each other.
[[nodiscard]] CallModel read(const std::string &file);

} // namespace laggard::callmodel
