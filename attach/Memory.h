// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <type_traits>

namespace laggard::attach {

/// What a process has, or had, at its addresses.
class Memory {
  public:
    Memory() = default;
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    virtual ~Memory() = default;

    /// Copies `size` bytes, or as many from `address` on as there are; returns their number.
    [[nodiscard]] virtual std::size_t read(std::uint64_t address, void *into, std::size_t size) const = 0;

    /// Nothing if not all of it is there.
    template <typename Value> [[nodiscard]] std::optional<Value> value(std::uint64_t address) const {
        static_assert(std::is_trivially_copyable_v<Value>);
        Value result{};
        return read(address, &result, sizeof result) == sizeof result ? std::optional(result) : std::nullopt;
    }

    /// The text at `address` up to its zero byte, `most` bytes of it at most.
    [[nodiscard]] std::string text(std::uint64_t address, std::size_t most) const;
};

/// The memory of a process that is there.
class LiveMemory final : public Memory {
  public:
    explicit LiveMemory(pid_t process) : m_process(process) {}
    [[nodiscard]] std::size_t read(std::uint64_t address, void *into, std::size_t size) const override;

  private:
    pid_t m_process;
};

} // namespace laggard::attach
