// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/Unwinding.h"

#include "ingest/recording/DebugInformation.h"
#include "ingest/recording/DwflHandle.h"

#include <algorithm>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <limits>
#include <memory>
#include <optional>

namespace laggard::recording {
namespace {

constexpr std::size_t mostCrashFrames = 256;

struct Frame {
    std::uint64_t counter = 0;
    bool isReturnAddress = false;
};

/// What libdwfl asks of a process; here, of its remains.
struct Remains {
    const CrashRecord &crash;
    std::vector<Frame> frames;

    static pid_t nextThread(Dwfl *, void *data, void **thread) {
        if (*thread != nullptr)
            return 0;
        *thread = data;
        return 1;
    }

    static bool readMemory(Dwfl *, Dwarf_Addr address, Dwarf_Word *result, void *data) {
        const CrashRecord &crash = static_cast<Remains *>(data)->crash;
        const std::uint64_t offset = address - crash.state.stackAddress;
        if (address < crash.state.stackAddress || offset > crash.stack.size() || crash.stack.size() - offset < sizeof *result)
            return false;
        std::memcpy(result, crash.stack.data() + offset, sizeof *result);
        return true;
    }

    static bool setRegisters(Dwfl_Thread *thread, void *data) {
        const CrashState &state = static_cast<Remains *>(data)->crash.state;
        const std::uint32_t count = state.registerCount - 1; // the program counter is the last
        Dwarf_Word registers[std::size(CrashState{}.registers)];
        std::copy_n(state.registers, count, registers);
        if (!dwfl_thread_state_registers(thread, 0, count, registers))
            return false;
        dwfl_thread_state_register_pc(thread, state.registers[count]);
        return true;
    }

    static int takeFrame(Dwfl_Frame *frame, void *data) {
        auto &frames = static_cast<Remains *>(data)->frames;
        Dwarf_Addr counter = 0;
        bool isActivation = false;
        if (!dwfl_frame_pc(frame, &counter, &isActivation) || counter == 0)
            return DWARF_CB_ABORT;
        frames.push_back({counter, !isActivation && !frames.empty()});
        return frames.size() < mostCrashFrames ? DWARF_CB_OK : DWARF_CB_ABORT;
    }

    static int takeThread(Dwfl_Thread *thread, void *data) {
        dwfl_thread_getframes(thread, takeFrame, data);
        return DWARF_CB_ABORT;
    }
};

const Dwfl_Thread_Callbacks threadCallbacks = {
    .next_thread = Remains::nextThread,
    .get_thread = nullptr,
    .memory_read = Remains::readMemory,
    .set_initial_registers = Remains::setRegisters,
    .detach = nullptr,
    .thread_detach = nullptr,
};

/// Which module is loaded nearest before an address.
class ByAddress {
  public:
    explicit ByAddress(const FileDefinitions &definitions) {
        for (std::size_t i = 0; i < definitions.modules.size(); ++i)
            if (definitions.modules[i].isDefined)
                m_biases.emplace_back(definitions.modules[i].bias, i);
        std::sort(m_biases.begin(), m_biases.end());
    }
    [[nodiscard]] std::optional<std::size_t> find(std::uint64_t address) const {
        const auto behind =
            std::upper_bound(m_biases.begin(), m_biases.end(), std::pair(address, std::numeric_limits<std::size_t>::max()));
        return behind == m_biases.begin() ? std::nullopt : std::optional((behind - 1)->second);
    }

  private:
    std::vector<std::pair<std::uint64_t, std::size_t>> m_biases;
};

/// Modules that registers and stack may refer to. Each word stands for the module that is loaded nearest before it. Opening all
/// that a process has loaded would take too long where many ranks hang.
std::vector<bool> modulesOnStack(const CrashRecord &crash, const ByAddress &byAddress, std::size_t modules) {
    std::vector<bool> found(modules, false);
    const auto mark = [&](std::uint64_t word) {
        if (const std::optional<std::size_t> module = byAddress.find(word))
            found[*module] = true;
    };
    mark(crash.state.registers[crash.state.registerCount - 1]);
    for (std::size_t offset = 0; offset + sizeof(std::uint64_t) <= crash.stack.size(); offset += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, crash.stack.data() + offset, sizeof word);
        mark(word);
    }
    return found;
}

bool isThisMachine(std::uint32_t machine) {
    constexpr std::uint32_t x86_64 = 62;
    constexpr std::uint32_t aarch64 = 183;
    return machine == x86_64 || machine == aarch64;
}

} // namespace

UnwoundStack unwind(const CrashRecord &crash, const FileDefinitions &definitions, Symbols &symbols) {
    UnwoundStack stack;
    std::vector<CodeFrames> &places = stack.frames;
    if (crash.state.registerCount < 2 || crash.state.registerCount > std::size(crash.state.registers) ||
        !isThisMachine(crash.state.machine))
        return stack;
    const DwflHandle dwfl(dwfl_begin(&moduleCallbacks(symbols.sources())));
    std::vector<std::pair<Dwfl_Module *, std::size_t>> modules;
    const ByAddress byAddress(definitions);
    const std::vector<bool> isNeeded = modulesOnStack(crash, byAddress, definitions.modules.size());
    dwfl_report_begin(dwfl.get());
    for (std::size_t i = 0; i < definitions.modules.size(); ++i) {
        const FileDefinitions::Module &module = definitions.modules[i];
        if (!isNeeded[i])
            continue;
        if (const auto binary = symbols.binaryOf({module.path, module.buildId}))
            if (Dwfl_Module *reported =
                    dwfl_report_elf(dwfl.get(), moduleName(*binary).c_str(), binary->c_str(), -1, module.bias, true))
                modules.emplace_back(reported, i);
    }
    dwfl_report_end(dwfl.get(), nullptr, nullptr);
    Remains remains{crash, {}};
    if (!modules.empty() && dwfl_attach_state(dwfl.get(), nullptr, 1, &threadCallbacks, &remains))
        dwfl_getthreads(dwfl.get(), Remains::takeThread, &remains);
    if (remains.frames.empty())
        remains.frames.push_back({crash.state.registers[crash.state.registerCount - 1], false});
    // A binary that is gone, or another one by now, has no end that is known: what lies behind its beginning is taken for its
    // own.
    const auto moduleOf = [&](std::uint64_t address) -> std::optional<std::size_t> {
        const Dwfl_Module *in = dwfl_addrmodule(dwfl.get(), address);
        for (const auto &[reported, index] : modules)
            if (reported == in)
                return index;
        const std::optional<std::size_t> nearest = byAddress.find(address);
        const bool isThere = nearest && std::ranges::any_of(modules, [&](const auto &each) { return each.second == *nearest; });
        return isThere ? std::nullopt : nearest;
    };
    for (const Frame &frame : remains.frames) {
        const std::optional<std::size_t> module = moduleOf(frame.counter - (frame.isReturnAddress ? 1 : 0));
        const PlaceKind kind = frame.isReturnAddress ? PlaceKind::ReturnAddress : PlaceKind::Instruction;
        if (!module) {
            places.push_back(*symbols.find({}, frame.counter, kind));
            continue;
        }
        const FileDefinitions::Module &known = definitions.modules[*module];
        CodeFrames place = *symbols.find({known.path, known.buildId}, frame.counter - known.bias, kind);
        if (!isRecorder(known.path))
            places.push_back(std::move(place));
        else if (&frame == &remains.frames.front())
            stack.isInRecorder = true;
        else if (stack.withinCall == 0 && !stack.isInRecorder)
            stack.withinCall = places.size();
    }
    return stack;
}

} // namespace laggard::recording
