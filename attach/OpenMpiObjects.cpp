// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/MpiObjects.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <set>

namespace laggard::attach {
namespace {

/// An object of Open MPI begins with its class and a count (opal_object.h): 16 bytes; a group then has its size, the own rank,
/// and the address of its processes' addresses (group.h).
constexpr std::uint64_t groupSizeOffset = 16;
constexpr std::uint64_t groupRankOffset = 20;
/// opal_proc_t: an item of a list (40 bytes), then the job's number and the rank in it.
constexpr std::uint64_t processRankOffset = 44;

class Reader {
  public:
    Reader(const Memory &memory, const OpenMpiPlaces &places, std::uint32_t rank, std::uint32_t rankCount)
        : m_memory(memory), m_places(places), m_rank(rank), m_rankCount(rankCount) {}

    MpiObjects read() {
        findGroups();
        if (m_groupOffset == 0)
            return std::move(m_objects);
        findProcesses();
        findNumbers();
        addCommunicator(m_places.world);
        addCommunicator(m_places.self);
        addOtherCommunicators();
        const bool hasReceives = addRequests(m_places.receives, m_places.receive, false);
        m_objects.hasRequests = hasReceives && addRequests(m_places.sends, m_places.send, true);
        return std::move(m_objects);
    }

  private:
    template <typename Value> [[nodiscard]] Value at(std::uint64_t address) const {
        return m_memory.value<Value>(address).value_or(Value{});
    }
    [[nodiscard]] std::uint64_t group(std::uint64_t communicator) const {
        return at<std::uint64_t>(communicator + m_groupOffset);
    }

    /// Layouts differ between versions: the offset at which both known communicators have groups as they must be is the right
    /// one.
    void findGroups() {
        constexpr std::uint64_t firstOffset = 64; // behind the lock
        constexpr std::uint64_t lastOffset = 512; // in 4.1 it lies at 200, in 5.0 at 312
        const auto isGroup = [&](std::uint64_t communicator, std::uint64_t offset, std::uint32_t size, std::uint32_t rank) {
            const auto group = m_memory.value<std::uint64_t>(communicator + offset);
            return group && *group != 0 && m_memory.value<std::uint32_t>(*group + groupSizeOffset) == size &&
                   m_memory.value<std::uint32_t>(*group + groupRankOffset) == rank;
        };
        for (std::uint64_t offset = firstOffset; m_places.world != 0 && m_places.self != 0 && offset < lastOffset; offset += 8)
            if (isGroup(m_places.world, offset, m_rankCount, m_rank) && isGroup(m_places.self, offset, 1, 0)) {
                m_groupOffset = offset;
                return;
            }
    }

    /// All members of MPI_COMM_WORLD have the numbers that they must have.
    void findProcesses() {
        constexpr std::uint64_t first = 24, last = 64; // in 4.1 it lies at 32
        std::vector<std::uint32_t> all(m_rankCount);
        std::iota(all.begin(), all.end(), 0U);
        for (m_processesOffset = first; m_processesOffset < last; m_processesOffset += 8)
            if (membersOf(m_places.world, m_rankCount) == all)
                return;
        m_processesOffset = 0;
    }

    [[nodiscard]] std::vector<std::uint32_t> membersOf(std::uint64_t communicator, std::uint32_t size) const {
        std::vector<std::uint32_t> members;
        for (const std::uint64_t process : processesOf(communicator, size))
            if (const auto rank = rankOfProcess(process); rank && *rank < m_rankCount)
                members.push_back(*rank);
        return members.size() == size ? members : std::vector<std::uint32_t>();
    }

    /// Behind the name (64 bytes) lie the number and the own rank.
    void findNumbers() {
        constexpr std::uint64_t nameSize = 64;
        const std::string_view name = "MPI_COMM_WORLD";
        for (std::uint64_t offset = 16; offset < m_groupOffset; offset += 4) {
            const std::uint64_t number = offset + nameSize;
            if (m_memory.text(m_places.world + offset, name.size()) == name && at<std::uint32_t>(m_places.world + number) == 0 &&
                at<std::uint32_t>(m_places.world + number + 4) == m_rank && at<std::uint32_t>(m_places.self + number) == 1 &&
                at<std::uint32_t>(m_places.self + number + 4) == 0)
                m_numberOffset = number;
        }
    }

