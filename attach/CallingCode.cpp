// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/CallingCode.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <elfutils/libdw.h>
#include <gelf.h>

namespace laggard::attach {
namespace {

using Value = std::optional<std::uint64_t>;

/// Intel's register numbers in DWARF's (System V ABI: x86-64, Figure 3.36).
constexpr std::array<unsigned, 16> dwarfNumbers = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
constexpr std::array<unsigned, 9> clobbered = {0, 1, 2, 6, 7, 8, 9, 10, 11}; ///< by a call; Intel's numbers
constexpr unsigned stackPointer = 4;

/// Runs instructions one after the other, with values that are not known where they cannot be.
class Straight {
  public:
    Straight(std::span<const unsigned char> code, std::uint64_t address, const std::function<Value(unsigned)> &registerOf,
             const std::function<Value(std::uint64_t, std::size_t)> &memory)
        : m_code(code), m_address(address), m_memory(memory) {
        for (const unsigned kept : {3U, 4U, 5U, 12U, 13U, 14U, 15U})
            m_registers[kept] = registerOf(dwarfNumbers[kept]);
    }

    /// False if anything is met that is not known.
    bool run() {
        while (m_at < m_code.size())
            if (!step())
                return false;
        return !m_isBad && m_at == m_code.size();
    }

    [[nodiscard]] Value of(unsigned dwarfNumber) const {
        const auto found = std::ranges::find(dwarfNumbers, dwarfNumber);
        return found == dwarfNumbers.end() ? std::nullopt : m_registers[static_cast<std::size_t>(found - dwarfNumbers.begin())];
    }

  private:
    struct Operand {
        bool isRegister = false;
        unsigned number = 0; ///< the register's number
        Value address;       ///< the memory's address
        std::uint64_t offset = 0;
        bool isRelative = false; ///< to the next instruction
    };
    struct Range {
        std::uint64_t address;
        std::size_t size;
    };

    template <typename Number> Number take() {
        Number number{};
        if (m_code.size() - m_at < sizeof number) {
            m_isBad = true;
            m_at = m_code.size();
            return number;
        }
        std::memcpy(&number, m_code.data() + m_at, sizeof number);
        m_at += sizeof number;
        return number;
    }

    Operand operand(unsigned char modrm) {
        Operand result;
        const unsigned mode = modrm >> 6U;
        const unsigned low = modrm & 7U;
        if (mode == 3) {
            result.isRegister = true;
            result.number = low | (m_b ? 8U : 0U);
            return result;
        }
        Value base;
        if (low == 4) {
            const auto sib = take<unsigned char>();
            const unsigned index = ((sib >> 3U) & 7U) | (m_x ? 8U : 0U);
            const unsigned baseNumber = (sib & 7U) | (m_b ? 8U : 0U);
            const bool isWithoutBase = mode == 0 && (sib & 7U) == 5;
            base = isWithoutBase ? Value(0) : m_registers[baseNumber];
            if (index != stackPointer)
                base = base && m_registers[index] ? Value(*base + (*m_registers[index] << (sib >> 6U))) : std::nullopt;
            if (isWithoutBase)
                result.offset = static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
        } else if (mode == 0 && low == 5) {
            result.isRelative = true;
            result.offset = static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
            return result;
        } else
            base = m_registers[low | (m_b ? 8U : 0U)];
        if (mode == 1)
            result.offset = static_cast<std::uint64_t>(std::int64_t{take<std::int8_t>()});
        else if (mode == 2)
            result.offset = static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
        if (base)
            result.address = *base + result.offset;
        return result;
    }

    /// After the whole instruction has been read.
    [[nodiscard]] Value addressOf(const Operand &operand) const {
        return operand.isRelative ? Value(m_address + m_at + operand.offset) : operand.address;
    }

