// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/SliceWords.h"

namespace laggard {

std::string describeReason(const SliceLine &line) {
    if (!line.detail.empty())
        return line.detail;
    const std::string of = line.variable.empty() ? "a value" : '`' + line.variable + '`';
    switch (line.reason) {
    case SliceReason::Criterion:
        return "it decides whether the rank goes on";
    case SliceReason::Data:
        return of + " gets its value here";
    case SliceReason::Control:
        return "it decides whether the line before is reached";
    case SliceReason::Call:
        return "the call of what the line before is in";
    case SliceReason::Message:
        break;
    }
    return of + " came from another rank, which gave it here";
}

std::string placeOf(const SliceLine &line) {
    return line.file.substr(line.file.find_last_of('/') + 1) + ':' + std::to_string(line.line);
}

} // namespace laggard
