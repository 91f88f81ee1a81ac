// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace laggard {

/// Output that could not be written. `what()` is one sentence for people, naming the file and the reason.
class WriteError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Writes a file whole or not at all: a file of that name stays as it was until the new one is complete. Throws WriteError.
void writeFile(const std::string &path, std::string_view content);

} // namespace laggard
