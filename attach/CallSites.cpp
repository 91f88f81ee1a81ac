// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/CallSites.h"

#include "attach/CallingCode.h"
#include "trace/MpiName.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace laggard::attach {
namespace {

/// Registers of the first arguments, in DWARF's numbers (System V ABI: x86-64 §3.2.3; AAPCS64 §6.8).
#if defined(__aarch64__)
constexpr std::array<unsigned, 8> argumentRegisters = {0, 1, 2, 3, 4, 5, 6, 7};
#else
constexpr std::array<unsigned, 6> argumentRegisters = {5, 4, 1, 2, 8, 9};
#endif
constexpr std::uint64_t word = 8;
constexpr unsigned mostDepth = 4;       ///< callers whose own call sites are asked for a value
constexpr std::size_t mostSteps = 256;  ///< in an expression
constexpr std::size_t mostOnStack = 64; ///< values of an expression
constexpr unsigned mostNesting = 32;    ///< blocks in blocks of a function

/// The call site in or below `scope` that returns to `address`, in the addresses of its file.
bool findCallSite(Dwarf_Die *scope, Dwarf_Addr address, unsigned depth, Dwarf_Die *found) {
    Dwarf_Die child;
    if (depth > mostNesting || dwarf_child(scope, &child) != 0)
        return false;
    do {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site) {
            Dwarf_Attribute attribute;
            Dwarf_Addr back = 0;
            const unsigned name = dwarf_hasattr(&child, DW_AT_call_return_pc) != 0 ? DW_AT_call_return_pc : DW_AT_low_pc;
            if (dwarf_attr(&child, name, &attribute) != nullptr && dwarf_formaddr(&attribute, &back) == 0 && back == address) {
                *found = child;
                return true;
            }
        } else if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
                   findCallSite(&child, address, depth + 1, found))
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/// The function, not one inlined there, that has the code at `address`; dwarf_getscopes would go on where an inlined one is
/// defined.
bool findFunction(Dwarf_Die *scope, Dwarf_Addr address, unsigned depth, Dwarf_Die *found) {
    Dwarf_Die child;
    if (depth > mostNesting || dwarf_child(scope, &child) != 0)
        return false;
    do {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_subprogram) {
            if (dwarf_haspc(&child, address) == 1) {
                *found = child;
                static_cast<void>(findFunction(&child, address, depth + 1, found)); // Fortran has functions in functions
                return true;
            }
        } else if ((tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
                    tag == DW_TAG_class_type) &&
                   findFunction(&child, address, depth + 1, found))
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/// False if the call site says that it calls something else: what is on the stack has been jumped to from there.
bool calls(Dwarf_Die *site, const std::string &called) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (dwarf_attr(site, DW_AT_call_origin, &attribute) == nullptr &&
        dwarf_attr(site, DW_AT_abstract_origin, &attribute) == nullptr)
        return false; // through a pointer: nobody knows
    if (dwarf_formref_die(&attribute, &origin) == nullptr)
        return false;
    for (const unsigned name : {unsigned{DW_AT_linkage_name}, unsigned{DW_AT_name}}) {
        Dwarf_Attribute text;
        const char *value = dwarf_attr_integrate(&origin, name, &text) == nullptr ? nullptr : dwarf_formstring(&text);
        if (value != nullptr && !mpiBaseName(value).empty() && mpiBaseName(value) == mpiBaseName(called))
            return true;
    }
    return false;
}

} // namespace

/// One expression (DWARF 5 §2.5), in a frame that has made a call.
class Evaluation {
  public:
    Evaluation(const CallSites &sites, std::size_t frame, Dwarf_Die *function, Dwarf_Addr bias, unsigned depth)
        : m_sites(sites), m_frame(frame), m_function(function), m_bias(bias), m_depth(depth) {}

    std::optional<std::uint64_t> value(const Dwarf_Op *operations, std::size_t count, const Dwarf_Attribute *attribute) {
        m_attribute = attribute;
        if (count > mostSteps)
            return std::nullopt;
        for (std::size_t i = 0; i < count; ++i)
            if (m_stack.size() > mostOnStack || !step(operations[i]))
                return std::nullopt;
        return m_stack.empty() ? std::nullopt : std::optional(m_stack.back());
    }

  private:
    bool push(std::optional<std::uint64_t> value) {
        if (value)
            m_stack.push_back(*value);
        return value.has_value();
    }

    std::optional<std::uint64_t> pop() {
        if (m_stack.empty())
            return std::nullopt;
        const std::uint64_t value = m_stack.back();
        m_stack.pop_back();
        return value;
    }

    [[nodiscard]] const WalkedFrame &frame() const { return m_sites.m_frames[m_frame]; }