    /// A process that has not been talked to yet is a number with its lowest bit set (proc.h: OMPI_PROC_SENTINEL).
    [[nodiscard]] std::optional<std::uint32_t> rankOfProcess(std::uint64_t process) const {
        if ((process & 1U) != 0)
            return static_cast<std::uint32_t>(process >> 33U);
        return m_memory.value<std::uint32_t>(process + processRankOffset);
    }

    [[nodiscard]] std::vector<std::uint64_t> processesOf(std::uint64_t communicator, std::uint32_t size) const {
        if (m_processesOffset == 0)
            return {};
        const auto list = at<std::uint64_t>(group(communicator) + m_processesOffset);
        std::vector<std::uint64_t> processes(size);
        return m_memory.read(list, processes.data(), size * sizeof(std::uint64_t)) == size * sizeof(std::uint64_t)
                   ? processes
                   : std::vector<std::uint64_t>();
    }

    const CommunicatorObject *addCommunicator(std::uint64_t address) {
        if (const CommunicatorObject *known = m_objects.byHandle(address))
            return known;
        CommunicatorObject found;
        found.handle = address;
        found.size = at<std::uint32_t>(group(address) + groupSizeOffset);
        found.rank = at<std::uint32_t>(group(address) + groupRankOffset);
        if (found.size == 0 || found.size > m_rankCount || found.rank >= found.size)
            return nullptr;
        if (m_numberOffset != 0)
            found.number = at<std::uint32_t>(address + m_numberOffset);
        found.members = membersOf(address, found.size);
        if (!found.members.empty() && found.members[found.rank] != m_rank)
            found.members.clear();
        found.peers = found.members;
        m_objects.communicators.push_back(std::move(found));
        return &m_objects.communicators.back();
    }

    /// The library's list of them (opal_pointer_array_t) has the address of an array that begins with the two that are known.
    void addOtherCommunicators() {
        constexpr std::uint64_t listSize = 160, most = 4096;
        const auto type = at<std::uint64_t>(m_places.world);
        for (std::uint64_t offset = 16; m_places.communicators != 0 && offset < listSize; offset += 8) {
            const auto array = at<std::uint64_t>(m_places.communicators + offset);
            if (array == 0 || at<std::uint64_t>(array) != m_places.world || at<std::uint64_t>(array + 8) != m_places.self)
                continue;
            for (std::uint64_t i = 2; i < most; ++i) {
                const auto each = m_memory.value<std::uint64_t>(array + i * 8);
                if (!each || (*each != 0 && at<std::uint64_t>(*each) != type))
                    break;
                if (*each != 0)
                    addCommunicator(*each);
            }
        }
    }

    /// Addresses of all requests of a kind: they lie in a few pieces of memory, in which each begins with the address of its
    /// class.
    [[nodiscard]] std::set<std::uint64_t> elementsOf(std::uint64_t list, std::uint64_t type) const {
        constexpr std::uint64_t listSize = 0x180, piece = 1U << 18U;
        constexpr int mostPieces = 64;
        std::set<std::uint64_t> seen, elements;
        for (std::uint64_t offset = 16; offset < listSize; offset += 8) {
            std::uint64_t chunk = at<std::uint64_t>(list + offset);
            for (int i = 0; i < mostPieces && chunk % 8 == 0 && chunk > piece && (chunk < list || chunk > list + listSize); ++i) {
                if (!seen.insert(chunk).second)
                    break;
                std::vector<unsigned char> bytes(piece);
                bytes.resize(m_memory.read(chunk, bytes.data(), bytes.size()));
                for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8)
                    if (std::memcmp(bytes.data() + at, &type, sizeof type) == 0)
                        elements.insert(chunk + at);
                chunk = at<std::uint64_t>(chunk + 16); // the next of the list
            }
        }
        return elements;
    }

