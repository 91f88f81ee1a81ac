// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/PlainName.h"

#include <algorithm>
#include <array>
#include <optional>

namespace laggard {
namespace {

constexpr auto openMpFiles = std::to_array<std::string_view>({"libgomp.so", "libomp.so", "libiomp5.so"});

/// What glibc puts before the names of its own copies: its files' (_IO_), those that no other library can replace (__GI_),
/// those of one version (__new_, __old_).
constexpr auto prefixes = std::to_array<std::string_view>({"GI_", "libc_", "IO_", "new_", "old_"});

/// What stands behind: the same function with large offsets, one that cannot be cancelled, where it is written, and what GCC
/// makes of parts and copies of one.
constexpr auto suffixes = std::to_array<std::string_view>({"64", "_nocancel", "_implementation"});
constexpr auto copies = std::to_array<std::string_view>({".part.", ".constprop.", ".isra.", ".cold", ".lto_priv.", "@"});

/// These names say what happened, which their plain ones do not (a failed assertion, an exception, a check that failed).
constexpr auto keptBeginnings = std::to_array<std::string_view>({"__assert", "__cxa", "__stack_chk", "__fortify", "__chk_fail"});

template <std::size_t N> bool beginsWithAny(std::string_view name, const std::array<std::string_view, N> &beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view each) { return name.starts_with(each); });
}

std::optional<std::string> nameOfOpenMp(std::string_view name) {
    const std::size_t offset = name.find("+0x");
    if (offset == std::string_view::npos || !beginsWithAny(name, openMpFiles))
        return std::nullopt;
    return std::string(openMpLibrary) + " (" + std::string(name.substr(0, offset)) + ")";
}

/// Names of C have none of these; those of C++ and Fortran are as their authors wrote them.
bool isOfOtherLanguage(std::string_view name) {
    return name.find_first_of(":( <+") != std::string_view::npos || name.find("_MOD_") != std::string_view::npos;
}

void cutUnderscores(std::string_view &name) { name.remove_prefix(std::min(name.find_first_not_of('_'), name.size())); }

std::string_view withoutPrefixes(std::string_view name) {
    if (!name.starts_with("__") && !name.starts_with("_IO_"))
        return name;
    cutUnderscores(name);
    for (bool isCut = true; isCut;) {
        isCut = false;
        for (const std::string_view prefix : prefixes)
            if (name.starts_with(prefix)) {
                name.remove_prefix(prefix.size());
                cutUnderscores(name);
                isCut = true;
            }
    }
    return name;
}

std::string_view withoutSuffixes(std::string_view name) {
    for (const std::string_view copy : copies)
        if (const std::size_t at = name.find(copy); at != std::string_view::npos && at != 0)
            name = name.substr(0, at);
    for (const std::string_view suffix : suffixes)
        if (name.size() > suffix.size() && name.ends_with(suffix))
            name.remove_suffix(suffix.size());
    return name;
}

} // namespace

std::string plainNameInLibrary(std::string_view function) {
    if (const std::optional<std::string> openMp = nameOfOpenMp(function))
        return *openMp;
    if (isOfOtherLanguage(function) || beginsWithAny(function, keptBeginnings))
        return std::string(function);
    const std::string_view name = withoutSuffixes(withoutPrefixes(function));
    if (name.starts_with("pthread_clockjoin") || name.starts_with("pthread_timedjoin")) // which pthread_join ends in
        return "pthread_join";
    return std::string(name.empty() ? function : name);
}

std::string plainFunctionName(const std::string &function) {
    const bool isReserved = function.starts_with("__") || function.starts_with("_IO_"); // C11 §7.1.3: not for programs
    return isReserved || nameOfOpenMp(function) ? plainNameInLibrary(function) : function;
}

bool isRuntimeLibrary(std::string_view name) {
    // The C library's names, until glibc 2.34 in several files, and the others' of GCC and Clang.
    static constexpr auto names = std::to_array<std::string_view>({"libc.so", "libc-", "libpthread.so", "libpthread-", "librt.so",
                                                                   "librt-", "libdl.so", "libdl-", "ld-linux", "ld-2",
                                                                   "libstdc++.so", "libc++.so", "libgfortran.so", "libgcc_s"});
    return beginsWithAny(name, names) || beginsWithAny(name, openMpFiles);
}

} // namespace laggard
