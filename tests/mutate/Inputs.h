// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <optional>
#include <string>
#include <vector>

namespace laggard::test {

/// A file to damage.
struct InputFile {
    std::string path;
    std::optional<Rank> rank; ///< whose it is alone; nothing: it is about all ranks
};

/// An input of one kind in a folder of its own.
struct Input {
    std::string kind;
    std::string open; ///< what is opened
    std::vector<InputFile> files;
    bool isSession = false;
    bool isChecked = false; ///< the format has checks: whatever changes can be noticed
};

/// Small inputs of every kind, made in `folder`.
[[nodiscard]] std::vector<Input> makeInputs(const std::string &folder);

} // namespace laggard::test
