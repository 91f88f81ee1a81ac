// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/LoadedModules.h"

#include "ingest/recording/DebugInformation.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <gelf.h>
#include <optional>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

namespace laggard::attach {
namespace {

struct Mapping {
    std::uint64_t begin = 0, end = 0, offset = 0, inode = 0;
    std::string path;
};

std::optional<Mapping> mappingOf(const std::string &line) {
    Mapping mapping;
    int path = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*4s %" SCNx64 " %*s %" SCNu64 " %n", &mapping.begin, &mapping.end,
                    &mapping.offset, &mapping.inode, &path) != 4)
        return std::nullopt;
    mapping.path = line.substr(static_cast<std::size_t>(path));
    return mapping;
}

/// A path by which this program can open what the process has mapped; empty if there is none.
std::string openablePath(pid_t process, const Mapping &mapping) {
    const std::string folder = "/proc/" + std::to_string(process);
    struct stat status {};
    for (const std::string &path : {mapping.path, folder + "/root" + mapping.path, folder + "/exe"})
        if (::stat(path.c_str(), &status) == 0 && status.st_ino == mapping.inode)
            return path;
    return ::stat(mapping.path.c_str(), &status) == 0 ? mapping.path : std::string(); // overlay file systems number anew
}

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

} // namespace

LoadedModules::LoadedModules(pid_t process, const std::string &maps) : m_process(process) {
    std::istringstream lines(maps);
    std::string lastPath;
    for (std::string line; std::getline(lines, line);) {
        const std::optional<Mapping> mapping = mappingOf(line);
        if (!mapping || mapping->path.empty())
            continue;
        if (mapping->path == "[vdso]")
            addKernelsOwn(mapping->begin, mapping->end);
        if (mapping->path.front() != '/')
            continue;
        if (mapping->path == lastPath) {
            if (!m_modules.empty() && m_modules.back().shownPath == lastPath)
                m_modules.back().end = mapping->end;
            continue;
        }
        lastPath = mapping->path;
        const std::string path = openablePath(process, *mapping);
        struct stat status {};
        const int file = path.empty() ? -1 : recording::openRegular(path, status);
        if (file < 0)
            continue;
        if (const auto buildId = recording::buildIdOf(file))
            if (const auto bias = biasOf(file, mapping->offset, mapping->begin))
                m_modules.push_back({{path, *buildId}, mapping->path, mapping->begin, mapping->end, *bias});
        ::close(file);
    }
}

LoadedModules::~LoadedModules() {
    if (m_kernelsOwn >= 0)
        ::close(m_kernelsOwn);
}

void LoadedModules::addKernelsOwn(std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t most = 1U << 20U;
    std::string image(std::min(end - begin, most), '\0');
    const iovec here{image.data(), image.size()};
    const iovec there{reinterpret_cast<void *>(begin), image.size()};
    if (m_kernelsOwn >= 0 || ::process_vm_readv(m_process, &here, 1, &there, 1, 0) != static_cast<ssize_t>(image.size()))
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
