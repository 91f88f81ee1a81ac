// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/Memory.h"
#include "attach/Snapshot.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace laggard::attach {

/// A core file of which nothing can be used; the sentence names the file and the reason.
class BadCore : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The core file of a process of this machine's kind (core(5)), as the kernel or gcore writes it. Only what is asked for is read.
class CoreFile final : public Memory {
  public:
    /// Throws BadCore.
    explicit CoreFile(const std::string &path);
    ~CoreFile() override;

    [[nodiscard]] std::size_t read(std::uint64_t address, void *into, std::size_t size) const override;

    /// All threads with their stacks, and what was mapped, as /proc/PID/maps would tell it. `complaint`: what is missing. No more
    /// than `mostStacks` bytes of stacks in all are read: a damaged core may give all of its threads the same stack, or one that
    /// the file has only as a hole.
    [[nodiscard]] ProcessSnapshot snapshot(std::uint64_t mostStacks = usualStacks) const;
    /// "A=1\0B=2\0", as the process was started with; empty if it is not in the file.
    [[nodiscard]] std::string environment() const;

    [[nodiscard]] pid_t process() const { return m_process; }
    [[nodiscard]] const std::string &command() const { return m_command; }
    [[nodiscard]] std::uint64_t entry() const { return m_entry; } ///< where the executable begins; 0: not known
    /// The signal of a fault or an abort of its own that ended it; 0: none, or one that was sent to it.
    [[nodiscard]] int fault() const { return m_fault; }

    static constexpr std::uint64_t usualStacks = std::uint64_t{1} << 30U; ///< bytes: a thousand threads with a megabyte each

  private:
    struct Segment {
        std::uint64_t begin = 0, end = 0; ///< addresses
        std::uint64_t offset = 0, inFile = 0;
        bool isWritable = false;
    };
    struct MappedFile {
        std::uint64_t begin = 0, end = 0, offset = 0;
        std::string path;
    };

    void readHeaders();
    void readNotes(std::uint64_t offset, std::uint64_t size);
    void readNote(std::uint32_t type, const unsigned char *content, std::size_t size);
    void readMappedFiles(const unsigned char *content, std::size_t size);
    void readAuxiliary(const unsigned char *content, std::size_t size);
    [[nodiscard]] std::size_t readFile(std::uint64_t offset, void *into, std::size_t size) const;
    [[nodiscard]] const Segment *segmentOf(std::uint64_t address) const;
    [[nodiscard]] std::string maps() const;

    std::string m_path;
    int m_file = -1;
    std::uint64_t m_size = 0;   ///< bytes that are there
    std::uint64_t m_needed = 0; ///< that its headers speak of
    std::vector<Segment> m_segments;
    std::vector<MappedFile> m_mapped;
    std::vector<ThreadSnapshot> m_threads;
    std::vector<unsigned char> m_auxiliary; ///< NT_AUXV
    std::uint64_t m_entry = 0, m_kernelsOwn = 0, m_insideStrings = 0;
    pid_t m_process = 0;
    int m_fault = 0;
    std::string m_command;
};

} // namespace laggard::attach
