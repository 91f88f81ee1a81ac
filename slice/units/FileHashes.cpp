// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/FileHashes.h"

#include "slice/units/SourceFiles.h"

#include <cstdint>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

namespace laggard {
namespace {

constexpr std::uint64_t mostSourceBytes = std::uint64_t{256} << 20U; // no compiler gets through more in the time there is

} // namespace

std::string hashOf(std::string_view text) {
    const llvm::ArrayRef<std::uint8_t> bytes(reinterpret_cast<const std::uint8_t *>(text.data()), text.size());
    return llvm::toHex(llvm::SHA256::hash(bytes), true);
}

std::string FileHashes::of(const std::string &path) {
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_known.find(path); known != m_known.end())
            return known->second;
    }
    const auto content = contentOf(path, mostSourceBytes);
    std::string hash = content ? hashOf(*content) : std::string();
    const std::lock_guard lock(m_mutex);
    return m_known.emplace(path, std::move(hash)).first->second;
}

} // namespace laggard
