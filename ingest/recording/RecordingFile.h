// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/EventReader.h"
#include "trace/Warning.h"
#include "trace/recording/Format.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace laggard::recording {

/// The definitions of a file, by number. What is missing from damaged files is empty, with `isDefined` false.
struct FileDefinitions {
    struct Module {
        std::uint64_t bias = 0;
        std::string buildId; ///< bytes
        std::string path;
        bool isDefined = false;
    };
    struct Address {
        std::uint32_t module = nothing;
        AddressKind kind = AddressKind::Function;
        std::uint64_t offset = 0;         ///< in the module; without a module: absolute. For an Operation: its number
        std::uint32_t datatype = nothing; ///< for an Operation
        bool isDefined = false;
    };
    struct Path {
        std::uint32_t parent = nothing;
        std::uint32_t address = nothing;
    };
    struct Run {
        std::uint32_t first = 0; ///< rank in MPI_COMM_WORLD
        std::uint32_t length = 0;
    };
    struct Communicator {
        std::uint64_t key = 0;
        std::uint32_t parent = nothing;
        std::uint32_t flags = 0; ///< CommunicatorFlags
        std::uint32_t ownRank = nothing;
        std::uint32_t size = 0;  ///< declared number of members
        std::uint32_t known = 0; ///< number of those in `members`
        std::vector<Run> members;
        std::string name;
        bool isDefined = false;
    };
    struct Datatype {
        std::uint64_t bytes = 0;
        std::string name;
        std::uint32_t basic = nothing; ///< the predefined datatype that all of it is made of
    };
    struct Window {
        std::uint64_t key = 0;
        std::uint32_t communicator = nothing;
        bool isDefined = false;
    };
    std::vector<Module> modules;
    std::vector<Address> addresses;
    std::vector<Path> paths;             ///< a parent has a smaller number than its children, or is `nothing`
    std::vector<std::string> operations; ///< empty where not defined
    std::vector<Communicator> communicators;
    std::vector<Datatype> datatypes;
    std::vector<Window> windows;
    std::vector<std::vector<Run>> groups; ///< their members
    struct Script {
        std::string name;
        std::string file;
        std::uint32_t line = 0;
    };
    std::vector<Script> scripts; ///< functions of interpreters
    struct Hang {
        std::uint32_t path = nothing; ///< path of the open call
        std::uint64_t time = 0;
        std::uint64_t ticks = 0; ///< without a transition
    };
    std::vector<Hang> hangs; ///< the process was found hanging
    struct Neighbour {
        std::int32_t pid = 0;
        std::uint64_t time = 0;
        NeighbourState state = NeighbourState::Runs;
    };
    struct Offset {
        std::uint64_t time = 0;
        std::int64_t offset = 0; ///< nanoseconds that the clock of rank 0's machine had more
        std::uint64_t roundTrip = 0;
    };
    std::vector<Offset> clockOffsets;  ///< in order of time
    std::string commandLine;           ///< as RecordKind::CommandLine has it; empty if it is not whole
    std::vector<Neighbour> neighbours; ///< what it saw of other processes of its machine, in order of time
};

/// A slot of an array. `torn`: it was being written when the process died (or is, all the time): some of it may be new, some old.
template <typename T> struct Slot {
    T value{};
    bool torn = false;
};

/// State of a thread at a fatal signal or hang, and what was kept of its stack.
struct CrashRecord {
    std::uint32_t thread = nothing;
    CrashState state{};
    std::vector<std::uint8_t> stack; ///< from state.stackAddress on
};

/// One file of a recording: docs/recording-format.md. It may be written at this moment: what is there is read. Every size and
/// reference is checked; damage is left out and is in `warnings()`. Copies, so that a file that changes or shrinks does no harm.
class RecordingFile {
  public:
    enum class Depth : std::uint8_t { Everything, Definitions };
    /// Throws ReadError if it is no recording, or its header cannot be used. With Depth::Definitions, arrays and crash states
    /// stay empty.
    explicit RecordingFile(const std::string &path, Depth depth = Depth::Everything);

