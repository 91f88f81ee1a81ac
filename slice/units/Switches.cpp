// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/Switches.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace laggard {
namespace {

using Words = std::vector<std::string>;

/// Clang 14's names of standards; GCC's newer ones under Clang's older names.
constexpr std::array knownStandards{
    "c89",     "c90",     "iso9899:1990", "gnu89",   "gnu90",   "c99",     "gnu99",   "c11",     "gnu11",   "c17",     "gnu17",
    "c18",     "gnu18",   "c2x",          "gnu2x",   "c++98",   "gnu++98", "c++03",   "gnu++03", "c++11",   "gnu++11", "c++14",
    "gnu++14", "c++17",   "gnu++17",      "c++20",   "gnu++20", "c++2b",   "gnu++2b", "c++0x",   "gnu++0x", "c++1y",   "gnu++1y",
    "c++1z",   "gnu++1z", "c++2a",        "gnu++2a", "c9x",     "gnu9x",   "c1x",     "gnu1x"};
constexpr std::array<std::array<std::string_view, 2>, 8> newerStandards{{{"c23", "c2x"},
                                                                         {"gnu23", "gnu2x"},
                                                                         {"c2y", "c2x"},
                                                                         {"gnu2y", "gnu2x"},
                                                                         {"c++23", "c++2b"},
                                                                         {"gnu++23", "gnu++2b"},
                                                                         {"c++26", "c++2b"},
                                                                         {"gnu++26", "gnu++2b"}}};

/// Switches that change what a source means, as they stand.
constexpr std::array keptAsTheyAre{
    "-ansi", "-fexceptions", "-fno-exceptions", "-frtti", "-fno-rtti", "-fshort-enums", "-fno-short-enums", "-fshort-wchar",
    "-fno-short-wchar", "-funsigned-char", "-fsigned-char", "-fchar8_t", "-fno-char8_t", "-fgnu89-inline", "-fms-extensions",
    "-fno-operator-names", "-fcommon", "-fno-common", "-ffreestanding", "-fblocks", "-m32", "-m64", "-pthread", "-undef",
    "-nostdinc", "-nostdinc++", "-stdlib=libstdc++", "-stdlib=libc++",
    // Intrinsics are declared only with their instructions.
    "-msse3", "-mssse3", "-msse4.1", "-msse4.2", "-msse4a", "-mavx", "-mavx2", "-mavx512f", "-mavx512cd", "-mavx512bw",
    "-mavx512dq", "-mavx512vl", "-mfma", "-mf16c", "-mbmi", "-mbmi2", "-mpopcnt", "-mlzcnt", "-maes", "-mpclmul", "-mrdrnd",
    "-march=native", "-march=x86-64", "-march=x86-64-v2", "-march=x86-64-v3", "-march=x86-64-v4"};

/// Their next word belongs to them.
constexpr std::array droppedWithNext{"-o",
                                     "-MF",
                                     "-MT",
                                     "-MQ",
                                     "-Xclang",
                                     "-Xpreprocessor",
                                     "-Xassembler",
                                     "-Xlinker",
                                     "-T",
                                     "-u",
                                     "-z",
                                     "-L",
                                     "-l",
                                     "-B",
                                     "-wrapper",
                                     "-specs",
                                     "--config",
                                     "-target",
                                     "-arch",
                                     "-aux-info",
                                     "-dumpdir",
                                     "-dumpbase",
                                     "-mllvm",
                                     "-load",
                                     "-plugin",
                                     "-add-plugin",
                                     "-isysroot",
                                     "--sysroot",
                                     "-imultilib",
                                     "-imultiarch",
                                     "-G",
                                     "-A",
                                     "-framework",
                                     "-e",
                                     "-MJ",
                                     "--param",
                                     "-serialize-diagnostics",
                                     "--serialize-diagnostics"};

template <typename List> bool holds(const List &list, std::string_view word) {
    return std::ranges::find(list, word) != std::ranges::end(list);
}

/// The value of a switch that may stand in the same word or in the next one; moves `at` to the last word taken.
std::optional<std::string> valueOf(const Words &words, std::size_t &at, std::string_view name) {
    const std::string_view word = words[at];
    if (word.size() > name.size())
        return std::string(word.substr(name.size()));
    if (at + 1 < words.size())
        return words[++at];
    return std::nullopt;
}

bool isMacro(std::string_view text) {
    return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_') &&
           text.find('\n') == std::string_view::npos;
}

/// -include FILE: beside the compiler's folder first, then where other includes lie.
std::optional<std::string> includedFile(const std::string &file, const std::string &folder, const Words &kept) {
    if (std::string beside = absolutePath(file, folder); isPlainFile(beside))
        return beside;
    for (std::size_t i = 0; i + 1 < kept.size(); ++i)
        if (kept[i] == "-I" || kept[i] == "-iquote")
            if (std::string there = absolutePath(file, kept[i + 1]); isPlainFile(there))
                return there;
    return std::nullopt;
}

class Sieve {
  public:
    Sieve(const std::string &folder, const PathMap &paths) : m_folder(folder), m_paths(paths) {}

