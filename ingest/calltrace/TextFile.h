// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::calltrace {

/// A text file, read from its beginning in pieces of whole lines.
class TextFile {
  public:
    static constexpr std::size_t pieceBytes = std::size_t{1} << 20U;
    static constexpr std::size_t longestLine = 4096; ///< bytes; longer ones are no records

    /// Throws ReadError.
    explicit TextFile(std::string path);
    ~TextFile();
    TextFile(const TextFile &) = delete;
    TextFile &operator=(const TextFile &) = delete;

    /// The next lines, each with its line feed; empty at the end of the file, or where it cannot be read on (`failure`). Valid
    /// until the next call. A line that does not fit into a piece is left out and counted, with its line feed.
    [[nodiscard]] std::string_view next();
    /// At the end: what stands behind the last line feed.
    [[nodiscard]] std::string_view remainder() const { return {m_buffer.data() + m_begin, m_end - m_begin}; }

    /// Lines that `next` has left out before the piece that it gave last.
    [[nodiscard]] std::uint64_t takeLeftOut();
    [[nodiscard]] const std::string &failure() const { return m_failure; } ///< what the system says; empty: nothing is wrong
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }          ///< size of the file when it was opened
    void seek(std::uint64_t offset);                                       ///< for the next piece

  private:
    bool fill();

    std::string m_path;
    int m_file = -1;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_offset = 0;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0; ///< where that begins which was not given away
    std::size_t m_end = 0;
    bool m_skipping = false; ///< in a line that is too long
    std::uint64_t m_leftOut = 0;
    std::string m_failure;
};

} // namespace laggard::calltrace
