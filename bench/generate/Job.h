// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/generate/EventSink.h"

#include <optional>
#include <span>

namespace laggard::bench {

/// When a message that is never sent was sent.
inline constexpr Tick never = openEnd;

/// A receive that was posted: its request and what will arrive.
struct PostedReceive {
    std::uint64_t request = 0;
    Rank from = 0; ///< in MPI_COMM_WORLD
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
    Tick sent = never; ///< when the sender sent it
};

/// A message on its way.
struct SentMessage {
    Tick sent = never;
    std::uint64_t request = 0; ///< the sender's request, for non-blocking sends
};

/// The ranks of a made-up MPI job, each with a clock of its own. A pattern says what they do; the job sees to times: a
/// message arrives after it was sent, a collective ends when the last member has come, a rank that waits for one that
/// stopped stops in the waiting call. Orders to a rank that has stopped are ignored.
///
/// A pattern must order a send before it orders its receive. All ranks are in MPI_COMM_WORLD; the ranks of each row of the
/// process grid have a communicator of their own.
class Job {
  public:
    /// `sink` takes the events. The same seed gives the same events.
    Job(Rank ranks, std::uint32_t threadsPerRank, std::uint64_t seed, EventSink &sink);

    [[nodiscard]] static JobShape shape(Rank ranks, std::uint32_t threadsPerRank);

    [[nodiscard]] Rank ranks() const { return m_shape.ranks; }
    [[nodiscard]] Rank width() const { return m_width; } ///< width of the process grid; the last row may be shorter
    [[nodiscard]] CommunicatorId rowOf(Rank rank) const { return 1 + rank / m_width; }
    [[nodiscard]] CommunicatorId rowCount() const { return static_cast<CommunicatorId>(m_shape.communicators.size() - 1); }
    [[nodiscard]] const JobCommunicator &communicator(CommunicatorId id) const { return m_shape.communicators[id]; }
    [[nodiscard]] std::uint64_t eventCount() const { return m_events; }
    [[nodiscard]] bool anyStopped() const { return m_anyStopped; }

    /// From now on `rank` stops for good in the next function in which it computes.
    void hangSoon(Rank rank) { m_hanging = rank; }

    /// A number below `bound`, from the job's random sequence.
    std::uint32_t random(std::uint32_t bound);

    /// All ranks enter main and MPI_Init and split MPI_COMM_WORLD into rows; leave MPI_Finalize and main.
    void start();
    void finish();

    void enter(Rank rank, Function function);
    void leave(Rank rank, Function function);
    /// The rank spends about `mean` nanoseconds in `function`.
    void compute(Rank rank, Function function, Tick mean);
    /// The same by all threads of the rank, in a parallel region.
    void computeThreaded(Rank rank, Function function, Tick mean);

    SentMessage send(Rank rank, Rank to, CommunicatorId communicator, std::uint32_t tag, std::uint64_t bytes);
    SentMessage isend(Rank rank, Rank to, CommunicatorId communicator, std::uint32_t tag, std::uint64_t bytes);
    /// A blocking receive of a message sent at `sent`.
    void receive(Rank rank, Rank from, CommunicatorId communicator, std::uint32_t tag, std::uint64_t bytes, Tick sent);
    /// Posts a receive; the number of its request.
    std::uint64_t irecv(Rank rank);
    /// MPI_Waitall on sends and on receives, all of them on `communicator`.
    void waitall(Rank rank, CommunicatorId communicator, std::span<const std::uint64_t> sends,
                 std::span<const PostedReceive> receives);
    /// All members of the communicator call `function`.
    void collective(CommunicatorId communicator, Function function, CollectiveOperation operation, std::uint64_t bytes,
                    bool rooted = false);

  private:
    [[nodiscard]] bool stopped(Rank rank) const { return m_stopped[rank] != 0; }
    [[nodiscard]] LocationIndex mainThread(Rank rank) const { return rank * m_shape.threadsPerRank; }
    [[nodiscard]] Peer peer(Rank rank, CommunicatorId communicator, std::uint32_t tag, std::uint64_t bytes) const;
    void stop(Rank rank);
    /// Lets about `mean` nanoseconds pass, at least half of them; the time of the next event, which is counted.
    Tick pass(LocationIndex location, Tick mean);
    Tick next(LocationIndex location) { return pass(location, 40); }
    /// The members enter `function`; when the last one has, or `never` if one will not, and then those who did stop.
    Tick meet(const JobCommunicator &members, Function function, bool recorded);

    JobShape m_shape;
    Rank m_width;
    EventSink &m_sink;
    std::uint64_t m_random;
    std::uint64_t m_events = 0;
    std::optional<Rank> m_hanging;
    std::vector<Tick> m_now; ///< by location
    std::vector<char> m_stopped;
    std::vector<std::uint64_t> m_requests; ///< made so far, by rank
    bool m_anyStopped = false;
};

} // namespace laggard::bench
