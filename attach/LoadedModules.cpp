// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/LoadedModules.h"

#include "ingest/recording/DebugInformation.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <gelf.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace laggard::attach {
namespace {

/// What is added to the addresses in the file, where its part at `offset` lies at `address`.
std::optional<std::uint64_t> biasOf(int file, std::uint64_t offset, std::uint64_t address) {
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, nullptr);
    std::optional<std::uint64_t> bias;
    std::size_t headers = 0;
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    if (elf != nullptr && elf_getphdrnum(elf, &headers) == 0)
        for (std::size_t i = 0; i < headers && !bias; ++i) {
            GElf_Phdr header;
            if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr && header.p_type == PT_LOAD &&
                header.p_offset / page * page <= offset && offset < header.p_offset + header.p_filesz)
                bias = address - (header.p_vaddr - header.p_offset + offset);
        }
    elf_end(elf);
    return bias;
}

/// The build-id that the process has in memory where a file begins; nothing if that is not there.
std::optional<std::string> buildIdInMemory(const Memory &memory, std::uint64_t begin) {
    const auto header = memory.value<Elf64_Ehdr>(begin);
    constexpr unsigned mostHeaders = 64; // in programs and libraries: a dozen
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_phnum > mostHeaders)
        return std::nullopt;
    std::uint64_t first = 0;
    for (unsigned i = 0; i < header->e_phnum; ++i) {
        const auto each = memory.value<Elf64_Phdr>(begin + header->e_phoff + i * sizeof(Elf64_Phdr));
        if (!each)
            return std::nullopt;
        if (each->p_type == PT_LOAD && each->p_offset == 0)
            first = each->p_vaddr;
        if (each->p_type != PT_NOTE)
            continue;
        const std::uint64_t end = begin - first + each->p_vaddr + each->p_memsz;
        for (std::uint64_t at = begin - first + each->p_vaddr; at + sizeof(Elf64_Nhdr) < end;) {
            const auto note = memory.value<Elf64_Nhdr>(at);
            if (!note)
                return std::nullopt;
            const std::uint64_t content = at + sizeof(Elf64_Nhdr) + (note->n_namesz + 3) / 4 * 4;
            constexpr std::uint32_t mostBytes = 64;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz <= mostBytes) {
                std::string id(note->n_descsz, '\0');
                return memory.read(content, id.data(), id.size()) == id.size() ? std::optional(id) : std::nullopt;
            }
            at = content + (std::uint64_t{note->n_descsz} + 3) / 4 * 4;
        }
    }
    return std::nullopt;
}

} // namespace

struct LoadedModules::Mapping {
    std::uint64_t begin = 0, end = 0, offset = 0, inode = 0;
    std::string path;
    std::uint64_t firstEnd = 0; ///< end of the first of several mappings of one file
};

std::optional<LoadedModules::Mapping> LoadedModules::mappingOf(const std::string &line) {
    Mapping mapping;
    int path = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*4s %" SCNx64 " %*s %" SCNu64 " %n", &mapping.begin, &mapping.end,
                    &mapping.offset, &mapping.inode, &path) != 4)
        return std::nullopt;
    mapping.path = line.substr(static_cast<std::size_t>(path));
    mapping.firstEnd = mapping.end;
    return mapping;
}

bool LoadedModules::isProgram(const Mapping &mapping, const std::string &path) const {
    if (m_sources.process == 0)
        return m_sources.entry >= mapping.begin && m_sources.entry < mapping.end;
    struct stat program {};
    struct stat status {};
    return ::stat(("/proc/" + std::to_string(m_sources.process) + "/exe").c_str(), &program) == 0 &&
           ::stat(path.c_str(), &status) == 0 && status.st_ino == program.st_ino && status.st_dev == program.st_dev;
}

