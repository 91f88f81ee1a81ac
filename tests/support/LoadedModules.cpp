// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/LoadedModules.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <link.h>

namespace laggard::test {
namespace {

std::string buildIdIn(const char *notes, std::size_t bytes) {
    for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes + at, sizeof note);
        const std::size_t name = at + sizeof note;
        const std::size_t content = name + (note.n_namesz + 3U) / 4 * 4;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0)
            return std::string(notes + content, note.n_descsz);
        at = content + (note.n_descsz + 3U) / 4 * 4;
    }
    return {};
}

int add(dl_phdr_info *info, std::size_t, void *data) {
    LoadedModule module;
    module.bias = info->dlpi_addr;
    module.path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
    if (module.path.empty())
        module.path = std::filesystem::read_symlink("/proc/self/exe").string();
    module.begin = ~std::uint64_t{0};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) &segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            module.begin = std::min<std::uint64_t>(module.begin, info->dlpi_addr + segment.p_vaddr);
            module.end = std::max<std::uint64_t>(module.end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        } else if (segment.p_type == PT_NOTE && module.buildId.empty()) {
            module.buildId =
                buildIdIn(reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz); // NOLINT
        }
    }
    static_cast<std::vector<LoadedModule> *>(data)->push_back(std::move(module));
    return 0;
}

} // namespace

std::vector<LoadedModule> loadedModules() {
    std::vector<LoadedModule> modules;
    dl_iterate_phdr(add, &modules);
    return modules;
}

} // namespace laggard::test
