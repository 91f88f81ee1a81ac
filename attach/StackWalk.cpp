// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/StackWalk.h"

#include "ingest/recording/DebugInformation.h"
#include "ingest/recording/DwflHandle.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <optional>
#include <span>

namespace laggard::attach {
namespace {

constexpr std::size_t mostFrames = 512;

} // namespace

struct StackWalk::Impl {
    pid_t process = 0;
    recording::DwflHandle dwfl;
    bool isAttached = false;
    const ThreadSnapshot *thread = nullptr; ///< at hand
    std::vector<WalkedFrame> frames;

    static pid_t nextThread(Dwfl *, void *data, void **thread) {
        if (*thread != nullptr)
            return 0;
        *thread = data;
        return static_cast<Impl *>(data)->process;
    }

    static bool readMemory(Dwfl *, Dwarf_Addr address, Dwarf_Word *result, void *data) {
        const ThreadSnapshot &thread = *static_cast<Impl *>(data)->thread;
        const std::uint64_t offset = address - thread.stackAddress;
        if (address < thread.stackAddress || offset > thread.stack.size() || thread.stack.size() - offset < sizeof *result)
            return false;
        std::memcpy(result, thread.stack.data() + offset, sizeof *result);
        return true;
    }

    static bool setRegisters(Dwfl_Thread *thread, void *data) {
        const ThreadSnapshot &snapshot = *static_cast<Impl *>(data)->thread;
        std::array<Dwarf_Word, registerCount> registers{};
        std::ranges::copy(snapshot.registers, registers.begin());
        if (!dwfl_thread_state_registers(thread, 0, registers.size(), registers.data()))
            return false;
        dwfl_thread_state_register_pc(thread, snapshot.counter);
        return true;
    }

