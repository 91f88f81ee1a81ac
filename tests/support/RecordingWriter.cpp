// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingWriter.h"

#include "trace/recording/Checks.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <numeric>
#include <type_traits>

namespace laggard::test {

using namespace recording;

RecordingWriter::RecordingWriter(std::int32_t rank, std::int32_t worldSize) {
    std::memcpy(header.magic, fileMagic, sizeof fileMagic);
    header.version = formatVersion;
    header.byteOrder = byteOrderMark;
    header.ticksPerSecond = 1'000'000'000;
    header.startUtc = 1'000'000'000'000'000'000;
    header.pid = 1000 + rank;
    header.environmentRank = rank;
    header.mode = static_cast<std::uint32_t>(Mode::Trace);
    std::strcpy(header.host, "n0");
    std::strcpy(header.program, "/home/user/app");
    header.rank = rank;
    header.worldSize = worldSize;
    m_definitions = m_chunks.size();
    m_chunks.push_back({ChunkKind::Definitions, nothing, 1, {}, {}});
    std::vector<std::uint32_t> world(static_cast<std::size_t>(std::max(worldSize, 0)));
    std::iota(world.begin(), world.end(), 0U);
    communicator(1, world, isWorld, nothing, static_cast<std::uint32_t>(rank));
}

RecordingWriter::Words RecordingWriter::text(const std::string &text) {
    Words words((text.size() + 7) / 8, 0);
    if (!text.empty()) // of no words data() is null
        std::memcpy(words.data(), text.data(), text.size());
    return words;
}

void RecordingWriter::append(Chunk &chunk, RecordKind kind, std::uint32_t argument, Words payload) {
    if (kind == RecordKind::Polls && payload.size() >= 3) {
        payload[1] = sealedPoll(payload[1] - payload[0], 1, payload[0]);
        payload[2] = sealedPoll(payload[2], 2, payload[0]);
    }
    const std::uint64_t head = recordHeader(kind, payload.size() + 1, argument);
    const std::uint64_t state = recordState(head, payload.data(), chunk.sequence);
    chunk.chain = nextChain(chunk.chain == 0 ? firstChain(chunk.sequence) : chunk.chain, state);
    chunk.words.push_back(head | std::uint64_t{recordCheckOf(state)} << 16U);
    chunk.words.insert(chunk.words.end(), payload.begin(), payload.end());
}

std::uint32_t RecordingWriter::define(RecordKind kind, const Words &payload) {
    const std::uint32_t number = m_numbers[kind]++;
    append(m_chunks[m_definitions], kind, number, payload);
    return number;
}

std::uint32_t RecordingWriter::module(const std::string &path, const std::string &buildId, std::uint64_t bias) {
    Words payload = {bias, pair(static_cast<std::uint32_t>(buildId.size()), static_cast<std::uint32_t>(path.size()))};
    for (const std::string &part : {buildId, path}) {
        const Words words = text(part);
        payload.insert(payload.end(), words.begin(), words.end());
    }
    return define(RecordKind::Module, payload);
}

std::uint32_t RecordingWriter::address(std::uint64_t offset, AddressKind kind, std::uint32_t module) {
    return define(RecordKind::Address, {pair(module, static_cast<std::uint32_t>(kind)), offset});
}

std::uint32_t RecordingWriter::operation(const std::string &name, std::uint32_t datatype) {
    Words payload = {name.size()};
    const Words words = text(name);
    payload.insert(payload.end(), words.begin(), words.end());
    const std::uint32_t number = define(RecordKind::Operation, payload);
    return define(RecordKind::Address,
                  {pair(nothing, static_cast<std::uint32_t>(AddressKind::Operation)), pair(number, datatype)});
}

std::uint32_t RecordingWriter::path(std::uint32_t parent, std::uint32_t address) {
    const auto known = m_paths.find({parent, address});
    if (known != m_paths.end())
        return known->second;
    return m_paths[{parent, address}] = define(RecordKind::Path, {pair(parent, address)});
}

std::uint32_t RecordingWriter::pathTo(const std::string &name, const std::vector<std::uint32_t> &callers) {
    if (!m_operations.contains(name))
        m_operations[name] = operation(name);
    std::uint32_t at = nothing;
    for (const std::uint32_t caller : callers)
        at = path(at, caller);
    return path(at, m_operations[name]);
}

std::uint32_t RecordingWriter::communicator(std::uint64_t key, const std::vector<std::uint32_t> &members, std::uint32_t flags,
                                            std::uint32_t parent, std::uint32_t ownRank) {
    const std::uint32_t number =
        define(RecordKind::Communicator, {key, pair(parent, static_cast<std::uint32_t>(members.size())), pair(flags, ownRank)});
    for (std::size_t i = 0; i < members.size();) {
        const std::size_t first = i++;
        while (i < members.size() && members[i] == members[i - 1] + 1)
            ++i;
        append(m_chunks[m_definitions], RecordKind::Members, number,
               {pair(static_cast<std::uint32_t>(first), 1), pair(members[first], static_cast<std::uint32_t>(i - first))});
    }
    return number;
}

std::uint32_t RecordingWriter::window(std::uint64_t key, std::uint32_t communicator) {
    return define(RecordKind::Window, {key, communicator});
}

std::uint32_t RecordingWriter::group(const std::vector<std::uint32_t> &ranks) {
    Words payload = {pair(0, static_cast<std::uint32_t>(ranks.size()))};
    for (const std::uint32_t rank : ranks)
        payload.push_back(pair(rank, 1));
    return define(RecordKind::Group, payload);
}

RecordingWriter &RecordingWriter::communicatorName(std::uint32_t communicator, const std::string &name) {
    Words payload = {name.size()};
    const Words words = text(name);
    payload.insert(payload.end(), words.begin(), words.end());
    append(m_chunks[m_definitions], RecordKind::Name, communicator, payload);
    return *this;
}

RecordingWriter &RecordingWriter::event(RecordKind kind, std::uint32_t argument, const Words &payload) {
    if (!m_rings.contains(m_thread))
        newChunk(payload.empty() ? 0 : payload[0]);
    append(m_chunks[m_rings[m_thread].chunk], kind, argument, payload);
    return *this;
}

RecordingWriter &RecordingWriter::onThread(std::uint32_t thread) {
    m_thread = thread;
    return *this;
}

RecordingWriter &RecordingWriter::newChunk(std::uint64_t time, const std::vector<std::uint32_t> &functions,
                                           std::uint64_t skipped) {
    Ring &ring = m_rings[m_thread];
    ring.sequence += 1 + skipped;
    ring.chunk = m_chunks.size();
    m_chunks.push_back({ChunkKind::Events, m_thread, ring.sequence, {}, {}});
    Words payload = {time};
    for (std::size_t i = 0; i < functions.size(); i += 2)
        payload.push_back(pair(functions[i], i + 1 < functions.size() ? functions[i + 1] : 0));
    append(m_chunks.back(), RecordKind::Context, static_cast<std::uint32_t>(functions.size()), payload);
    return *this;
}

RecordingWriter &RecordingWriter::enter(std::uint64_t time, std::uint32_t address) {
    return event(RecordKind::Enter, address, {time});
}
RecordingWriter &RecordingWriter::leave(std::uint64_t time, std::uint32_t address) {
    return event(RecordKind::Leave, address, {time});
}
RecordingWriter &RecordingWriter::begin(std::uint64_t time, const std::string &operation,
                                        const std::vector<std::uint32_t> &callers) {
    return event(RecordKind::CallBegin, pathTo(operation, callers), {time});
}
RecordingWriter &RecordingWriter::end(std::uint64_t time, std::uint32_t flags) {
    return event(RecordKind::CallEnd, flags, {time, pair(1, 1)});
}
RecordingWriter &RecordingWriter::sendPart(std::uint32_t peer, std::int32_t tag, std::uint64_t request, std::uint32_t flags,
                                           std::uint32_t communicator, std::uint64_t bytes) {
    return event(RecordKind::SendPart, peer,
                 {pair(static_cast<std::uint32_t>(tag), communicator), bytes, request, pair(nothing, flags)});
}
RecordingWriter &RecordingWriter::receivePart(std::uint32_t peer, std::int32_t tag, std::uint64_t request, std::uint32_t flags,
                                              std::uint32_t communicator, std::uint64_t bytes) {
    return event(RecordKind::ReceivePart, peer,
                 {pair(static_cast<std::uint32_t>(tag), communicator), bytes, request, pair(nothing, flags)});
}
RecordingWriter &RecordingWriter::collectivePart(std::uint32_t communicator, std::uint32_t root, std::uint64_t request) {
    return event(RecordKind::CollectivePart, root, {pair(communicator, nothing), 8, 8, request});
}
RecordingWriter &RecordingWriter::epochPart(EpochKind kind, std::uint32_t window, std::uint32_t target, std::uint32_t group,
                                            bool exclusive) {
    const std::uint32_t first = static_cast<std::uint32_t>(kind) | (exclusive ? exclusiveLock : 0);
    return event(RecordKind::EpochPart, target, {pair(first, window), group});
}
RecordingWriter &RecordingWriter::waitingPart(std::uint32_t source, std::int32_t tag, std::uint64_t bytes) {
    return event(RecordKind::WaitingPart, source, {pair(static_cast<std::uint32_t>(tag), 0), bytes});
}
RecordingWriter &RecordingWriter::awaited(const Words &requests) { return event(RecordKind::AwaitedPart, 0, requests); }
RecordingWriter &RecordingWriter::received(std::uint32_t source, std::int32_t tag, std::uint64_t request,
                                           std::uint32_t communicator, std::uint64_t bytes) {
    return event(RecordKind::CompletedReceive, source, {pair(static_cast<std::uint32_t>(tag), communicator), bytes, request});
}
RecordingWriter &RecordingWriter::completed(std::uint64_t request) { return event(RecordKind::Completed, 0, {request}); }
RecordingWriter &RecordingWriter::polls(std::uint64_t first, std::uint64_t last, std::uint64_t number,
                                        const std::string &operation, const std::vector<std::uint32_t> &callers) {
    return event(RecordKind::Polls, pathTo(operation, callers), {first, last, number});
}
RecordingWriter &RecordingWriter::call(std::uint64_t from, std::uint64_t to, const std::string &operation,
                                       const std::vector<std::uint32_t> &callers) {
    return begin(from, operation, callers).end(to);
}
RecordingWriter &RecordingWriter::sendCall(std::uint64_t from, std::uint64_t to, std::uint32_t peer, std::int32_t tag) {
    return begin(from, "MPI_Send").sendPart(peer, tag).end(to);
}
RecordingWriter &RecordingWriter::receiveCall(std::uint64_t from, std::uint64_t to, std::uint32_t peer, std::int32_t tag) {
    return begin(from, "MPI_Recv").receivePart(peer, tag).end(to).received(peer, tag);
}
RecordingWriter &RecordingWriter::collectiveCall(std::uint64_t from, std::uint64_t to, const std::string &operation,
                                                 std::uint32_t communicator) {
    return begin(from, operation).collectivePart(communicator).end(to);
}

template <typename T> RecordingWriter &RecordingWriter::slot(ChunkKind kind, T value) {
    auto chunk = std::find_if(m_chunks.begin(), m_chunks.end(), [kind](const Chunk &c) { return c.kind == kind; });
    if (chunk == m_chunks.end())
        chunk = m_chunks.insert(m_chunks.end(), {kind, nothing, 1, {}, {}});
    if (value.version == 0)
        value.version = 2;
    chunk->raw.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
}

RecordingWriter &RecordingWriter::state(ThreadState state) { return slot(ChunkKind::Threads, state); }
RecordingWriter &RecordingWriter::request(RequestSlot value) { return slot(ChunkKind::Requests, value); }
RecordingWriter &RecordingWriter::count(CountSlot value) { return slot(ChunkKind::Counts, value); }
RecordingWriter &RecordingWriter::transition(TransitionSlot value) { return slot(ChunkKind::Model, value); }
RecordingWriter &RecordingWriter::transition(FewTimesSlot value) { return slot(ChunkKind::FewTimes, value); }

RecordingWriter &RecordingWriter::crash(std::uint32_t thread, CrashState state, const std::vector<std::uint8_t> &stack) {
    if (state.version == 0)
        state.version = 2;
    state.stackBytes = stack.size();
    std::string raw(reinterpret_cast<const char *>(&state), sizeof state);
    raw.append(stack.begin(), stack.end());
    m_chunks.push_back({ChunkKind::Crash, thread, 1, {}, std::move(raw)});
    return *this;
}

RecordingWriter &RecordingWriter::saw(std::uint64_t time, std::uint32_t pid, NeighbourState state) {
    append(m_chunks[m_definitions], RecordKind::Neighbour, pid, {time, static_cast<std::uint64_t>(state)});
    return *this;
}

RecordingWriter &RecordingWriter::exited(std::uint64_t time, std::int32_t status) {
    header.endKind = static_cast<std::uint32_t>(EndKind::Exited);
    header.endValue = status;
    header.endTicks = header.aliveTicks = time;
    return *this;
}

RecordingWriter &RecordingWriter::signalled(std::uint64_t time, std::int32_t signal) {
    header.endKind = static_cast<std::uint32_t>(EndKind::Signalled);
    header.endValue = signal;
    header.endTicks = header.aliveTicks = time;
    return *this;
}

namespace {

/// Gives the slots from `offset` of the file on their checks; returns how many there are.
template <typename T> std::uint64_t sealSlots(std::string &file, std::size_t offset, std::size_t end, std::uint64_t most) {
    std::uint64_t count = 0;
    for (; count < most && offset + sizeof(T) <= end; offset += sizeof(T), ++count) {
        T slot;
        std::memcpy(static_cast<void *>(&slot), file.data() + offset, sizeof slot);
        if constexpr (std::is_same_v<T, ThreadState>) {
            slot.tid = slot.tid == 0 ? 1 : slot.tid;
            slot.sealedDepth = sealed<liveBits>(slot.depth, depthSeed);
            slot.sealedEvents = sealed<liveBits>(slot.events, eventsSeed);
            for (std::size_t i = 0; i < maxLiveDepth; ++i)
                slot.functionChecks[i] = functionCheck(slot.functions[i], i);
        }
        slot.check = checkOfSlot(slot, offset) + (slot.version & 1U); // it does not fit a slot that is being written
        std::memcpy(file.data() + offset, &slot, sizeof slot);
    }
    return count;
}

void sealCrash(std::string &file, std::size_t offset) {
    CrashState state;
    std::memcpy(&state, file.data() + offset, sizeof state);
    state.stackBytes = std::min<std::uint64_t>(state.stackBytes, file.size() - offset - sizeof state);
    state.check = checkOfCrash(state, file.data() + offset + sizeof state);
    std::memcpy(file.data() + offset, &state, sizeof state);
}

} // namespace

void sealChunk(std::string &file, std::size_t offset, std::size_t end, std::uint64_t chain) {
    ChunkHeader head;
    std::memcpy(&head, file.data() + offset, sizeof head);
    const std::uint64_t sequence = sequenceOf(head);
    const std::size_t content = offset + sizeof head;
    // In a file that had its checks, what was not in use stays so.
    const std::uint64_t most = head.committed == 0 ? ~std::uint64_t{0} : positionOf(head.committed);
    head.offset = offset;
    head.sequence = sealedSequence(head, sequence);
    switch (head.kind) {
    case ChunkKind::Threads:
        head.committed = sealedPosition(sealSlots<ThreadState>(file, content, end, most), firstChain(sequence));
        break;
    case ChunkKind::Requests:
        head.committed = sealedPosition(sealSlots<RequestSlot>(file, content, end, most), firstChain(sequence));
        break;
    case ChunkKind::Counts:
        head.committed = sealedPosition(sealSlots<CountSlot>(file, content, end, most), firstChain(sequence));
        break;
    case ChunkKind::Model:
        head.committed = sealedPosition(sealSlots<TransitionSlot>(file, content, end, most), firstChain(sequence));
        break;
    case ChunkKind::FewTimes:
        head.committed = sealedPosition(sealSlots<FewTimesSlot>(file, content, end, most), firstChain(sequence));
        break;
    case ChunkKind::Crash:
        sealCrash(file, content);
        break;
    default:
        head.committed = sealedPosition((end - content) / 8, chain);
    }
    std::memcpy(file.data() + offset, &head, sizeof head);
}

std::string RecordingWriter::bytes() const {
    std::string file(headerBytes, '\0');
    for (const Chunk &chunk : m_chunks) {
        const std::size_t content = chunk.words.size() * 8 + chunk.raw.size() + 8;
        const std::size_t units = (sizeof(ChunkHeader) + content + chunkUnit - 1) / chunkUnit;
        ChunkHeader head{};
        head.magic = chunkMagic;
        head.kind = chunk.kind;
        head.thread = chunk.thread;
        head.units = static_cast<std::uint32_t>(units);
        head.sequence = chunk.sequence;
        std::string block(reinterpret_cast<const char *>(&head), sizeof head);
        block.append(reinterpret_cast<const char *>(chunk.words.data()), chunk.words.size() * 8);
        block += chunk.raw;
        const std::size_t at = file.size();
        const std::size_t end = at + block.size();
        block.resize(units * chunkUnit, '\0');
        file += block;
        sealChunk(file, at, end, chunk.chain == 0 ? firstChain(chunk.sequence) : chunk.chain);
    }
    FileHeader head = header;
    head.fileBytes = file.size();
    sealHeader(head);
    std::memcpy(file.data(), &head, sizeof head);
    return file;
}

void RecordingWriter::write(const std::string &path) const {
    std::ofstream file(path, std::ios::binary);
    const std::string content = bytes();
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
}

} // namespace laggard::test
