// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/Symbols.h"

#include "ingest/assembly/BinaryState.h"
#include "ingest/assembly/Demangling.h"
#include "ingest/recording/DebugInformation.h"
#include "ingest/recording/DwflHandle.h"
#include "trace/PlainName.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace laggard::recording {
namespace {

std::string hex(std::uint64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

std::string textOf(Dwarf_Die *die, unsigned attribute) {
    Dwarf_Attribute found;
    const char *text = dwarf_formstring(dwarf_attr_integrate(die, attribute, &found));
    return text != nullptr ? text : "";
}

std::uint32_t numberOf(Dwarf_Die *die, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    return dwarf_formudata(dwarf_attr_integrate(die, attribute, &found), &value) == 0 ? static_cast<std::uint32_t>(value) : 0;
}

/// The name with those of the namespaces and classes around the function.
std::string qualified(Dwarf_Die *die, std::string name) {
    if (name.empty())
        return name;
    Dwarf_Attribute attribute;
    Dwarf_Die origin = *die;
    for (const unsigned link : {DW_AT_abstract_origin, DW_AT_specification}) {
        Dwarf_Die next;
        if (dwarf_formref_die(dwarf_attr(&origin, link, &attribute), &next) != nullptr)
            origin = next;
    }
    Dwarf_Die *scopes = nullptr;
    const int count = dwarf_getscopes_die(&origin, &scopes);
    const std::unique_ptr<Dwarf_Die, decltype(&std::free)> owner(scopes, &std::free);
    for (int i = 1; i < count; ++i) {
        const int tag = dwarf_tag(scopes + i);
        if (tag != DW_TAG_namespace && tag != DW_TAG_class_type && tag != DW_TAG_structure_type && tag != DW_TAG_module)
            break;
        const char *scope = dwarf_diename(scopes + i);
        name = (scope == nullptr ? "(anonymous namespace)" : std::string(scope)) + "::" + name;
    }
    return name;
}

/// The functions, inlined functions and blocks around an address, outermost first. dwarf_getscopes does not look into the modules
/// and contained procedures of Fortran. `inBlocks`: also into blocks that do not hold the address, where the bodies of OpenMP's
/// parallel regions stand as functions of their own (GCC); that is more to search.
bool findScopes(Dwarf_Die *parent, Dwarf_Addr address, std::vector<Dwarf_Die> &scopes, bool inBlocks) {
    constexpr std::size_t deepest = 200;
    Dwarf_Die child;
    if (scopes.size() > deepest || dwarf_child(parent, &child) != 0)
        return false;
    do {
        const int tag = dwarf_tag(&child);
        const bool isCode = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
                            tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
        if (isCode && dwarf_haspc(&child, address) > 0) {
            scopes.push_back(child);
            findScopes(&child, address, scopes, inBlocks);
            return true;
        }
        const bool mayContain = tag == DW_TAG_module || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
                                tag == DW_TAG_structure_type || tag == DW_TAG_subprogram ||
                                (inBlocks && tag == DW_TAG_lexical_block);
        if (mayContain && findScopes(&child, address, scopes, inBlocks))
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/// A source file by its number in the unit's table, with the folder of the compilation where it is relative.
std::string fileOf(Dwarf_Die *unit, std::uint32_t number) {
    Dwarf_Files *files = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || number >= count)
        return {};
    const char *name = dwarf_filesrc(files, number, nullptr, nullptr);
    if (name == nullptr)
        return {};
    if (name[0] == '/')
        return name;
    const std::string folder = textOf(unit, DW_AT_comp_dir);
    return folder.empty() ? name : folder + '/' + name;
}

std::string completed(const char *file, Dwarf_Die *unit) {
    if (file == nullptr)
        return {};
    if (file[0] == '/' || unit == nullptr)
        return file;
    const std::string folder = textOf(unit, DW_AT_comp_dir);
    return folder.empty() ? file : folder + '/' + file;
}

/// "/a/./b/../c" as "/a/c": compilers write what they were called with.
std::string tidied(const std::string &path) {
    if (path.find("/.") == std::string::npos && path.find("//") == std::string::npos)
        return path;
    std::vector<std::string> parts;
    const bool isAbsolute = path.starts_with('/');
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        const std::string part = path.substr(at, end - at);
        at = end + 1;
        if (part.empty() || part == ".")
            continue;
        if (part == ".." && !parts.empty() && parts.back() != "..")
            parts.pop_back();
        else
            parts.push_back(part);
    }
    std::string result;
    for (const std::string &part : parts)
        result += (result.empty() && !isAbsolute ? "" : "/") + part;
    return result;
}

std::string debugFileOf(const std::string &buildId) {
    std::string digits;
    for (const char c : buildId) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(c));
        digits += two;
    }
    return "/usr/lib/debug/.build-id/" + digits.substr(0, 2) + '/' + digits.substr(2) + ".debug";
}

