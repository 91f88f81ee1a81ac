// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/generate/Patterns.h"

#include <algorithm>
#include <array>

namespace laggard::bench {
namespace {

constexpr CommunicatorId world = 0;

/// The neighbours of a rank in the process grid, `none` at the border.
enum Direction { West, East, North, South };
std::array<Rank, 4> neighbours(const Job &job, Rank rank) {
    const Rank width = job.width();
    const bool hasEast = rank % width + 1 < width && rank + 1 < job.ranks();
    return {rank % width != 0 ? rank - 1 : none, hasEast ? rank + 1 : none, rank >= width ? rank - width : none,
            rank + width < job.ranks() ? rank + width : none};
}
Direction opposite(Direction direction) { return static_cast<Direction>(direction ^ 1); }

void stencilStep(Job &job) {
    constexpr std::array directions = {West, East, North, South};
    constexpr std::uint64_t bytes = 192;
    const auto tag = [](Direction direction) { return 10U + direction; };
    std::vector<std::array<SentMessage, 4>> sent(job.ranks());
    std::vector<std::array<std::uint64_t, 4>> posted(job.ranks());
    for (Rank rank = 0; rank < job.ranks(); ++rank) {
        job.enter(rank, Function::TimeStep);
        job.enter(rank, Function::ExchangeHalo);
        const auto peers = neighbours(job, rank);
        for (const Direction d : directions)
            if (peers[d] != none)
                posted[rank][d] = job.irecv(rank);
        for (const Direction d : directions)
            if (peers[d] != none) {
                job.compute(rank, Function::Pack, 80);
                sent[rank][d] = job.isend(rank, peers[d], world, tag(d), bytes);
            }
    }
    for (Rank rank = 0; rank < job.ranks(); ++rank) {
        const auto peers = neighbours(job, rank);
        std::array<std::uint64_t, 4> sends{};
        std::array<PostedReceive, 4> receives{};
        std::size_t count = 0;
        for (const Direction d : directions)
            if (peers[d] != none) {
                sends[count] = sent[rank][d].request;
                receives[count++] = {posted[rank][d], peers[d], tag(opposite(d)), bytes, sent[peers[d]][opposite(d)].sent};
            }
        job.waitall(rank, world, std::span(sends).first(count), std::span(receives).first(count));
        for (std::size_t i = 0; i < count; ++i)
            job.compute(rank, Function::Unpack, 80);
        job.leave(rank, Function::ExchangeHalo);
        job.computeThreaded(rank, Function::ComputeFlux, 9'000);
        job.computeThreaded(rank, Function::UpdateCells, 4'000);
        job.enter(rank, Function::Residual);
    }
    job.collective(world, Function::MpiAllreduce, CollectiveOperation::Allreduce, 8);
    for (Rank rank = 0; rank < job.ranks(); ++rank) {
        job.leave(rank, Function::Residual);
        job.leave(rank, Function::TimeStep);
    }
}

/// One sweep of `planes` planes through the grid: each rank takes them from its two upstream neighbours, in rank order or, on
/// the way back, against it.
void sweep(Job &job, Function function, bool forward) {
    constexpr int planes = 4;
    constexpr std::uint64_t bytes = 256;
    const std::array upstream = forward ? std::array{West, North} : std::array{East, South};
    std::vector<std::array<Tick, 2>> sent(job.ranks(), {never, never}); // by sender, towards its opposite of upstream[i]
    for (Rank rank = 0; rank < job.ranks(); ++rank)
        job.enter(rank, function);
    for (int plane = 0; plane < planes; ++plane)
        for (Rank i = 0; i < job.ranks(); ++i) {
            const Rank rank = forward ? i : job.ranks() - 1 - i;
            const auto peers = neighbours(job, rank);
            for (std::uint32_t side = 0; side < 2; ++side)
                if (const Rank from = peers[upstream[side]]; from != none) {
                    job.enter(rank, Function::RecvPlane);
                    job.receive(rank, from, world, 1 + side, bytes, sent[from][side]);
                    job.leave(rank, Function::RecvPlane);
                }
            job.computeThreaded(rank, Function::Relax, 3'000);
            for (std::uint32_t side = 0; side < 2; ++side)
                if (const Rank to = peers[opposite(upstream[side])]; to != none) {
                    job.enter(rank, Function::SendPlane);
                    sent[rank][side] = job.send(rank, to, world, 1 + side, bytes).sent;
                    job.leave(rank, Function::SendPlane);
                }
        }
    for (Rank rank = 0; rank < job.ranks(); ++rank)
        job.leave(rank, function);
}

void wavefrontStep(Job &job) {
    sweep(job, Function::LowerSweep, true);
    sweep(job, Function::UpperSweep, false);
}

/// A batch of tasks, one for each worker of each row.
void masterWorkerStep(Job &job) {
    constexpr std::uint32_t taskTag = 100;
    constexpr std::uint32_t resultTag = 101;
    for (Rank rank = 0; rank < job.ranks(); ++rank)
        job.enter(rank, Function::RunBatch);
    struct Result {
        Tick sent;
        Rank worker;
    };
    std::vector<Result> results;
    for (CommunicatorId row = 1; row <= job.rowCount(); ++row) {
        job.collective(row, Function::MpiBcast, CollectiveOperation::Bcast, 640, true);
        const Rank master = job.communicator(row).first;
        const Rank end = master + job.communicator(row).count;
        job.compute(master, Function::PrepareTasks, 500);
        job.enter(master, Function::DispatchTasks);
        results.clear();
        for (Rank worker = master + 1; worker < end; ++worker) {
            const std::uint64_t bytes = 512 * (1 + job.random(4));
            const SentMessage task = job.send(master, worker, row, taskTag, bytes);
            job.enter(worker, Function::ServeTasks);
            job.receive(worker, master, row, taskTag, bytes, task.sent);
            job.computeThreaded(worker, Function::ComputeKernel, 20'000);
            results.push_back({job.send(worker, master, row, resultTag, 64).sent, worker});
            job.leave(worker, Function::ServeTasks);
        }
        std::sort(results.begin(), results.end(),
                  [](const Result &a, const Result &b) { return std::pair(a.sent, a.worker) < std::pair(b.sent, b.worker); });
        for (const Result &result : results) {
            job.receive(master, result.worker, row, resultTag, 64, result.sent);
            job.compute(master, Function::StoreResult, 200);
        }
        job.leave(master, Function::DispatchTasks);
    }
    for (Rank rank = 0; rank < job.ranks(); ++rank)
        job.leave(rank, Function::RunBatch);
}

/// Calls from `level` down: one or, now and then, two calls per function.
void nest(Job &job, Rank rank, std::uint32_t level) {
    // A choice at every other level only, so that the call paths stay a few hundred, as in programs people write.
    const Function function = nestedFunction(level, level % 2 == 0 ? job.random(2) : 0);
    if (level + 1 == nestedLevels) {
        job.compute(rank, function, 150);
        return;
    }
    job.enter(rank, function);
    nest(job, rank, level + 1);
    if (job.random(4) == 0)
        nest(job, rank, level + 1);
    job.leave(rank, function);
}

void userFunctionsStep(Job &job) {
    for (Rank rank = 0; rank < job.ranks(); ++rank) {
        job.enter(rank, Function::Solve);
        nest(job, rank, 0);
        job.leave(rank, Function::Solve);
    }
    job.collective(world, Function::MpiAllreduce, CollectiveOperation::Allreduce, 64);
}

void mixedStep(Job &job, std::uint64_t number) {
    switch (number % 6) {
    case 3:
        userFunctionsStep(job);
        break;
    case 4:
        wavefrontStep(job);
        break;
    case 5:
        masterWorkerStep(job);
        break;
    default:
        stencilStep(job);
    }
}

void step(Job &job, Pattern pattern, std::uint64_t number) {
    switch (pattern) {
    case Pattern::Stencil:
        stencilStep(job);
        break;
    case Pattern::MasterWorker:
        masterWorkerStep(job);
        break;
    case Pattern::Wavefront:
        wavefrontStep(job);
        break;
    case Pattern::UserFunctions:
        userFunctionsStep(job);
        break;
    case Pattern::Mixed:
        mixedStep(job, number);
        break;
    }
}

} // namespace

void run(Job &job, Pattern pattern, std::uint64_t events, std::optional<Rank> hangRank) {
    job.start();
    const std::uint64_t hangAt = events / 10 * 9;
    std::uint64_t before = 0;
    for (std::uint64_t number = 0; number == 0 || (job.eventCount() < events && job.eventCount() != before); ++number) {
        before = job.eventCount();
        if (hangRank && before >= hangAt)
            job.hangSoon(*hangRank);
        step(job, pattern, number);
    }
    if (hangRank && !job.anyStopped()) { // the last step came too early
        job.hangSoon(*hangRank);
        step(job, pattern, 0);
    }
    job.finish();
}

} // namespace laggard::bench
