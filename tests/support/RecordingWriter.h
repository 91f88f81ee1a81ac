// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/recording/Format.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace laggard::test {

/// Writes one file of a native recording by hand, record by record, as trace/recording/Format.h lays it out. Odd ones too.
///
///     RecordingWriter writer(0, 2);
///     writer.collectiveCall(10, 20, "MPI_Barrier").begin(30, "MPI_Recv").receivePart(1).write(folder + "/0.laggard");
///
/// Ticks are nanoseconds since the start. Communicator 0 is MPI_COMM_WORLD. Functions are addresses of no module: they are shown
/// as
/// "[unknown]+0x…".
class RecordingWriter {
  public:
    RecordingWriter(std::int32_t rank, std::int32_t worldSize);

    /// To be changed as need be; `write` fills the check and the sizes.
    recording::FileHeader header{};

    using Words = std::vector<std::uint64_t>;

    // Definitions; all return the number.
    std::uint32_t define(recording::RecordKind kind, const Words &payload);
    std::uint32_t module(const std::string &path, const std::string &buildId, std::uint64_t bias = 0);
    std::uint32_t address(std::uint64_t offset, recording::AddressKind kind = recording::AddressKind::Function,
                          std::uint32_t module = recording::nothing);
    std::uint32_t operation(const std::string &name, std::uint32_t datatype = recording::nothing); ///< an address
    std::uint32_t path(std::uint32_t parent, std::uint32_t address);
    /// The path of an operation with these callers (addresses, outermost first).
    std::uint32_t pathTo(const std::string &operation, const std::vector<std::uint32_t> &callers = {});
    std::uint32_t communicator(std::uint64_t key, const std::vector<std::uint32_t> &members, std::uint32_t flags = 0,
                               std::uint32_t parent = 0, std::uint32_t ownRank = 0);
    /// A window of one-sided communication; the key is the same in all files.
    std::uint32_t window(std::uint64_t key, std::uint32_t communicator = 0);
    /// A group of ranks in MPI_COMM_WORLD, for epochs.
    std::uint32_t group(const std::vector<std::uint32_t> &ranks);
    RecordingWriter &communicatorName(std::uint32_t communicator, const std::string &name);

    /// A record of the thread's events.
    RecordingWriter &event(recording::RecordKind kind, std::uint32_t argument, const Words &payload);
    /// The thread that the following events are of; at first 0.
    RecordingWriter &onThread(std::uint32_t thread);
    /// Begins another chunk for the thread's further events. `skipped` chunks are missing before it.
    RecordingWriter &newChunk(std::uint64_t time, const std::vector<std::uint32_t> &functions = {}, std::uint64_t skipped = 0);

    RecordingWriter &enter(std::uint64_t time, std::uint32_t address);
    RecordingWriter &leave(std::uint64_t time, std::uint32_t address);
    /// A call is begun; parts are those that follow.
    RecordingWriter &begin(std::uint64_t time, const std::string &operation, const std::vector<std::uint32_t> &callers = {});
    RecordingWriter &end(std::uint64_t time, std::uint32_t flags = 0);
    RecordingWriter &sendPart(std::uint32_t peer, std::int32_t tag = 0, std::uint64_t request = 0, std::uint32_t flags = 0,
                              std::uint32_t communicator = 0, std::uint64_t bytes = 8);
    RecordingWriter &receivePart(std::uint32_t peer, std::int32_t tag = 0, std::uint64_t request = 0, std::uint32_t flags = 0,
                                 std::uint32_t communicator = 0, std::uint64_t bytes = 8);
    RecordingWriter &collectivePart(std::uint32_t communicator = 0, std::uint32_t root = recording::nothing,
                                    std::uint64_t request = 0);
    RecordingWriter &epochPart(recording::EpochKind kind, std::uint32_t window, std::uint32_t target = recording::nothing,
                               std::uint32_t group = recording::nothing, bool exclusive = false);
    RecordingWriter &waitingPart(std::uint32_t source, std::int32_t tag, std::uint64_t bytes = 8);
    RecordingWriter &awaited(const Words &requests);
    RecordingWriter &received(std::uint32_t source, std::int32_t tag = 0, std::uint64_t request = 0,
                              std::uint32_t communicator = 0, std::uint64_t bytes = 8);
    RecordingWriter &completed(std::uint64_t request);
    RecordingWriter &polls(std::uint64_t first, std::uint64_t last, std::uint64_t number, const std::string &operation,
                           const std::vector<std::uint32_t> &callers = {});

    /// Whole calls.
    RecordingWriter &call(std::uint64_t from, std::uint64_t to, const std::string &operation,
                          const std::vector<std::uint32_t> &callers = {});
    RecordingWriter &sendCall(std::uint64_t from, std::uint64_t to, std::uint32_t peer, std::int32_t tag = 0);
    RecordingWriter &receiveCall(std::uint64_t from, std::uint64_t to, std::uint32_t peer, std::int32_t tag = 0);
    RecordingWriter &collectiveCall(std::uint64_t from, std::uint64_t to, const std::string &operation,
                                    std::uint32_t communicator = 0);

    RecordingWriter &state(recording::ThreadState state);
    RecordingWriter &request(recording::RequestSlot slot);
    RecordingWriter &count(recording::CountSlot slot);
    RecordingWriter &transition(recording::TransitionSlot slot);
    RecordingWriter &transition(recording::FewTimesSlot slot);
    RecordingWriter &crash(std::uint32_t thread, recording::CrashState state, const std::vector<std::uint8_t> &stack);
    /// The process saw another one of its machine so; `RecordingWriter(rank, …)` has process id 1000 + rank.
    RecordingWriter &saw(std::uint64_t time, std::uint32_t pid, recording::NeighbourState state);
    RecordingWriter &exited(std::uint64_t time, std::int32_t status = 0);
    RecordingWriter &signalled(std::uint64_t time, std::int32_t signal);

    [[nodiscard]] std::string bytes() const;
    void write(const std::string &path) const;

  private:
    struct Chunk {
        recording::ChunkKind kind;
        std::uint32_t thread;
        std::uint64_t sequence;
        Words words; ///< words of records
        std::string raw;
        std::uint64_t chain = 0; ///< chain of the records; 0: of none
    };
    struct Ring {
        std::size_t chunk = 0;
        std::uint64_t sequence = 0;
    };
    static Words text(const std::string &text);
    void append(Chunk &chunk, recording::RecordKind kind, std::uint32_t argument, Words payload);
    template <typename T> RecordingWriter &slot(recording::ChunkKind kind, T value);

    std::vector<Chunk> m_chunks;
    std::size_t m_definitions = 0;
    std::map<recording::RecordKind, std::uint32_t> m_numbers;
    std::map<std::string, std::uint32_t> m_operations;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_paths;
    std::map<std::uint32_t, Ring> m_rings;
    std::uint32_t m_thread = 0;
};

/// Makes the checks of the chunk at `offset` of a file of which the contents end at `end`; `chain`: of its records.
void sealChunk(std::string &file, std::size_t offset, std::size_t end, std::uint64_t chain);

} // namespace laggard::test
