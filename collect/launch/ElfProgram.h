// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace laggard::collect {

enum class ProgramKind {
    Dynamic,      ///< an ELF program that the loader links when it starts
    Static,       ///< an ELF program into which nothing can be preloaded
    OtherMachine, ///< an ELF program for another kind of processor
    Script,       ///< begins with #!, or is no ELF file
    Unreadable,
};

/// What can be known of a program before it starts.
struct ElfProgram {
    ProgramKind kind = ProgramKind::Unreadable;
    std::string loader;              ///< for a dynamic program
    std::vector<std::string> needed; ///< libraries that it names itself
    bool isInstrumented = false;     ///< calls __cyg_profile_func_enter
};

/// The file that execvp() would start; empty if there is none.
[[nodiscard]] std::string findProgram(const std::string &name);
[[nodiscard]] ElfProgram readProgram(const std::string &path);

/// A library that the loader found: the name by which it is asked for, and its path.
struct LoadedLibrary {
    std::string name;
    std::string path;
};
/// All libraries that the loader finds for the program, as it says itself (ld.so --list); empty where it does not.
[[nodiscard]] std::vector<LoadedLibrary> allLibraries(const std::string &path, const ElfProgram &program);

} // namespace laggard::collect
