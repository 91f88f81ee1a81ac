// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/launch/ElfProgram.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace laggard::collect {

namespace {

#if defined(__x86_64__)
constexpr Elf64_Half ownMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half ownMachine = EM_AARCH64;
#else
constexpr Elf64_Half ownMachine = EM_NONE;
#endif

/// An ELF file of 64 bits; nothing in it is trusted.
class File {
  public:
    explicit File(const std::string &path) : m_stream(path, std::ios::binary) {}
    [[nodiscard]] bool isOpen() const { return m_stream.is_open(); }

    bool read(std::uint64_t offset, void *to, std::size_t bytes) {
        m_stream.clear();
        m_stream.seekg(static_cast<std::streamoff>(offset));
        return static_cast<bool>(m_stream.read(static_cast<char *>(to), static_cast<std::streamsize>(bytes)));
    }
    template <typename T> std::vector<T> readAll(std::uint64_t offset, std::uint64_t count) {
        constexpr std::uint64_t most = std::uint64_t{64} << 20U;
        if (count > most / sizeof(T))
            return {};
        std::vector<T> all(count);
        return read(offset, all.data(), count * sizeof(T)) ? all : std::vector<T>{};
    }

  private:
    std::ifstream m_stream;
};

std::string textAt(const std::vector<char> &strings, std::uint64_t at) {
    if (at >= strings.size())
        return {};
    return {strings.data() + at, strnlen(strings.data() + at, strings.size() - at)};
}

/// Libraries and imported symbols, by the sections that linkers leave in every dynamic program.
void readDynamicSections(File &file, const Elf64_Ehdr &header, ElfProgram &program) {
    const auto sections = file.readAll<Elf64_Shdr>(header.e_shoff, header.e_shnum);
    const auto stringsOf = [&](const Elf64_Shdr &section) {
        return section.sh_link < sections.size()
                   ? file.readAll<char>(sections[section.sh_link].sh_offset, sections[section.sh_link].sh_size)
                   : std::vector<char>{};
    };
    for (const Elf64_Shdr &section : sections) {
        if (section.sh_type == SHT_DYNAMIC) {
            const auto strings = stringsOf(section);
            for (const Elf64_Dyn &entry : file.readAll<Elf64_Dyn>(section.sh_offset, section.sh_size / sizeof(Elf64_Dyn)))
                if (entry.d_tag == DT_NEEDED)
                    program.needed.push_back(textAt(strings, entry.d_un.d_val));
        } else if (section.sh_type == SHT_DYNSYM) {
            const auto strings = stringsOf(section);
            for (const Elf64_Sym &symbol : file.readAll<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym)))
                if (symbol.st_shndx == SHN_UNDEF && textAt(strings, symbol.st_name) == "__cyg_profile_func_enter")
                    program.isInstrumented = true;
        }
    }
}

/// What a program prints; empty if it cannot be run.
std::string outputOf(const std::vector<std::string> &command) {
    int ends[2];
    if (pipe(ends) != 0)
        return {};
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        if (std::freopen("/dev/null", "w", stderr) == nullptr)
            _exit(127);
        std::vector<char *> arguments;
        for (const std::string &argument : command)
            arguments.push_back(const_cast<char *>(argument.c_str()));
        arguments.push_back(nullptr);
        execv(arguments[0], arguments.data());
        _exit(127);
    }
    close(ends[1]);
    std::string output;
    char buffer[4096];
    ssize_t count = 0;
    while (child > 0 && (count = ::read(ends[0], buffer, sizeof buffer)) > 0)
        output.append(buffer, static_cast<std::size_t>(count));
    close(ends[0]);
    if (child > 0)
        waitpid(child, nullptr, 0);
    return output;
}

bool isExecutable(const std::string &path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

} // namespace

std::string findProgram(const std::string &name) {
    if (name.find('/') != std::string::npos)
        return isExecutable(name) ? name : std::string();
    const char *path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "/bin:/usr/bin" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
        if (isExecutable(candidate))
            return candidate;
    }
    return {};
}

ElfProgram readProgram(const std::string &path) {
    ElfProgram program;
    File file(path);
    Elf64_Ehdr header{};
    if (!file.isOpen())
        return program;
    if (!file.read(0, header.e_ident, EI_NIDENT) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
        program.kind = ProgramKind::Script;
        return program;
    }
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || !file.read(0, &header, sizeof header) || header.e_machine != ownMachine) {
        program.kind = ProgramKind::OtherMachine;
        return program;
    }
    program.kind = ProgramKind::Static;
    for (const Elf64_Phdr &segment : file.readAll<Elf64_Phdr>(header.e_phoff, header.e_phnum))
        if (segment.p_type == PT_INTERP) {
            program.kind = ProgramKind::Dynamic;
            program.loader = textAt(file.readAll<char>(segment.p_offset, segment.p_filesz), 0);
        }
    if (program.kind == ProgramKind::Dynamic)
        readDynamicSections(file, header, program);
    return program;
}

std::vector<LoadedLibrary> allLibraries(const std::string &path, const ElfProgram &program) {
    // Other loaders would not list the libraries, but start the program.
    const std::string loader = program.loader.substr(program.loader.rfind('/') + 1);
    if (loader.rfind("ld-linux", 0) != 0 && loader.rfind("ld64.so", 0) != 0)
        return {};
    std::istringstream lines(outputOf({program.loader, "--list", path}));
    std::vector<LoadedLibrary> libraries;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        LoadedLibrary library;
        std::string arrow;
        if (words >> library.name && words >> arrow >> library.path && arrow == "=>")
            libraries.push_back(library);
    }
    return libraries;
}

} // namespace laggard::collect
