// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Slice.h"

#include <string>
#include <vector>

namespace laggard {

struct MessagesFile {
    std::vector<MatchedMessage> messages;
    std::vector<std::string> warnings;
};

/// Messages that a run has matched (JSON): {"messages":[{"kind":"p2p|collective","to":"3","receive":["function file:line",…],
/// "from":"2","send":["function file:line",…],"count":7}]}, stacks innermost first. What makes no sense is left out, and counted.
/// Throws ReadError if the file cannot be read or is not JSON.
[[nodiscard]] MessagesFile readMessagesFile(const std::string &file);

} // namespace laggard
