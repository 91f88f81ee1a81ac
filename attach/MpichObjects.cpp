// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/MpiObjects.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <sstream>

namespace laggard::attach {
namespace {

/// A copy of a piece of a process' memory.
struct Piece {
    std::uint64_t begin = 0;
    std::vector<unsigned char> bytes;

    template <typename Value> [[nodiscard]] Value at(std::size_t offset) const {
        Value value{};
        if (offset <= bytes.size() && bytes.size() - offset >= sizeof value)
            std::memcpy(&value, bytes.data() + offset, sizeof value);
        return value;
    }
    [[nodiscard]] bool has(std::uint64_t address) const { return address >= begin && address - begin < bytes.size(); }
};

Piece copied(const Memory &memory, std::uint64_t begin, std::size_t size) {
    Piece piece{begin, std::vector<unsigned char>(size)};
    piece.bytes.resize(memory.read(begin, piece.bytes.data(), size));
    return piece;
}

/// What the library may write to: its data, and the memory without a file behind it.
std::vector<Piece> writableOf(const Memory &memory, const std::string &maps) {
    constexpr std::uint64_t most = 16U << 20U; // MPICH 4.0 has 0.3 MB
    std::vector<Piece> pieces;
    std::istringstream lines(maps);
    std::uint64_t end = 0;
    for (std::string line; std::getline(lines, line);) {
        std::uint64_t begin = 0, next = 0;
        char rights[5] = {};
        int path = 0;
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &begin, &next, rights, &path) != 3 ||
            path == 0)
            continue;
        const std::string name = line.substr(static_cast<std::size_t>(path));
        const bool isLibrary = name.find("/libmpich") != std::string::npos || name.find("/libmpi.so.12") != std::string::npos ||
                               name.find("/libmpi_") != std::string::npos;
        const bool isBehind = name.empty() && begin == end;
        end = isLibrary || isBehind ? next : 0;
        if (end != 0 && rights[1] == 'w' && next - begin <= most)
            pieces.push_back(copied(memory, begin, next - begin));
    }
    return pieces;
}

// mpir_handlemem.h, mpir_objects.h: in a handle, the upper two bits say where its object lies (2: in the first array, 3: in one
// that was made later), the next four what it is.
constexpr std::uint32_t communicatorKind = 1;
constexpr std::uint32_t requestKind = 0xB;
constexpr std::uint32_t worldHandle = 0x44000000;
constexpr std::uint32_t selfHandle = 0x44000001;
std::uint32_t kindOf(std::uint32_t handle) { return handle >> 26U & 0xFU; }
std::uint32_t placeOf(std::uint32_t handle) { return handle >> 30U; }

/// Objects of one kind: MPIR_Object_alloc_t.
struct Pool {
    std::uint64_t first = 0, size = 0, count = 0; ///< the first array's
    std::uint64_t blocks = 0, blockCount = 0;     ///< addresses of further arrays
};

std::vector<Pool> poolsOf(const std::vector<Piece> &pieces, std::uint32_t kind) {
    constexpr std::uint64_t smallest = 64, largest = 4096, mostObjects = 4096, mostBlocks = 64;
    std::vector<Pool> pools;
    for (const Piece &piece : pieces)
        for (std::size_t at = 32; at + 16 <= piece.bytes.size(); at += 8) {
            const Pool pool{piece.at<std::uint64_t>(at), piece.at<std::uint64_t>(at - 8), piece.at<std::uint64_t>(at + 8),
                            piece.at<std::uint64_t>(at - 32), piece.at<std::uint32_t>(at - 24)};
            if (pool.size < smallest || pool.size > largest || pool.count == 0 || pool.count > mostObjects ||
                piece.at<std::uint32_t>(at - 12) != kind || pool.blockCount > mostBlocks)
                continue;
            const auto home = std::ranges::find_if(pieces, [&](const Piece &each) { return each.has(pool.first); });
            if (home == pieces.end())
                continue;
            const auto handle = home->at<std::uint32_t>(pool.first - home->begin);
            if (kindOf(handle) == kind && placeOf(handle) == 2)
                pools.push_back(pool);
        }
    return pools;
}