/// Where functions begin, by .eh_frame_hdr (Linux Standard Base, "Exception Frames"), in the encoding that linkers write.
std::vector<std::uint64_t> functionStarts(Elf *elf) {
    std::size_t headers = 0;
    std::vector<std::uint64_t> starts;
    if (elf_getphdrnum(elf, &headers) != 0)
        return starts;
    for (std::size_t i = 0; i < headers; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_GNU_EH_FRAME)
            continue;
        const Elf_Data *data = elf_getdata_rawchunk(elf, static_cast<std::int64_t>(header.p_offset), header.p_filesz, ELF_T_BYTE);
        constexpr std::size_t tableAt = 12;
        constexpr unsigned char relativeToTable = 0x3B; // DW_EH_PE_datarel | DW_EH_PE_sdata4
        if (data == nullptr || data->d_buf == nullptr || data->d_size < tableAt)
            continue;
        const auto *bytes = static_cast<const unsigned char *>(data->d_buf);
        std::uint32_t count = 0;
        std::memcpy(&count, bytes + 8, sizeof count);
        if (bytes[0] != 1 || bytes[2] != 0x03 || bytes[3] != relativeToTable || count > (data->d_size - tableAt) / 8)
            continue;
        for (std::uint32_t entry = 0; entry < count; ++entry) {
            std::int32_t start = 0;
            std::memcpy(&start, bytes + tableAt + std::size_t{entry} * 8, sizeof start);
            starts.push_back(header.p_vaddr + static_cast<std::uint64_t>(std::int64_t{start}));
        }
    }
    std::sort(starts.begin(), starts.end());
    return starts;
}

} // namespace

namespace {

/// Functions of the compiler's and the system's libraries as programs call them, and without lines: whether these are known
/// depends on what is installed, and a program's authors look for their own.
void makePlain(CodeFrames &place) {
    for (CodeFrame &frame : place) {
        if (!isRuntimeLibrary(moduleName(frame.module)) || isRuntimeStart(frame.function))
            continue;
        frame.function = plainNameInLibrary(frame.function);
        frame.file.clear();
        frame.atFile.clear();
        frame.line = frame.atLine = 0;
    }
}

} // namespace

class Symbols::Module {
  public:
    Module(ModuleKey key, std::uint64_t recordedUtc, const KnownPlaces::mapped_type *given, DebugSources sources)
        : m_key(std::move(key)), m_recordedUtc(recordedUtc), m_given(given), m_sources(sources) {}

    std::shared_ptr<const CodeFrames> find(std::uint64_t offset, PlaceKind kind) {
        const std::lock_guard lock(m_mutex);
        auto &known = m_known[static_cast<std::size_t>(kind)][offset];
        if (known)
            return known;
        if (m_given != nullptr)
            if (const auto entry = m_given->find({kind, offset}); entry != m_given->end())
                return known = plain(entry->second);
        open();
        return known = plain(lookUp(offset, kind));
    }

