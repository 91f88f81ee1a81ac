// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/BinaryState.h"

#include "ingest/recording/DebugInformation.h"

#include <sys/stat.h>
#include <unistd.h>

namespace laggard {

std::string hexOf(std::string_view bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        text += digits[static_cast<unsigned char>(c) >> 4U];
        text += digits[static_cast<unsigned char>(c) & 15U];
    }
    return text;
}

BinaryState stateOf(const Binary &binary) {
    struct stat status {};
    const int file = recording::openRegular(binary.path, status);
    if (file < 0)
        return BinaryState::Missing;
    const std::optional<std::string> buildId = recording::buildIdOf(file);
    ::close(file);
    if (!buildId)
        return BinaryState::Missing;
    return !buildId->empty() && hexOf(*buildId) == binary.buildId ? BinaryState::Same : BinaryState::Other;
}

} // namespace laggard
