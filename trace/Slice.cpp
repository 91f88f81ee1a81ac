// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Slice.h"

namespace laggard {

std::string_view name(SliceReason reason) {
    switch (reason) {
    case SliceReason::Criterion:
        return "criterion";
    case SliceReason::Data:
        return "data";
    case SliceReason::Control:
        return "control";
    case SliceReason::Call:
        return "call";
    case SliceReason::Message:
        break;
    }
    return "message";
}

} // namespace laggard
