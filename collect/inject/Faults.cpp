// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/Faults.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include <cstdint>

namespace laggard::collect {

namespace {

std::uint64_t nanosecondsOf(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

/// Some work between two looks at the clock.
void work() {
    for (int i = 0; i < 500; ++i)
        asm volatile("" : "+r"(i)); // the compiler must not leave it out
}

struct Memory {
    std::uint64_t *words = nullptr;
    std::uint64_t count = 0;
};

void *countForEver(void *) {
    for (std::uint64_t number = 0;; ++number)
        asm volatile("" : "+r"(number));
}

void *touchMemoryForEver(void *argument) {
    const Memory memory = *static_cast<Memory *>(argument);
    volatile std::uint64_t *words = memory.words;
    for (std::uint64_t random = 88172645463325252U;;) {
        random ^= random << 13U;
        random ^= random >> 7U;
        random ^= random << 17U;
        const std::uint64_t place = random % memory.count;
        words[place] = words[place] + random;
    }
}

/// The program's signals are not for this thread.
bool startThread(void *(*function)(void *), void *argument) {
    sigset_t all{};
    sigset_t before{};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread{};
    const bool isStarted = pthread_create(&thread, nullptr, function, argument) == 0;
    if (isStarted)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return isStarted;
}

} // namespace

void loopFor(double seconds) {
    const std::uint64_t end = nanosecondsOf(CLOCK_MONOTONIC) + static_cast<std::uint64_t>(seconds * 1e9);
    while (nanosecondsOf(CLOCK_MONOTONIC) < end)
        work();
}

void loopForever() {
    for (std::uint64_t number = 0;; ++number)
        asm volatile("" : "+r"(number));
}

bool startCpuThread() { return startThread(countForEver, nullptr); }

bool startMemoryThread(std::uint64_t bytes) {
    void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return false;
    // It lasts as long as the process.
    auto *memory = new Memory{static_cast<std::uint64_t *>(mapped), bytes / sizeof(std::uint64_t)};
    return memory->count > 0 && startThread(touchMemoryForEver, memory);
}

std::uint64_t threadCpuTime() { return nanosecondsOf(CLOCK_THREAD_CPUTIME_ID); }

void burnCpuTime(std::uint64_t nanoseconds) {
    const std::uint64_t end = threadCpuTime() + nanoseconds;
    while (threadCpuTime() < end)
        work();
}

} // namespace laggard::collect
