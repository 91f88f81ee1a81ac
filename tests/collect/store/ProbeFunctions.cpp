// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/store/ProbeFunctions.h"

#include <csetjmp>
#include <cstdlib>
#include <dlfcn.h>

namespace probe {

namespace {

std::jmp_buf s_target; // NOLINT

void innermost(const std::function<void()> &inner) {
    inner();
    std::longjmp(s_target, 1);
}
void between(const std::function<void()> &inner) { innermost(inner); }

const std::function<void()> *s_inner = nullptr;

} // namespace

void instrumented(int depth) { // NOLINT(misc-no-recursion)
    if (depth > 1)
        instrumented(depth - 1);
}

void within(const std::function<void()> &inner, int count, const std::function<void(int)> &each) {
    inner();
    for (int i = 1; i <= count; ++i)
        each(i);
}

void inside(const std::function<void()> &inner) { inner(); }

void callFrom(const std::function<void()> &inner, int count) {
    for (int i = 0; i < count; ++i)
        switch (i % 10) { // NOLINT: the places are what this is about
        case 0:
            inner();
            __asm__ volatile("# place 0");
            break;
        case 1:
            inner();
            __asm__ volatile("# place 1");
            break;
        case 2:
            inner();
            __asm__ volatile("# place 2");
            break;
        case 3:
            inner();
            __asm__ volatile("# place 3");
            break;
        case 4:
            inner();
            __asm__ volatile("# place 4");
            break;
        case 5:
            inner();
            __asm__ volatile("# place 5");
            break;
        case 6:
            inner();
            __asm__ volatile("# place 6");
            break;
        case 7:
            inner();
            __asm__ volatile("# place 7");
            break;
        case 8:
            inner();
            __asm__ volatile("# place 8");
            break;
        default:
            inner();
            __asm__ volatile("# place 9");
            break;
        }
}

void jumpOut(const std::function<void()> &inner) {
    if (setjmp(s_target) == 0)
        between(inner);
}

void callFromLibrary(const char *library, int count, const std::function<void()> &inner) {
    s_inner = &inner;
    for (int i = 0; i < count; ++i) {
        void *handle = dlopen(library, RTLD_NOW);
        auto *call = handle == nullptr ? nullptr : reinterpret_cast<void (*)(void (*)())>(dlsym(handle, "callBack"));
        if (call == nullptr)
            std::exit(97);
        call([] { (*s_inner)(); });
        dlclose(handle);
    }
}

} // namespace probe
