// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/HandledCrash.h"

#include "collect/store/LeftFrame.h"
#include "collect/store/Process.h"
#include "collect/store/SystemCalls.h"

#include <atomic>

namespace laggard::collect {

using namespace recording;

namespace {

/// Whether a thread has one open.
std::atomic<bool> s_isAnyOpen{false};
/// Whether a signal has struck that nobody handles.
std::atomic<bool> s_isFatal{false};
/// How many have been dealt with. A program that lives on such signals is not to be slowed down for ever: from the fourth on, the
/// state of the thread (128 KiB of stack) is kept only when the handler ends the process.
std::atomic<unsigned> s_dealtWith{0};
constexpr unsigned keptAtOnce = 3;

Process *ownProcess() {
    Process *process = runningProcess();
    return process != nullptr && process->isOwn() ? process : nullptr;
}

void recordEnd(int signal, const siginfo_t &info, const ucontext_t &context) {
    Process *process = ownProcess();
    if (process == nullptr)
        return;
    const Thread *thread = Process::threadIfAny();
    process->crashChunk().capture(thread == nullptr ? nothing : thread->number(), signal, &info, context,
                                  thread == nullptr ? 0 : thread->stackEnd(), areSystemCallsFiltered());
    process->ended(EndKind::Signalled, signal);
}

} // namespace

constinit thread_local HandledCrash::Open HandledCrash::t_open{};

HandledCrash::HandledCrash(int signal, const siginfo_t &info, const ucontext_t &context) {
    settle();
    if (t_open.frame != nullptr || s_isFatal.load() || s_isAnyOpen.exchange(true))
        return;
    t_open = {this, signal, false, info, &context};
    if (s_dealtWith.load() < keptAtOnce)
        record();
}

void HandledCrash::returned(bool isDealtWith) const {
    if (t_open.frame != this)
        return;
    if (isDealtWith)
        withdraw();
    else if (!t_open.isRecorded)
        record();
}

void HandledCrash::strikesUnhandled(int signal, const siginfo_t &info, const ucontext_t &context) {
    processEnds();
    // Two threads may crash at once: the first one counts.
    if (t_open.frame == nullptr && !s_isFatal.exchange(true))
        recordEnd(signal, info, context);
}

void HandledCrash::processEnds() {
    settle();
    if (t_open.frame != nullptr && !t_open.isRecorded)
        record();
}

void HandledCrash::settleOpen() {
    if (isLeft(t_open.frame))
        withdraw();
}

void HandledCrash::record() {
    t_open.isRecorded = true;
    recordEnd(t_open.signal, t_open.info, *t_open.context);
}

void HandledCrash::withdraw() {
    if (Process *process = ownProcess(); process != nullptr && t_open.isRecorded && !s_isFatal.load())
        process->ended(EndKind::StillOpen, 0);
    t_open.frame = nullptr;
    ++s_dealtWith;
    s_isAnyOpen.store(false);
}

} // namespace laggard::collect
