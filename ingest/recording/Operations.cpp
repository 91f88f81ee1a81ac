// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/Operations.h"

#include "trace/MpiName.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

namespace laggard::recording {
namespace {

bool contains(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return text.find(w) != std::string_view::npos; });
}

/// The data collective of this name, with an "i" before it or not; Unknown if it is none.
CollectiveOperation dataCollective(std::string_view base) {
    if (base.starts_with("ineighbor_"))
        base.remove_prefix(1);
    if (base.starts_with("neighbor_"))
        base.remove_prefix(9);
    for (const bool nonBlocking : {false, true}) {
        if (nonBlocking && !base.starts_with('i'))
            break;
        const std::string_view wanted = nonBlocking ? base.substr(1) : base;
        for (auto operation = CollectiveOperation::Barrier; operation <= CollectiveOperation::Exscan;
             operation = static_cast<CollectiveOperation>(static_cast<int>(operation) + 1)) {
            const std::string_view known = name(operation);
            if (std::equal(known.begin(), known.end(), wanted.begin(), wanted.end(),
                           [](unsigned char a, char b) { return std::tolower(a) == b; }))
                return operation;
        }
    }
    return CollectiveOperation::Unknown;
}

RegionRole roleOf(const std::string &base) {
    if (const CollectiveOperation operation = dataCollective(base); operation != CollectiveOperation::Unknown)
        return operation == CollectiveOperation::Barrier ? RegionRole::Barrier : RegionRole::Collective;
    if (base.starts_with("file_"))
        return RegionRole::FileIo;
    if (base.starts_with("win_") || base == "put" || base == "get" || contains(base, {"accumulate", "compare_and_swap"}))
        return RegionRole::Rma;
    if (contains(base, {"send", "recv", "probe", "wait", "test", "start"}))
        return RegionRole::PointToPoint;
    return RegionRole::Function;
}

} // namespace

bool isMpiOperation(const std::string &name) { return name.starts_with("MPI_") || name.starts_with("MPI ("); }

Region regionOfOperation(const std::string &name) {
    Region region;
    region.name = region.canonicalName = name;
    if (!isMpiOperation(name)) {
        region.role = RegionRole::Function;
        region.paradigm = Paradigm::Io;
        return region;
    }
    if (region.name.ends_with("_c"))
        region.name.resize(region.name.size() - 2);
    region.role = roleOf(mpiBaseName(name));
    region.paradigm = Paradigm::Mpi;
    return region;
}

CollectiveOperation collectiveOf(const std::string &operation) {
    std::string base = mpiBaseName(operation);
    if (base.ends_with("_init"))
        base.resize(base.size() - 5);
    if (const CollectiveOperation found = dataCollective(base); found != CollectiveOperation::Unknown)
        return found;
    if (base == "comm_free")
        return CollectiveOperation::DestroyHandle; // each member when it has done with the handle
    if (base == "win_free")
        return CollectiveOperation::Deallocate; // nobody leaves before all have come
    if (contains(base, {"comm_", "cart_", "graph_", "intercomm", "win_create", "win_allocate", "file_open"}))
        return CollectiveOperation::CreateHandle;
    return CollectiveOperation::Other;
}

CollectiveTraits traitsOfCollective(const std::string &operation) {
    CollectiveTraits traits{collectiveOf(operation), false, {}};
    const std::string base = mpiBaseName(operation);
    const bool isPersistent = isInitialiser(operation);
    const bool isOther = traits.operation >= CollectiveOperation::CreateHandle;
    const bool isImmediate = isOther ? contains(base, {"_idup", "_iread", "_iwrite"}) : base.starts_with('i');
    traits.nonBlocking = isPersistent || isImmediate;
    if (isOther || isPersistent || contains(base, {"neighbor_"})) {
        traits.call = operation.substr(operation.starts_with("MPI_") ? 4 : 0);
        if (traits.call.ends_with("_c"))
            traits.call.resize(traits.call.size() - 2);
    }
    return traits;
}

std::string nameOf(Reduction reduction) {
    static constexpr const char *names[] = {"user",     "MPI_MAX",    "MPI_MIN",    "MPI_SUM",     "MPI_PROD",
                                            "MPI_LAND", "MPI_BAND",   "MPI_LOR",    "MPI_BOR",     "MPI_LXOR",
                                            "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP"};
    const auto number = static_cast<std::uint32_t>(reduction);
    return number < std::size(names) ? names[number] : "";
}

bool isInitialiser(const std::string &operation) { return mpiBaseName(operation).ends_with("_init"); }

bool isAnyOf(const std::string &operation) {
    const std::string base = mpiBaseName(operation);
    return base.ends_with("any") || base.ends_with("some");
}

} // namespace laggard::recording
