// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/PythonRuntime.h"

#include "attach/PythonLayout.h"
#include "ingest/recording/DebugInformation.h"

#include <algorithm>
#include <charconv>
#include <gelf.h>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace laggard::attach {
namespace {

// Far more than programs have: against lists that never end.
constexpr std::size_t mostInterpreters = 64;
constexpr std::size_t mostThreads = 4096;
constexpr std::size_t mostFrames = 1024;                 ///< in a thread; the usual limit of recursion is 1,000
constexpr std::size_t mostText = 1024;                   ///< characters of a name
constexpr std::size_t mostTable = std::size_t{1} << 20U; ///< bytes of a line table

std::string utf8(std::uint32_t character) {
    std::string text;
    if (character < 0x80)
        text += static_cast<char>(character);
    else if (character < 0x800)
        (text += static_cast<char>(0xC0U | character >> 6U)) += static_cast<char>(0x80U | (character & 0x3FU));
    else if (character < 0x10000)
        ((text += static_cast<char>(0xE0U | character >> 12U)) += static_cast<char>(0x80U | (character >> 6U & 0x3FU))) +=
            static_cast<char>(0x80U | (character & 0x3FU));
    else if (character < 0x110000)
        (((text += static_cast<char>(0xF0U | character >> 18U)) += static_cast<char>(0x80U | (character >> 12U & 0x3FU))) +=
         static_cast<char>(0x80U | (character >> 6U & 0x3FU))) += static_cast<char>(0x80U | (character & 0x3FU));
    return text;
}

class Reader {
  public:
    Reader(const Memory &memory, const PythonLayout &layout) : m_memory(memory), m_layout(layout) {}

    [[nodiscard]] std::uint64_t pointer(std::uint64_t address) const {
        return m_memory.value<std::uint64_t>(address).value_or(0);
    }

    /// Nothing if it is no string.
    [[nodiscard]] std::optional<std::string> text(std::uint64_t address) const {
        constexpr std::uint64_t lengthOffset = 16; // PyASCIIObject
        constexpr std::uint64_t stateOffset = 32;  // interned: 2 bits, kind: 3, compact: 1, ascii: 1
        const auto length = m_memory.value<std::int64_t>(address + lengthOffset);
        const auto state = m_memory.value<std::uint32_t>(address + stateOffset);
        if (!length || !state || *length < 0 || *length > static_cast<std::int64_t>(mostText) || (*state >> 5U & 1U) == 0)
            return std::nullopt;
        const unsigned kind = *state >> 2U & 7U;
        const bool isAscii = (*state >> 6U & 1U) != 0;
        if (kind != 1 && kind != 2 && kind != 4)
            return std::nullopt;
        std::vector<unsigned char> bytes(static_cast<std::size_t>(*length) * kind);
        if (m_memory.read(address + (isAscii ? m_layout.asciiText : m_layout.otherText), bytes.data(), bytes.size()) !=
            bytes.size())
            return std::nullopt;
        std::string result;
        for (std::size_t at = 0; at < bytes.size(); at += kind) {
            std::uint32_t character = 0;
            for (unsigned i = 0; i < kind; ++i)
                character |= std::uint32_t{bytes[at + i]} << (8 * i);
            result += utf8(character);
        }
        return result;
    }

    /// Nothing if it is no function that could run.
    [[nodiscard]] std::optional<PythonFrame> frame(std::uint64_t address) const {
        const std::uint64_t code = pointer(address + m_layout.code);
        const auto name = code == 0 ? std::nullopt : text(pointer(code + m_layout.name));
        const auto file = name ? text(pointer(code + m_layout.fileName)) : std::nullopt;
        const auto first = m_memory.value<std::int32_t>(code + m_layout.firstLine);
        if (!name || !file || !first || *first < 0)
            return std::nullopt;
        PythonFrame frame{*name, *file, static_cast<std::uint32_t>(*first), 0, m_layout.entry == 0};
        std::uint64_t offset = 0;
        if (m_layout.instructions == 0) {
            const auto number = m_memory.value<std::int32_t>(address + m_layout.instruction).value_or(-1);
            offset = number < 0 ? 0 : static_cast<std::uint64_t>(number) * m_layout.instructionSize;
        } else {
            const std::uint64_t instruction = pointer(address + m_layout.instruction);
            offset = instruction < code + m_layout.instructions ? 0 : instruction - code - m_layout.instructions;
        }
        frame.line = pythonLine(m_layout.minor, table(pointer(code + m_layout.lineTable)), frame.firstLine, offset);
        if (m_layout.entry != 0)
            frame.isEntry = m_memory.value<unsigned char>(address + m_layout.entry).value_or(1) != 0;
        return frame;
    }

    [[nodiscard]] bool beginsLoop(std::uint64_t frame) const {
        return m_layout.owner != 0 && m_memory.value<unsigned char>(frame + m_layout.owner) == ownedByLoop;
    }

