// SPDX-License-Identifier: GPL-3.0-or-later
// A program that records itself as the MPI wrappers would, and then ends in the way that a test asks for: probe SCENARIO [NUMBER
// [FILE]].
#include "collect/store/ThreadLog.h"
#include "tests/collect/store/ProbeFunctions.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <map>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace laggard;
using namespace laggard::collect;

namespace {

/// Not known to the compiler as a constant.
volatile std::uintptr_t s_badAddress = 8;

struct Operations {
    ProcessLog &process;
    std::uint32_t send = process.defineOperation("MPI_Send");
    std::uint32_t receive = process.defineOperation("MPI_Recv");
    std::uint32_t test = process.defineOperation("MPI_Test");
    std::uint32_t barrier = process.defineOperation("MPI_Barrier");
    std::uint32_t split = process.defineOperation("MPI_Comm_split");
    std::uint32_t ibarrier = process.defineOperation("MPI_Ibarrier");
    std::uint32_t world;

    explicit Operations(ProcessLog &log) : process(log) {
        const std::vector<std::uint32_t> members{0, 1, 2, 3};
        world = process.defineCommunicator(42, recording::nothing, recording::isWorld, 1, members);
        process.nameCommunicator(world, "MPI_COMM_WORLD");
    }
};

Part message(recording::RecordKind kind, std::uint32_t peer, std::int32_t tag, std::uint32_t communicator,
             std::uint64_t request = 0) {
    return {
        kind,
        peer,
        {recording::pair(static_cast<std::uint32_t>(tag), communicator), 100, request, recording::pair(recording::nothing, 0)},
        4};
}

__attribute__((noinline)) void sendOne(const Operations &mpi, ThreadLog &log, std::int32_t tag) {
    const Ticks entered = now();
    const Part part = message(recording::RecordKind::SendPart, 2, tag, mpi.world);
    log.beginCall(log.callPath(mpi.send, recording::nothing), entered, {&part, 1});
    log.endCall(now(), 0, {});
}

__attribute__((noinline)) void receiveOne(const Operations &mpi, ThreadLog &log, std::int32_t tag) {
    const Ticks entered = now();
    const Part part = message(recording::RecordKind::ReceivePart, recording::anySource, tag, mpi.world);
    log.beginCall(log.callPath(mpi.receive, recording::nothing), entered, {&part, 1});
    const Part done{
        recording::RecordKind::CompletedReceive, 3, {recording::pair(static_cast<std::uint32_t>(tag), mpi.world), 100, 0}, 3};
    log.endCall(now(), 0, {&done, 1});
}

void collective(const Operations &mpi, ThreadLog &log, std::uint32_t operation, std::uint64_t request = 0) {
    const Part part{recording::RecordKind::CollectivePart,
                    recording::nothing,
                    {recording::pair(mpi.world, recording::nothing), 0, 0, request},
                    4};
    const std::uint32_t path = log.callPath(operation, recording::nothing);
    log.beginCall(path, now(), {&part, 1});
    if (request != 0)
        mpi.process.requestPosted(request, part, path, now());
    log.endCall(now(), 0, {});
}

/// A word in a file that the test looks at while this runs.
std::atomic<std::uint64_t> *counter(const char *path) {
    const int descriptor = open(path, O_RDWR | O_CREAT, 0600);
    if (descriptor < 0 || ftruncate(descriptor, 4096) != 0)
        std::exit(90);
    void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    return new (memory) std::atomic<std::uint64_t>(0);
}

/// So many writes to places of files are still made; then the thread that makes one ends. -1: all are.
std::atomic<int> s_writesLeft{-1};

/// Sends, and gives the readers of the pool time.
void sendSlowly(const Operations &mpi, ThreadLog &log, std::int32_t count) {
    for (std::int32_t i = 1; i <= count; ++i) {
        sendOne(mpi, log, i);
        if (i % 100 == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/// Sends without end, and says after each how many there were.
void sendForEver(const Operations &mpi, ThreadLog &log, const char *path) {
    std::atomic<std::uint64_t> *done = counter(path);
    for (std::int32_t i = 1;; ++i) {
        sendOne(mpi, log, i);
        done->store(static_cast<std::uint64_t>(i));
    }
}

void pollFor(const Operations &mpi, ThreadLog &log, int count) {
    // Two requests in turn; then the first is found complete.
    const std::array<std::uint64_t, 2> requests{mpi.process.newRequest(), mpi.process.newRequest()};
    const Part posted = message(recording::RecordKind::ReceivePart, 0, 5, mpi.world, requests[0]);
    mpi.process.requestPosted(requests[0], posted, log.callPath(mpi.receive, recording::nothing), now());
    mpi.process.requestPosted(requests[1], message(recording::RecordKind::SendPart, 3, 6, mpi.world, requests[1]),
                              log.callPath(mpi.send, recording::nothing), now());
    for (int i = 0; i < count; ++i)
        for (const std::uint64_t request : requests) {
            log.beginPoll(log.callPath(mpi.test, recording::nothing), now());
            log.endPollUnsuccessful(now(), {}, {&request, 1});
        }
    log.beginPoll(log.callPath(mpi.test, recording::nothing), now());
    const Part done{recording::RecordKind::CompletedReceive, 0, {recording::pair(5, mpi.world), 100, requests[0]}, 3};
    mpi.process.requestDone(requests[0]);
    log.endPollSuccessful(now(), {}, {requests.data(), 1}, {&done, 1});
}

int overflow(int depth) { // NOLINT(misc-no-recursion)
    volatile char frame[4096];
    frame[0] = static_cast<char>(depth);
    return depth == 1'000'000'000 ? 0 : overflow(depth + 1) + frame[0];
}

void crash(const std::string &how) {
    if (how == "segv")
        *reinterpret_cast<volatile int *>(s_badAddress) = 1; // NOLINT
    if (how == "overflow")
        std::exit(overflow(0));
    if (how == "abort")
        std::abort();
    if (how == "term")
        raise(SIGTERM);
    if (how == "kill")
        raise(SIGKILL);
    if (how == "handled" || how == "recovers" || how == "gives-up")
        raise(SIGSEGV);
}

void end(const std::string &how, char **argv) {
    if (how == "exit")
        std::exit(3);
    if (how == "_exit")
        _exit(4);
    if (how == "quick_exit")
        std::quick_exit(5);
    if (how == "exec")
        execl("/bin/sh", "sh", "-c", "exit 6", nullptr);
    if (how == "exec-fails") {
        execl("/no/such/program", "none", nullptr);
        std::exit(7);
    }
    if (how == "exec-self") {
        execl("/proc/self/exe", argv[0], "exit", nullptr);
        std::exit(91);
    }
}

/// A child that would record if it could, and leaves in its own way.
void forkOne(const Operations &mpi, ThreadLog &log) {
    const pid_t child = fork();
    if (child == 0) {
        if (ProcessLog *own = processLog(); own != nullptr && own->thread() != nullptr)
            _exit(92);
        probe::instrumented(3);
        std::exit(17);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) != 17)
        std::exit(93);
    const pid_t other = vfork();
    if (other == 0) {
        execl("/bin/true", "true", nullptr);
        _exit(94);
    }
    waitpid(other, &status, 0);
    sendOne(mpi, log, 1);
}

void stand(const std::string &how) {
    if (how == "spin")
        for (;;)
            __asm__ volatile(""); // a loop that the compiler keeps
    if (how == "sleep")
        // What is left is not slept again: who is woken early returns too early, and the test sees it.
        std::exit(usleep(900'000) == 0 ? 0 : 95);
    if (how == "read") {
        int ends[2];
        char byte = 0;
        if (pipe(ends) == 0 && read(ends[0], &byte, 1) < 0)
            std::exit(96);
    }
}

void inThreads(const Operations &mpi, int threads, int calls) {
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t)
        running.emplace_back([&mpi, calls] {
            ThreadLog *log = mpi.process.thread();
            for (int i = 1; i <= calls; ++i) {
                probe::instrumented(2);
                sendOne(mpi, *log, i);
            }
        });
    for (std::thread &thread : running)
        thread.join();
}

} // namespace

/// In place of the C library's, for the recorder as well.
extern "C" ssize_t pwrite(int descriptor, const void *from, std::size_t bytes, off_t offset) {
    if (s_writesLeft.load() >= 0 && s_writesLeft.fetch_sub(1) == 0)
        syscall(SYS_exit, 0); // of the thread alone
    return syscall(SYS_pwrite64, descriptor, from, bytes, offset);
}

int main(int argc, char **argv) {
    const std::string scenario = argc > 1 ? argv[1] : "";
    const int number = argc > 2 ? std::atoi(argv[2]) : 0;
    if (scenario == "nothing")
        return 0;
    if (scenario == "functions") {
        probe::instrumented(number);
        return 0;
    }
    // Handlers that are there before the recorder are still called.
    if (scenario == "handled")
        std::signal(SIGSEGV, [](int) { _exit(11); });
    if (scenario == "recovers")
        std::signal(SIGSEGV, [](int) {});
    if (scenario == "gives-up")
        std::signal(SIGSEGV, [](int) {
            std::signal(SIGSEGV, SIG_DFL);
            raise(SIGSEGV);
        });
    ProcessLog *process = processLog();
    ThreadLog *log = process == nullptr ? nullptr : process->thread();
    if (log == nullptr)
        return 80; // no recording: the program goes on without
    const Operations mpi(*process);
    process->worldKnown(1, 4, 0);
    const std::map<std::string, std::function<void()>> scenarios{
        {"for-ever", [&] { sendForEver(mpi, *log, argv[3]); }},
        {"sends",
         [&] {
             for (std::int32_t i = 1; i <= number; ++i)
                 sendOne(mpi, *log, i);
         }},
        {"slow-sends", [&] { sendSlowly(mpi, *log, number); }},
        {"reader-dies",
         [&] {
             s_writesLeft = 5; // header, contents, position and sequence of each chunk: in the contents of the second
             sendSlowly(mpi, *log, number);
         }},
        {"mixed",
         [&] {
             collective(mpi, *log, mpi.split);
             for (std::int32_t i = 1; i <= number; ++i) {
                 probe::instrumented(3);
                 sendOne(mpi, *log, i % 3);
                 receiveOne(mpi, *log, 7);
                 collective(mpi, *log, mpi.barrier);
             }
         }},
        {"open-functions", [&] { probe::within([&] { sendOne(mpi, *log, 1); }, number, [&](int i) { sendOne(mpi, *log, i); }); }},
        {"polls", [&] { pollFor(mpi, *log, number); }},
        {"ibarrier",
         [&] {
             const std::uint64_t first = process->newRequest();
             const std::uint64_t second = process->newRequest();
             collective(mpi, *log, mpi.ibarrier, first);
             collective(mpi, *log, mpi.ibarrier, second);
             process->requestDone(first);
         }},
        {"waitall",
         [&] {
             std::vector<std::uint64_t> requests(static_cast<std::size_t>(number));
             std::vector<Part> completions;
             for (std::uint64_t &request : requests) {
                 request = process->newRequest();
                 completions.push_back({recording::RecordKind::CompletedReceive,
                                        3,
                                        {recording::pair(static_cast<std::uint32_t>(request), mpi.world), 100, request},
                                        3});
             }
             log->beginPoll(log->callPath(mpi.test, recording::nothing), now());
             log->endPollUnsuccessful(now(), {}, requests);
             log->beginCall(log->callPath(mpi.test, recording::nothing), now(), {}, requests);
             log->endCall(now(), 0, completions);
             log->beginPoll(log->callPath(mpi.test, recording::nothing), now());
             log->endPollSuccessful(now(), {}, requests, completions);
         }},
        {"phases",
         [&] {
             for (std::int32_t i = 1; i <= number; ++i) {
                 log->phase(i);
                 sendOne(mpi, *log, 1);
             }
         }},
        {"paths", [&] { probe::callFrom([&] { sendOne(mpi, *log, 1); }, number); }},
        {"library", [&] { probe::callFromLibrary(argv[3], number, [&] { sendOne(mpi, *log, 1); }); }},
        {"threads", [&] { inThreads(mpi, number, 1000); }},
        {"short-threads",
         [&] {
             for (int i = 0; i < number; ++i)
                 inThreads(mpi, 1, 1);
         }},
        {"fork", [&] { forkOne(mpi, *log); }},
        {"jump", [&] { probe::jumpOut([&] { sendOne(mpi, *log, 1); }); }},
        {"hang",
         [&] {
             sendOne(mpi, *log, 1);
             probe::inside([&] { stand(argv[3]); });
         }},
    };
    if (const auto found = scenarios.find(scenario); found != scenarios.end()) {
        found->second();
    } else {
        sendOne(mpi, *log, 1);
        probe::inside([&] {
            crash(scenario);
            end(scenario, argv);
        });
    }
    return 2;
}
