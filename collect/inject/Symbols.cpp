// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/Symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <span>

namespace laggard::collect {

namespace {

struct Module {
    std::string path;
    std::uint64_t bias = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// The program first.
std::vector<Module> loadedModules() {
    std::vector<Module> modules;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *data) {
            auto &known = *static_cast<std::vector<Module> *>(data);
            Module module{info->dlpi_name, info->dlpi_addr, UINT64_MAX, 0};
            if (known.empty()) {
                char path[PATH_MAX];
                const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
                module.path.assign(path, length > 0 ? static_cast<std::size_t>(length) : 0);
            }
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto &segment = info->dlpi_phdr[i];
                if (segment.p_type != PT_LOAD)
                    continue;
                module.begin = std::min<std::uint64_t>(module.begin, module.bias + segment.p_vaddr);
                module.end = std::max<std::uint64_t>(module.end, module.bias + segment.p_vaddr + segment.p_memsz);
            }
            known.push_back(std::move(module));
            return 0;
        },
        &modules);
    return modules;
}

/// The functions in an ELF file's symbol table. Nothing is taken from a file that is not what it should be.
class SymbolTable {
  public:
    explicit SymbolTable(const std::string &path) {
        const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0)
            return;
        struct stat information {};
        if (fstat(file, &information) == 0 && information.st_size > 0) {
            void *mapped = mmap(nullptr, static_cast<std::size_t>(information.st_size), PROT_READ, MAP_PRIVATE, file, 0);
            if (mapped != MAP_FAILED)
                m_bytes = {static_cast<const char *>(mapped), static_cast<std::size_t>(information.st_size)};
        }
        close(file);
        if (!findTable(SHT_SYMTAB))
            findTable(SHT_DYNSYM);
    }
    ~SymbolTable() {
        if (!m_bytes.empty())
            munmap(const_cast<char *>(m_bytes.data()), m_bytes.size());
    }
    SymbolTable(const SymbolTable &) = delete;
    SymbolTable &operator=(const SymbolTable &) = delete;

    template <typename Visit> void forEachFunction(Visit visit) const {
        for (const ElfW(Sym) & symbol : m_symbols)
            if ((symbol.st_info & 0xFU) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_name < m_names.size())
                visit(symbol.st_value, symbol.st_size, m_names.data() + symbol.st_name);
    }

  private:
    template <typename T> [[nodiscard]] std::span<const T> arrayAt(std::uint64_t offset, std::uint64_t bytes) const {
        if (offset > m_bytes.size() || bytes > m_bytes.size() - offset || offset % alignof(T) != 0)
            return {};
        return {reinterpret_cast<const T *>(m_bytes.data() + offset), bytes / sizeof(T)};
    }
    bool findTable(std::uint32_t type) {
        const auto header = arrayAt<ElfW(Ehdr)>(0, sizeof(ElfW(Ehdr)));
        if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 || header[0].e_shentsize != sizeof(ElfW(Shdr)))
            return false;
        const auto sections = arrayAt<ElfW(Shdr)>(header[0].e_shoff, std::uint64_t{header[0].e_shnum} * sizeof(ElfW(Shdr)));
        for (const ElfW(Shdr) & section : sections) {
            if (section.sh_type != type || section.sh_link >= sections.size())
                continue;
            const ElfW(Shdr) &names = sections[section.sh_link];
            m_names = arrayAt<char>(names.sh_offset, names.sh_size);
            if (m_names.empty() || m_names.back() != '\0')
                continue;
            m_symbols = arrayAt<ElfW(Sym)>(section.sh_offset, section.sh_size);
            return !m_symbols.empty();
        }
        return false;
    }

    std::span<const char> m_bytes;
    std::span<const char> m_names;
    std::span<const ElfW(Sym)> m_symbols;
};

std::string demangled(const char *name) {
    int status = 0;
    char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = status == 0 && text != nullptr ? text : name;
    std::free(text);
    return result;
}

bool isCalled(const char *symbol, std::string_view name) {
    if (name == symbol)
        return true;
    if (std::strncmp(symbol, "_Z", 2) != 0)
        return false;
    const std::string full = demangled(symbol);
    return full == name || std::string_view(full).substr(0, full.find('(')) == name;
}

} // namespace

CodePlace codePlaceOf(const void *address) {
    const auto value = reinterpret_cast<std::uint64_t>(address);
    for (const Module &module : loadedModules()) {
        if (value < module.begin || value >= module.end)
            continue;
        CodePlace place{module.path, value - module.bias, {}};
        SymbolTable(module.path).forEachFunction([&place](std::uint64_t start, std::uint64_t size, const char *name) {
            if (place.offset >= start && place.offset < start + size)
                place.function = demangled(name);
        });
        return place;
    }
    return {{}, value, {}};
}

std::vector<const void *> functionsNamed(std::string_view name) {
    std::vector<const void *> found;
    for (const Module &module : loadedModules()) {
        SymbolTable(module.path).forEachFunction([&](std::uint64_t start, std::uint64_t, const char *symbol) {
            if (isCalled(symbol, name))
                found.push_back(reinterpret_cast<const void *>(module.bias + start));
        });
        if (!found.empty())
            break;
    }
    return found;
}

const void *addressIn(std::string_view path, std::uint64_t offset) {
    for (const Module &module : loadedModules())
        if (module.path == path)
            return reinterpret_cast<const void *>(module.bias + offset);
    return nullptr;
}

} // namespace laggard::collect
