// SPDX-License-Identifier: GPL-3.0-or-later
// What recording costs: an instrumented function, an MPI call with its parts and stack, a poll. No MPI is needed: the layer below
// the wrappers is called as they call it. Beside each figure, the cost of reading the clock as often as it does.
#include "collect/store/ThreadLog.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

extern "C" void __cyg_profile_func_enter(void *function, void *caller); // NOLINT: the compiler's name
extern "C" void __cyg_profile_func_exit(void *function, void *caller);  // NOLINT

using namespace laggard;
using namespace laggard::collect;

namespace {

struct Figure {
    const char *what;
    double nanoseconds;
};

/// Least of several rounds, in nanoseconds for one of `count` repetitions.
double measure(std::size_t count, const std::function<void(std::size_t)> &repeat) {
    double least = 1e18;
    for (int round = 0; round < 7; ++round) {
        const Ticks before = now();
        repeat(count);
        least = std::min(least, static_cast<double>(now() - before) / static_cast<double>(count));
    }
    return least;
}

struct Calls {
    ProcessLog &process;
    ThreadLog &log;
    std::uint32_t send;
    std::uint32_t receive;
    std::uint32_t test;
    std::uint32_t world;

    /// As the wrapper of MPI_Send does it, without the sending.
    __attribute__((noinline)) void sendOne(std::uint32_t peer) const {
        const Ticks entered = now();
        const std::uint32_t path = log.callPath(send, recording::nothing);
        const Part part{recording::RecordKind::SendPart,
                        peer,
                        {recording::pair(7, world), 1024, 0, recording::pair(recording::nothing, 0)},
                        4};
        log.beginCall(path, entered, {&part, 1});
        log.endCall(now(), 0, {});
    }
    __attribute__((noinline)) void receiveOne(std::uint32_t peer) const {
        const Ticks entered = now();
        const std::uint32_t path = log.callPath(receive, recording::nothing);
        const Part part{recording::RecordKind::ReceivePart,
                        peer,
                        {recording::pair(7, world), 1024, 0, recording::pair(recording::nothing, 0)},
                        4};
        log.beginCall(path, entered, {&part, 1});
        const Part done{recording::RecordKind::CompletedReceive, peer, {recording::pair(7, world), 1024, 0}, 3};
        log.endCall(now(), 0, {&done, 1});
    }
    __attribute__((noinline)) void pollOne() const {
        const Ticks entered = now();
        log.beginPoll(log.callPath(test, recording::nothing), entered);
        const std::uint64_t request = 1;
        log.endPollUnsuccessful(now(), {}, {&request, 1});
    }
};

/// Calls `inner` at a depth of so many frames.
__attribute__((noinline)) void deeper(int frames, const std::function<void()> &inner) { // NOLINT(misc-no-recursion)
    if (frames == 0)
        inner();
    else
        deeper(frames - 1, inner);
    __asm__ volatile(""); // no tail call
}

/// Signals that end nothing, sent as programs do, which leads through the recorder, and by the system calls alone.
void addSignals(std::vector<Figure> &result) {
    const auto add = [&](const char *what, auto send) {
        result.push_back({what, measure(300'000, [&](std::size_t count) {
                              for (std::size_t i = 0; i < count; ++i)
                                  (void)send();
                          })});
    };
    const pid_t own = getpid();
    add("kill to itself: the system call", [&] { return syscall(SYS_kill, own, 0); });
    add("kill to itself", [&] { return kill(own, 0); });
    add("killpg to its group", [] { return killpg(getpgrp(), 0); });
    add("pthread_kill: the system calls", [&] { return syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), 0); });
    add("pthread_kill to itself", [] { return pthread_kill(pthread_self(), 0); });
    std::signal(SIGUSR1, SIG_IGN);
    add("raise of a signal that is ignored", [] { return raise(SIGUSR1); });
}

