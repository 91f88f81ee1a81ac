// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/libc/Originals.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>

namespace laggard::collect {

namespace {

constexpr auto wrapped = static_cast<std::size_t>(LibcFunction::firstHooked);

constexpr const char *ownNames[] = {
#define LAGGARD_OWN_NAME(name, shown) #name,
    LAGGARD_LIBC_FUNCTIONS(LAGGARD_OWN_NAME)
#undef LAGGARD_OWN_NAME
};
constexpr const char *recordedNames[] = {
#define LAGGARD_RECORDED_NAME(name, shown) #shown,
    LAGGARD_LIBC_FUNCTIONS(LAGGARD_RECORDED_NAME)
#undef LAGGARD_RECORDED_NAME
        "",
#define LAGGARD_HOOKED_NAME(name) #name,
    LAGGARD_HOOKED_FUNCTIONS(LAGGARD_HOOKED_NAME)
#undef LAGGARD_HOOKED_NAME
};
static_assert(std::size(ownNames) == wrapped && std::size(recordedNames) == static_cast<std::size_t>(LibcFunction::count));

constinit std::atomic<void *> s_originals[wrapped] = {};
constinit std::atomic<bool> s_areFound{false};
constinit thread_local bool t_isLooking __attribute__((tls_model("initial-exec"))) = false;

/// By several threads at once they are found several times, and are the same.
void findAll() {
    const int error = errno;
    t_isLooking = true;
    for (std::size_t i = 0; i < wrapped; ++i)
        s_originals[i].store(dlsym(RTLD_NEXT, ownNames[i]), std::memory_order_relaxed);
    t_isLooking = false;
    s_areFound.store(true, std::memory_order_release);
    errno = error;
}

[[gnu::constructor]] void findEarly() {
    if (!s_areFound.load(std::memory_order_acquire))
        findAll();
}

} // namespace

const char *recordedName(LibcFunction function) { return recordedNames[static_cast<std::size_t>(function)]; }

LibcFunction hookedFunction(const char *name) {
    for (std::size_t i = wrapped + 1; i < std::size(recordedNames); ++i)
        if (std::strcmp(recordedNames[i], name) == 0)
            return static_cast<LibcFunction>(i);
    return LibcFunction::count;
}

void *originalOf(LibcFunction function) {
    if (!s_areFound.load(std::memory_order_acquire) && !t_isLooking)
        findAll();
    return s_originals[static_cast<std::size_t>(function)].load(std::memory_order_relaxed);
}

} // namespace laggard::collect
