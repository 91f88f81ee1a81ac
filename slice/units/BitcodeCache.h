// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/units/FileHashes.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// Bitcode of units, kept from run to run in a folder of the user's, by content: for each question (the compiler and its
/// switches) a list says which files were read and what they held, and where the bitcode is that came of it. What is looked
/// up is there whole, or not at all, whoever else writes at the same time and whenever one of them is killed. Thread-safe.
class BitcodeCache {
  public:
    /// `folder`: made if it is not there, for its owner only. Empty: nothing is kept.
    explicit BitcodeCache(std::string folder);

    /// The file with the bitcode for `question`, if every file that was read still holds the same.
    [[nodiscard]] std::optional<std::string> find(const std::string &question, FileHashes &hashes);

    /// Keeps bitcode; returns its file, or nothing if that was not possible, for which there is a warning then.
    /// `read`: the files that the compiler has read.
    std::optional<std::string> store(const std::string &question, const std::vector<std::string> &read, FileHashes &hashes,
                                     std::string_view bitcode);

    /// Removes what was not used for longest, if there is too much.
    void trim();

    /// Why nothing can be kept, one sentence; empty if all is well.
    [[nodiscard]] std::string warning() const;

  private:
    [[nodiscard]] std::string fileFor(const std::string &name, std::string_view ending) const;
    bool publish(const std::string &path, std::string_view content);
    void complain(const std::string &why);

    std::string m_folder;
    std::string m_warning;
    mutable std::mutex m_mutex; ///< guards m_warning
};

/// Where the user's programs keep what can be made anew: $XDG_CACHE_HOME or ~/.cache, and in it laggard/slice. Empty if neither
/// is known.
[[nodiscard]] std::string userCacheFolder();

} // namespace laggard
