// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/generate/Job.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace laggard::bench {
namespace {

constexpr Tick startOfJob = 4'424'430'782'526;
constexpr Tick latency = 1'200;
constexpr std::uint64_t bytesPerNanosecond = 10;

Rank gridWidth(Rank ranks) { return static_cast<Rank>(std::ceil(std::sqrt(ranks))); }

} // namespace

JobShape Job::shape(Rank ranks, std::uint32_t threadsPerRank) {
    JobShape shape{.ranks = ranks, .threadsPerRank = threadsPerRank, .communicators = {{0, ranks}}};
    const Rank width = gridWidth(ranks);
    for (Rank first = 0; first < ranks; first += width)
        shape.communicators.push_back({first, std::min(width, ranks - first)});
    return shape;
}

Job::Job(Rank ranks, std::uint32_t threadsPerRank, std::uint64_t seed, EventSink &sink)
    : m_shape(shape(ranks, threadsPerRank)),
      m_width(gridWidth(ranks)),
      m_sink(sink),
      m_random(seed),
      m_now(m_shape.locationCount(), startOfJob),
      m_stopped(ranks, 0),
      m_requests(ranks, 0) {}

std::uint32_t Job::random(std::uint32_t bound) {
    // SplitMix64 (Steele, Lea, Flood 2014), scaled to the bound by its upper half.
    std::uint64_t z = m_random += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::uint32_t>(((z ^ (z >> 31U)) >> 32U) * bound >> 32U);
}

Tick Job::pass(LocationIndex location, Tick mean) {
    ++m_events;
    return m_now[location] += mean / 2 + random(static_cast<std::uint32_t>(mean));
}

Peer Job::peer(Rank rank, CommunicatorId communicator, std::uint32_t tag, std::uint64_t bytes) const {
    return {rank - m_shape.communicators[communicator].first, communicator, tag, bytes};
}

void Job::stop(Rank rank) {
    m_anyStopped = true;
    m_stopped[rank] = 1;
}

void Job::enter(Rank rank, Function function) {
    if (!stopped(rank))
        m_sink.enter(mainThread(rank), next(mainThread(rank)), function);
}

void Job::leave(Rank rank, Function function) {
    if (!stopped(rank))
        m_sink.leave(mainThread(rank), next(mainThread(rank)), function);
}

void Job::compute(Rank rank, Function function, Tick mean) {
    enter(rank, function);
    if (m_hanging == rank)
        stop(rank);
    if (!stopped(rank))
        m_sink.leave(mainThread(rank), pass(mainThread(rank), mean), function);
}

void Job::computeThreaded(Rank rank, Function function, Tick mean) {
    if (m_shape.threadsPerRank == 1 || m_hanging == rank) {
        compute(rank, function, mean);
        return;
    }
    if (stopped(rank))
        return;
    const LocationIndex first = mainThread(rank);
    const LocationIndex end = first + m_shape.threadsPerRank;
    m_sink.fork(first, next(first), m_shape.threadsPerRank);
    Tick joined = 0;
    for (LocationIndex thread = first; thread < end; ++thread) {
        m_now[thread] = std::max(m_now[thread], m_now[first]);
        m_sink.teamBegin(thread, next(thread));
        m_sink.enter(thread, next(thread), Function::Parallel);
        m_sink.enter(thread, next(thread), function);
        m_sink.leave(thread, pass(thread, mean), function);
        m_sink.leave(thread, next(thread), Function::Parallel);
        m_sink.teamEnd(thread, next(thread));
        joined = std::max(joined, m_now[thread]);
    }
    m_now[first] = joined;
    m_sink.join(first, next(first));
}

SentMessage Job::send(Rank rank, Rank to, CommunicatorId communicator, std::uint32_t tag, std::uint64_t bytes) {
    if (stopped(rank))
        return {};
    enter(rank, Function::MpiSend);
    const Tick sent = next(mainThread(rank));
    m_sink.send(mainThread(rank), sent, peer(to, communicator, tag, bytes));
    leave(rank, Function::MpiSend);
    return {.sent = sent};
}

SentMessage Job::isend(Rank rank, Rank to, CommunicatorId communicator, std::uint32_t tag, std::uint64_t bytes) {
    if (stopped(rank))
        return {};
    enter(rank, Function::MpiIsend);
    const SentMessage message{.sent = next(mainThread(rank)), .request = ++m_requests[rank]};
    m_sink.isend(mainThread(rank), message.sent, peer(to, communicator, tag, bytes), message.request);
    leave(rank, Function::MpiIsend);
    return message;
}

