// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Modules.h"

#include "collect/store/Pages.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <unistd.h>

namespace laggard::collect {

namespace {

bool begins(const char *text, const char *with) { return std::strncmp(text, with, std::strlen(with)) == 0; }

void findBuildId(Module &module, const char *notes, std::size_t bytes) {
    for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes + at, sizeof note);
        const std::size_t name = at + sizeof note;
        const std::size_t value = name + (std::size_t{note.n_namesz} + 3) / 4 * 4;
        if (note.n_namesz > bytes || note.n_descsz > bytes || value + note.n_descsz > bytes)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0) {
            module.buildIdBytes = std::min<std::uint32_t>(note.n_descsz, sizeof module.buildId);
            std::memcpy(module.buildId, notes + value, module.buildIdBytes);
            return;
        }
        at = value + (std::size_t{note.n_descsz} + 3) / 4 * 4;
    }
}

void nameModule(Module &module, const char *path) {
    if (*path == '\0') { // the program itself
        const ssize_t length = ::readlink("/proc/self/exe", module.path, sizeof module.path - 1);
        module.path[length < 0 ? 0 : length] = '\0';
    } else {
        std::strncpy(module.path, path, sizeof module.path - 1);
    }
    const char *slash = std::strrchr(module.path, '/');
    const char *name = slash == nullptr ? module.path : slash + 1;
    const auto here = reinterpret_cast<std::uintptr_t>(&nameModule);
    module.isHidden = (here >= module.begin && here < module.end) || begins(name, "libmpi") || begins(name, "libpmpi");
    module.isSystem = begins(name, "libc.so") || begins(name, "libc-2") || begins(name, "libpthread") ||
                      begins(name, "ld-linux") || begins(name, "ld-2");
}

Module describe(const dl_phdr_info &info) {
    Module module;
    module.bias = info.dlpi_addr;
    module.begin = ~std::uintptr_t{0};
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const ElfW(Phdr) &segment = info.dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            module.begin = std::min<std::uintptr_t>(module.begin, info.dlpi_addr + segment.p_vaddr);
            module.end = std::max<std::uintptr_t>(module.end, info.dlpi_addr + segment.p_vaddr + segment.p_memsz);
        } else if (segment.p_type == PT_NOTE && module.buildIdBytes == 0) {
            findBuildId(module, reinterpret_cast<const char *>(info.dlpi_addr + segment.p_vaddr), segment.p_memsz); // NOLINT
        }
    }
    nameModule(module, info.dlpi_name == nullptr ? "" : info.dlpi_name);
    return module;
}

} // namespace

Module *Modules::search(std::uintptr_t address) {
    Module *behind = std::upper_bound(m_modules, m_modules + m_count, address,
                                      [](std::uintptr_t at, const Module &module) { return at < module.begin; });
    return behind != m_modules && address < behind[-1].end ? behind - 1 : nullptr;
}

Module *Modules::find(std::uintptr_t address) {
    if (Module *found = search(address))
        return found;
    scan();
    return search(address);
}

void Modules::scan() {
    if (m_modules == nullptr)
        m_modules = static_cast<Module *>(newPages(maxModules * sizeof(Module)));
    if (m_modules == nullptr)
        return;
    unsigned long long loads = 0;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *out) {
            *static_cast<unsigned long long *>(out) = info->dlpi_adds;
            return 1;
        },
        &loads);
    if (loads == m_loads)
        return;
    m_loads = loads;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *self) {
            auto &modules = *static_cast<Modules *>(self);
            Module module = describe(*info);
            module.isHidden |=
                modules.m_hiddenPart != nullptr && ((modules.m_hiddenCode >= module.begin && modules.m_hiddenCode < module.end) ||
                                                    std::strstr(module.path, modules.m_hiddenPart) != nullptr);
            if (module.begin >= module.end || modules.m_count == maxModules)
                return 0;
            Module *at = std::upper_bound(modules.m_modules, modules.m_modules + modules.m_count, module.begin,
                                          [](std::uintptr_t begin, const Module &other) { return begin < other.begin; });
            // Known ones keep their number.
            if (at != modules.m_modules && at[-1].begin == module.begin)
                return 0;
            std::move_backward(at, modules.m_modules + modules.m_count, modules.m_modules + modules.m_count + 1);
            *at = module;
            ++modules.m_count;
            return 0;
        },
        this);
}

} // namespace laggard::collect