    [[nodiscard]] std::optional<std::uint64_t> canonicalAddress() const {
        if (m_frame + 1 >= m_sites.m_frames.size() || m_sites.m_frames[m_frame + 1].stackPointer == 0)
            return std::nullopt;
        return m_sites.m_frames[m_frame + 1].stackPointer;
    }

    std::optional<std::uint64_t> frameBase() {
        Dwarf_Attribute attribute;
        Dwarf_Op *operations = nullptr;
        std::size_t count = 0;
        if (dwarf_attr_integrate(m_function, DW_AT_frame_base, &attribute) == nullptr ||
            dwarf_getlocation_addr(&attribute, frame().counter - 1 - m_bias, &operations, &count, 1) != 1 || count != 1)
            return std::nullopt;
        if (operations->atom == DW_OP_call_frame_cfa)
            return canonicalAddress();
        if (operations->atom >= DW_OP_reg0 && operations->atom <= DW_OP_reg31)
            return frame().valueOf(operations->atom - DW_OP_reg0);
        if (operations->atom >= DW_OP_breg0 && operations->atom <= DW_OP_breg31)
            if (const auto base = frame().valueOf(operations->atom - DW_OP_breg0))
                return *base + operations->number;
        return std::nullopt;
    }

    /// What a register had when the frame's own function was called.
    std::optional<std::uint64_t> atEntry(const Dwarf_Op &operation) {
        Dwarf_Attribute inner;
        Dwarf_Op *operations = nullptr;
        std::size_t count = 0;
        if (m_attribute == nullptr || m_depth >= mostDepth ||
            dwarf_getlocation_attr(const_cast<Dwarf_Attribute *>(m_attribute), &operation, &inner) != 0 ||
            dwarf_getlocation(&inner, &operations, &count) != 0 || count != 1 || operations->atom < DW_OP_reg0 ||
            operations->atom > DW_OP_reg31)
            return std::nullopt;
        return m_sites.atCall(m_frame, nullptr, operations->atom - DW_OP_reg0, m_depth + 1);
    }

    bool step(const Dwarf_Op &each) {
        const unsigned atom = each.atom;
        if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
            return push(atom - DW_OP_lit0);
        if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
            return pushRegister(atom - DW_OP_breg0, each.number);
        switch (atom) {
        case DW_OP_const1u:
        case DW_OP_const1s:
        case DW_OP_const2u:
        case DW_OP_const2s:
        case DW_OP_const4u:
        case DW_OP_const4s:
        case DW_OP_const8u:
        case DW_OP_const8s:
        case DW_OP_constu:
        case DW_OP_consts:
            return push(each.number);
        case DW_OP_addr:
            return push(each.number + m_bias);
        case DW_OP_bregx:
            return pushRegister(static_cast<unsigned>(each.number), each.number2);
        case DW_OP_fbreg:
            if (const auto base = frameBase())
                return push(*base + each.number);
            return false;
        case DW_OP_call_frame_cfa:
            return push(canonicalAddress());
        case DW_OP_entry_value:
        case DW_OP_GNU_entry_value:
            return push(atEntry(each));
        case DW_OP_stack_value:
        case DW_OP_nop:
            return true;
        default:
            return calculate(each);
        }
    }

    bool pushRegister(unsigned number, std::uint64_t offset) {
        const auto value = frame().valueOf(number);
        return value && push(*value + offset);
    }

    bool calculate(const Dwarf_Op &each) {
        const auto top = pop();
        if (!top)
            return false;
        switch (each.atom) {
        case DW_OP_dup:
            return push(top) && push(top);
        case DW_OP_drop:
            return true;
        case DW_OP_deref:
            return push(m_sites.valueAt(*top, word));
        case DW_OP_deref_size:
            return push(m_sites.valueAt(*top, static_cast<std::size_t>(each.number)));
        case DW_OP_plus_uconst:
            return push(*top + each.number);
        case DW_OP_neg:
            return push(0 - *top);
        case DW_OP_not:
            return push(~*top);
        default:
            break;
        }
        const auto below = pop();
        return below && push(ofTwo(each.atom, *below, *top));
    }

    static std::optional<std::uint64_t> ofTwo(unsigned atom, std::uint64_t a, std::uint64_t b) {
        const auto isLess = static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
        const std::uint64_t by = std::min<std::uint64_t>(b, 63);
        switch (atom) {
        case DW_OP_plus:
            return a + b;
        case DW_OP_minus:
            return a - b;
        case DW_OP_mul:
            return a * b;
        case DW_OP_and:
            return a & b;
        case DW_OP_or:
            return a | b;
        case DW_OP_xor:
            return a ^ b;
        case DW_OP_shl:
            return b > 63 ? 0 : a << by;
        case DW_OP_shr:
            return b > 63 ? 0 : a >> by;
        case DW_OP_shra:
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> by);
        case DW_OP_eq:
            return a == b ? 1 : 0;
        case DW_OP_ne:
            return a != b ? 1 : 0;
        case DW_OP_lt:
            return isLess ? 1 : 0;
        case DW_OP_ge:
            return isLess ? 0 : 1;
        default:
            return std::nullopt; // what is not known is not guessed
        }
    }

    const CallSites &m_sites;
    std::size_t m_frame;
    Dwarf_Die *m_function;
    Dwarf_Addr m_bias;
    unsigned m_depth;
    const Dwarf_Attribute *m_attribute = nullptr;
    std::vector<std::uint64_t> m_stack;
};