void Job::receive(Rank rank, Rank from, CommunicatorId communicator, std::uint32_t tag, std::uint64_t bytes, Tick sent) {
    if (stopped(rank))
        return;
    enter(rank, Function::MpiRecv);
    if (sent == never) {
        stop(rank);
        return;
    }
    const LocationIndex location = mainThread(rank);
    m_now[location] = std::max(m_now[location], sent + latency + bytes / bytesPerNanosecond);
    m_sink.receive(location, next(location), peer(from, communicator, tag, bytes));
    leave(rank, Function::MpiRecv);
}

std::uint64_t Job::irecv(Rank rank) {
    if (stopped(rank))
        return 0;
    enter(rank, Function::MpiIrecv);
    const std::uint64_t request = ++m_requests[rank];
    m_sink.irecvRequest(mainThread(rank), next(mainThread(rank)), request);
    leave(rank, Function::MpiIrecv);
    return request;
}

void Job::waitall(Rank rank, CommunicatorId communicator, std::span<const std::uint64_t> sends,
                  std::span<const PostedReceive> receives) {
    if (stopped(rank))
        return;
    enter(rank, Function::MpiWaitall);
    const LocationIndex location = mainThread(rank);
    Tick arrived = m_now[location];
    for (const PostedReceive &posted : receives) {
        if (posted.sent == never) {
            stop(rank);
            return;
        }
        arrived = std::max(arrived, posted.sent + latency + posted.bytes / bytesPerNanosecond);
    }
    m_now[location] = arrived;
    for (const std::uint64_t request : sends)
        m_sink.isendComplete(location, next(location), request);
    for (const PostedReceive &posted : receives)
        m_sink.irecv(location, next(location), peer(posted.from, communicator, posted.tag, posted.bytes), posted.request);
    leave(rank, Function::MpiWaitall);
}

Tick Job::meet(const JobCommunicator &members, Function function, bool recorded) {
    Tick last = 0;
    for (Rank rank = members.first; rank < members.first + members.count; ++rank) {
        if (stopped(rank)) {
            last = never;
            continue;
        }
        enter(rank, function);
        if (recorded)
            m_sink.collectiveBegin(mainThread(rank), next(mainThread(rank)));
        last = std::max(last, m_now[mainThread(rank)]);
    }
    if (last != never)
        return last + latency * std::bit_width(members.count);
    for (Rank rank = members.first; rank < members.first + members.count; ++rank)
        stop(rank);
    return never;
}

void Job::collective(CommunicatorId communicator, Function function, CollectiveOperation operation, std::uint64_t bytes,
                     bool rooted) {
    const JobCommunicator &members = m_shape.communicators[communicator];
    const Tick met = meet(members, function, true);
    if (met == never)
        return;
    for (Rank rank = members.first; rank < members.first + members.count; ++rank) {
        const LocationIndex location = mainThread(rank);
        const bool isRoot = rooted && rank == members.first;
        m_now[location] = met;
        m_sink.collectiveEnd(location, next(location),
                             {.operation = operation,
                              .communicator = communicator,
                              .root = rooted ? 0 : none,
                              .bytesSent = rooted ? (isRoot ? bytes * members.count : 0) : bytes,
                              .bytesReceived = bytes});
        leave(rank, function);
    }
}

void Job::start() {
    for (Rank rank = 0; rank < ranks(); ++rank)
        enter(rank, Function::Main);
    const Tick met = meet(m_shape.communicators[0], Function::MpiInit, false);
    for (Rank rank = 0; rank < ranks(); ++rank) {
        m_now[mainThread(rank)] = met;
        leave(rank, Function::MpiInit);
        compute(rank, Function::MpiCommRank, 60);
        compute(rank, Function::MpiCommSize, 60);
    }
    collective(0, Function::MpiCommSplit, CollectiveOperation::CreateHandle, 0);
    collective(0, Function::MpiBarrier, CollectiveOperation::Barrier, 0);
}

void Job::finish() {
    const Tick met = meet(m_shape.communicators[0], Function::MpiFinalize, false);
    if (met == never)
        return;
    for (Rank rank = 0; rank < ranks(); ++rank) {
        m_now[mainThread(rank)] = met;
        leave(rank, Function::MpiFinalize);
        leave(rank, Function::Main);
    }
}

} // namespace laggard::bench
