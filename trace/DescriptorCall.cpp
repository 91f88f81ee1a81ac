// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/DescriptorCall.h"

#include <algorithm>

namespace laggard {

std::string_view DescriptorDetails::addressOf(std::uint32_t row) const {
    // A call may be given one and return another: what it returned is behind.
    const auto after = std::ranges::upper_bound(addresses, row, {}, &Address::row);
    if (after == addresses.begin() || std::prev(after)->row != row)
        return {};
    return texts[std::prev(after)->text];
}

std::span<const DescriptorDetails::Ready> DescriptorDetails::readyOf(std::uint32_t row) const {
    const auto first = std::ranges::lower_bound(ready, row, {}, &Ready::row);
    const auto last = std::ranges::upper_bound(ready, row, {}, &Ready::row);
    return {first, last};
}

} // namespace laggard
