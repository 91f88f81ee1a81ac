// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace laggard::test {

/// A folder in memory (/dev/shm) where there is one, that is gone with the object.
class ScratchFolder {
  public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder &) = delete;
    ScratchFolder &operator=(const ScratchFolder &) = delete;

    [[nodiscard]] const std::string &path() const { return m_path; }
    /// Writes a file anew; returns its path.
    std::string write(const std::string &name, std::string_view bytes) const;

  private:
    std::string m_path;
};

} // namespace laggard::test
