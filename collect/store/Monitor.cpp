// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Monitor.h"

#include "collect/store/HangCapture.h"
#include "collect/store/Neighbours.h"
#include "collect/store/OwnThread.h"
#include "collect/store/Pages.h"
#include "collect/store/ProcessFiles.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <linux/futex.h>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect {

using namespace recording;

namespace {

constexpr std::uint64_t second = 1'000'000'000;
/// So many times is a process that hangs, goes on and hangs again said to hang.
constexpr int mostHangs = 100;
/// A process without a transition for so long, and for longer than is usual for it, shows where it is: whoever ends the job
/// before it counts as hanging finds that. It is no more than when a reader asks, and no hang is recorded.
constexpr std::uint64_t quiet = 3 * second; // people wait ten and more before they end a job; a step of a program is shorter
constexpr int mostQuiet = 100;

/// The last transition of any thread, and the times of the one that has most of them.
struct Progress {
    Ticks last = 0;
    TransitionTimes times;
    std::uint32_t mainPath = nothing;
};

Progress progressOf(Process &process) {
    Progress progress;
    for (const Thread *thread = process.threads(); thread != nullptr; thread = thread->next) {
        const ThreadState &state = thread->state();
        // Torn or stale values do no harm here: they are compared again soon.
        progress.last = std::max(progress.last, shown(state.since));
        if (const TransitionTimes times = thread->times(); times.count > progress.times.count)
            progress.times = times;
        if (shown(state.isMain) != 0)
            progress.mainPath = shown(state.callPath);
    }
    return progress;
}

void sleepFor(std::uint64_t ticks) {
    const timespec time{static_cast<time_t>(ticks / second), static_cast<long>(ticks % second)};
    nanosleep(&time, nullptr);
}

/// Sleeps, or until a reader asks for something.
void waitForRequest(const std::uint32_t &request, std::uint32_t answered, std::uint64_t ticks) {
    const timespec time{static_cast<time_t>(ticks / second), static_cast<long>(ticks % second)};
    // Readers are other processes, so that this is no private one. Where the system has none of it, the sleep has to do.
    if (syscall(SYS_futex, &request, FUTEX_WAIT, answered, &time, nullptr, 0) != 0 && errno == ENOSYS)
        sleepFor(ticks);
}

/// The mean time between transitions and ten standard deviations; 0 where there are too few to tell.
std::uint64_t unusualTime(const TransitionTimes &times) {
    if (times.count < 2)
        return 0;
    const double deviation = std::sqrt(std::max(0.0, times.squares / static_cast<double>(times.count)));
    const double inferred = times.mean + 10 * deviation;
    return inferred > 1e17 ? std::uint64_t{100'000'000} * second : static_cast<std::uint64_t>(std::max(0.0, inferred));
}

/// A main thread that leaves by pthread_exit() stays behind as a zombie; the others go on.
bool hasMainThreadEnded(Process &process) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", getpid());
    return readState(process.file().files(), path) == 'Z';
}

bool haveAllThreadsEnded(Process &process) {
    bool isOneLeft = false;
    forEachThread(process.file().files(),
                  [&](std::int32_t tid) { isOneLeft = isOneLeft || (tid != getpid() && !process.isRecorders(tid)); });
    return !isOneLeft;
}

/// The C library ends a process with the last of its threads, and takes those of the recorder for some: so this one does what the
/// last one of the program would have done. Its descriptors are still those of the program.
[[noreturn]] void endProcess() {
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    // Not ours, which says that the program has called it.
    if (void *original = dlsym(RTLD_NEXT, "exit"))
        reinterpret_cast<void (*)(int)>(original)(0);
    std::abort(); // it does not return
}

/// Ends the process when nothing of the program is left. True if that may be soon.
bool watchEnd(Process &process) {
    if (!hasMainThreadEnded(process))
        return false;
    // Twice: one that makes another one and ends while the threads are listed may hide both.
    if (haveAllThreadsEnded(process) && haveAllThreadsEnded(process))
        endProcess();
    return true;
}

