// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace laggard::collect {

/// With what the process was started, as RecordKind::CommandLine has it: the folder it is in and its arguments, a zero byte
/// behind each.
class CommandText {
  public:
    CommandText() = default;
    ~CommandText();
    CommandText(const CommandText &) = delete;
    CommandText &operator=(const CommandText &) = delete;

    /// False where it is not known, or longer than anybody types: half of a command would be another one.
    [[nodiscard]] bool read();
    [[nodiscard]] std::span<const char> get() const { return {m_text, m_length}; }

  private:
    static constexpr std::size_t most = std::size_t{64} << 10U; ///< bytes; a whole chunk of definitions
    char *m_text = nullptr;
    std::size_t m_length = 0;
};

} // namespace laggard::collect
