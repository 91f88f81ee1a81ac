// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

namespace sample {
namespace {

volatile int counter = 0; // so that no call is the last thing that a function does

[[gnu::always_inline]] inline void inlined(Visit visit, void *data, Lines &lines) {
    lines.inlinedCall = __LINE__ + 1;
    visit(data);
    counter = counter + 1;
}

[[gnu::noinline]] void middle(Visit visit, void *data, Lines &lines) {
    lines.middleCall = __LINE__ + 1;
    inlined(visit, data, lines);
    counter = counter + 1;
}

} // namespace

int outer(Visit visit, void *data, Lines &lines) {
    lines.outerDeclaration = __LINE__ - 1;
    lines.outerCall = __LINE__ + 1;
    middle(visit, data, lines);
    return counter;
}

} // namespace sample
