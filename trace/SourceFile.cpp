// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/SourceFile.h"

namespace laggard {

bool isSystemHeader(std::string_view file) {
    // Where GCC and Clang have theirs: gcc -v, clang -v; modules of a cluster put them into folders of any name.
    return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/gcc/") || file.find("/include/c++/") != file.npos ||
           (file.find("/lib/gcc/") != file.npos && file.find("/include/") != file.npos);
}

} // namespace laggard