    /// Adds what was looked up, without places that have no name.
    void addFound(KnownPlaces::mapped_type &places) const {
        const std::lock_guard lock(m_mutex);
        for (std::size_t kind = 0; kind < m_known.size(); ++kind)
            for (const auto &[offset, place] : m_known[kind])
                if (place->front().line != 0 || !place->front().linkage.starts_with(moduleName(m_key.path) + '+'))
                    places[{static_cast<PlaceKind>(kind), offset}] = *place;
    }

    std::optional<std::string> binary() {
        const std::lock_guard lock(m_mutex);
        open();
        return m_file.empty() ? std::nullopt : std::optional(m_file);
    }

    [[nodiscard]] std::string complaint() const {
        const std::lock_guard lock(m_mutex);
        return m_complaint;
    }

  private:
    static std::shared_ptr<const CodeFrames> plain(CodeFrames place) {
        makePlain(place);
        return std::make_shared<const CodeFrames>(std::move(place));
    }

    void open() {
        if (std::exchange(m_isOpened, true))
            return;
        if (m_key.path.empty() || m_key.path.starts_with('[') || m_key.path.starts_with("linux-vdso"))
            return;
        struct stat status {};
        int file = openRegular(m_key.path, status);
        if (file < 0) {
            m_complaint = "is not there (any more), or cannot be read";
        } else if (const auto buildId = buildIdOf(file); !buildId) {
            m_complaint = "is not a program or library";
        } else if (*buildId != m_key.buildId) {
            m_complaint = "is not the one that was recorded: it has been built anew";
        } else if (m_key.buildId.empty() && m_recordedUtc != 0 &&
                   static_cast<std::uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000U > m_recordedUtc) {
            m_complaint = "is newer than the recording, and has no build-id";
        }
        std::string path = m_key.path;
        if (!m_complaint.empty()) {
            if (file >= 0)
                ::close(file);
            path = m_key.buildId.size() > 1 ? debugFileOf(m_key.buildId) : std::string();
            file = path.empty() ? -1 : openRegular(path, status);
            if (file < 0)
                return;
            m_complaint.clear();
        } else {
            m_file = m_key.path;
        }
        ::close(file);
        m_dwfl.reset(dwfl_begin(&moduleCallbacks(m_sources)));
        if (!m_dwfl)
            return;
        dwfl_report_begin(m_dwfl.get());
        m_module = dwfl_report_elf(m_dwfl.get(), moduleName(path).c_str(), path.c_str(), -1, 0, true);
        dwfl_report_end(m_dwfl.get(), nullptr, nullptr);
        if (m_module == nullptr) {
            m_complaint = "cannot be used: " + std::string(dwfl_errmsg(-1));
            m_dwfl.reset();
            return;
        }
        GElf_Addr bias = 0;
        if (dwfl_module_getelf(m_module, &bias) != nullptr)
            m_bias = bias;
    }

    CodeFrames lookUp(std::uint64_t offset, PlaceKind kind) {
        CodeFrames place;
        const std::uint64_t instruction = kind == PlaceKind::ReturnAddress && offset != 0 ? offset - 1 : offset;
        if (m_module != nullptr) {
            place = fromDebugInformation(m_bias + instruction, kind);
            if (place.empty())
                place = fromSymbols(m_bias + instruction);
        }
        if (place.empty()) {
            CodeFrame frame;
            frame.function = frame.linkage = moduleName(m_key.path) + '+' + hex(functionStart(instruction).value_or(offset));
            place.push_back(std::move(frame));
        }
        for (CodeFrame &frame : place) {
            frame.module = m_key.path;
            frame.file = tidied(frame.file);
            frame.atFile = tidied(frame.atFile);
        }
        return place;
    }