    [[nodiscard]] static std::uint64_t cut(std::uint64_t value, std::size_t size) {
        return size >= 8 ? value : value & ((std::uint64_t{1} << (8 * size)) - 1);
    }
    [[nodiscard]] static std::uint64_t extended(std::uint64_t value, std::size_t size) {
        if (size >= 8)
            return value;
        const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
        return (cut(value, size) ^ sign) - sign;
    }

    Value load(const Operand &operand, std::size_t size) {
        if (operand.isRegister)
            return m_registers[operand.number] ? Value(cut(*m_registers[operand.number], size)) : std::nullopt;
        const Value address = addressOf(operand);
        if (!address)
            return std::nullopt;
        m_loads.push_back({*address, size});
        return m_memory(*address, size);
    }

    /// For what an instruction changes in place. Memory shows what it holds now, and nobody asks here for what it held before.
    Value changed(const Operand &target, std::size_t size) { return target.isRegister ? load(target, size) : std::nullopt; }

    /// False if it changes what was thought not to change, or what was loaded before.
    bool store(const Operand &operand, const Value &value, std::size_t size) {
        if (operand.isRegister)
            return set(operand.number, value, size);
        const Value address = addressOf(operand);
        // What lies there is what was stored last: loads before that would have seen something else.
        return address && std::ranges::none_of(m_loads, [&](const Range &each) {
                   return each.address < *address + size && *address < each.address + each.size;
               });
    }

    bool set(unsigned number, const Value &value, std::size_t size) {
        const bool isKept = std::ranges::find(clobbered, number) == clobbered.end();
        if (isKept && number != stackPointer)
            return false;
        if (size < 4) // the rest stays
            m_registers[number] = std::nullopt;
        else
            m_registers[number] = value ? Value(cut(*value, size)) : std::nullopt;
        return true;
    }

    static Value calculated(unsigned operation, const Value &a, const Value &b) {
        if (!a || !b)
            return std::nullopt;
        switch (operation) {
        case 0:
            return *a + *b;
        case 1:
            return *a | *b;
        case 4:
            return *a & *b;
        case 5:
            return *a - *b;
        case 6:
            return *a ^ *b;
        default:
            return std::nullopt;
        }
    }

    bool step() {
        m_r = m_x = m_b = false;
        std::size_t size = 4;
        auto code = take<unsigned char>();
        if ((code & 0xF0U) == 0x40) {
            size = (code & 8U) != 0 ? 8 : 4;
            m_r = (code & 4U) != 0;
            m_x = (code & 2U) != 0;
            m_b = (code & 1U) != 0;
            code = take<unsigned char>();
        }
        if (code == 0x0F)
            return longer(size);
        if (code >= 0xB8 && code <= 0xBF) {
            const std::uint64_t value = size == 8 ? take<std::uint64_t>() : take<std::uint32_t>();
            return set((code & 7U) | (m_b ? 8U : 0U), value, size);
        }
        if (code < 0x40 && ((code & 7U) == 1 || (code & 7U) == 3)) { // add, or, adc, sbb, and, sub, xor, cmp
            const auto modrm = take<unsigned char>();
            return twoOperands(code >> 3U, modrm, (code & 7U) == 3, size);
        }
        return shorter(code, size);
    }

    bool twoOperands(unsigned operation, unsigned char modrm, bool isToRegister, std::size_t size) {
        const unsigned number = ((modrm >> 3U) & 7U) | (m_r ? 8U : 0U);
        const Operand other = operand(modrm);
        if (operation == 7) // only compares
            return true;
        if (operation == 6 && other.isRegister && other.number == number)
            return set(number, 0, size);
        const Value value = isToRegister ? calculated(operation, m_registers[number], load(other, size))
                                         : calculated(operation, changed(other, size), m_registers[number]);
        return isToRegister ? set(number, value, size) : store(other, value, size);
    }

    bool withConstant(unsigned char modrm, bool isByte, std::size_t size) {
        const unsigned operation = (modrm >> 3U) & 7U;
        const Operand target = operand(modrm);
        const std::int64_t constant = isByte ? take<std::int8_t>() : take<std::int32_t>();
        if (operation == 7)
            return true;
        return store(target, calculated(operation, changed(target, size), static_cast<std::uint64_t>(constant)), size);
    }

