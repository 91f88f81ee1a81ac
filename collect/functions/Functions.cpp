// SPDX-License-Identifier: GPL-3.0-or-later
// What programs call that are compiled with -finstrument-functions: at the start and the end of each function.
#include "collect/inject/Injector.h"
#include "collect/store/ThreadLog.h"

namespace laggard::collect {
/// Not linked into the recorder without MPI.
[[gnu::weak]] Injector *injector();
} // namespace laggard::collect

using namespace laggard::collect;

namespace {

ThreadLog *log() {
    ProcessLog *process = processLog();
    return process == nullptr ? nullptr : process->thread();
}

Injector *activeInjector() {
    static Injector *const active = injector == nullptr ? nullptr : injector();
    return active;
}

} // namespace

extern "C" __attribute__((visibility("default"))) void __cyg_profile_func_enter(void *function,
                                                                                void *) { // NOLINT: the compiler's name
    ThreadLog *thread = log();
    if (thread == nullptr)
        return;
    thread->enter(function);
    if (Injector *active = activeInjector())
        active->functionEntered(function);
}

extern "C" __attribute__((visibility("default"))) void __cyg_profile_func_exit(void *function,
                                                                               void *) { // NOLINT: the compiler's name
    if (ThreadLog *thread = log())
        thread->leave(function);
}