    void take(const Words &words) {
        if (!words.empty() &&
            (fileName(words[0]).find("++") != std::string_view::npos || fileName(words[0]).starts_with("mpicxx")))
            m_switches.language = Language::Cxx;
        for (std::size_t i = 0; i < words.size(); ++i)
            takeWord(words, i);
        for (const auto &[name, file] : m_included)
            if (const auto found = includedFile(mapped(file, m_paths), m_folder, m_switches.kept))
                m_switches.kept.insert(m_switches.kept.end(), {name, *found});
    }
    SafeSwitches result() { return std::move(m_switches); }

  private:
    void takeWord(const Words &words, std::size_t &i) {
        const std::string &word = words[i];
        if (!word.starts_with('-') || takeFolder(words, i) || takeMacro(words, i))
            return;
        if (word == "-include" || word == "-imacros") {
            if (i + 1 < words.size())
                m_included.emplace_back(word, words[i + 1]);
            ++i;
        } else if (word.starts_with("-std=") || word.starts_with("--std="))
            takeStandard(std::string_view(word).substr(word.find('=') + 1));
        else if (word.starts_with("-x")) {
            const std::optional<std::string> language = valueOf(words, i, "-x");
            m_switches.language = language == "c" ? Language::C : language == "c++" ? Language::Cxx : Language::Other;
        } else if (word == "-fopenmp" || word.starts_with("-fopenmp="))
            // Pragmas are passed over: the loops mean the same without them, and what is written for OpenMP is compiled.
            m_switches.kept.emplace_back("-D_OPENMP=201511");
        else if (holds(keptAsTheyAre, word))
            m_switches.kept.push_back(word);
        else if (holds(droppedWithNext, word))
            ++i;
    }
    bool takeFolder(const Words &words, std::size_t &i) {
        for (const std::string_view name : {"-isystem", "-iquote", "-idirafter", "-I"}) {
            if (!words[i].starts_with(name))
                continue;
            const std::optional<std::string> folder = valueOf(words, i, name);
            if (folder && !folder->empty())
                m_switches.kept.insert(m_switches.kept.end(),
                                       {std::string(name), mapped(absolutePath(*folder, m_folder), m_paths)});
            return true;
        }
        return false;
    }
    bool takeMacro(const Words &words, std::size_t &i) {
        for (const std::string_view name : {"-D", "-U"}) {
            if (!words[i].starts_with(name))
                continue;
            const std::optional<std::string> macro = valueOf(words, i, name);
            if (macro && isMacro(*macro))
                m_switches.kept.push_back(std::string(name) + *macro);
            return true;
        }
        return false;
    }
    void takeStandard(std::string_view standard) {
        for (const auto &[newer, known] : newerStandards)
            if (standard == newer)
                standard = known;
        if (holds(knownStandards, standard))
            m_switches.standard = standard;
    }

    const std::string &m_folder;
    const PathMap &m_paths;
    SafeSwitches m_switches;
    std::vector<std::pair<std::string, std::string>> m_included;
};

} // namespace

Language languageOf(std::string_view source) {
    const std::string_view name = fileName(source);
    const std::size_t dot = name.find_last_of('.');
    std::string ending(dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1));
    if (ending == "c")
        return Language::C;
    if (ending == "C")
        return Language::Cxx;
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (ending == "cc" || ending == "cpp" || ending == "cxx" || ending == "c++" || ending == "cp")
        return Language::Cxx;
    if (ending == "f" || ending == "for" || ending == "ftn" || ending == "f77" || ending == "f90" || ending == "f95" ||
        ending == "f03" || ending == "f08" || ending == "f18" || ending == "fpp")
        return Language::Fortran;
    return Language::Other;
}

SafeSwitches safeSwitches(const std::vector<std::string> &words, const std::string &folder, const PathMap &paths) {
    Sieve sieve(folder, paths);
    sieve.take(words);
    return sieve.result();
}

} // namespace laggard
