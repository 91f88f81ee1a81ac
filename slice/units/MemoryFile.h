// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace laggard {

/// A file without a name, in memory, which is gone with the last process that holds it, however that ends.
class MemoryFile {
  public:
    /// Throws std::system_error if the process may open no more files.
    MemoryFile();
    ~MemoryFile();
    MemoryFile(MemoryFile &&other) noexcept;
    MemoryFile &operator=(MemoryFile &&other) noexcept;

    [[nodiscard]] int descriptor() const { return m_file; }
    [[nodiscard]] std::uint64_t size() const;
    /// Up to `most` bytes from its start.
    [[nodiscard]] std::string content(std::uint64_t most) const;
    /// A name under which this process, and no other, can open it.
    [[nodiscard]] std::string path() const;

  private:
    int m_file = -1;
};

} // namespace laggard
