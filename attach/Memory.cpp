// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/Memory.h"

#include <algorithm>
#include <sys/uio.h>

namespace laggard::attach {

std::string Memory::text(std::uint64_t address, std::size_t most) const {
    std::string result(most, '\0');
    result.resize(read(address, result.data(), most));
    result.resize(std::min(result.find('\0'), result.size()));
    return result;
}

std::size_t LiveMemory::read(std::uint64_t address, void *into, std::size_t size) const {
    const iovec here{into, size};
    const iovec there{reinterpret_cast<void *>(address), size};
    const ssize_t copied = ::process_vm_readv(m_process, &here, 1, &there, 1, 0);
    if (copied >= 0)
        return static_cast<std::size_t>(copied);
    // What lies before a page that cannot be read is copied only if asked for by itself.
    constexpr std::size_t page = 4096;
    const std::size_t rest = page - address % page;
    if (rest >= size)
        return 0;
    const iovec first{into, rest};
    const iovec firstThere{reinterpret_cast<void *>(address), rest};
    const ssize_t part = ::process_vm_readv(m_process, &first, 1, &firstThere, 1, 0);
    return part < 0 ? 0 : static_cast<std::size_t>(part);
}

} // namespace laggard::attach
