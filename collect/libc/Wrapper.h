// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The wrappers have the names of those with "64", too: they must not be made the same.
#ifdef _FILE_OFFSET_BITS
#undef _FILE_OFFSET_BITS
#endif
// What these files define is not to be checked by what the compiler has for those who call it.
#ifdef _FORTIFY_SOURCE
#undef _FORTIFY_SOURCE
#endif

#include "collect/libc/LibraryCall.h"

/// A wrapper, which the program's calls lead to.
#define LAGGARD_WRAPPER extern "C" __attribute__((visibility("default")))
/// Records the call at hand, which the wrapper's own frame stands for.
#define LAGGARD_CALL(name, ...) LibraryCall call(LibcFunction::name, __builtin_return_address(0) __VA_OPT__(, ) __VA_ARGS__)
/// The function itself; where the C library does not have it, the wrapper fails as the system would.
#define LAGGARD_REAL(name)                                                                                                       \
    const auto real = LAGGARD_ORIGINAL(name);                                                                                    \
    if (real == nullptr) {                                                                                                       \
        errno = ENOSYS;                                                                                                          \
        return -1;                                                                                                               \
    }