  private:
    [[nodiscard]] std::vector<unsigned char> table(std::uint64_t address) const {
        constexpr std::uint64_t sizeOffset = 16; // PyBytesObject
        constexpr std::uint64_t bytesOffset = 32;
        const auto size = m_memory.value<std::int64_t>(address + sizeOffset).value_or(0);
        std::vector<unsigned char> bytes(
            size <= 0 || size > static_cast<std::int64_t>(mostTable) ? 0 : static_cast<std::size_t>(size));
        bytes.resize(m_memory.read(address + bytesOffset, bytes.data(), bytes.size()));
        return bytes;
    }

    const Memory &m_memory;
    const PythonLayout &m_layout;
};

void readFrames(const Reader &reader, const PythonLayout &layout, std::uint64_t innermost, PythonThread &thread) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t at = innermost; at != 0; at = reader.pointer(at + layout.previous)) {
        if (!seen.insert(at).second || seen.size() > mostFrames) {
            thread.isCut = true;
            return;
        }
        if (reader.beginsLoop(at)) {
            if (!thread.frames.empty())
                thread.frames.back().isEntry = true;
            continue;
        }
        auto frame = reader.frame(at);
        if (!frame) {
            thread.isCut = true;
            return;
        }
        if (layout.owner != 0)
            frame->isEntry = false; // until what began the loop is met
        thread.frames.push_back(std::move(*frame));
    }
    if (layout.owner != 0 && !thread.frames.empty())
        thread.frames.back().isEntry = true;
}

/// As 3.13 tells it; nothing if that is not what it should be.
std::optional<PythonLayout> toldLayout(const Memory &memory, std::uint64_t runtime) {
    using Offsets = PythonOffsets;
    constexpr std::uint64_t most = 65535;
    if (memory.text(runtime, 8) != "xdebugpy" || memory.value<std::uint64_t>(runtime + Offsets::freeThreaded) != 0)
        return std::nullopt;
    const auto version = memory.value<std::uint64_t>(runtime + Offsets::version).value_or(0);
    PythonLayout layout{.minor = static_cast<unsigned>(version >> 16U & 0xFFU), .asciiText = 40, .otherText = 56};
    if (version >> 24U != 3 || layout.minor != 13)
        return std::nullopt;
    bool isGood = true;
    const auto told = [&](std::uint16_t where, std::uint16_t &offset) {
        const auto value = memory.value<std::uint64_t>(runtime + where);
        isGood &= value && *value <= most;
        offset = static_cast<std::uint16_t>(value.value_or(0));
    };
    told(Offsets::interpretersHead, layout.interpretersHead);
    told(Offsets::nextInterpreter, layout.nextInterpreter);
    told(Offsets::threadsHead, layout.threadsHead);
    told(Offsets::nextThread, layout.nextThread);
    told(Offsets::interpreter, layout.interpreter);
    told(Offsets::currentFrame, layout.frameHolder);
    told(Offsets::pthread, layout.pthread);
    told(Offsets::native, layout.native);
    told(Offsets::previous, layout.previous);
    told(Offsets::executable, layout.code);
    told(Offsets::instruction, layout.instruction);
    told(Offsets::owner, layout.owner);
    told(Offsets::fileName, layout.fileName);
    told(Offsets::name, layout.name);
    told(Offsets::lineTable, layout.lineTable);
    told(Offsets::firstLine, layout.firstLine);
    told(Offsets::instructions, layout.instructions);
    return isGood ? std::optional(layout) : std::nullopt;
}

/// 11 for "/usr/bin/python3.11", "libpython3.11.so.1.0"; 0 for others.
unsigned minorOf(const std::string &path) {
    const std::string name = recording::moduleName(path);
    const std::size_t at = name.starts_with("python3.") ? 8 : name.starts_with("libpython3.") ? 11 : 0;
    unsigned minor = 0;
    if (at != 0)
        std::from_chars(name.data() + at, name.data() + name.size(), minor);
    return minor;
}

} // namespace