/// Objects in use, each as a piece.
std::vector<Piece> objectsOf(const Memory &memory, const Pool &pool, std::uint32_t kind) {
    constexpr std::uint64_t inBlock = 1024; // HANDLE_NUM_INDICES
    std::vector<Piece> objects;
    const auto addAll = [&](std::uint64_t first, std::uint64_t count, std::uint32_t place) {
        const Piece all = copied(memory, first, count * pool.size);
        for (std::uint64_t i = 0; (i + 1) * pool.size <= all.bytes.size(); ++i) {
            const auto handle = all.at<std::uint32_t>(i * pool.size);
            const auto uses = all.at<std::uint32_t>(i * pool.size + 4);
            constexpr std::uint32_t mostUses = 1U << 20U;
            if (kindOf(handle) != kind || placeOf(handle) != place || uses == 0 || uses > mostUses)
                continue;
            const auto from = all.bytes.begin() + static_cast<std::ptrdiff_t>(i * pool.size);
            objects.push_back({first + i * pool.size, {from, from + static_cast<std::ptrdiff_t>(pool.size)}});
        }
    };
    addAll(pool.first, pool.count, 2);
    for (std::uint64_t block = 0; block < pool.blockCount; ++block)
        if (const auto first = memory.value<std::uint64_t>(pool.blocks + block * 8); first && *first != 0)
            addAll(*first, inBlock, 3);
    return objects;
}

/// Where a communicator (MPIR_Comm) has what, found by the two that are known.
struct CommunicatorLayout {
    std::size_t size = 0; ///< size of the object
    std::size_t head = 0; ///< number (16 bits, twice), size (32 bits), own rank (32 bits)
    std::size_t map = 0;  ///< how its ranks are numbered (MPIDI_rank_map_t); 0: not found
};

/// MPIDI_rank_map_t: a mode, 0, a size, and what the mode needs: the ranks of the job by those of the communicator.
std::vector<std::uint32_t> membersOf(const Memory &memory, const Piece &object, std::size_t map, std::uint32_t size,
                                     std::uint32_t rankCount) {
    const auto mode = object.at<std::uint32_t>(map);
    if (object.at<std::uint32_t>(map + 4) != 0 || object.at<std::uint32_t>(map + 8) != size || size > rankCount)
        return {};
    const auto offset = object.at<std::uint32_t>(map + 12);
    const auto stride = object.at<std::uint32_t>(map + 16);
    const auto block = object.at<std::uint32_t>(map + 20);
    const auto table = object.at<std::uint64_t>(map + 32);
    std::vector<std::uint32_t> members(size);
    const std::size_t width = mode < 10 ? 1 : 2; // numbers alone, or with that of the table of addresses before each
    std::vector<std::uint32_t> listed(size * width);
    const std::size_t bytes = listed.size() * sizeof(std::uint32_t);
    if (mode >= 8 && memory.read(table, listed.data(), bytes) != bytes)
        return {};
    if (mode >= 4 && mode < 8 && block == 0)
        return {};
    for (std::uint32_t i = 0; i < size; ++i) {
        if (mode < 2)
            members[i] = i;
        else if (mode < 4)
            members[i] = i + offset;
        else if (mode < 8)
            members[i] = i / block * stride + i % block + offset;
        else
            members[i] = listed[i * width + width - 1];
        if (members[i] >= rankCount)
            return {};
    }
    std::vector<std::uint32_t> sorted = members;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end() ? members : std::vector<std::uint32_t>();
}

