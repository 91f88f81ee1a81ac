// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Communicators.h"

#include "collect/mpi/Handles.h"
#include "trace/recording/Checks.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string_view>

namespace laggard::collect::mpi {

namespace {

std::uint64_t mixed(std::uint64_t state, std::uint64_t word) { return recording::mixCheck(state + 0x632BE59BD9B4E019U, word); }

std::uint64_t mixed(std::uint64_t state, std::string_view text) {
    for (const char c : text)
        state = mixed(state, static_cast<unsigned char>(c));
    return state;
}

std::uint64_t hashOf(const std::vector<std::uint32_t> &ranks) {
    std::uint64_t state = ranks.size();
    for (const std::uint32_t rank : ranks)
        state = mixed(state, rank);
    return state;
}

std::uint32_t leaderOf(const Members &members) { return members->empty() ? recording::nothing : members->front(); }

/// One hash from the hashes of the two sides, which call each other by turns own and remote.
std::uint64_t symmetric(std::uint64_t state, std::uint64_t a, std::uint64_t b) {
    return mixed(mixed(state, std::min(a, b)), std::max(a, b));
}

void findNeighbours(MPI_Comm handle, Communicator &communicator) {
    int topology = MPI_UNDEFINED;
    if (communicator.isIntercommunicator() || PMPI_Topo_test(handle, &topology) != MPI_SUCCESS)
        return;
    int number = 0;
    if (topology == MPI_CART && PMPI_Cartdim_get(handle, &number) == MPI_SUCCESS) {
        communicator.sources = communicator.destinations = 2 * number;
    } else if (topology == MPI_GRAPH && PMPI_Graph_neighbors_count(handle, communicator.ownRank, &number) == MPI_SUCCESS) {
        communicator.sources = communicator.destinations = number;
    } else if (topology == MPI_DIST_GRAPH) {
        int weighted = 0;
        PMPI_Dist_graph_neighbors_count(handle, &communicator.sources, &communicator.destinations, &weighted);
    }
}

} // namespace

std::vector<std::uint32_t> worldRanksIn(MPI_Group group) {
    MPI_Group world{};
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return {};
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<int> inWorld(ranks.size(), MPI_UNDEFINED);
    if (size > 0)
        PMPI_Group_translate_ranks(group, size, ranks.data(), world, inWorld.data());
    PMPI_Group_free(&world);
    std::vector<std::uint32_t> members(ranks.size());
    std::ranges::transform(inWorld, members.begin(), [](int rank) {
        return rank == MPI_UNDEFINED ? recording::nothing : static_cast<std::uint32_t>(rank);
    });
    return members;
}

std::uint32_t Communicator::worldRank(int rank) const {
    if (rank == MPI_ANY_SOURCE)
        return recording::anySource;
    if (rank == MPI_PROC_NULL)
        return recording::nullProcess;
    return rank >= 0 && static_cast<std::size_t>(rank) < members->size() ? (*members)[static_cast<std::size_t>(rank)]
                                                                         : recording::nothing;
}

std::uint32_t Communicator::worldRankOfRoot(int root) const {
    if (root == MPI_ROOT)
        return (*ownGroup)[static_cast<std::size_t>(ownRank)];
    return worldRank(root);
}

void Communicators::begin() {
    int rank = 0;
    int size = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    m_worldKey = mixed(0, "world");
    if (parent != MPI_COMM_NULL) {
        int parents = 0;
        PMPI_Comm_remote_size(parent, &parents);
        const char *nameSpace = std::getenv("PMIX_NAMESPACE");
        m_worldKey =
            mixed(symmetric(mixed(m_worldKey, "spawned"), static_cast<std::uint64_t>(parents), static_cast<std::uint64_t>(size)),
                  nameSpace == nullptr ? "" : nameSpace);
    }
    std::vector<std::uint32_t> everyone(static_cast<std::size_t>(size));
    std::iota(everyone.begin(), everyone.end(), 0U);

    auto world = std::make_unique<Communicator>();
    world->key = m_worldKey;
    world->flags = recording::isWorld;
    world->ownRank = rank;
    world->members = world->ownGroup = intern(std::move(everyone));
    define(MPI_COMM_WORLD, std::move(world), recording::nothing);
    m_log.nameCommunicator(find(MPI_COMM_WORLD)->id, "MPI_COMM_WORLD");

    auto self = std::make_unique<Communicator>();
    self->key = mixed(mixed(m_worldKey, "self"), static_cast<std::uint64_t>(rank));
    self->flags = recording::isSelf;
    self->members = self->ownGroup = intern({static_cast<std::uint32_t>(rank)});
    define(MPI_COMM_SELF, std::move(self), recording::nothing);
    m_log.nameCommunicator(find(MPI_COMM_SELF)->id, "MPI_COMM_SELF");
}

Origin Communicators::announce(Making making, Communicator *parent, int tag) const {
    Origin origin{making, parent, 0, static_cast<std::uint64_t>(tag)};
    // Group, Pair and Alone are not calls of all of the parent: its members would count differently.
    if (parent != nullptr && (making == Making::Copy || making == Making::Derived))
        origin.ordinal = parent->createdFrom.fetch_add(1) + 1;
    return origin;
}

void Communicators::made(MPI_Comm handle, const Origin &origin) {
    if (handle == MPI_COMM_NULL)
        return;
    auto communicator = std::make_unique<Communicator>();
    const std::uint32_t parent = origin.parent == nullptr ? recording::nothing : origin.parent->id;
    if (origin.making == Making::Copy && origin.parent != nullptr) {
        // That of MPI_Comm_idup must not be asked anything yet, and there is no need.
        communicator->flags = origin.parent->flags & recording::isIntercommunicator;
        communicator->ownRank = origin.parent->ownRank;
        communicator->members = origin.parent->members;
        communicator->ownGroup = origin.parent->ownGroup;
        communicator->sources = origin.parent->sources;
        communicator->destinations = origin.parent->destinations;
    } else if (origin.making == Making::Copy) {
        return;
    } else {
        int isInter = 0;
        PMPI_Comm_test_inter(handle, &isInter);
        PMPI_Comm_rank(handle, &communicator->ownRank);
        communicator->flags = isInter != 0 ? recording::isIntercommunicator : 0U;
        communicator->ownGroup = worldRanksOf(handle, false);
        communicator->members = isInter != 0 ? worldRanksOf(handle, true) : communicator->ownGroup;
        findNeighbours(handle, *communicator);
    }
    communicator->key = keyOf(*communicator, origin);
    define(handle, std::move(communicator), parent);
}

void Communicators::named(MPI_Comm handle) {
    const Communicator *communicator = find(handle);
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (communicator != nullptr && PMPI_Comm_get_name(handle, name, &length) == MPI_SUCCESS)
        m_log.nameCommunicator(communicator->id, name);
}

void Communicators::define(MPI_Comm handle, std::unique_ptr<Communicator> communicator, std::uint32_t parent) {
    communicator->id = m_log.defineCommunicator(communicator->key, parent, communicator->flags,
                                                static_cast<std::uint32_t>(communicator->ownRank), *communicator->members);
    m_known.set(handle, communicator.release());
}

std::uint64_t Communicators::keyOf(const Communicator &communicator, const Origin &origin) {
    const bool isInter = communicator.isIntercommunicator();
    const std::uint64_t parentKey = origin.parent == nullptr ? m_worldKey : origin.parent->key;
    if (origin.making == Making::Copy || origin.making == Making::Derived) {
        const std::uint64_t state = mixed(mixed(parentKey, "derived"), origin.ordinal);
        return isInter ? symmetric(state, leaderOf(communicator.ownGroup), leaderOf(communicator.members))
                       : mixed(state, leaderOf(communicator.members));
    }
    std::uint64_t state = mixed(m_worldKey, "members");
    if (origin.making == Making::Group)
        state = mixed(mixed(parentKey, "group"), origin.tag);
    state = isInter ? symmetric(state, hashOf(*communicator.ownGroup), hashOf(*communicator.members))
                    : mixed(state, hashOf(*communicator.members));
    return mixed(state, ordinalAmongEquals(state));
}

std::uint64_t Communicators::ordinalAmongEquals(std::uint64_t hash) {
    const std::scoped_lock lock(m_mutex);
    return ++m_ordinals[hash];
}

Members Communicators::intern(std::vector<std::uint32_t> ranks) {
    const std::scoped_lock lock(m_mutex);
    std::vector<Members> &equalHash = m_interned[hashOf(ranks)];
    for (const Members &members : equalHash)
        if (*members == ranks)
            return members;
    return equalHash.emplace_back(std::make_shared<const std::vector<std::uint32_t>>(std::move(ranks)));
}

Members Communicators::worldRanksOf(MPI_Comm handle, bool isRemote) {
    MPI_Group group{};
    std::vector<std::uint32_t> members;
    if ((isRemote ? PMPI_Comm_remote_group(handle, &group) : PMPI_Comm_group(handle, &group)) == MPI_SUCCESS) {
        members = worldRanksIn(group);
        PMPI_Group_free(&group);
    }
    return intern(std::move(members));
}

} // namespace laggard::collect::mpi
