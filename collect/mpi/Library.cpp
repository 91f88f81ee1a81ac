// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Library.h"

#include "collect/store/Undisturbed.h"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>

namespace laggard::collect::mpi {

namespace {

struct Wanted {
    std::uintptr_t address;
    std::uintptr_t begin = ~std::uintptr_t{0};
    std::uintptr_t end = 0;
};

/// The library around an address; end 0 if there is none.
Wanted libraryAround(const void *address) {
    Wanted wanted{reinterpret_cast<std::uintptr_t>(address)};
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *argument) {
            auto &search = *static_cast<Wanted *>(argument);
            std::uintptr_t begin = ~std::uintptr_t{0};
            std::uintptr_t end = 0;
            for (int i = 0; i < info->dlpi_phnum; ++i)
                if (const auto &segment = info->dlpi_phdr[i]; segment.p_type == PT_LOAD) {
                    begin = std::min<std::uintptr_t>(begin, info->dlpi_addr + segment.p_vaddr);
                    end = std::max<std::uintptr_t>(end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
                }
            if (search.address < begin || search.address >= end)
                return 0;
            search.begin = begin;
            search.end = end;
            return 1;
        },
        &wanted);
    return wanted;
}

} // namespace

Library::Library() {
    for (const char *name : {"PMPI_Init", "pmpi_init_", "pmpi_init_f08_", "pmpir_init_f08_"}) {
        const void *function = dlsym(RTLD_DEFAULT, name);
        if (function == nullptr || contains(function) || m_count == most)
            continue;
        const Wanted found = libraryAround(function);
        if (found.end != 0)
            m_ranges[m_count++] = {found.begin, found.end};
    }
}

bool Library::contains(const void *address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return std::any_of(m_ranges, m_ranges + m_count, [at](const Range &range) { return at >= range.begin && at < range.end; });
}

void *findTool(const char *name, const char *nameInMpi) {
    const Undisturbed undisturbed;
    void *next = dlsym(RTLD_NEXT, name);
    const void *own = dlsym(RTLD_DEFAULT, nameInMpi);
    Dl_info ofNext{};
    Dl_info ofOwn{};
    const bool isTool = next != nullptr && own != nullptr && dladdr(next, &ofNext) != 0 && dladdr(own, &ofOwn) != 0 &&
                        ofNext.dli_fbase != ofOwn.dli_fbase;
    return isTool ? next : nullptr;
}

} // namespace laggard::collect::mpi