    bool shorter(unsigned char code, std::size_t size) {
        const auto numberIn = [&](unsigned char modrm) { return ((modrm >> 3U) & 7U) | (m_r ? 8U : 0U); };
        switch (code) {
        case 0x89: { // mov to memory or register
            const auto modrm = take<unsigned char>();
            const Operand target = operand(modrm);
            return store(target, m_registers[numberIn(modrm)], size);
        }
        case 0x8B: { // mov from
            const auto modrm = take<unsigned char>();
            const Operand source = operand(modrm);
            return set(numberIn(modrm), load(source, size), size);
        }
        case 0x8D: { // lea
            const auto modrm = take<unsigned char>();
            const Operand source = operand(modrm);
            return !source.isRegister && set(numberIn(modrm), addressOf(source), size);
        }
        case 0x63: { // movslq
            const auto modrm = take<unsigned char>();
            const Operand source = operand(modrm);
            const Value value = load(source, 4);
            return set(numberIn(modrm), value ? Value(extended(*value, 4)) : std::nullopt, size);
        }
        case 0xC7: { // mov of a constant
            const auto modrm = take<unsigned char>();
            const Operand target = operand(modrm);
            const auto value = static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
            return store(target, value, size);
        }
        case 0x83:
        case 0x81:
            return withConstant(take<unsigned char>(), code == 0x83, size);
        case 0x85: // test
            operand(take<unsigned char>());
            return true;
        case 0x98: // cltq
            return set(0, m_registers[0] ? Value(extended(*m_registers[0], size / 2)) : std::nullopt, size);
        case 0xC1:
        case 0xD1: { // shifts
            const auto modrm = take<unsigned char>();
            const Operand target = operand(modrm);
            const unsigned by = code == 0xC1 ? take<unsigned char>() & 63U : 1U;
            const unsigned operation = (modrm >> 3U) & 7U;
            const Value value = changed(target, size);
            if (operation != 4 && operation != 5 && operation != 7)
                return store(target, std::nullopt, size);
            if (!value)
                return store(target, std::nullopt, size);
            const std::uint64_t whole = extended(*value, size);
            return store(target,
                         operation == 4   ? *value << by
                         : operation == 5 ? cut(*value, size) >> by
                                          : static_cast<std::uint64_t>(static_cast<std::int64_t>(whole) >> by),
                         size);
        }
        case 0x6A: // push
            take<std::int8_t>();
            return true;
        case 0x68:
            take<std::int32_t>();
            return true;
        case 0xFF: { // push of memory; calls through pointers
            const auto modrm = take<unsigned char>();
            const unsigned operation = (modrm >> 3U) & 7U;
            operand(modrm);
            return operation == 6 || (operation == 2 && called());
        }
        case 0xE8:
            take<std::int32_t>();
            return called();
        case 0x90:
            return true;
        default:
            return code >= 0x50 && code <= 0x57; // push
        }
    }

    bool called() {
        if (m_at == m_code.size()) // the call that is asked about
            return true;
        for (const unsigned each : clobbered)
            m_registers[each] = std::nullopt;
        m_loads.clear(); // their values are gone with the registers
        return true;
    }

    bool longer(std::size_t size) {
        const auto code = take<unsigned char>();
        const auto modrm = take<unsigned char>();
        const unsigned number = ((modrm >> 3U) & 7U) | (m_r ? 8U : 0U);
        const Operand source = operand(modrm);
        const std::size_t narrow = (code & 1U) != 0 ? 2 : 1;
        switch (code) {
        case 0xB6: // movzx
        case 0xB7:
            return set(number, narrow == 1 && source.isRegister ? std::nullopt : load(source, narrow), size);
        case 0xBE: // movsx
        case 0xBF: {
            const Value value = narrow == 1 && source.isRegister ? std::nullopt : load(source, narrow);
            return set(number, value ? Value(extended(*value, narrow)) : std::nullopt, size);
        }
        case 0xAF: { // imul
            const Value value = load(source, size);
            return set(number, value && m_registers[number] ? Value(*value * *m_registers[number]) : std::nullopt, size);
        }
        case 0x1F: // nop
            return true;
        default:
            return false;
        }
    }

