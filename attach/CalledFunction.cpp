// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/CalledFunction.h"

#include "attach/CallingCode.h"
#include "trace/MpiName.h"

#include <algorithm>
#include <cstring>
#include <elfutils/libdwfl.h>
#include <initializer_list>
#include <string_view>

namespace laggard::attach {
namespace {

using Code = std::span<const unsigned char>;

/// A distance that stands at `at` in the code.
std::int64_t distanceIn(Code code, std::size_t at) {
    std::int32_t distance = 0;
    std::memcpy(&distance, code.data() + at, sizeof distance);
    return distance;
}

bool begins(Code code, std::initializer_list<unsigned char> with) {
    return code.size() >= with.size() && std::equal(with.begin(), with.end(), code.begin());
}

} // namespace

std::optional<std::uint64_t> calledAddress(std::uint64_t returnAddress,
                                           const std::function<Code(std::uint64_t, std::size_t)> &code,
                                           const std::function<std::optional<std::uint64_t>(std::uint64_t)> &memory) {
#if defined(__x86_64__)
    constexpr std::size_t direct = 5, bySlot = 6, jump = 6; // bytes of the instructions
    if (const Code call = code(returnAddress - bySlot, bySlot); call.size() == bySlot && begins(call, {0xff, 0x15}))
        return memory(returnAddress + static_cast<std::uint64_t>(distanceIn(call, 2))); // call *slot(%rip)
    const Code call = code(returnAddress - direct, direct);
    if (call.size() != direct || !begins(call, {0xe8}))
        return std::nullopt;
    const std::uint64_t target = returnAddress + static_cast<std::uint64_t>(distanceIn(call, 1));
    // An entry of the table: endbr64 and bnd, where they are used, and jmp *slot(%rip).
    std::uint64_t at = target;
    if (begins(code(at, 4), {0xf3, 0x0f, 0x1e, 0xfa}))
        at += 4;
    if (begins(code(at, 1), {0xf2}))
        at += 1;
    if (const Code entry = code(at, jump); entry.size() == jump && begins(entry, {0xff, 0x25}))
        return memory(at + jump + static_cast<std::uint64_t>(distanceIn(entry, 2)));
    return target;
#else
    static_cast<void>(returnAddress), static_cast<void>(code), static_cast<void>(memory);
    return std::nullopt;
#endif
}

const std::string &CalledFunctions::mpiNameOf(std::uint64_t returnAddress) {
    const auto [entry, isNew] = m_names.try_emplace(returnAddress);
    if (!isNew)
        return entry->second;
    const auto code = [&](std::uint64_t address, std::size_t size) -> Code {
        GElf_Addr bias = 0;
        Dwfl_Module *module = dwfl_addrmodule(m_walk.dwfl(), address);
        if (module == nullptr || dwfl_module_getelf(module, &bias) == nullptr)
            return {};
        return codeOf(module, address - bias, address - bias + size);
    };
    const auto memory = [&](std::uint64_t address) { return m_memory.value<std::uint64_t>(address); };
    if (const auto function = calledAddress(returnAddress, code, memory))
        entry->second = mpiNameAt(*function);
    return entry->second;
}

std::string CalledFunctions::mpiNameAt(std::uint64_t function) const {
    Dwfl_Module *module = dwfl_addrmodule(m_walk.dwfl(), function);
    const int count = module == nullptr ? 0 : dwfl_module_getsymtab(module);
    for (int i = 0; i < count; ++i) {
        GElf_Sym symbol;
        GElf_Addr address = 0;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
        if (name == nullptr || address != function || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        const std::string text = std::string(name).substr(0, std::string_view(name).find('@'));
        if (isMpiName(text))
            return text;
    }
    return {};
}

} // namespace laggard::attach