std::uint32_t pythonLine(unsigned minor, const std::vector<unsigned char> &table, std::uint32_t firstLine, std::uint64_t offset) {
    std::int64_t line = firstLine;
    std::uint64_t address = 0;
    if (minor <= 9) { // Objects/lnotab_notes.txt: bytes of code, lines
        for (std::size_t at = 0; at + 1 < table.size(); at += 2) {
            address += table[at];
            if (address > offset)
                break;
            line += static_cast<std::int8_t>(table[at + 1]);
        }
    } else if (minor == 10) { // the same, but lines come first, and -128 has none (PEP 626)
        std::int64_t found = firstLine;
        for (std::size_t at = 0; at + 1 < table.size(); at += 2) {
            const auto delta = static_cast<std::int8_t>(table[at + 1]);
            line += delta == -128 ? 0 : delta;
            found = delta == -128 ? 0 : line;
            address += table[at];
            if (address > offset)
                break;
        }
        line = found;
    } else { // Objects/locations.md
        for (std::size_t at = 0; at < table.size();) {
            const unsigned char head = table[at++];
            const unsigned kind = head >> 3U & 15U;
            const std::uint64_t length = ((head & 7U) + 1) * 2U;
            std::int64_t delta = 0;
            if (kind == 13 || kind == 14) { // a signed number in pieces of six bits
                std::uint64_t value = 0;
                for (unsigned shift = 0; at < table.size(); shift += 6) {
                    const unsigned char piece = table[at++];
                    if (shift < 60)
                        value |= std::uint64_t{piece & 63U} << shift;
                    if ((piece & 64U) == 0)
                        break;
                }
                delta = (value & 1U) != 0 ? -static_cast<std::int64_t>(value >> 1U) : static_cast<std::int64_t>(value >> 1U);
            } else if (kind >= 10 && kind <= 12)
                delta = static_cast<std::int64_t>(kind) - 10;
            line += delta;
            while (at < table.size() && (table[at] & 128U) == 0)
                ++at; // columns
            if (address + length > offset) {
                if (kind == 15)
                    return 0;
                break;
            }
            address += length;
        }
    }
    return line < 0 || line > 0x7FFFFFFF ? 0 : static_cast<std::uint32_t>(line);
}

std::vector<PythonThread> PythonRuntime::threads(const Memory &memory) const {
    std::vector<PythonThread> threads;
    PythonLayout layout = *m_layout;
    if (layout.minor == 13) {
        const auto told = toldLayout(memory, m_address);
        if (!told)
            return threads;
        layout = *told;
    }
    const Reader reader(memory, layout);
    std::uint64_t interpreter = reader.pointer(m_address + layout.interpretersHead);
    for (std::size_t i = 0; interpreter != 0 && i < mostInterpreters;
         ++i, interpreter = reader.pointer(interpreter + layout.nextInterpreter)) {
        std::uint64_t state = reader.pointer(interpreter + layout.threadsHead);
        for (; state != 0 && threads.size() < mostThreads; state = reader.pointer(state + layout.nextThread)) {
            if (reader.pointer(state + layout.interpreter) != interpreter)
                break; // this is no thread
            PythonThread thread;
            thread.pthread = reader.pointer(state + layout.pthread);
            thread.native = layout.native == 0 ? 0 : reader.pointer(state + layout.native);
            const std::uint64_t holder = reader.pointer(state + layout.frameHolder);
            readFrames(reader, layout, layout.isHeld && holder != 0 ? reader.pointer(holder + layout.heldFrame) : holder, thread);
            threads.push_back(std::move(thread));
        }
    }
    return threads;
}

const PythonFinder::Library &PythonFinder::libraryAt(const std::string &path) {
    const auto [entry, isNew] = m_libraries.try_emplace(path);
    Library &library = entry->second;
    struct stat status {};
    const int file = isNew ? recording::openRegular(path, status) : -1;
    if (file < 0)
        return library;
    library.minor = minorOf(path);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, nullptr);
    for (Elf_Scn *section = nullptr; elf != nullptr && (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || (header.sh_type != SHT_DYNSYM && header.sh_type != SHT_SYMTAB) ||
            header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, nullptr);
        GElf_Sym symbol;
        for (int i = 0; data != nullptr && library.runtime == 0 && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name != nullptr && std::string_view(name) == "_PyRuntime" && symbol.st_shndx != SHN_UNDEF)
                library.runtime = symbol.st_value;
        }
    }
    elf_end(elf);
    ::close(file);
    return library;
}

std::optional<PythonRuntime> PythonFinder::find(const ModuleSources &sources, const Memory &memory, const std::string &maps,
                                                std::string &complaint) {
    if (maps.find("python3") == std::string::npos)
        return std::nullopt;
    const LoadedModules modules(sources, memory, maps);
    for (const LoadedModule &each : modules.all()) {
        if (minorOf(each.shownPath) == 0)
            continue;
        const Library &library = libraryAt(each.key.path);
        if (library.runtime == 0)
            continue; // python3.11 where all is in libpython3.11.so
        const unsigned minor = minorOf(each.shownPath);
        static constexpr PythonLayout told = {.minor = 13};
        const auto *layout = std::ranges::find(pythonLayouts, minor, &PythonLayout::minor);
        if (minor == 13)
            return PythonRuntime(told, library.runtime + each.bias, each.shownPath);
        if (layout != pythonLayouts.end())
            return PythonRuntime(*layout, library.runtime + each.bias, each.shownPath);
        complaint = "Python 3." + std::to_string(minor) + " is not known (3.8 to 3.13 are): its frames are not shown.";
    }
    return std::nullopt;
}

} // namespace laggard::attach