void watch(HangCapture &capture) {
    Process &process = capture.process();
    FileHeader &header = process.file().header();
    const std::uint64_t given = process.settings().hangTimeout;
    Ticks saidOf = 0;     ///< the last transition before a hang that was said
    Ticks capturedOf = 0; ///< … before the stacks were captured
    int hangs = 0;
    int silences = 0;
    publish(header.takesRequests, std::uint32_t{1});
    Neighbours neighbours;
    Ticks lookedAt = 0;
    while (process.isOwn()) {
        const bool mayEndSoon = watchEnd(process);
        process.readers().keep();
        publishField(header, HeaderField::AliveTicks, header.aliveTicks, std::uint64_t{now()});
        process.definitions().defineLoadedModules(); // a stack may lead through any of them
        const Progress progress = progressOf(process);
        const std::uint64_t threshold = given == Settings::inferHang ? inferredThreshold(progress.times) : given;
        publishField(header, HeaderField::HangThreshold, header.hangThreshold, threshold);
        if (capturedOf != 0 && progress.last != capturedOf) {
            capture.goesOn();
            capturedOf = 0;
        }
        const Ticks time = now();
        // Who waits may wait for a process that is stopped or gone. Once a second, as there may be many.
        if (time - std::min(time, progress.last) > second && time - lookedAt > second) {
            lookedAt = time;
            neighbours.look(process);
        }
        const bool isBetween = progress.times.count > 0 && header.finalized == 0;
        if (threshold > 0 && isBetween && time > progress.last && time - progress.last > threshold && progress.last != saidOf &&
            hangs < mostHangs) {
            saidOf = progress.last;
            ++hangs;
            capturedOf = progress.last;
            capture.captureAll(CaptureReason::Hang);
            process.definitions().hang(progress.mainPath, time, time - progress.last);
        }
        if (threshold > quiet && isBetween && capturedOf != progress.last && silences < mostQuiet &&
            time > progress.last + std::max(quiet, unusualTime(progress.times))) {
            ++silences;
            capturedOf = progress.last;
            capture.captureAll(CaptureReason::Asked);
        }
        const std::uint32_t request = __atomic_load_n(&header.captureRequest, __ATOMIC_ACQUIRE);
        if (request != header.captureAnswer) {
            capturedOf = std::max(progress.last, Ticks{1});
            capture.captureAll(CaptureReason::Asked);
            publishField(header, HeaderField::AliveTicks, header.aliveTicks, std::uint64_t{now()});
            publish(header.captureAnswer, request);
        }
        // Nothing of the program runs any more, nor of ours: its recording stays as if it had been killed where it stands.
        if (const std::uint32_t status = __atomic_load_n(&header.endRequest, __ATOMIC_ACQUIRE) & 0xFFU; status != 0)
            syscall(SYS_exit_group, status);
        const std::uint64_t pause = threshold == 0 ? second / 2 : std::clamp(threshold / 8, second / 100, second / 2);
        waitForRequest(header.captureRequest, request, mayEndSoon ? second / 100 : pause);
    }
}

} // namespace

std::uint64_t inferredThreshold(const TransitionTimes &times) {
    constexpr std::uint64_t least = 60 * second;
    return std::max(least, unusualTime(times));
}

bool startMonitor(Process &process) {
    // Each process its own: a child of this one has a recording of its own, too.
    void *memory = newPages(sizeof(HangCapture));
    if (memory == nullptr)
        return false;
    auto &capture = *new (memory) HangCapture(process);
    if (process.settings().hangTimeout != 0)
        capture.prepare();
    return startOwnThread(
        [](void *argument) {
            auto &given = *static_cast<HangCapture *>(argument);
            given.process().monitorIs(static_cast<std::int32_t>(syscall(SYS_gettid)));
            watch(given);
        },
        &capture, OwnStack::OfProgram);
}

} // namespace laggard::collect
