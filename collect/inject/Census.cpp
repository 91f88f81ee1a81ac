// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/Census.h"

#include "collect/inject/NewFile.h"

#include <cinttypes>
#include <cstdio>

namespace laggard::collect {

std::string censusPath(const std::string &folder, std::int32_t rank) {
    return folder + "/census-" + std::to_string(rank) + ".txt";
}

bool readCensus(const std::string &path, Census &census) {
    std::FILE *file = std::fopen(path.c_str(), "re");
    if (file == nullptr)
        return false;
    char line[8192];
    char text[8192];
    while (std::fgets(line, sizeof line, file) != nullptr) {
        std::uint64_t count = 0;
        std::uint64_t offset = 0;
        if (std::sscanf(line, "call %8191s %" SCNu64, text, &count) == 2)
            census.calls[text] = count;
        else if (std::sscanf(line, "message %8191s %" SCNu64, text, &count) == 2)
            census.messages[text] = count;
        else if (std::sscanf(line, "function %" SCNu64 " %" SCNx64 " %8191[^\n]", &count, &offset, text) == 3)
            census.functions.push_back({text, offset, count});
    }
    std::fclose(file);
    return true;
}

bool writeCensus(const std::string &path, const Census &census) {
    std::string text;
    for (const auto &[name, count] : census.calls)
        text += "call " + name + ' ' + std::to_string(count) + '\n';
    for (const auto &[name, count] : census.messages)
        text += "message " + name + ' ' + std::to_string(count) + '\n';
    for (const Census::Function &function : census.functions) {
        char numbers[64];
        std::snprintf(numbers, sizeof numbers, "function %" PRIu64 " %" PRIx64 " ", function.count, function.offset);
        text += numbers + function.module + '\n';
    }
    return writeNewFile(path, text);
}

} // namespace laggard::collect
