// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/DebugUnits.h"

#include "ingest/recording/DebugInformation.h"
#include "slice/units/CommandLine.h"
#include "trace/Quantity.h"
#include "trace/Work.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>

namespace laggard {
namespace {

namespace fs = std::filesystem;

/// More than any compiler writes for one unit; damaged tables may claim billions.
constexpr std::size_t mostFolders = 4096;
constexpr std::size_t mostMacros = 4096;
constexpr unsigned deepestImport = 8; // for macro tables in each other; compilers write one level

struct EndDwfl {
    void operator()(Dwfl *dwfl) const { dwfl_end(dwfl); }
};

std::string textOf(Dwarf_Die *die, unsigned attribute) {
    Dwarf_Attribute found;
    const char *text = dwarf_formstring(dwarf_attr(die, attribute, &found));
    return text == nullptr ? std::string() : text;
}

Language unitLanguage(Dwarf_Die *unit) {
    switch (dwarf_srclang(unit)) {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
        return Language::C;
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
        return Language::Cxx;
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
        return Language::Fortran;
    default:
        return Language::Other;
    }
}

/// "GNU C++20 12.2.0 -mtune=generic …" says the standard also where the switch is not repeated.
std::string standardOf(const std::vector<std::string> &producer) {
    if (producer.size() < 2 || producer[0] != "GNU" || !producer[1].starts_with('C'))
        return {};
    std::string name = "gnu" + producer[1];
    name[3] = 'c';
    return safeSwitches({"gcc", "-std=" + name}, "/").standard;
}

/// Macros that compilers set themselves. (Names that begin with two underscores are theirs as well.)
bool isPredefined(std::string_view macro) {
    constexpr std::array names{"_LP64", "_STDC_PREDEF_H", "linux", "unix", "i386"};
    const std::string_view name = macro.substr(0, macro.find_first_of(" ("));
    return name.starts_with("__") || std::ranges::find(names, name) != names.end();
}

/// Macros that were there before the first file was opened: the compiler's own and those of the command line.
class CommandLineMacros {
  public:
    std::vector<std::string> read(Dwarf_Die *unit) {
        m_debug = dwarf_cu_getdwarf(unit->cu);
        dwarf_getmacros(unit, take, this, DWARF_GETMACROS_START);
        return std::move(m_macros);
    }

  private:
    static int take(Dwarf_Macro *macro, void *self) { return static_cast<CommandLineMacros *>(self)->takeOne(macro); }

    int takeOne(Dwarf_Macro *macro) {
        unsigned opcode = 0;
        if (dwarf_macro_opcode(macro, &opcode) != 0 || opcode == DW_MACRO_start_file || m_macros.size() >= mostMacros)
            return DWARF_CB_ABORT;
        Dwarf_Attribute attribute;
        Dwarf_Word offset = 0;
        if (opcode == DW_MACRO_import && m_depth < deepestImport && dwarf_macro_param(macro, 0, &attribute) == 0 &&
            dwarf_formudata(&attribute, &offset) == 0) {
            ++m_depth;
            dwarf_getmacros_off(m_debug, static_cast<Dwarf_Off>(offset), take, this, DWARF_GETMACROS_START);
            --m_depth;
        }
        const char *text = nullptr;
        Dwarf_Word line = 0;
        const bool isDefinition = opcode == DW_MACRO_define || opcode == DW_MACRO_define_strp || opcode == DW_MACRO_define_strx;
        if (isDefinition && dwarf_macro_param1(macro, &line) == 0 && line == 0 &&
            dwarf_macro_param2(macro, nullptr, &text) == 0 && text != nullptr && !isPredefined(text))
            m_macros.push_back(switchFor(text));
        return DWARF_CB_OK;
    }
    static std::string switchFor(std::string macro) {
        if (const std::size_t blank = macro.find(' '); blank != std::string::npos)
            macro[blank] = '=';
        return "-D" + macro;
    }

    Dwarf *m_debug = nullptr;
    std::vector<std::string> m_macros;
    unsigned m_depth = 0;
};

bool contains(const fs::path &folder, const fs::path &path) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// Folders for includes, as the line table has those of the files that were included: each for quotes, and, since it may have
/// been a folder above it that was given (<sub/file.h>), those up to the one that holds the source as well. They are looked at
/// behind the system's, as what shall be found in them by angle brackets is not known.
class IncludeFolders {
  public:
    explicit IncludeFolders(const std::string &source) : m_source(source) {}

    void add(const std::string &folder) {
        if (!folder.starts_with("/usr/") && m_quoted.insert(folder).second)
            m_switches.insert(m_switches.end(), {"-iquote", folder});
        const fs::path path(folder);
        for (fs::path at = path; at.has_relative_path(); at = at.parent_path()) {
            m_late.push_back(at.string());
            if (folder.starts_with("/usr/") || contains(at, m_source))
                break;
        }
    }
    std::vector<std::string> switches() {
        for (const std::string &folder : m_late)
            if (m_known.insert(folder).second)
                m_switches.insert(m_switches.end(), {"-idirafter", folder});
        return std::move(m_switches);
    }