    CodeFrames fromDebugInformation(Dwarf_Addr address, PlaceKind kind) {
        Dwarf_Addr bias = 0;
        Dwarf_Die *unit = dwfl_module_addrdie(m_module, address, &bias);
        if (unit == nullptr)
            return {};
        std::vector<Dwarf_Die> scopes; // outermost first
        if (!findScopes(unit, address - bias, scopes, false) && !findScopes(unit, address - bias, scopes, true))
            return {};
        CodeFrames place;
        std::string atFile;
        std::uint32_t atLine = 0;
        if (Dwfl_Line *line = dwfl_module_getsrc(m_module, address)) {
            int number = 0;
            const char *file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
            atFile = completed(file, unit);
            atLine = static_cast<std::uint32_t>(std::max(number, 0));
        }
        for (auto inner = scopes.rbegin(); inner != scopes.rend(); ++inner) {
            Dwarf_Die *scope = &*inner;
            const int tag = dwarf_tag(scope);
            if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
                continue;
            CodeFrame frame = functionOf(scope, unit);
            frame.atFile = atFile;
            frame.atLine = atLine;
            if (tag == DW_TAG_inlined_subroutine) {
                atFile = fileOf(unit, numberOf(scope, DW_AT_call_file));
                atLine = numberOf(scope, DW_AT_call_line);
                if (kind == PlaceKind::Entry)
                    continue;
            }
            if (tag == DW_TAG_subprogram && !frame.linkage.starts_with("_Z"))
                takeSymbol(address, frame);
            place.push_back(std::move(frame));
            if (tag == DW_TAG_subprogram)
                return place;
        }
        return {};
    }

    /// Name and declaration of a function's entry, or of one that was inlined.
    static CodeFrame functionOf(Dwarf_Die *die, Dwarf_Die *unit) {
        CodeFrame frame;
        frame.linkage = textOf(die, DW_AT_linkage_name);
        const std::string name = qualified(die, textOf(die, DW_AT_name));
        frame.function = frame.linkage.starts_with("_Z") ? demangledWithoutTypes(frame.linkage)
                         : name.empty()                  ? frame.linkage
                                                         : name;
        if (frame.linkage.empty())
            frame.linkage = frame.function;
        Dwarf_Attribute attribute;
        Dwarf_Attribute *file = dwarf_attr_integrate(die, DW_AT_decl_file, &attribute);
        Dwarf_Word number = 0;
        // The number counts in the table of the unit that the attribute stands in.
        if (file != nullptr && dwarf_formudata(file, &number) == 0) {
            Dwarf_Die owner;
            Dwarf_Die *inUnit = dwarf_cu_die(file->cu, &owner, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
            frame.file = fileOf(inUnit != nullptr ? inUnit : unit, static_cast<std::uint32_t>(number));
        }
        frame.line = numberOf(die, DW_AT_decl_line);
        if (frame.function.empty())
            frame.function = "(unnamed function)";
        return frame;
    }

    /// C++ functions that only their file can see have no linkage name in the debugging information; the symbol has it.
    void takeSymbol(Dwarf_Addr address, CodeFrame &frame) {
        const CodeFrames symbol = fromSymbols(address);
        if (!symbol.empty() && symbol.front().linkage.starts_with("_Z") &&
            symbol.front().function.find(frame.function) != std::string::npos) {
            frame.function = symbol.front().function;
            frame.linkage = symbol.front().linkage;
        }
    }

    CodeFrames fromSymbols(Dwarf_Addr address) {
        GElf_Off within = 0;
        GElf_Sym symbol;
        const char *name = dwfl_module_addrinfo(m_module, address, &within, &symbol, nullptr, nullptr, nullptr);
        if (name == nullptr || name[0] == '\0' || (symbol.st_size != 0 && within >= symbol.st_size))
            return {};
        CodeFrame frame;
        frame.linkage = name;
        frame.function = demangledWithoutTypes(name);
        return {frame};
    }

    /// Where the function that contains an offset begins, by the table for unwinding, which stripping leaves in.
    [[nodiscard]] std::optional<std::uint64_t> functionStart(std::uint64_t offset) {
        if (m_module == nullptr)
            return std::nullopt;
        if (!std::exchange(m_hasStarts, true)) {
            GElf_Addr bias = 0;
            if (Elf *elf = dwfl_module_getelf(m_module, &bias))
                m_starts = functionStarts(elf);
        }
        const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), offset);
        return after == m_starts.begin() ? std::nullopt : std::optional(*(after - 1));
    }

    const ModuleKey m_key;
    const std::uint64_t m_recordedUtc;
    const KnownPlaces::mapped_type *m_given; ///< nullptr if nothing was given for this module
    const DebugSources m_sources;
    mutable std::mutex m_mutex;
    bool m_isOpened = false;
    std::string m_file; ///< the binary itself, if it is the right one
    std::string m_complaint;
    DwflHandle m_dwfl;
    Dwfl_Module *m_module = nullptr;
    std::uint64_t m_bias = 0; ///< what libdwfl's addresses are above offsets
    bool m_hasStarts = false;
    std::vector<std::uint64_t> m_starts; ///< offsets at which functions begin, sorted
    std::array<std::unordered_map<std::uint64_t, std::shared_ptr<const CodeFrames>>, 3> m_known;
};