    static int takeFrame(Dwfl_Frame *frame, void *data) {
        auto &frames = static_cast<Impl *>(data)->frames;
        Dwarf_Addr counter = 0;
        bool isActivation = false;
        if (!dwfl_frame_pc(frame, &counter, &isActivation) || counter == 0)
            return DWARF_CB_ABORT;
        WalkedFrame walked{counter, !isActivation && !frames.empty(), 0, {}, 0};
        Dwarf_Word value = 0;
        if (dwfl_frame_reg(frame, stackRegister, &value) == 0)
            walked.stackPointer = value;
        for (const unsigned number : keptRegisters) {
            const bool isKnown = dwfl_frame_reg(frame, number, &value) == 0;
            walked.known |= isKnown ? 1U << walked.kept.size() : 0U;
            walked.kept.push_back(isKnown ? value : 0);
        }
        frames.push_back(std::move(walked));
        return frames.size() < mostFrames ? DWARF_CB_OK : DWARF_CB_ABORT;
    }
};

StackWalk::StackWalk(pid_t process, const LoadedModules &modules) : m(std::make_unique<Impl>()) {
    static const Dwfl_Thread_Callbacks callbacks = {
        .next_thread = Impl::nextThread,
        .get_thread = nullptr,
        .memory_read = Impl::readMemory,
        .set_initial_registers = Impl::setRegisters,
        .detach = nullptr,
        .thread_detach = nullptr,
    };
    m->process = process;
    m->dwfl.reset(dwfl_begin(&recording::moduleCallbacks(recording::DebugSources::ThisMachine)));
    if (!m->dwfl)
        return;
    dwfl_report_begin(m->dwfl.get());
    bool hasModule = false;
    for (const LoadedModule &each : modules.all())
        hasModule |= dwfl_report_elf(m->dwfl.get(), recording::moduleName(each.shownPath).c_str(), each.key.path.c_str(), -1,
                                     each.bias, true) != nullptr;
    dwfl_report_end(m->dwfl.get(), nullptr, nullptr);
    m->isAttached = hasModule && dwfl_attach_state(m->dwfl.get(), nullptr, process, &callbacks, m.get());
}

StackWalk::~StackWalk() = default;

std::vector<WalkedFrame> StackWalk::walk(const ThreadSnapshot &thread) {
    m->thread = &thread;
    m->frames.clear();
    if (m->isAttached)
        dwfl_getthreads(
            m->dwfl.get(),
            [](Dwfl_Thread *each, void *data) -> int {
                dwfl_thread_getframes(each, Impl::takeFrame, data);
                return DWARF_CB_ABORT;
            },
            m.get());
    if (m->frames.empty())
        m->frames.push_back({thread.counter, false, thread.registers[stackRegister], {}, 0});
    return std::move(m->frames);
}

std::optional<std::uint64_t> WalkedFrame::valueOf(unsigned registerNumber) const {
    if (registerNumber == stackRegister)
        return stackPointer == 0 ? std::nullopt : std::optional(stackPointer);
    const auto found = std::ranges::find(keptRegisters, registerNumber);
    const auto position = static_cast<std::size_t>(found - keptRegisters.begin());
    return position >= kept.size() || (known >> position & 1U) == 0 ? std::nullopt : std::optional(kept[position]);
}

Dwfl *StackWalk::dwfl() const { return m->dwfl.get(); }

bool StackWalk::isComplete(const std::vector<WalkedFrame> &frames) const {
    const WalkedFrame &outermost = frames.back();
    Dwfl_Module *module = dwfl_addrmodule(m->dwfl.get(), outermost.counter - (outermost.isReturnAddress ? 1 : 0));
    const char *name = module == nullptr ? nullptr : dwfl_module_addrname(module, outermost.counter - 1);
    return name != nullptr && recording::isRuntimeStart(name);
}

namespace {

/// The lowest address from which on two copies of a stack are alike, up to `top` or to where the shorter one ends: a copy has a
/// limit, so that those of one stack may end at different places. Nothing if they have no byte in common.
std::optional<std::uint64_t> alikeFrom(const ThreadSnapshot &a, const ThreadSnapshot &b, std::uint64_t top) {
    const std::uint64_t end = std::min({a.stackAddress + a.stack.size(), b.stackAddress + b.stack.size(), top});
    const std::uint64_t begin = std::max(a.stackAddress, b.stackAddress);
    if (begin >= end)
        return std::nullopt;
    const auto part = [&](const ThreadSnapshot &each) {
        return std::span(each.stack).subspan(begin - each.stackAddress, end - begin);
    };
    const auto ofA = part(a), ofB = part(b);
    const auto alike = std::mismatch(ofA.rbegin(), ofA.rend(), ofB.rbegin());
    return end - static_cast<std::uint64_t>(alike.first - ofA.rbegin());
}

} // namespace

void continueAs(const ThreadSnapshot &thread, std::vector<WalkedFrame> &frames, const ThreadSnapshot &knownThread,
                const std::vector<WalkedFrame> &known) {
    const auto limit = alikeFrom(thread, knownThread, known.back().stackPointer);
    if (!limit)
        return;
    // A return address lies below the stack pointer of the frame that it leads to, so both it and that frame are alike there.
    constexpr std::uint64_t word = sizeof(std::uint64_t);
    const auto outer = std::ranges::find_if(known, [&](const WalkedFrame &each) {
        return each.isReturnAddress && each.stackPointer >= *limit + word && each.stackPointer > frames.back().stackPointer;
    });
    frames.insert(frames.end(), outer, known.end());
}

std::size_t framesNotLeft(const ThreadSnapshot &before, const std::vector<WalkedFrame> &framesBefore, const ThreadSnapshot &after,
                          const std::vector<WalkedFrame> &framesAfter, bool areComplete) {
    // Above the frame with which a thread begins lies what is no stack: of threads what is theirs alone (errno, the allocator's).
    const auto limit = alikeFrom(before, after, areComplete ? framesAfter.back().stackPointer : ~std::uint64_t{0});
    if (!limit)
        return 0;
    const std::size_t most = std::min(framesBefore.size(), framesAfter.size());
    std::size_t unchanged = 0;
    while (unchanged < most) {
        const WalkedFrame &a = framesBefore[framesBefore.size() - 1 - unchanged];
        const WalkedFrame &b = framesAfter[framesAfter.size() - 1 - unchanged];
        if (a.counter != b.counter || a.stackPointer != b.stackPointer || a.kept != b.kept || b.stackPointer < *limit)
            break;
        ++unchanged;
    }
    // The frame that an unchanged one has called is the same still, whatever it does itself.
    return std::min(unchanged + 1, most);
}

} // namespace laggard::attach
