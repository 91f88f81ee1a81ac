// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/details/CallDetails.h"

namespace laggard {

/// What is known of the call of the C library in `row`: descriptor, result, error, address, and what it found ready. Empty if it
/// is none. Of many ready descriptors only the first are told.
[[nodiscard]] std::vector<Detail> descriptorLines(const LocationEvents &events, std::uint32_t row);

} // namespace laggard
