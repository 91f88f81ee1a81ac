// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/HashIndex.h"
#include "collect/store/MappedFile.h"
#include "collect/store/Modules.h"
#include "collect/store/Mutex.h"
#include "collect/store/RecordGroup.h"

#include <atomic>
#include <mutex>
#include <span>

namespace laggard::collect {

/// What the recorder has to know of an operation to treat its calls rightly.
enum OperationTraits : std::uint8_t {
    isKept = 1,          ///< starts MPI or makes or names communicators: also kept outside the ring
    initialisesOnly = 2, ///< makes a persistent request: its parts are no message yet
};

/// A frame of a call stack: a return address, and whether it belongs to the user's program.
struct StackFrames {
    static constexpr std::size_t most = 256;
    std::uintptr_t addresses[most]; ///< innermost first
    bool isHandlers[most];          ///< there the system has called a signal handler
    std::size_t count = 0;
};

/// The definitions in the file, each written once. Thread-safe. A definition that finds no room is `nothing`.
class Definitions {
  public:
    explicit Definitions(MappedFile &file) : m_file(file) {}

    [[nodiscard]] std::uint32_t function(const void *address);
    /// Path of the frames that belong to the program; `nothing` for none.
    [[nodiscard]] std::uint32_t stackPath(const StackFrames &frames);
    [[nodiscard]] std::uint32_t childPath(std::uint32_t parent, std::uint32_t address);
    /// `parent` and then the operation.
    [[nodiscard]] std::uint32_t callPath(std::uint32_t parent, std::uint32_t operation, std::uint32_t datatype);

    [[nodiscard]] std::uint32_t operation(const char *name);
    /// `basic`: ProcessLog::defineDatatype.
    [[nodiscard]] std::uint32_t datatype(std::uint64_t bytes, const char *name, std::uint32_t basic);
    [[nodiscard]] std::uint32_t window(std::uint64_t key, std::uint32_t communicator);
    [[nodiscard]] std::uint32_t group(std::span<const std::uint32_t> members);
    [[nodiscard]] std::uint32_t communicator(std::uint64_t key, std::uint32_t parent, std::uint32_t flags, std::uint32_t ownRank,
                                             std::span<const std::uint32_t> members);
    void nameCommunicator(std::uint32_t communicator, const char *name);
    /// A function of an interpreter, as an address: may be entered and left.
    [[nodiscard]] std::uint32_t script(const char *name, const char *file, std::uint32_t line);
    /// ProcessLog::hideInterpreter.
    void hideInterpreter(const void *code, const char *part);
    /// As in the recording of the process that this one was forked from.
    void hideAs(const Definitions &parent) { m_modules.hideAs(parent.m_modules); }
    void hang(std::uint32_t path, std::uint64_t time, std::uint64_t ticks);
    /// `text`: as RecordKind::CommandLine has it, all pieces.
    void commandLine(std::span<const char> text);
    void clockOffset(std::uint64_t time, std::int64_t offset, std::uint64_t roundTrip);
    void neighbour(std::int32_t pid, std::uint64_t time, recording::NeighbourState state);

    /// Defines all that is loaded and not defined yet: the stack of a crash or hang may lead through any of it. Not for signal
    /// handlers.
    void defineLoadedModules();

    /// Nobody defines anything, or asks the loader for what is loaded, while it is held: for fork().
    [[nodiscard]] Mutex &mutex() { return m_mutex; }

    /// Operation at the end of a path; `nothing` if there is none.
    [[nodiscard]] std::uint32_t operationOf(std::uint32_t path) const;
    [[nodiscard]] std::uint8_t traitsOf(std::uint32_t operation) const {
        return operation < maxOperations ? m_traits[operation] : 0;
    }

    /// Changes when code was unloaded: what was remembered of addresses is void.
    [[nodiscard]] std::uint32_t generation() const { return m_generation.load(std::memory_order_acquire); }
    void codeUnloaded() { m_generation.fetch_add(1, std::memory_order_acq_rel); }

  private:
    static constexpr std::size_t maxOperations = 4096;
    static constexpr std::size_t pathBlock = 4096;
    static constexpr std::size_t maxPathBlocks = 4096;

    bool write(recording::RecordKind kind, std::uint32_t argument, std::span<const std::uint64_t> payload);
    [[nodiscard]] bool reserve(std::size_t words);
    bool writeRanks(recording::RecordKind kind, std::uint32_t number, std::span<const std::uint32_t> members);
    [[nodiscard]] std::uint32_t address(recording::AddressKind kind, std::uintptr_t code);
    [[nodiscard]] std::uint32_t define(recording::AddressKind kind, std::uint32_t module, std::uint64_t offset);
    [[nodiscard]] std::uint32_t defineModule(Module &module);
    [[nodiscard]] std::uint32_t childPathLocked(std::uint32_t parent, std::uint32_t address, std::uint32_t operation);
    [[nodiscard]] bool isOutsideMain(std::uintptr_t address);
    void forgetIfUnloaded();

    MappedFile &m_file;
    Mutex m_mutex;
    RecordChunk m_open;
    std::uint64_t m_sequence = 0;

    Modules m_modules;
    std::atomic<std::uint32_t> m_generation{0};
    std::uint32_t m_seenGeneration = 0;
    HashIndex<std::uint32_t> m_moduleIndex;
    HashIndex<std::uint32_t> m_codeIndex;    ///< by kind and address as loaded
    HashIndex<std::uint32_t> m_addressIndex; ///< by kind, module, offset
    HashIndex<std::uint32_t> m_pathIndex;
    std::uint32_t m_moduleCount = 0;
    std::uint32_t m_addressCount = 0;
    std::uint32_t m_pathCount = 0;
    std::uint32_t m_operationCount = 0;
    std::uint32_t m_communicatorCount = 0;
    std::uint32_t m_datatypeCount = 0;
    std::uint32_t m_windowCount = 0;
    std::uint32_t m_groupCount = 0;
    std::uint32_t m_scriptCount = 0;
    std::uint8_t m_traits[maxOperations] = {};
    std::atomic<std::uint32_t *> m_pathOperations[maxPathBlocks] = {}; ///< operation of each path, in blocks
};

} // namespace laggard::collect
