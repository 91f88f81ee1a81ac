// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/Snapshot.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <dirent.h>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace laggard::attach {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t mostOfMain = std::size_t{8} << 20U;     ///< bytes of stack: the usual limit of Linux
constexpr std::size_t mostOfOthers = std::size_t{256} << 10U; ///< few threads wait deeper than this
/// A thread that does not stop for so long is inside the kernel, for instance in a file system that does not answer.
constexpr auto patience = std::chrono::milliseconds(300);
constexpr auto lastPatience = std::chrono::milliseconds(500);

std::string fileText(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<pid_t> threadsOf(pid_t process) {
    std::vector<pid_t> threads;
    if (DIR *folder = ::opendir(("/proc/" + std::to_string(process) + "/task").c_str())) {
        while (const dirent *each = ::readdir(folder)) {
            pid_t thread = 0;
            const char *end = each->d_name + std::strlen(each->d_name);
            if (const auto read = std::from_chars(each->d_name, end, thread); read.ec == std::errc() && read.ptr == end)
                threads.push_back(thread);
        }
        ::closedir(folder);
    }
    std::ranges::sort(threads);
    return threads;
}

/// Threads that have work to do: what stands in the same place twice may only be waiting for a processor.
std::set<pid_t> runnableThreads(pid_t process) {
    constexpr std::size_t most = 64; // it takes some microseconds for each
    std::set<pid_t> runnable;
    const std::vector<pid_t> threads = threadsOf(process);
    for (const pid_t thread : std::span(threads).first(std::min(most, threads.size()))) {
        const std::string stat = fileText("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat");
        const std::size_t close = stat.rfind(')');
        if (close != std::string::npos && close + 2 < stat.size() && stat[close + 2] == 'R')
            runnable.insert(thread);
    }
    return runnable;
}

struct Held {
    pid_t thread = 0;
    bool isStopped = false;
    bool isGone = false;
    int signal = 0; ///< that was about to be delivered
};

/// The threads that are held; lets them go at the end, whatever happens before.
class HeldThreads {
  public:
    HeldThreads() = default;
    HeldThreads(const HeldThreads &) = delete;
    HeldThreads &operator=(const HeldThreads &) = delete;
    ~HeldThreads() { release(); }

    /// Seizes and stops one thread; 0, or errno.
    int seize(pid_t thread) {
        if (::ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0)
            return errno;
        m_threads.push_back({thread, false, false, 0});
        if (::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) != 0)
            return errno;
        return 0;
    }

    void waitForStops(Clock::duration atMost) {
        const auto limit = Clock::now() + atMost;
        for (Held &each : m_threads)
            while (!each.isStopped && !each.isGone) {
                int status = 0;
                const pid_t found = ::waitpid(each.thread, &status, __WALL | WNOHANG);
                if (found == each.thread)
                    note(each, status);
                else if (found < 0 && errno != EINTR)
                    each.isGone = true;
                else if (Clock::now() > limit)
                    break;
                else
                    std::this_thread::sleep_for(std::chrono::microseconds(20));
            }
    }

    /// Those that have not stopped get a last chance; after that the kernel lets them go when this program ends.
    void release() {
        letGo();
        if (!m_threads.empty()) {
            waitForStops(lastPatience);
            letGo();
        }
        m_threads.clear();
    }

    [[nodiscard]] const std::vector<Held> &threads() const { return m_threads; }
    /// Since the first of them stood: until then all of them run, or wait for a processor.
    [[nodiscard]] Clock::duration stood() const { return m_firstStop ? Clock::now() - *m_firstStop : Clock::duration::zero(); }

  private:
    void letGo() {
        for (const Held &each : m_threads)
            if (each.isStopped) // the signal goes where it was going
                ::ptrace(PTRACE_DETACH, each.thread, nullptr, each.signal);
        std::erase_if(m_threads, [](const Held &each) { return each.isStopped || each.isGone; });
    }

    void note(Held &held, int status) {
        if (!WIFSTOPPED(status)) {
            held.isGone = true;
            return;
        }
        held.isStopped = true;
        if (!m_firstStop)
            m_firstStop = Clock::now();
        if (status >> 16 != PTRACE_EVENT_STOP)
            held.signal = WSTOPSIG(status);
    }

    std::vector<Held> m_threads;
    std::optional<Clock::time_point> m_firstStop;
};

bool readRegisters(ThreadSnapshot &snapshot) {
    user_regs_struct raw{};
    iovec where{&raw, sizeof raw};
    // For a 32-bit program the kernel fills less.
    if (::ptrace(PTRACE_GETREGSET, snapshot.thread, reinterpret_cast<void *>(NT_PRSTATUS), &where) != 0 ||
        where.iov_len != sizeof raw)
        return false;
#if defined(__aarch64__)
    std::copy(std::begin(raw.regs), std::end(raw.regs), snapshot.registers.begin());
    snapshot.registers[stackRegister] = raw.sp;
    snapshot.counter = raw.pc;
#else
    snapshot.registers = {raw.rax, raw.rdx, raw.rcx, raw.rbx, raw.rsi, raw.rdi, raw.rbp, raw.rsp,
                          raw.r8,  raw.r9,  raw.r10, raw.r11, raw.r12, raw.r13, raw.r14, raw.r15};
    snapshot.counter = raw.rip;
    snapshot.pthread = raw.fs_base; // the descriptor of the thread, as glibc and musl have it
#endif
    return true;
}

