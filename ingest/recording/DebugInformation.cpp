// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/DebugInformation.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace laggard::recording {
namespace {

char *defaultDebugPath = nullptr; // libdwfl's own

/// Modules are reported with their file: there is nothing to find, and dwfl_build_id_find_elf would ask servers.
int findNoElf(Dwfl_Module *, void **, const char *, Dwarf_Addr, char **, Elf **) { return -1; }

/// Where gdb and libdwfl look for a file that a binary names: beside it, in .debug, and below /usr/lib/debug.
std::vector<std::string> placesOf(const std::string &binary, const std::string &link) {
    if (link.starts_with('/'))
        return {link};
    const std::string folder = binary.substr(0, binary.find_last_of('/') + 1);
    return {folder + link, folder + ".debug/" + link, "/usr/lib/debug" + folder + link, "/usr/lib/debug/" + link};
}

/// The checksum of a whole file as .gnu_debuglink has it (CRC-32 of IEEE 802.3).
std::uint32_t checksumOf(int file) {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit)
            value = (value & 1U) != 0 ? 0xEDB88320U ^ (value >> 1U) : value >> 1U;
        table[byte] = value;
    }
    std::uint32_t checksum = ~std::uint32_t{0};
    std::array<unsigned char, 65536> bytes{};
    off_t at = 0;
    for (ssize_t size = 0; (size = ::pread(file, bytes.data(), bytes.size(), at)) > 0; at += size)
        for (ssize_t i = 0; i < size; ++i)
            checksum = table[(checksum ^ bytes[static_cast<std::size_t>(i)]) & 0xFFU] ^ (checksum >> 8U);
    return ~checksum;
}

/// Opens the ELF file at `path` if it has that build-id, or, if none is asked for, that checksum; -1 otherwise. A file that
/// several binaries share (dwz) has a build-id of its own, and no checksum is asked for.
int openMatching(const std::string &path, const std::string &buildId, std::uint32_t checksum) {
    struct stat status {};
    const int file = openRegular(path, status);
    if (file < 0)
        return -1;
    const std::optional<std::string> found = buildIdOf(file);
    const bool fits = checksum == 0 || (buildId.empty() ? checksumOf(file) == checksum : found == buildId);
    if (found && fits)
        return file;
    ::close(file);
    return -1;
}

/// As dwfl_standard_find_debuginfo, which asks the servers of DEBUGINFOD_URLS for every build-id that is not found here.
int findHere(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file, const char *link,
             GElf_Word checksum, char **found) {
    errno = 0;
    if (const int opened = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, checksum, found);
        opened >= 0 || errno != 0)
        return opened;
    if (file == nullptr || link == nullptr || *link == '\0')
        return -1;
    const unsigned char *bits = nullptr;
    GElf_Addr address = 0;
    const int size = dwfl_module_build_id(module, &bits, &address);
    const std::string buildId =
        size > 0 ? std::string(reinterpret_cast<const char *>(bits), static_cast<std::size_t>(size)) : std::string();
    for (const std::string &path : placesOf(file, link)) {
        const int opened = path == file ? -1 : openMatching(path, buildId, checksum);
        if (opened < 0)
            continue;
        *found = ::strdup(path.c_str());
        return opened;
    }
    errno = 0;
    return -1;
}

const Dwfl_Callbacks callbacksHere = {
    .find_elf = findNoElf,
    .find_debuginfo = findHere,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &defaultDebugPath,
};

const Dwfl_Callbacks callbacksWithServers = {
    .find_elf = findNoElf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &defaultDebugPath,
};

} // namespace

const Dwfl_Callbacks &moduleCallbacks(DebugSources sources) {
    return sources == DebugSources::ServersAsWell ? callbacksWithServers : callbacksHere;
}

int openRegular(const std::string &path, struct stat &status) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file >= 0 && (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
        ::close(file);
        return -1;
    }
    return file;
}

std::optional<std::string> buildIdOf(int file) {
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, nullptr);
    if (elf == nullptr)
        return std::nullopt;
    std::optional<std::string> result;
    if (elf_kind(elf) == ELF_K_ELF) {
        const void *bytes = nullptr;
        const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
        result = size > 0 ? std::string(static_cast<const char *>(bytes), static_cast<std::size_t>(size)) : std::string();
    }
    elf_end(elf);
    return result;
}

} // namespace laggard::recording
