// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/units/SourceFiles.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace laggard {

enum class Language { C, Cxx, Fortran, Other };

/// By the ending of the source's name.
[[nodiscard]] Language languageOf(std::string_view source);

/// What of a compiler's command line says what a source means, in words that Clang 14 takes.
struct SafeSwitches {
    std::vector<std::string> kept; ///< folders of includes, macros, standard and dialect; paths absolute
    std::string standard;          ///< "gnu++20", one that Clang 14 knows; empty: not said
    std::optional<Language> language;
};

/// Takes of `words` (the compiler first, sources among them) those that are on a list of switches that only read sources and
/// write nothing; all others, and what they say is to be read that is no plain file, stay behind. Commands come from files that
/// anybody may have written.
/// `folder`: in which the compiler was run; absolute. `paths`: of folders that lie elsewhere now.
[[nodiscard]] SafeSwitches safeSwitches(const std::vector<std::string> &words, const std::string &folder,
                                        const PathMap &paths = {});

} // namespace laggard