namespace {

/// The register that a parameter of a call site is about; nothing for one on the stack.
std::optional<unsigned> registerOf(Dwarf_Die *parameter) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operations = nullptr;
    std::size_t count = 0;
    if (dwarf_attr(parameter, DW_AT_location, &attribute) == nullptr || dwarf_getlocation(&attribute, &operations, &count) != 0 ||
        count != 1)
        return std::nullopt;
    if (operations->atom >= DW_OP_reg0 && operations->atom <= DW_OP_reg31)
        return operations->atom - DW_OP_reg0;
    return operations->atom == DW_OP_regx ? std::optional(static_cast<unsigned>(operations->number)) : std::nullopt;
}

} // namespace

std::optional<std::uint64_t> CallSites::atCall(std::size_t callee, const std::string *called, unsigned registerNumber,
                                               unsigned depth) const {
    const std::size_t caller = callee + 1;
    if (caller >= m_frames.size() || !m_frames[caller].isReturnAddress)
        return std::nullopt;
    const std::uint64_t back = m_frames[caller].counter;
    Dwfl_Module *module = dwfl_addrmodule(m_walk.dwfl(), back - 1);
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = module == nullptr ? nullptr : dwfl_module_addrdie(module, back - 1, &bias);
    Dwarf_Die function;
    if (unit == nullptr || !findFunction(unit, back - 1 - bias, 0, &function))
        return std::nullopt;
    Dwarf_Die site;
    if (!findCallSite(&function, back - bias, 0, &site)) {
        const bool isOptimised = depth != 0 || dwarf_hasattr(&function, DW_AT_call_all_calls) != 0 ||
                                 dwarf_hasattr(&function, DW_AT_call_all_tail_calls) != 0 ||
                                 dwarf_hasattr(&function, DW_AT_GNU_all_call_sites) != 0 ||
                                 dwarf_hasattr(&function, DW_AT_GNU_all_tail_call_sites) != 0;
        return isOptimised ? std::nullopt : loadedBeforeCall(*this, module, unit, bias, m_frames[caller], registerNumber);
    }
    if (called != nullptr && !calls(&site, *called))
        return std::nullopt;
    Dwarf_Die parameter;
    if (dwarf_child(&site, &parameter) != 0)
        return std::nullopt;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Op *operations = nullptr;
        std::size_t count = 0;
        if (registerOf(&parameter) != registerNumber)
            continue;
        if (dwarf_attr(&parameter, DW_AT_call_value, &attribute) == nullptr &&
            dwarf_attr(&parameter, DW_AT_GNU_call_site_value, &attribute) == nullptr)
            return std::nullopt;
        if (dwarf_getlocation(&attribute, &operations, &count) != 0)
            return std::nullopt;
        return Evaluation(*this, caller, &function, bias, depth).value(operations, count, &attribute);
    } while (dwarf_siblingof(&parameter, &parameter) == 0);
    return std::nullopt;
}

std::optional<std::uint64_t> CallSites::argument(std::size_t callee, const std::string &called, unsigned number) const {
    if (number < argumentRegisters.size())
        return atCall(callee, &called, argumentRegisters[number], 0);
    const std::size_t caller = callee + 1;
    if (caller >= m_frames.size() || m_frames[caller].stackPointer == 0)
        return std::nullopt;
    // If the call has been jumped to, what lies there is another function's: then its other arguments are not known either.
    if (!atCall(callee, &called, argumentRegisters[1], 0) && !atCall(callee, &called, argumentRegisters[2], 0) &&
        !atCall(callee, &called, argumentRegisters[4], 0))
        return std::nullopt;
    return valueAt(m_frames[caller].stackPointer + (number - argumentRegisters.size()) * word, word);
}

std::optional<std::uint64_t> CallSites::valueAt(std::uint64_t address, std::size_t size) const {
    std::uint64_t value = 0;
    if (size == 0 || size > sizeof value)
        return std::nullopt;
    const std::uint64_t offset = address - m_thread.stackAddress;
    if (address >= m_thread.stackAddress && offset < m_thread.stack.size() && m_thread.stack.size() - offset >= size) {
        std::memcpy(&value, m_thread.stack.data() + offset, size);
        return value;
    }
    return m_memory.read(address, &value, size) == size ? std::optional(value) : std::nullopt;
}

} // namespace laggard::attach