/// The built-in ones lie side by side.
std::optional<CommunicatorLayout> layoutOf(const Memory &memory, const std::vector<Piece> &pieces, std::uint64_t size,
                                           std::uint32_t rank, std::uint32_t rankCount, std::vector<Piece> &builtIn) {
    for (const Piece &piece : pieces)
        for (std::size_t at = 0; at + 2 * size <= piece.bytes.size(); at += 8) {
            if (piece.at<std::uint32_t>(at) != worldHandle || piece.at<std::uint32_t>(at + size) != selfHandle)
                continue;
            const auto begin = piece.bytes.begin() + static_cast<std::ptrdiff_t>(at);
            const auto middle = begin + static_cast<std::ptrdiff_t>(size);
            const Piece world{piece.begin + at, {begin, middle}};
            const Piece self{piece.begin + at + size, {middle, middle + static_cast<std::ptrdiff_t>(size)}};
            const auto fits = [](const Piece &object, std::size_t head, std::uint32_t members, std::uint32_t own) {
                return object.at<std::uint16_t>(head) == object.at<std::uint16_t>(head + 2) &&
                       object.at<std::uint32_t>(head + 4) == members && object.at<std::uint32_t>(head + 8) == own;
            };
            CommunicatorLayout layout{size, 0, 0};
            for (std::size_t head = 8; head + 12 <= size && layout.head == 0; head += 4)
                if (fits(world, head, rankCount, rank) && fits(self, head, 1, 0) && world.at<std::uint16_t>(head) == 0 &&
                    self.at<std::uint16_t>(head) != 0)
                    layout.head = head;
            if (layout.head == 0)
                continue;
            // If several fit (rank 0 has many zeros), the last: what lies before is 0 where a mode would be.
            for (std::size_t map = (layout.head + 12 + 7) / 8 * 8; map + 40 <= size; map += 8) {
                const std::vector<std::uint32_t> all = membersOf(memory, world, map, rankCount, rankCount);
                if (world.at<std::uint32_t>(map) < 2 && all.size() == rankCount &&
                    membersOf(memory, self, map, 1, rankCount) == std::vector{rank})
                    layout.map = map;
            }
            builtIn = {world, self};
            return layout;
        }
    return std::nullopt;
}

CommunicatorObject communicatorOf(const Memory &memory, const Piece &object, const CommunicatorLayout &layout, std::uint32_t rank,
                                  std::uint32_t rankCount) {
    // The number is that of what is received; between two groups, what is sent has another one, and the size is the other
    // group's.
    const bool isBetweenGroups = object.at<std::uint16_t>(layout.head) != object.at<std::uint16_t>(layout.head + 2);
    CommunicatorObject found{object.at<std::uint32_t>(0),
                             object.at<std::uint16_t>(layout.head + 2),
                             object.at<std::uint32_t>(layout.head + 4),
                             object.at<std::uint32_t>(layout.head + 8),
                             {},
                             {}};
    if (layout.map != 0)
        found.peers = membersOf(memory, object, layout.map, found.size, rankCount);
    if (isBetweenGroups)
        return found;
    if (found.rank >= found.peers.size() || found.peers[found.rank] != rank)
        found.peers.clear();
    found.members = found.peers;
    return found;
}

/// ch4/netmod/ucx: the number of the communicator, the sender and the tag make 64 bits; masks say what has to be equal.
struct Match {
    std::uint64_t value = 0, mask = 0;
};
constexpr std::uint64_t exactMask = 0xFFFFFFFF9FFFFFFF;
constexpr std::uint64_t senderBits = 0x0000FFFF00000000;
constexpr std::uint64_t tagBits = 0x000000000FFFFFFF;
bool isMask(std::uint64_t mask) { return (mask | senderBits | tagBits) == exactMask; }

/// Somewhere in the request is the address of UCX' own one, which has the match and points back.
std::optional<Match> matchOf(const Memory &memory, const Piece &object) {
    constexpr std::uint64_t before = 0x180, behind = 8; // the match lies 0x50 before, the way back 0x100 (UCX 1.13)
    for (std::size_t at = 0x20; at + 8 <= object.bytes.size(); at += 8) {
        const auto pointer = object.at<std::uint64_t>(at);
        if (pointer < before || pointer % 8 != 0 || object.has(pointer))
            continue;
        const Piece own = copied(memory, pointer - before, before + behind);
        if (own.bytes.size() != before + behind)
            continue;
        bool pointsBack = false;
        std::optional<Match> match;
        for (std::size_t i = 0; i + 8 <= own.bytes.size(); i += 8) {
            pointsBack |= own.at<std::uint64_t>(i) == object.begin;
            if (i + 16 <= own.bytes.size() && isMask(own.at<std::uint64_t>(i + 8)))
                match = Match{own.at<std::uint64_t>(i), own.at<std::uint64_t>(i + 8)};
        }
        if (match && pointsBack)
            return match;
    }
    return std::nullopt;
}

struct RequestParts {
    std::uint32_t kind = 0;
    bool isOpen = false;
};

