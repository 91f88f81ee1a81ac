// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replay/ReplayPlans.h"

#include <string>
#include <vector>

namespace laggard::replay {

/// What a replay is started with.
struct ReplayCommand {
    std::vector<std::string> launcher; ///< "mpiexec", "-n", "4"
    std::string recorder = "laggard-record";
    std::string recording;
    Exchange exchange;
    std::string output; ///< folder of the new recording
    std::vector<std::string> program;
};

/// All words of it.
[[nodiscard]] std::vector<std::string> wordsOf(const ReplayCommand &command);

/// As it is typed into a shell: words that it would take apart or change are in quotes.
[[nodiscard]] std::string shellText(const std::vector<std::string> &words);

} // namespace laggard::replay
