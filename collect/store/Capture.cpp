// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Capture.h"

#include "collect/store/SystemCalls.h"
#include "collect/store/ThreadLog.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

namespace laggard::collect {

using namespace recording;

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = EM_X86_64;
constexpr std::uint32_t registerCount = 17;
constexpr std::uint32_t stackRegister = 7;
/// What leaf functions use below the stack pointer.
constexpr std::uintptr_t redZone = 128;

void copyRegisters(CrashState &state, const ucontext_t &context) {
    constexpr int dwarfOrder[registerCount] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                               REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    for (std::uint32_t i = 0; i < registerCount; ++i)
        state.registers[i] = static_cast<std::uint64_t>(context.uc_mcontext.gregs[dwarfOrder[i]]);
}
#elif defined(__aarch64__)
constexpr std::uint32_t machine = EM_AARCH64;
constexpr std::uint32_t registerCount = 33;
constexpr std::uint32_t stackRegister = 31;
constexpr std::uintptr_t redZone = 0;

void copyRegisters(CrashState &state, const ucontext_t &context) {
    for (std::uint32_t i = 0; i < 31; ++i)
        state.registers[i] = context.uc_mcontext.regs[i];
    state.registers[31] = context.uc_mcontext.sp;
    state.registers[32] = context.uc_mcontext.pc;
}
#else
#error "The recorder knows the registers of x86-64 and AArch64 only"
#endif

/// Reads memory of this process that may not be there: the stack pointer of a crashed thread may point anywhere. Where system
/// calls are filtered, as a file is read.
class OwnMemory {
  public:
    explicit OwnMemory(bool isFiltered) : m_file(isFiltered ? ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC) : isNotNeeded) {}
    ~OwnMemory() {
        if (m_file >= 0)
            ::close(m_file);
    }
    OwnMemory(const OwnMemory &) = delete;
    OwnMemory &operator=(const OwnMemory &) = delete;

    /// Copies what can be read of [from, from + bytes).
    [[nodiscard]] std::size_t copy(void *to, std::uintptr_t from, std::size_t bytes) const {
        constexpr std::size_t page = 4096;
        std::size_t done = 0;
        while (done < bytes) {
            // A transfer that fails ends at a whole piece: so pieces end with pages.
            const std::size_t some = std::min(bytes - done, page - (from + done) % page);
            if (!copyPiece(static_cast<char *>(to) + done, from + done, some))
                break;
            done += some;
        }
        return done;
    }

  private:
    static constexpr int isNotNeeded = -2;

    [[nodiscard]] bool copyPiece(char *to, std::uintptr_t from, std::size_t bytes) const {
        const auto wanted = static_cast<ssize_t>(bytes);
        if (m_file != isNotNeeded)
            return ::lseek(m_file, static_cast<off_t>(from), SEEK_SET) >= 0 && readFrom(m_file, to, bytes) == wanted;
        const iovec local{to, bytes};
        const iovec remote{reinterpret_cast<void *>(from), bytes};
        return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == wanted;
    }

    int m_file;
};

} // namespace

void CrashChunk::prepare(MappedFile &file, std::uint32_t units) { m_chunk = file.addChunk(ChunkKind::Crash, nothing, units, 0); }

CrashState *CrashChunk::open(std::uint32_t thread) {
    if (m_chunk == nullptr)
        return nullptr;
    publish(m_chunk->sequence, sealedSequence(*m_chunk, 0));
    m_chunk->thread = thread;
    auto *state = reinterpret_cast<CrashState *>(m_chunk + 1);
    publish(state->version, state->version | 1U);
    state->machine = machine;
    state->registerCount = registerCount;
    std::memset(state->registers, 0, sizeof state->registers);
    state->signal = 0;
    state->code = 0;
    state->faultAddress = 0;
    state->time = now();
    return state;
}

void CrashChunk::close(CrashState &state) {
    publish(state.check, checkOfCrash(state, &state + 1));
    publish(state.version, state.version + 1);
    publish(m_chunk->sequence, sealedSequence(*m_chunk, ++m_sequence));
}

void CrashChunk::copyStack(CrashState &state, std::uintptr_t stack, std::uintptr_t stackEnd, bool isFiltered) {
    const std::size_t room = m_chunk->units * chunkUnit - sizeof(ChunkHeader) - sizeof(CrashState);
    const std::uintptr_t from = stack - redZone;
    const bool isBounded = stackEnd > stack && stackEnd - from < (std::uintptr_t{1} << 40U);
    const std::size_t bytes = isBounded ? std::min<std::size_t>(room, stackEnd - from) : room;
    // If the stack has overflowed, the lowest pages are not there.
    constexpr std::uintptr_t page = 4096;
    std::uintptr_t readable = from;
    std::size_t copied = 0;
    const OwnMemory memory(isFiltered);
    for (int i = 0; i < 256 && copied == 0; ++i, readable = copied == 0 ? (readable / page + 1) * page : readable)
        copied = memory.copy(&state + 1, readable, bytes - std::min<std::size_t>(bytes, readable - from));
    // Where the system forbids that call, trust a stack whose end is known.
    if (copied == 0 && isBounded && errno != EFAULT && errno != EIO) {
        readable = from;
        std::memcpy(&state + 1, reinterpret_cast<const void *>(from), bytes);
        copied = bytes;
    }
    state.stackAddress = copied == 0 ? from : readable;
    state.stackBytes = copied;
}

void CrashChunk::capture(std::uint32_t thread, int signal, const siginfo_t *info, const ucontext_t &context,
                         std::uintptr_t stackEnd, bool isFiltered, CaptureReason reason) {
    CrashState *state = open(thread);
    if (state == nullptr)
        return;
    state->signal = static_cast<std::uint32_t>(signal);
    state->code = static_cast<std::int32_t>(reason);
    if (info != nullptr) {
        state->code = info->si_code;
        if (info->si_code > 0 &&
            (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP))
            state->faultAddress = reinterpret_cast<std::uintptr_t>(info->si_addr);
    }
    copyRegisters(*state, context);
    copyStack(*state, state->registers[stackRegister], stackEnd, isFiltered);
    close(*state);
}

void CrashChunk::withdraw() {
    CrashState *state = open(nothing);
    if (state == nullptr)
        return;
    state->stackAddress = state->stackBytes = 0;
    close(*state);
}

void CrashChunk::captureHere(std::uint32_t thread, CaptureReason reason, std::uintptr_t stackEnd, bool isFiltered) {
    ucontext_t context;
    if (getcontext(&context) == 0)
        capture(thread, 0, nullptr, context, stackEnd, isFiltered, reason);
}

void CrashChunk::capture(std::uint32_t thread, std::uintptr_t stack, std::uintptr_t program, std::uintptr_t stackEnd,
                         bool isFiltered, CaptureReason reason) {
    CrashState *state = open(thread);
    if (state == nullptr)
        return;
    state->code = static_cast<std::int32_t>(reason);
    state->registers[stackRegister] = stack;
    state->registers[registerCount - 1] = program;
    copyStack(*state, stack, stackEnd, isFiltered);
    close(*state);
}

} // namespace laggard::collect