/// A path by which this program can open what the process has mapped; empty if there is none.
std::string LoadedModules::openablePath(const Mapping &mapping) const {
    struct stat status {};
    if (m_sources.process == 0) {
        const std::string path = m_sources.sysroot + mapping.path;
        return ::stat(path.c_str(), &status) == 0 ? path : std::string();
    }
    const std::string folder = "/proc/" + std::to_string(m_sources.process);
    char range[64];
    std::snprintf(range, sizeof range, "/map_files/%" PRIx64 "-%" PRIx64, mapping.begin, mapping.firstEnd); // needs more rights
    for (const std::string &path : {mapping.path, folder + "/root" + mapping.path, folder + "/exe", folder + range})
        if (::stat(path.c_str(), &status) == 0 && status.st_ino == mapping.inode)
            return path;
    return ::stat(mapping.path.c_str(), &status) == 0 ? mapping.path : std::string(); // overlay file systems number anew
}

LoadedModules::LoadedModules(const ModuleSources &sources, const Memory &memory, const std::string &maps)
    : m_sources(sources), m_memory(memory) {
    std::vector<Mapping> files;
    std::istringstream lines(maps);
    for (std::string line; std::getline(lines, line);) {
        const std::optional<Mapping> mapping = mappingOf(line);
        if (!mapping || mapping->path.empty())
            continue;
        if (mapping->path == "[vdso]")
            addKernelsOwn(mapping->begin, mapping->end);
        if (mapping->path.front() != '/')
            continue;
        if (!files.empty() && files.back().path == mapping->path)
            files.back().end = mapping->end;
        else
            files.push_back(*mapping);
    }
    for (const Mapping &file : files)
        add(file);
}

void LoadedModules::add(const Mapping &mapping) {
    const bool isOfCore = m_sources.process == 0;
    std::string path = openablePath(mapping);
    const bool isMain = isProgram(mapping, path);
    if (isMain && isOfCore && !m_sources.executable.empty())
        path = m_sources.executable;
    struct stat status {};
    const int file = path.empty() ? -1 : recording::openRegular(path, status);
    const auto buildId = file < 0 ? std::nullopt : recording::buildIdOf(file);
    if (!buildId) {
        // Data files are mapped as well: what was a program or library is known by what lies in memory.
        if (isMain || (isOfCore && file < 0 && buildIdInMemory(m_memory, mapping.begin)))
            m_notes.push_back("\"" + (path.empty() ? m_sources.sysroot + mapping.path : path) + "\" cannot be read" +
                              (isOfCore ? ": name it with --exe, or the folder with its machine's files with --sysroot."
                                        : ": functions in it are not known."));
        if (file >= 0)
            ::close(file);
        return;
    }
    const auto inMemory = isOfCore ? buildIdInMemory(m_memory, mapping.begin) : std::nullopt;
    if (inMemory && *inMemory != *buildId)
        m_notes.push_back("\"" + path + "\" is not the file that the process had (another build-id): it is not used.");
    else if (const auto bias = biasOf(file, mapping.offset, mapping.begin)) {
        m_modules.push_back({{path, *buildId}, mapping.path, mapping.begin, mapping.end, *bias});
        if (isMain && m_program.empty())
            m_program = path;
    }
    ::close(file);
}

LoadedModules::~LoadedModules() {
    if (m_kernelsOwn >= 0)
        ::close(m_kernelsOwn);
}

void LoadedModules::addKernelsOwn(std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t most = 1U << 20U;
    std::string image(std::min(end - begin, most), '\0');
    if (m_kernelsOwn >= 0 || m_memory.read(begin, image.data(), image.size()) != image.size())
        return;
    m_kernelsOwn = ::memfd_create("vdso", MFD_CLOEXEC);
    if (m_kernelsOwn < 0 || ::write(m_kernelsOwn, image.data(), image.size()) != static_cast<ssize_t>(image.size()))
        return;
    const std::string path = "/proc/self/fd/" + std::to_string(m_kernelsOwn);
    if (const auto buildId = recording::buildIdOf(m_kernelsOwn))
        m_modules.push_back({{path, *buildId}, "[vdso]", begin, end, begin});
}

const LoadedModule *LoadedModules::at(std::uint64_t address) const {
    const auto found =
        std::ranges::find_if(m_modules, [&](const LoadedModule &each) { return address >= each.begin && address < each.end; });
    return found == m_modules.end() ? nullptr : &*found;
}

} // namespace laggard::attach
