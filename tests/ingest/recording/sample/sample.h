// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace sample {

/// Called from within the functions of the sample.
using Visit = void (*)(void *data);

/// Lines of the sample's calls, so that tests need not count.
struct Lines {
    int outerCall;   ///< in outer, of middle
    int middleCall;  ///< in middle, of the inlined function
    int inlinedCall; ///< in the inlined function, of `visit`
    int outerDeclaration;
};

/// Calls `visit` from a function that was inlined into middle, which outer has called.
int outer(Visit visit, void *data, Lines &lines);

} // namespace sample
