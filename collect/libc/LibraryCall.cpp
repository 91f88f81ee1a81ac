// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/libc/LibraryCall.h"

#include "collect/store/CallHooks.h"
#include "collect/store/LeftFrame.h"
#include "collect/store/Undisturbed.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>

namespace laggard::collect {

using namespace recording;

namespace {

/// Calls of this thread that have not returned: several where signal handlers come in.
struct OpenCalls {
    static constexpr unsigned most = 8; ///< handlers of so many signals within each other's calls; further ones are counted
    struct Open {
        const void *frame;          ///< a variable of the function that makes the call
        ThreadLog::OpenCall before; ///< the one that it came into
    };
    Open calls[most];
    unsigned depth;
    unsigned generation; ///< recordingGeneration()
};
constinit thread_local OpenCalls t_open __attribute__((tls_model("initial-exec"))) = {};

/// Numbers of the operations in this process's recording, less 1; 0: not defined yet.
constinit std::atomic<std::uint32_t> s_operations[static_cast<std::size_t>(LibcFunction::count)] = {};
constinit std::atomic<unsigned> s_operationsOf{0};

std::uint32_t operationOf(ProcessLog &process, LibcFunction function) {
    if (const unsigned generation = recordingGeneration(); s_operationsOf.load(std::memory_order_acquire) != generation) {
        // In a child, by its only thread.
        for (std::atomic<std::uint32_t> &operation : s_operations)
            operation.store(0, std::memory_order_relaxed);
        s_operationsOf.store(generation, std::memory_order_release);
    }
    std::atomic<std::uint32_t> &known = s_operations[static_cast<std::size_t>(function)];
    std::uint32_t number = known.load(std::memory_order_relaxed);
    if (number == 0) {
        // By two threads at once it is defined twice, which readers do not mind.
        number = process.defineOperation(recordedName(function)) + 1;
        known.store(number, std::memory_order_relaxed);
    }
    return number - 1;
}

ThreadLog *threadLog() {
    ProcessLog *process = processLog();
    return process == nullptr ? nullptr : process->thread();
}

/// Calls that a handler has left by longjmp(), or the thread by other means, are ended. What is open then is around `frame`.
void endLeft(ThreadLog &thread, const void *frame) {
    for (; t_open.depth > 0 && isLeft(t_open.calls[t_open.depth - 1].frame, frame); --t_open.depth) {
        thread.endCall(now(), callLeft, {});
        if (const ThreadLog::OpenCall &before = t_open.calls[t_open.depth - 1].before; before.path != nothing)
            thread.resumeCall(before);
    }
}

bool beginCall(const void *frame, LibcFunction function, std::span<const Part> parts) {
    if (Undisturbed::isHeld()) // work of the recorder has led here
        return false;
    const int error = errno;
    ProcessLog *process = processLog();
    ThreadLog *thread = process == nullptr ? nullptr : process->thread();
    bool isBegun = false;
    if (thread != nullptr && thread->isBusy()) {
        thread->missed();
    } else if (thread != nullptr) {
        if (t_open.generation != recordingGeneration()) { // they are of the parent's recording
            t_open.depth = 0;
            t_open.generation = recordingGeneration();
        }
        endLeft(*thread, frame);
        if (t_open.depth == OpenCalls::most) {
            thread->missed();
        } else {
            const Ticks entered = now();
            t_open.calls[t_open.depth] = {frame, t_open.depth == 0 ? ThreadLog::OpenCall{} : thread->openCall()};
            thread->beginCall(thread->callPath(operationOf(*process, function), nothing), entered, parts);
            ++t_open.depth;
            isBegun = true;
        }
    }
    errno = error;
    return isBegun;
}

void endCall(const void *frame, std::span<const Part> outcomes, Ticks returned) {
    const int error = errno;
    if (ThreadLog *thread = threadLog(); thread != nullptr && t_open.generation == recordingGeneration()) {
        // What a handler has called and left is around nothing any more.
        while (t_open.depth > 1 && t_open.calls[t_open.depth - 1].frame != frame) {
            thread->endCall(returned, callLeft, {});
            thread->resumeCall(t_open.calls[--t_open.depth].before);
        }
        if (t_open.depth > 0 && t_open.calls[t_open.depth - 1].frame == frame) {
            thread->endCall(returned, 0, outcomes);
            if (const ThreadLog::OpenCall &before = t_open.calls[--t_open.depth].before; before.path != nothing)
                thread->resumeCall(before);
        }
    }
    errno = error;
}

Part descriptorPart(int descriptor, std::int64_t second) {
    Part part{RecordKind::DescriptorPart, descriptor < 0 ? nothing : static_cast<std::uint32_t>(descriptor)};
    part.words[part.count++] = static_cast<std::uint64_t>(second);
    return part;
}

/// In as many parts as it takes; returns how many.
constexpr std::size_t addressBytesInPart = (std::size(Part{}.words) - 1) * 8;
constexpr std::size_t mostAddressParts = (sizeof(sockaddr_storage) + addressBytesInPart - 1) / addressBytesInPart;
std::size_t addressParts(const void *address, std::size_t bytes, Part *parts) {
    if (address == nullptr)
        return 0;
    bytes = std::min(bytes, sizeof(sockaddr_storage));
    std::size_t count = 0;
    for (std::size_t at = 0; at < bytes; at += addressBytesInPart) {
        Part part{RecordKind::AddressPart, static_cast<std::uint32_t>(at)};
        const std::size_t here = std::min(addressBytesInPart, bytes - at);
        part.words[0] = here;
        std::memcpy(part.words + 1, static_cast<const char *>(address) + at, here);
        part.count = static_cast<unsigned>(1 + (here + 7) / 8);
        parts[count++] = part;
    }
    return count;
}

} // namespace

LibraryCall::LibraryCall(LibcFunction function, const void *caller, int descriptor, std::int64_t second) {
    const Part part = descriptorPart(descriptor, second);
    begin(function, caller, {&part, 1});
}

LibraryCall::LibraryCall(LibcFunction function, const void *caller, int descriptor, std::int64_t second, const sockaddr *address,
                         socklen_t bytes) {
    Part parts[1 + mostAddressParts];
    parts[0] = descriptorPart(descriptor, second);
    begin(function, caller, {parts, 1 + addressParts(address, bytes, parts + 1)});
}

LibraryCall::LibraryCall(LibcFunction function, const void *caller, const Part *parts, std::size_t count) {
    begin(function, caller, {parts, count});
}

LibraryCall LibraryCall::ofWatched(LibcFunction function, const void *caller, int descriptor, int epoll, std::uint64_t word,
                                   bool isAdded) {
    Part part = descriptorPart(descriptor, epoll);
    part.words[part.count++] = word;
    part.words[part.count++] = isAdded ? 1 : 0;
    return {function, caller, &part, 1}; // made in its place
}

void LibraryCall::begin(LibcFunction function, const void *caller, std::span<const Part> parts) {
    // The recorder's own calls lead here as well.
    if (!isOwnCode(reinterpret_cast<std::uintptr_t>(caller)))
        m_isOpen = beginCall(this, function, parts);
}

void LibraryCall::end(std::int64_t result, int error) {
    const Ticks returned = now();
    Part outcome{RecordKind::DescriptorEnd, static_cast<std::uint32_t>(error)};
    outcome.words[outcome.count++] = static_cast<std::uint64_t>(result);
    if (m_hasPair)
        outcome.words[outcome.count++] = m_pair;
    if (const bool hasAddress = m_address != nullptr && result >= 0; hasAddress || m_readyCount != 0)
        endWithRest(outcome, returned, hasAddress);
    else
        endCall(this, {&outcome, 1}, returned);
    m_isOpen = false;
}

void LibraryCall::endWithRest(const Part &outcome, Ticks returned, bool hasAddress) {
    Part parts[1 + (mostReady + 3) / 4 + mostAddressParts];
    std::size_t count = 0;
    parts[count++] = outcome;
    const std::size_t inPart = m_areWords ? 4 : 5; // words of one entry stay together
    for (std::size_t at = 0; at < m_readyCount; at += inPart) {
        Part part{m_areWords ? RecordKind::ReadyWords : RecordKind::ReadyPart};
        while (part.count < inPart && at + part.count < m_readyCount) {
            part.words[part.count] = m_ready[at + part.count];
            ++part.count;
        }
        parts[count++] = part;
    }
    if (hasAddress)
        count += addressParts(m_address, m_addressBytes, parts + count);
    endCall(this, {parts, count}, returned);
}

void LibraryCall::returnsInChild(const void *caller) {
    m_isOpen = false;
    LibraryCall own(LibcFunction::fork, caller, -1);
    own.returns(0);
}

bool callBegins(const void *frame, const char *name, std::int64_t argument, std::int64_t second) {
    const LibcFunction function = hookedFunction(name);
    if (function == LibcFunction::count)
        return false;
    Part part = descriptorPart(-1, argument);
    part.words[part.count++] = static_cast<std::uint64_t>(second);
    return beginCall(frame, function, {&part, 1});
}

void callReturns(std::int64_t result) {
    const Ticks returned = now();
    if (t_open.depth == 0)
        return;
    Part part{RecordKind::DescriptorEnd, static_cast<std::uint32_t>(result < 0 ? errno : 0)};
    part.words[part.count++] = static_cast<std::uint64_t>(result);
    endCall(t_open.calls[t_open.depth - 1].frame, {&part, 1}, returned);
}

} // namespace laggard::collect
