// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>
#include <string_view>

namespace laggard::calltrace {

/// One line of a call trace (thesis Figure 4.1).
struct CallRecord {
    bool isEnter = false;
    bool hasMore = false; ///< fields after the time stamp, which are not read
    std::uint64_t address = 0;
    std::int32_t pid = 0;
    std::uint64_t tid = 0;
    Tick stamp = 0;
};

/// Reads a line, without its end. False if it is not a record.
[[nodiscard]] bool parseRecord(std::string_view line, CallRecord &record);

/// The same for a line written exactly as in the figure: blanks are single, nothing follows the time stamp but the end of the
/// line. Returns the character after that; nullptr if the line is not of that form. Fast; `end` is the end of the text.
[[nodiscard]] const char *parseUsualRecord(const char *line, const char *end, CallRecord &record);

/// True for lines without a record that are no damage: blank ones, and comments, which begin with '#'.
[[nodiscard]] bool isBlankOrComment(std::string_view line);

} // namespace laggard::calltrace