    [[nodiscard]] const std::string &path() const { return m_path; }
    [[nodiscard]] const FileHeader &header() const { return m_header; }
    [[nodiscard]] const FileDefinitions &definitions() const { return m_definitions; }
    /// Threads with events or a state, sorted.
    [[nodiscard]] const std::vector<std::uint32_t> &threads() const { return m_threads; }
    [[nodiscard]] const std::vector<Slot<ThreadState>> &threadStates() const { return m_threadStates; }
    // Read when asked for: they can be many, and are needed only where events are missing.
    // Damage in them is among the warnings from then on.
    [[nodiscard]] std::vector<Slot<RequestSlot>> requests() const;
    [[nodiscard]] std::vector<Slot<CountSlot>> counts() const;
    /// The transitions of the model; torn slots are left out.
    [[nodiscard]] std::vector<TransitionSlot> transitions() const;
    [[nodiscard]] const std::vector<CrashRecord> &crashes() const { return m_crashes; }

    /// Leaves out each thread's older chunks of events, as if they had been overwritten: about so many bytes stay, at least one
    /// chunk.
    void keepNewestEvents(std::uint64_t bytes);
    [[nodiscard]] EventReader events(std::uint32_t thread) const;
    /// Calls of the thread that were kept outside its events, from its start on; most are in its events as well.
    [[nodiscard]] EventReader kept(std::uint32_t thread) const;
    /// The file is shorter than it should be, or blocks of it could not be used: what is not there may be anything.
    [[nodiscard]] bool isIncomplete() const { return m_isIncomplete; }
    /// Something in it beside events did not pass its check.
    [[nodiscard]] bool isDamaged() const;
    /// Bytes of the thread's chunks; all threads' for `nothing`.
    [[nodiscard]] std::uint64_t eventBytes(std::uint32_t thread = nothing) const;
    /// Sequence of the thread's first chunk that is there: beyond 1, what was before has been overwritten. 0: none.
    [[nodiscard]] std::uint64_t firstSequence(std::uint32_t thread) const;

    /// What is damaged in the file beside events.
    [[nodiscard]] const std::vector<Warning> &warnings() const { return m_warnings; }

  private:
    struct Chunk {
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        ChunkHeader header{};
    };
    void readHeader();
    void checkHeader();
    void findChunks();
    void leaveOutCopied(std::uint64_t copiesFrom);
    [[nodiscard]] bool isWhole(const ChunkHeader &header, std::uint64_t offset) const;
    [[nodiscard]] bool isUnused(const ChunkHeader &header, std::uint64_t offset) const;
    void readDefinitions();
    void readArrays();
    void readCrashes();
    template <typename T> std::size_t readBlock(std::uint64_t offset, std::vector<T> &block, std::size_t count) const;
    template <typename T> [[nodiscard]] bool isSteadyAt(std::uint64_t offset, const T &value) const;
    template <typename T> void readUncheckedSlots(const Chunk &chunk, std::vector<Slot<T>> &slots) const;
    template <typename T> void readCheckedSlots(const Chunk &chunk, std::vector<Slot<T>> &slots) const;
    template <typename T> std::vector<Slot<T>> readSlots(ChunkKind kind) const;
    void openLiveState(ThreadState &state, std::uint64_t offset) const;
    void warn(WarningId id, std::uint64_t offset, const std::string &what, std::vector<Warning::Datum> data = {}) const;
    [[nodiscard]] bool isChecked() const { return m_header.version != uncheckedVersion; }

    std::string m_path;
    std::unique_ptr<ReadOnlyFile> m_file;
    FileHeader m_header{};
    std::vector<Chunk> m_chunks; ///< all but Events
    std::vector<EventChunk> m_events;
    FileDefinitions m_definitions;
    std::vector<std::uint32_t> m_threads;
    std::vector<Slot<ThreadState>> m_threadStates;
    std::vector<CrashRecord> m_crashes;
    mutable std::vector<Warning> m_warnings; ///< grows while arrays are read
    bool m_isIncomplete = false;
};

/// As FileHeader::endKind of a file that is read: what it says is damaged.
inline constexpr std::uint32_t unknownEnd = 0xFFFFFFFF;

/// True if the file begins as a recording does.
[[nodiscard]] bool isRecordingFile(const std::string &path);

} // namespace laggard::recording
