// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace laggard {

/// What a source in C or C++ seems to define for others.
struct DefinedNames {
    std::unordered_set<std::string> names;  ///< functions and variables, without scope ("f" of "A::f"); "operator" for each
    std::unordered_set<std::string> scopes; ///< with members that are defined here ("A" of "A::f")
};

/// A look at the text, without the preprocessor: what stands in front of a body or an initialiser outside of functions and
/// classes. It may find too much (both sides of an #if), and misses what macros define.
[[nodiscard]] DefinedNames definedNames(std::string_view source);

} // namespace laggard
