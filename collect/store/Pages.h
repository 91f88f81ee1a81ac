// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <sys/mman.h>

namespace laggard::collect {

/// Zeroed memory straight from the system; nullptr if there is none. The recorder never uses malloc where events are recorded:
/// the program may have damaged its heap, may have a malloc that is itself instrumented, and may call from a signal handler.
inline void *newPages(std::size_t bytes) {
    void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}
inline void freePages(void *memory, std::size_t bytes) {
    if (memory != nullptr)
        ::munmap(memory, bytes);
}

} // namespace laggard::collect
