// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Headline.h"

#include "trace/ModelDumpNames.h"

namespace laggard {

std::string_view name(HeadlineFacts::Kind kind) { return dumpName(kind); }

bool isSlow(HeadlineFacts::Kind kind) {
    using Say = HeadlineFacts::Kind;
    return kind == Say::Delayed || kind == Say::DelayedOnce || kind == Say::Slower || kind == Say::Exception;
}

} // namespace laggard