std::vector<Figure> figures(Calls &calls) {
    std::vector<Figure> result;
    result.push_back({"reading the clock", measure(1'000'000, [](std::size_t count) {
                          for (std::size_t i = 0; i < count; ++i)
                              (void)now();
                      })});
    auto *function = reinterpret_cast<void *>(&measure);
    result.push_back({"function: enter and leave", measure(1'000'000, [&](std::size_t count) {
                          for (std::size_t i = 0; i < count; ++i) {
                              __cyg_profile_func_enter(function, nullptr);
                              __cyg_profile_func_exit(function, nullptr);
                          }
                      })});
    deeper(12, [&] {
        result.push_back({"MPI_Send: begin and end", measure(300'000, [&](std::size_t count) {
                              for (std::size_t i = 0; i < count; ++i)
                                  calls.sendOne(1);
                          })});
        result.push_back({"MPI_Send and MPI_Recv, from 16 peers in turn, each", measure(300'000, [&](std::size_t count) {
                              for (std::size_t i = 0; i < count; i += 2) {
                                  calls.sendOne(i / 2 % 16);
                                  calls.receiveOne(i / 2 % 16);
                              }
                          })});
        result.push_back({"MPI_Test that finds nothing", measure(1'000'000, [&](std::size_t count) {
                              for (std::size_t i = 0; i < count; ++i)
                                  calls.pollOne();
                          })});
        result.push_back({"call path of a known stack alone", measure(1'000'000, [&](std::size_t count) {
                              for (std::size_t i = 0; i < count; ++i)
                                  (void)calls.log.callPath(calls.send, recording::nothing);
                          })});
    });
    result.push_back({"call path of a stack never seen, 12 to 111 frames", measure(100, [&](std::size_t count) {
                          static std::uint32_t datatype = 0;
                          ++datatype;
                          for (std::size_t i = 0; i < count; ++i)
                              deeper(12 + static_cast<int>(i), [&] { (void)calls.log.callPath(calls.send, datatype); });
                      })});
    addSignals(result);
    return result;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Measures what recording costs, per event");
    std::string folder;
    std::string stacks = "on";
    std::string mode = "both";
    std::string buffer = "16777216";
    app.add_option("-o", folder, "Folder for the recording (default: a temporary one, removed afterwards)");
    app.add_option("--stacks", stacks, "Call stacks at MPI calls")->check(CLI::IsMember({"on", "off"}));
    app.add_option("--mode", mode, "What is recorded")->check(CLI::IsMember({"trace", "model", "both"}));
    app.add_option("--buffer", buffer, "Bytes of events");
    CLI11_PARSE(app, argc, argv);
    const bool isTemporary = folder.empty();
    if (isTemporary) {
        std::string pattern = (std::filesystem::temp_directory_path() / "laggard-bench-XXXXXX").string();
        folder = mkdtemp(pattern.data()) == nullptr ? "" : pattern;
    }
    setenv("LAGGARD_RECORD_DIR", folder.c_str(), 1);
    setenv("LAGGARD_RECORD_STACKS", stacks.c_str(), 1);
    setenv("LAGGARD_RECORD_MODE", mode.c_str(), 1);
    setenv("LAGGARD_RECORD_BUFFER", buffer.c_str(), 1);
    ProcessLog *process = processLog();
    if (process == nullptr || process->thread() == nullptr)
        return 1;
    const std::array<std::uint32_t, 2> members{0, 1};
    Calls calls{*process,
                *process->thread(),
                process->defineOperation("MPI_Send"),
                process->defineOperation("MPI_Recv"),
                process->defineOperation("MPI_Test"),
                process->defineCommunicator(1, recording::nothing, recording::isWorld, 0, members)};
    process->worldKnown(0, 2, 0);
    for (const Figure &figure : figures(calls))
        std::printf("%-52s %9.1f ns\n", figure.what, figure.nanoseconds);
    if (isTemporary && !folder.empty())
        std::filesystem::remove_all(folder);
}