    std::span<const unsigned char> m_code;
    std::uint64_t m_address;
    const std::function<Value(std::uint64_t, std::size_t)> &m_memory;
    std::array<Value, 16> m_registers; ///< Intel's numbers
    std::vector<Range> m_loads;
    std::size_t m_at = 0;
    bool m_r = false, m_x = false, m_b = false;
    bool m_isBad = false;
};

} // namespace

std::span<const unsigned char> codeOf(Dwfl_Module *module, Dwarf_Addr begin, Dwarf_Addr end) {
    GElf_Addr bias = 0;
    Elf *elf = dwfl_module_getelf(module, &bias);
    std::size_t count = 0;
    if (elf == nullptr || elf_getphdrnum(elf, &count) != 0)
        return {};
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_LOAD || begin < header.p_vaddr ||
            end > header.p_vaddr + header.p_filesz)
            continue;
        const Elf_Data *data = elf_getdata_rawchunk(elf, static_cast<std::int64_t>(header.p_offset + begin - header.p_vaddr),
                                                    end - begin, ELF_T_BYTE);
        if (data != nullptr && data->d_size == end - begin)
            return {static_cast<const unsigned char *>(data->d_buf), data->d_size};
    }
    return {};
}

std::optional<std::uint64_t> valueAfter(std::span<const unsigned char> code, std::uint64_t address, unsigned registerNumber,
                                        const std::function<Value(unsigned)> &registerOf,
                                        const std::function<Value(std::uint64_t, std::size_t)> &memory) {
    Straight straight(code, address, registerOf, memory);
    return straight.run() ? straight.of(registerNumber) : std::nullopt;
}

std::optional<std::uint64_t> loadedBeforeCall(const CallSites &sites, Dwfl_Module *module, Dwarf_Die *unit, Dwarf_Addr bias,
                                              const WalkedFrame &frame, unsigned registerNumber) {
#if defined(__x86_64__)
    constexpr Dwarf_Addr most = 256; ///< bytes of code: a call with twelve arguments takes some 100
    const Dwarf_Addr end = frame.counter - bias;
    Dwarf_Lines *lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return std::nullopt;
    std::vector<Dwarf_Addr> begins; // an instruction begins with each line
    Dwarf_Addr joint = 0;           // a line in several pieces has jumps: code before the last of them may not have run
    for (std::size_t i = 0; i < count; ++i) {
        Dwarf_Addr begin = 0;
        unsigned piece = 0;
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        if (dwarf_lineaddr(line, &begin) != 0 || begin >= end || end - begin > most)
            continue;
        begins.push_back(begin);
        if (dwarf_linediscriminator(line, &piece) != 0 || piece != 0)
            joint = std::max(joint, begin);
    }
    std::erase_if(begins, [&](Dwarf_Addr begin) { return begin <= joint; });
    std::ranges::sort(begins, std::greater());
    for (const Dwarf_Addr begin : begins) {
        const auto code = codeOf(module, begin, end);
        if (code.empty())
            break;
        const auto value = valueAfter(
            code, begin + bias, registerNumber, [&](unsigned number) { return frame.valueOf(number); },
            [&](std::uint64_t address, std::size_t size) { return sites.valueAt(address, size); });
        if (value)
            return value;
    }
#else
    static_cast<void>(sites), static_cast<void>(module), static_cast<void>(unit), static_cast<void>(bias);
    static_cast<void>(frame), static_cast<void>(registerNumber);
#endif
    return std::nullopt;
}

} // namespace laggard::attach