  private:
    fs::path m_source;
    std::vector<std::string> m_switches;
    std::vector<std::string> m_late;
    std::unordered_set<std::string> m_quoted;
    std::unordered_set<std::string> m_known;
};

std::vector<std::string> includeSwitches(Dwarf_Die *unit, const CompileUnit &made, const std::string &builtIn,
                                         const PathMap &paths) {
    Dwarf_Files *files = nullptr;
    std::size_t count = 0;
    const char *const *folders = nullptr;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || dwarf_getsrcdirs(files, &folders, &count) != 0)
        return {};
    IncludeFolders found(made.source);
    for (std::size_t i = 0; i < std::min(count, mostFolders); ++i)
        if (folders[i] != nullptr && *folders[i] != '\0')
            found.add(mapped(absolutePath(folders[i], builtIn), paths));
    return found.switches();
}

/// Reads the units of one binary.
class UnitReader {
  public:
    UnitReader(const std::string &binary, const PathMap &paths) : m_binary(binary), m_paths(paths) {}

    DebugUnits read(std::chrono::steady_clock::time_point until) {
        Dwarf *debug = open();
        if (debug == nullptr) {
            m_result.warnings.push_back('"' + m_binary +
                                        "\" has no debug information: it was not built with -g, or that was taken away.");
            return std::move(m_result);
        }
        Dwarf_CU *unit = nullptr;
        Dwarf_Half version = 0;
        std::uint8_t kind = 0;
        Dwarf_Die die;
        Dwarf_Die split;
        int status = 0;
        std::size_t number = 0;
        while ((status = dwarf_get_units(debug, unit, &unit, &version, &kind, &die, &split)) == 0) {
            if (std::chrono::steady_clock::now() >= until) {
                m_result.warnings.push_back("There was time to read only the first " + plural(number, "unit") +
                                            " of the debug information of \"" + m_binary + "\".");
                break;
            }
            ++number;
            if (kind == DW_UT_compile || kind == DW_UT_skeleton)
                take(kind == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_compile_unit ? &split : &die, &die);
        }
        if (status < 0)
            m_result.warnings.push_back("The debug information of \"" + m_binary + "\" is damaged behind its first " +
                                        plural(number, "unit") + ": " + dwarf_errmsg(-1) + '.');
        return std::move(m_result);
    }

  private:
    Dwarf *open() {
        struct stat status {};
        const int file = recording::openRegular(m_binary, status);
        if (file < 0)
            throw ReadError("The program \"" + m_binary + "\" is not there, or is no file that can be read.");
        const bool isElf = recording::buildIdOf(file).has_value();
        ::close(file);
        if (!isElf)
            throw ReadError('"' + m_binary + "\" is no program or library.");
        m_result.modified = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
        m_dwfl.reset(dwfl_begin(&recording::moduleCallbacks(recording::DebugSources::ThisMachine)));
        if (!m_dwfl)
            throw ReadError("The debug information of \"" + m_binary + "\" cannot be read: " + dwfl_errmsg(-1) + '.');
        dwfl_report_begin(m_dwfl.get());
        Dwfl_Module *module = dwfl_report_offline(m_dwfl.get(), "binary", m_binary.c_str(), -1);
        dwfl_report_end(m_dwfl.get(), nullptr, nullptr);
        if (module == nullptr)
            throw ReadError('"' + m_binary + "\" cannot be used as a program: " + dwfl_errmsg(-1) + '.');
        Dwarf_Addr bias = 0;
        return dwfl_module_getdwarf(module, &bias);
    }
    void take(Dwarf_Die *die, Dwarf_Die *skeleton) {
        const Language language = unitLanguage(die);
        const std::string name = textOf(die, DW_AT_name);
        const std::string builtIn = absolutePath(textOf(skeleton, DW_AT_comp_dir), "/");
        CompileUnit unit;
        unit.folder = mapped(builtIn, m_paths);
        unit.source = mapped(absolutePath(name, builtIn), m_paths);
        if (name.empty() || language == Language::Other || !m_known.insert(unit.source).second)
            return;
        if (language == Language::Fortran) {
            ++m_result.fortran;
            return;
        }
        const std::vector<std::string> producer = wordsOf(textOf(die, DW_AT_producer));
        SafeSwitches switches = safeSwitches(producer, builtIn, m_paths);
        unit.language = language;
        unit.standard = switches.standard.empty() ? standardOf(producer) : switches.standard;
        unit.switches = std::move(switches.kept);
        for (std::vector<std::string> more :
             {CommandLineMacros().read(skeleton), includeSwitches(skeleton, unit, builtIn, m_paths)})
            unit.switches.insert(unit.switches.end(), more.begin(), more.end());
        m_result.units.push_back(std::move(unit));
    }

    const std::string &m_binary;
    const PathMap &m_paths;
    std::unique_ptr<Dwfl, EndDwfl> m_dwfl;
    std::unordered_set<std::string> m_known;
    DebugUnits m_result;
};

} // namespace

DebugUnits readDebugUnits(const std::string &binary, const PathMap &paths, std::chrono::steady_clock::time_point until) {
    return UnitReader(binary, paths).read(until);
}

} // namespace laggard
