// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/OwnThread.h"

#include "collect/store/Pages.h"
#include "collect/store/Process.h"
#include "collect/store/SystemCalls.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {
namespace {

constexpr std::size_t stackBytes = std::size_t{256} << 10U; // a few frames of ours

constinit thread_local bool t_hasOwnDescriptors __attribute__((tls_model("initial-exec"))) = false;

struct Begin {
    void (*work)(void *);
    void *argument;
};

void *run(void *given) {
    Process::withoutLog();
    auto *page = static_cast<Begin *>(given);
    const Begin begin = *page;
    freePages(page, sizeof *page);
    begin.work(begin.argument);
    return nullptr;
}

} // namespace

bool startOwnThread(void (*work)(void *), void *argument, OwnStack stack) {
    auto *begin = static_cast<Begin *>(newPages(sizeof(Begin))); // not malloc, which the program may have replaced
    if (begin == nullptr)
        return false;
    *begin = {work, argument};
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (stack == OwnStack::Small)
        pthread_attr_setstacksize(&attributes, stackBytes);
    pthread_t thread{};
    const int error = pthread_create(&thread, &attributes, run, begin);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error != 0)
        freePages(begin, sizeof *begin);
    return error == 0;
}

bool takeOwnDescriptors() {
    constexpr unsigned unshareFirst = 2; // CLOSE_RANGE_UNSHARE, Linux 5.9
#ifdef SYS_close_range
    constexpr long closeRange = SYS_close_range;
#else
    constexpr long closeRange = 436;
#endif
    if (syscall(closeRange, 0U, ~0U, unshareFirst) != 0) {
        if (unshare(CLONE_FILES) != 0)
            return false;
        rlimit limit{};
        const rlim_t most = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? std::min<rlim_t>(limit.rlim_cur, 65536) : 1024;
        for (rlim_t descriptor = 0; descriptor < most; ++descriptor)
            ::close(static_cast<int>(descriptor));
    }
    t_hasOwnDescriptors = true;
    return true;
}

bool hasOwnDescriptors() { return t_hasOwnDescriptors; }

void setOwnThreadName(const char *name) {
    if (!areSystemCallsFiltered())
        prctl(PR_SET_NAME, name, 0, 0, 0);
}

} // namespace laggard::collect
