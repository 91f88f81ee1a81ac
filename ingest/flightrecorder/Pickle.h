// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/flightrecorder/PlainValue.h"
#include "trace/Work.h"

#include <string>
#include <string_view>

namespace laggard::flightrecorder {

/// True for bytes that begin as pickles of protocol 2 to 5 do.
[[nodiscard]] bool beginsLikePickle(std::string_view bytes);

/// Decodes a pickle (protocols 0 to 5, as Python's pickletools lists their opcodes) that consists of plain values: None,
/// booleans, numbers, texts, bytes, lists, tuples, sets and dictionaries. A pickle is a program; what in it names a class, calls
/// anything or asks its reader for an object is refused, not skipped, and nothing of it is ever looked up. Not recursive; costs
/// memory in proportion to the bytes alone, whatever lengths they claim.
///
/// If a pickle breaks off, what was complete is put together; `isCut` tells so.
///
/// Throws ReadError with one sentence that begins with `subject` (`The dump "_dump_3"`) and names the position; Cancelled.
[[nodiscard]] PlainDocument decodePickle(const std::string &subject, std::string bytes, bool &isCut, const Work &work);

} // namespace laggard::flightrecorder