/// End of the mapping that `address` lies in; 0 without one.
std::uint64_t endOfMapping(const std::string &maps, std::uint64_t address) {
    for (std::size_t at = 0; at < maps.size();) {
        const std::size_t line = std::min(maps.find('\n', at), maps.size());
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        const auto first = std::from_chars(maps.data() + at, maps.data() + line, begin, 16);
        if (first.ec == std::errc() && first.ptr < maps.data() + line)
            std::from_chars(first.ptr + 1, maps.data() + line, end, 16);
        if (address >= begin && address < end)
            return end;
        at = line + 1;
    }
    return 0;
}

void copyStack(pid_t process, const std::string &maps, ThreadSnapshot &snapshot) {
    const std::uint64_t pointer = snapshot.registers[stackRegister];
    const std::uint64_t begin = pointer - redZone;
    const std::uint64_t end = endOfMapping(maps, pointer);
    if (end == 0)
        return;
    const std::size_t most = snapshot.thread == process ? mostOfMain : mostOfOthers;
    snapshot.stack.resize(std::min<std::uint64_t>(end - begin, most));
    const iovec here{snapshot.stack.data(), snapshot.stack.size()};
    const iovec there{reinterpret_cast<void *>(begin), snapshot.stack.size()};
    const ssize_t copied = ::process_vm_readv(process, &here, 1, &there, 1, 0);
    snapshot.stack.resize(copied < 0 ? 0 : static_cast<std::size_t>(copied));
    snapshot.stackAddress = begin;
}

} // namespace

std::string permissionHelp(pid_t process, int error) {
    const std::string which = "Process " + std::to_string(process);
    if (error == ESRCH)
        return which + " has ended.";
    if (error != EPERM && error != EACCES)
        return which + " cannot be attached to: " + std::strerror(error) + '.';
    const std::string status = fileText("/proc/" + std::to_string(process) + "/status");
    const std::size_t tracer = status.find("TracerPid:");
    if (tracer != std::string::npos) {
        const std::size_t number = status.find_first_not_of(" \t", tracer + 10);
        if (number != std::string::npos && status[number] != '0')
            return which + " is held by another debugger (process " + status.substr(number, status.find('\n', number) - number) +
                   "): end that first.";
    }
    const std::string scope = fileText("/proc/sys/kernel/yama/ptrace_scope");
    if (!scope.empty() && scope[0] != '0' && ::geteuid() != 0)
        return which + " may not be attached to, because /proc/sys/kernel/yama/ptrace_scope is " + scope.substr(0, 1) +
               (scope[0] == '3' ? ": nobody may on this machine until it starts again with another setting."
                                : ": run this program as root, give it CAP_SYS_PTRACE (setcap cap_sys_ptrace+ep), or ask for "
                                  "\"sysctl kernel.yama.ptrace_scope=0\" on the node.");
    return which +
           " may not be attached to: it belongs to another user, or runs in a container. Run this program as the same user and "
           "in the same container, which needs CAP_SYS_PTRACE (docker run --cap-add=SYS_PTRACE, apptainer exec as the same "
           "user).";
}

ProcessSnapshot takeSnapshot(pid_t process, const PythonRuntime *python) {
    ProcessSnapshot snapshot;
    const std::string folder = "/proc/" + std::to_string(process);
    snapshot.maps = fileText(folder + "/maps");
    const std::set<pid_t> runnable = runnableThreads(process);
    HeldThreads held;
    // Threads that are made meanwhile are found the next time round; those that make them stand then.
    constexpr int rounds = 3;
    std::vector<pid_t> seized;
    for (int round = 0; round < rounds; ++round) {
        const std::size_t before = seized.size();
        for (const pid_t thread : threadsOf(process))
            if (std::ranges::find(seized, thread) == seized.end()) {
                const int error = held.seize(thread);
                if (error == 0)
                    seized.push_back(thread);
                else if (thread == process || error != ESRCH) {
                    snapshot.complaint = permissionHelp(process, error);
                    return snapshot;
                }
            }
        held.waitForStops(patience);
        if (seized.size() == before)
            break;
    }
    const bool isSeized = !seized.empty();
    std::size_t silent = 0;
    for (const Held &each : held.threads()) {
        ThreadSnapshot thread;
        thread.thread = each.thread;
        silent += !each.isStopped && !each.isGone ? 1 : 0;
        if (!each.isStopped || !readRegisters(thread))
            continue;
        copyStack(process, snapshot.maps, thread);
        thread.isRunnable = runnable.contains(thread.thread);
        snapshot.threads.push_back(std::move(thread));
    }
    if (python != nullptr && !snapshot.threads.empty())
        snapshot.python = python->threads(LiveMemory(process)); // its lists must stand still meanwhile
    held.release();
    snapshot.stopped = held.stood();
    // Thread ids may wrap: the lowest need not be the main thread's.
    std::stable_partition(snapshot.threads.begin(), snapshot.threads.end(),
                          [&](const ThreadSnapshot &each) { return each.thread == process; });
    for (ThreadSnapshot &thread : snapshot.threads) {
        thread.name = fileText(folder + "/task/" + std::to_string(thread.thread) + "/comm");
        while (!thread.name.empty() && thread.name.back() == '\n')
            thread.name.pop_back();
    }
    if (silent != 0)
        snapshot.complaint =
            "Process " + std::to_string(process) +
            " has threads that do not stop: they are inside the kernel, perhaps in a file system that does not answer.";
    else if (snapshot.threads.empty())
        snapshot.complaint =
            !isSeized ? "Process " + std::to_string(process) + " has ended."
                      : "Process " + std::to_string(process) + " is a 32-bit program, or has ended: its stacks are not read.";
    return snapshot;
}

} // namespace laggard::attach
