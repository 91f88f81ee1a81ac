// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/SourceFile.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

namespace laggard {

bool isSystemHeader(std::string_view file) {
    // Where GCC and Clang have theirs: gcc -v, clang -v; modules of a cluster put them into folders of any name.
    return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/gcc/") || file.find("/include/c++/") != file.npos ||
           (file.find("/lib/gcc/") != file.npos && file.find("/include/") != file.npos);
}

bool isFortranFile(std::string_view file) {
    // What gfortran, ifx and flang take for Fortran: https://gcc.gnu.org/onlinedocs/gcc/Overall-Options.html
    constexpr std::string_view endings[] = {"f", "for", "ftn", "fpp", "f77", "f90", "f95", "f03", "f08", "f18"};
    const std::size_t dot = file.rfind('.');
    std::string ending(dot == file.npos ? std::string_view() : file.substr(dot + 1));
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::find(endings, ending) != std::end(endings);
}

} // namespace laggard