struct Symbols::Impl {
    std::uint64_t recordedUtc = 0;
    KnownPlaces given;
    DebugSources sources = DebugSources::ThisMachine;
    mutable std::mutex mutex;
    std::map<ModuleKey, std::unique_ptr<Module>> modules;
};

Symbols::Symbols(std::uint64_t recordedUtc, KnownPlaces given, DebugSources sources) : m(std::make_unique<Impl>()) {
    m->recordedUtc = recordedUtc;
    m->given = std::move(given);
    m->sources = sources;
}
Symbols::~Symbols() = default;

DebugSources Symbols::sources() const { return m->sources; }

Symbols::Module &Symbols::moduleOf(const ModuleKey &key) {
    const std::lock_guard lock(m->mutex);
    auto &module = m->modules[key];
    if (!module) {
        const auto given = m->given.find(key);
        module = std::make_unique<Module>(key, m->recordedUtc, given == m->given.end() ? nullptr : &given->second, m->sources);
    }
    return *module;
}

std::shared_ptr<const CodeFrames> Symbols::find(const ModuleKey &module, std::uint64_t offset, PlaceKind kind) {
    return moduleOf(module).find(offset, kind);
}

std::optional<std::string> Symbols::binaryOf(const ModuleKey &module) { return moduleOf(module).binary(); }

KnownPlaces Symbols::found() const {
    KnownPlaces places = m->given;
    const std::lock_guard lock(m->mutex);
    for (const auto &[key, module] : m->modules)
        module->addFound(places[key]);
    std::erase_if(places, [](const auto &entry) { return entry.second.empty(); });
    return places;
}

std::vector<Binary> Symbols::binariesWithLines() const {
    const auto hasLine = [](const auto &place) {
        return std::ranges::any_of(place.second, [](const CodeFrame &frame) { return !frame.file.empty(); });
    };
    std::vector<Binary> binaries;
    for (const auto &[key, places] : found())
        if (!isRecorder(key.path) && std::ranges::any_of(places, hasLine))
            binaries.push_back({key.path, hexOf(key.buildId)});
    std::ranges::sort(binaries);
    return binaries;
}

std::vector<Warning> Symbols::warnings() const {
    const std::lock_guard lock(m->mutex);
    std::vector<Warning> warnings;
    for (const auto &[key, module] : m->modules)
        if (const std::string complaint = module->complaint(); !complaint.empty())
            warnings.push_back({WarningId::UnusableBinary, Warning::Severity::Note, std::nullopt, key.path,
                                "The binary \"" + key.path + "\" " + complaint + ": its functions have no names and lines."});
    return warnings;
}

std::string moduleName(const std::string &path) { return path.empty() ? "[unknown]" : path.substr(path.find_last_of('/') + 1); }

bool isRecorder(const std::string &modulePath) { return moduleName(modulePath).starts_with("liblaggard-record"); }

bool isRuntimeStart(const std::string &function) {
    static constexpr std::string_view names[] = {
        "_start",  "__libc_start_main", "__libc_start_call_main", "start_thread", "clone", "clone3",
        "__clone", "__clone3",          "__libc_start_main_impl"};
    return std::any_of(std::begin(names), std::end(names),
                       [&](std::string_view name) { return function == name || function.starts_with(std::string(name) + '@'); });
}

} // namespace laggard::recording
