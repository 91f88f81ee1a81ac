// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/slice/SliceQuestion.h"

#include <string>

namespace laggard {

/// What the slicer reads of a group of ranks: "# ranks 3", then a line for each frame, innermost first: "function file:line", or
/// the function alone where its line is not known.
[[nodiscard]] std::string stackText(const SliceStack &stack);

/// What the slicer reads of messages, as JSON:
/// {"messages":[{"kind":"p2p|collective","to":"3","receive":["function file:line",…],"from":"2","send":[…],"count":7}]}
[[nodiscard]] std::string messagesText(const std::vector<SliceMessages> &messages);

} // namespace laggard
