// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/flightrecorder/PlainValue.h"
#include "trace/Work.h"

#include <string>

namespace laggard::flightrecorder {

/// Reads JSON into plain values. Throws ReadError with one sentence that begins with `subject`.
[[nodiscard]] PlainDocument decodeJson(const std::string &subject, const std::string &bytes, const Work &work);

} // namespace laggard::flightrecorder
