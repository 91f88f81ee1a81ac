// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Warning.h"
#include "trace/recording/Format.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace laggard::recording {

/// A record that passed its check. `payload` is valid until the reader's next step.
struct Record {
    RecordKind kind = RecordKind::End;
    std::uint32_t argument = 0;
    const std::uint64_t *payload = nullptr;
    std::size_t words = 0;      ///< of the payload; at least what the kind needs
    std::uint64_t offset = 0;   ///< in the file
    std::uint64_t sequence = 0; ///< of the chunk
};

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
        std::uint64_t offset = 0;         ///< in the module; without a module: absolute. Of an Operation: its number
        std::uint32_t datatype = nothing; ///< of an Operation
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
    struct Hang {
        std::uint32_t path = nothing; ///< of the open call
        std::uint64_t time = 0;
        std::uint64_t ticks = 0; ///< without a transition
    };
    std::vector<Hang> hangs; ///< the process was found hanging
    struct Neighbour {
        std::int32_t pid = 0;
        std::uint64_t time = 0;
        NeighbourState state = NeighbourState::Runs;
    };
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

struct EventChunk {
    std::uint64_t offset = 0; ///< of its header
    std::uint64_t bytes = 0;  ///< with its header, as far as the file has them
    std::uint64_t sequence = 0;
    std::uint32_t thread = nothing;
};

/// A file descriptor that closes itself.
class ReadOnlyFile {
  public:
    explicit ReadOnlyFile(const std::string &path);
    ~ReadOnlyFile();
    ReadOnlyFile(const ReadOnlyFile &) = delete;
    ReadOnlyFile &operator=(const ReadOnlyFile &) = delete;
    /// Copies up to `bytes` from `offset`; returns how many there were. Never fails: what cannot be read is not there.
    std::size_t read(std::uint64_t offset, void *to, std::size_t bytes) const;
    [[nodiscard]] std::uint64_t size() const;
    /// The first offset from `offset` on that is not in a hole; `size()` if there is none.
    [[nodiscard]] std::uint64_t nextData(std::uint64_t offset) const;
    [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }

  private:
    int m_descriptor;
};

/// The event records of one thread in the order in which they were written, each checked. A record that fails its check ends its
/// chunk with a warning, and so does a chunk that does not hold what it says was written; the chunks behind it are still read.
class EventReader {
  public:
    /// `isChecked`: the file has the checks of chunks (from version 2 on).
    EventReader(const ReadOnlyFile &file, std::string path, std::vector<EventChunk> chunks, bool isChecked);
    /// The next record; false after the last one.
    bool next(Record &record);
    /// True if records are missing between this record's chunk and the one before it (or at the start).
    [[nodiscard]] bool followsGap() const { return m_followsGap; }
    [[nodiscard]] const std::vector<Warning> &warnings() const { return m_warnings; }
    /// True if the last chunk ended with damage: the newest records are lost.
    [[nodiscard]] bool endsDamaged() const { return m_damagedChunk != 0 && m_damagedChunk == m_chunks.size(); }
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesBefore + m_at; }

  private:
    bool openChunk();
    bool fill(std::size_t words);
    void refill();
    bool nextInChunk(Record &record);
    bool isAsCommitted();
    void openPolls(std::uint64_t *payload);
    void endDamaged(const std::string &what);
    void warn(const std::string &what);

    const ReadOnlyFile &m_file;
    std::string m_path;
    std::vector<EventChunk> m_chunks;
    std::size_t m_chunk = 0;        ///< the one after the open one
    std::size_t m_damagedChunk = 0; ///< the latest one that ended with damage, counted from 1
    bool m_isChecked;
    bool m_isOpen = false;
    bool m_followsGap = false;
    bool m_isConfirmed = false;      ///< the records up to `m_committed` are those that were written
    std::uint64_t m_committed = 0;   ///< of the open chunk, when it was opened
    std::uint64_t m_chain = 0;       ///< of the records so far
    std::uint64_t m_at = 0;          ///< bytes into the open chunk
    std::uint64_t m_bytesBefore = 0; ///< of the chunks before it
    std::vector<std::uint64_t> m_words;
    std::size_t m_first = 0; ///< of the words not yet taken
    std::size_t m_last = 0;  ///< behind the last word read
    std::vector<Warning> m_warnings;
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

    [[nodiscard]] EventReader events(std::uint32_t thread) const;
    /// Calls of the thread that were kept outside its events, from its start on; most are in its events as well.
    [[nodiscard]] EventReader kept(std::uint32_t thread) const;
    /// The file is shorter than it should be, or blocks of it could not be used: what is not there may be anything.
    [[nodiscard]] bool isIncomplete() const { return m_isIncomplete; }
    /// Something in it beside events did not pass its check.
    [[nodiscard]] bool isDamaged() const;
    /// Bytes of the thread's chunks; of all threads for `nothing`.
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
    void warn(std::uint64_t offset, const std::string &what) const;
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
