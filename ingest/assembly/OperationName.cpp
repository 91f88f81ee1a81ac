// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/OperationName.h"

namespace laggard {

CollectiveOperation operationNamed(std::string_view text) {
    for (auto i = static_cast<unsigned>(CollectiveOperation::Unknown); i <= static_cast<unsigned>(CollectiveOperation::Other);
         ++i)
        if (name(static_cast<CollectiveOperation>(i)) == text)
            return static_cast<CollectiveOperation>(i);
    return CollectiveOperation::Unknown;
}

} // namespace laggard