    /// A request of ob1 has its communicator twice (ompi_request_t, mca_pml_base_request_t), and in between 1 for a send and 2
    /// for a receive. Nothing if it is not so there.
    struct Request {
        const CommunicatorObject *communicator = nullptr;
        bool isOpen = false;
        std::uint64_t place = 0; ///< where the first of the two is
    };
    std::optional<Request> requestAt(std::uint64_t element) {
        constexpr std::uint64_t second = 24, kind = 16, state = 56, complete = 64; // request.h, pml_base_request.h of 4.1
        constexpr std::uint64_t completed = 1; // else 0, or the address of whoever waits for it
        constexpr std::uint32_t active = 2;    // OMPI_REQUEST_ACTIVE
        for (std::uint64_t place = 0x60; place < 0x140; place += 8) {
            const auto address = at<std::uint64_t>(element + place);
            const CommunicatorObject *communicator = address == 0 ? nullptr : m_objects.byHandle(address);
            const auto what = at<std::uint32_t>(element + place + kind);
            if (communicator == nullptr || at<std::uint64_t>(element + place + second) != address || what == 0 || what > 2)
                continue;
            return Request{communicator,
                           at<std::uint32_t>(element + place - state) == active &&
                               at<std::uint64_t>(element + place - complete) != completed,
                           place};
        }
        return std::nullopt;
    }

    /// Where peer, tag and the peer's process lie behind the communicator: the process has to be the one that the peer is.
    void findPeers(const std::set<std::uint64_t> &elements) {
        std::map<std::uint64_t, int> votes;
        for (const std::uint64_t element : elements) {
            const auto request = requestAt(element);
            if (!request)
                continue;
            const std::vector<std::uint64_t> processes = processesOf(request->communicator->handle, request->communicator->size);
            for (std::uint64_t offset = 0x20; offset < 0x200; offset += 8) {
                const auto peer = at<std::uint32_t>(element + request->place + offset);
                if (peer < processes.size() && at<std::uint64_t>(element + request->place + offset + 8) == processes[peer])
                    ++votes[offset];
            }
        }
        const auto best = std::ranges::max_element(votes, {}, [](const auto &each) { return each.second; });
        if (best != votes.end())
            m_peerOffset = best->first;
    }

    bool addRequests(std::uint64_t list, std::uint64_t type, bool isSend) {
        if (list == 0 || type == 0)
            return false;
        const std::set<std::uint64_t> elements = elementsOf(list, type);
        if (m_peerOffset == 0)
            findPeers(elements);
        for (const std::uint64_t element : elements) {
            const auto request = requestAt(element);
            if (!request || !request->isOpen)
                continue;
            if (m_peerOffset == 0)
                return false;
            const auto peer = at<std::int32_t>(element + request->place + m_peerOffset);
            const auto tag = at<std::int32_t>(element + request->place + m_peerOffset + 4);
            constexpr std::int32_t any = -1; // MPI_ANY_SOURCE and MPI_ANY_TAG of Open MPI
            RequestObject found;
            found.handle = element;
            found.isSend = isSend;
            found.isInternal = tag < any; // coll_tags.h: collectives count downwards
            found.communicator = request->communicator->number.value_or(0);
            found.communicatorHandle = request->communicator->handle;
            found.isFromAny = peer == any;
            if (peer >= 0)
                found.peer = static_cast<std::uint32_t>(peer);
            if (tag >= 0)
                found.tag = tag;
            m_objects.requests.push_back(found);
        }
        return true;
    }

    const Memory &m_memory;
    const OpenMpiPlaces &m_places;
    std::uint32_t m_rank, m_rankCount;
    std::uint64_t m_groupOffset = 0, m_processesOffset = 0, m_numberOffset = 0, m_peerOffset = 0;
    MpiObjects m_objects;
};

} // namespace

MpiObjects readOpenMpiObjects(const Memory &memory, const OpenMpiPlaces &places, std::uint32_t rank, std::uint32_t rankCount) {
    return Reader(memory, places, rank, rankCount).read();
}

} // namespace laggard::attach
