// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// What a unit's bitcode gives to others and takes from them, by linkage name.
struct ModuleNames {
    std::vector<std::string> defined, needed;
};

/// Empty if the bitcode cannot be read.
[[nodiscard]] ModuleNames namesOfModule(const std::string &bitcodeFile);

/// A name as sources have it: "f" of "_ZN1A1fEv", or of a class whose virtual table it is, the class.
struct SourceName {
    std::string name;
    bool isScope = false; ///< any member that is defined somewhere tells where it is
};
[[nodiscard]] SourceName sourceName(const std::string &linkageName);

/// "f" of a name for people: "void ns::A<int>::f(int) const".
[[nodiscard]] std::string plainName(std::string_view shownName);

} // namespace laggard