/// MPIR_Request: handle, uses, kind, and a pointer to its own counter of what is missing.
std::optional<RequestParts> partsOf(const Piece &object) {
    for (std::size_t at = 8; at <= 0x30; at += 8) {
        const auto pointer = object.at<std::uint64_t>(at);
        if (pointer > object.begin + at && pointer <= object.begin + 0x40)
            return RequestParts{object.at<std::uint32_t>(8), object.at<std::uint32_t>(pointer - object.begin) != 0};
    }
    return std::nullopt;
}

RequestObject receiveOf(const Piece &object, const Match &match) {
    constexpr std::uint32_t numberShift = 48, senderShift = 32;
    RequestObject request;
    request.handle = object.at<std::uint32_t>(0);
    request.isInternal = (match.value >> numberShift & 1U) != 0; // MPIR_CONTEXT_COLL_OFFSET
    request.communicator = match.value >> numberShift & ~std::uint64_t{1};
    request.isFromAny = (match.mask & senderBits) == 0;
    if (!request.isFromAny)
        request.peer = static_cast<std::uint32_t>((match.value & senderBits) >> senderShift);
    if ((match.mask & tagBits) != 0)
        request.tag = static_cast<std::int64_t>(match.value & tagBits);
    return request;
}

void addRequests(const Memory &memory, const std::vector<Piece> &all, MpiObjects &objects) {
    constexpr std::uint32_t sendKind = 1, receiveKind = 2, persistentReceiveKind = 4; // MPIR_Request_kind_t
    std::vector<const Piece *> persistent;
    std::vector<std::pair<std::uint64_t, std::size_t>> receives; // address, position
    objects.hasRequests = true;
    for (const Piece &object : all) {
        if (object.at<std::uint32_t>(8) == persistentReceiveKind)
            persistent.push_back(&object);
        const auto parts = partsOf(object);
        if (!parts || !parts->isOpen)
            continue;
        if (parts->kind == sendKind)
            objects.sends.push_back(object.at<std::uint32_t>(0));
        if (parts->kind != receiveKind)
            continue;
        const auto match = matchOf(memory, object);
        objects.hasRequests &= match.has_value();
        if (!match)
            continue;
        receives.emplace_back(object.begin, objects.requests.size());
        objects.requests.push_back(receiveOf(object, *match));
    }
    // What the program has of a persistent one is another object, which points to that of the message, or into it.
    for (const Piece *each : persistent)
        for (std::size_t at = 0x10; at + 8 <= each->bytes.size(); at += 8)
            for (const auto &[address, position] : receives)
                if (const auto to = each->at<std::uint64_t>(at); to >= address && to - address < each->bytes.size())
                    objects.requests[position].handle = each->at<std::uint32_t>(0);
}

} // namespace

const CommunicatorObject *MpiObjects::byHandle(std::uint64_t handle) const {
    const auto found = std::ranges::find(communicators, handle, &CommunicatorObject::handle);
    return found == communicators.end() ? nullptr : &*found;
}

const CommunicatorObject *MpiObjects::byNumber(std::uint64_t number) const {
    const auto found = std::ranges::find(communicators, number, &CommunicatorObject::number);
    return found == communicators.end() ? nullptr : &*found;
}

MpiObjects readMpichObjects(const Memory &memory, const std::string &maps, std::uint32_t rank, std::uint32_t rankCount) {
    MpiObjects objects;
    const std::vector<Piece> pieces = writableOf(memory, maps);
    std::optional<CommunicatorLayout> layout;
    for (const Pool &pool : poolsOf(pieces, communicatorKind)) {
        std::vector<Piece> all;
        layout = layoutOf(memory, pieces, pool.size, rank, rankCount, all);
        if (!layout)
            continue;
        for (Piece &each : objectsOf(memory, pool, communicatorKind))
            all.push_back(std::move(each));
        for (const Piece &each : all)
            objects.communicators.push_back(communicatorOf(memory, each, *layout, rank, rankCount));
        break;
    }
    if (!layout)
        return objects;
    std::vector<Piece> requests;
    const std::vector<Pool> pools = poolsOf(pieces, requestKind);
    if (pools.empty())
        return objects;
    for (const Pool &pool : pools)
        for (Piece &each : objectsOf(memory, pool, requestKind))
            requests.push_back(std::move(each));
    addRequests(memory, requests, objects);
    return objects;
}

} // namespace laggard::attach
