// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/DescriptorCall.h"

#include <cstdint>
#include <string_view>

namespace laggard::calltrace {

/// What a record says beside function and time: docs/call-traces.md, "Further fields".
struct RecordFields {
    std::int32_t descriptor = -1;                      ///< fd
    std::int32_t second = -1;                          ///< second
    std::int32_t error = 0;                            ///< errno
    std::int64_t result = DescriptorCall::notReturned; ///< result
    std::uint32_t line = 0;                            ///< line
    [[nodiscard]] bool isOfDescriptor() const {
        return descriptor >= 0 || second >= 0 || error != 0 || result != DescriptorCall::notReturned;
    }
};

/// One line of a call trace (thesis Figure 4.1).
struct CallRecord {
    bool isEnter = false;
    bool hasMore = false;   ///< something behind the time stamp that is not read
    bool hasFields = false; ///< `fields` says something
    std::uint64_t address = 0;
    std::int32_t pid = 0;
    std::uint64_t tid = 0;
    Tick stamp = 0;
    RecordFields fields = {};
};

/// Reads a line, without its end. False if it is not a record.
[[nodiscard]] bool parseRecord(std::string_view line, CallRecord &record);

/// The same for a line written exactly as in the figure: blanks are single, nothing follows the time stamp but the end of the
/// line. Returns the character after that; nullptr if the line is not of that form. Fast; `end` is the end of the text.
[[nodiscard]] const char *parseUsualRecord(const char *line, const char *end, CallRecord &record);

/// True for lines without a record that are no damage: blank ones, and comments, which begin with '#'.
[[nodiscard]] bool isBlankOrComment(std::string_view line);

} // namespace laggard::calltrace
