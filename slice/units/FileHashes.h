// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace laggard {

/// SHA-256 as 64 hexadecimal digits.
[[nodiscard]] std::string hashOf(std::string_view text);

/// Hashes of files' contents, each read once. Thread-safe.
class FileHashes {
  public:
    /// Empty if it is no plain file or cannot be read.
    [[nodiscard]] std::string of(const std::string &path);

  private:
    std::mutex m_mutex;
    std::map<std::string, std::string> m_known;
};

} // namespace laggard
