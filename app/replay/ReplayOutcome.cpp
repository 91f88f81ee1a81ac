// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replay/ReplayOutcome.h"

#include "trace/recording/ReplayPlan.h"

#include <cctype>
#include <filesystem>
#include <fstream>

namespace laggard::replay {

namespace fs = std::filesystem;

std::string outcomeOf(const std::string &recording, const char *word) {
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(fs::path(recording) / recording::replay::folder, error)) {
        std::string first;
        std::string rest;
        std::ifstream file(entry.path());
        if (entry.path().extension() == recording::replay::outcomeSuffix && file >> first && first == word &&
            std::getline(file >> std::ws, rest)) {
            rest.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(rest.front())));
            return rest;
        }
    }
    return {};
}

} // namespace laggard::replay
