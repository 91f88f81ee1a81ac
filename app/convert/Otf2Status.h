// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/WriteFile.h"

#include <otf2/otf2.h>
#include <string>

namespace laggard {

/// Throws WriteError with libotf2's words unless all went well.
inline void checkOtf2(OTF2_ErrorCode status) {
    if (status != OTF2_SUCCESS)
        throw WriteError(std::string(OTF2_Error_GetDescription(status)));
}

} // namespace laggard
