// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/MpiArguments.h"

#include "trace/MpiCall.h"
#include "trace/MpiName.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <elfutils/libdwfl.h>
#include <string_view>

namespace laggard::attach {
namespace {

/// Where the arguments of a function are (MPI 3.1, C binding; Fortran has the same order), from 0; -1: it has none.
struct Signature {
    std::string_view name;
    int to = -1, toTag = -1, from = -1, fromTag = -1, root = -1, count = -1, communicator = -1;
    int requests = -1; ///< the address of one; of as many as argument 0 says, if that is not this one
};
constexpr std::array signatures = {
    Signature{.name = "send", .to = 3, .toTag = 4, .count = 1, .communicator = 5},
    Signature{.name = "ssend", .to = 3, .toTag = 4, .count = 1, .communicator = 5},
    Signature{.name = "rsend", .to = 3, .toTag = 4, .count = 1, .communicator = 5},
    Signature{.name = "bsend", .to = 3, .toTag = 4, .count = 1, .communicator = 5},
    Signature{.name = "recv", .from = 3, .fromTag = 4, .count = 1, .communicator = 5},
    Signature{.name = "probe", .from = 0, .fromTag = 1, .communicator = 2},
    Signature{.name = "mprobe", .from = 0, .fromTag = 1, .communicator = 2},
    Signature{.name = "sendrecv", .to = 3, .toTag = 4, .from = 8, .fromTag = 9, .count = 1, .communicator = 10},
    Signature{.name = "sendrecv_replace", .to = 3, .toTag = 4, .from = 5, .fromTag = 6, .count = 1, .communicator = 7},
    Signature{.name = "barrier", .communicator = 0},
    Signature{.name = "bcast", .root = 3, .count = 1, .communicator = 4},
    Signature{.name = "reduce", .root = 5, .count = 2, .communicator = 6},
    Signature{.name = "allreduce", .count = 2, .communicator = 5},
    Signature{.name = "scan", .count = 2, .communicator = 5},
    Signature{.name = "exscan", .count = 2, .communicator = 5},
    Signature{.name = "reduce_scatter", .communicator = 5},
    Signature{.name = "reduce_scatter_block", .count = 2, .communicator = 5},
    Signature{.name = "gather", .root = 6, .count = 1, .communicator = 7},
    Signature{.name = "scatter", .root = 6, .count = 1, .communicator = 7},
    Signature{.name = "allgather", .count = 1, .communicator = 6},
    Signature{.name = "alltoall", .count = 1, .communicator = 6},
    Signature{.name = "gatherv", .root = 7, .count = 1, .communicator = 8},
    Signature{.name = "scatterv", .root = 7, .communicator = 8},
    Signature{.name = "allgatherv", .count = 1, .communicator = 7},
    Signature{.name = "alltoallv", .communicator = 8},
    Signature{.name = "alltoallw", .communicator = 8},
    Signature{.name = "neighbor_allgather", .count = 1, .communicator = 6},
    Signature{.name = "neighbor_alltoall", .count = 1, .communicator = 6},
    Signature{.name = "comm_split", .communicator = 0},
    Signature{.name = "comm_split_type", .communicator = 0},
    Signature{.name = "comm_dup", .communicator = 0},
    Signature{.name = "comm_create", .communicator = 0},
    Signature{.name = "cart_create", .communicator = 0},
    Signature{.name = "file_open", .communicator = 0},
    Signature{.name = "win_create", .communicator = 4},
    Signature{.name = "win_allocate", .communicator = 3},
    Signature{.name = "wait", .requests = 0},
    Signature{.name = "waitall", .requests = 1},
    Signature{.name = "waitany", .requests = 1},
    Signature{.name = "waitsome", .requests = 1},
};

/// The libraries' own numbers (mpi.h of MPICH 3 and 4 and of Open MPI 1.10 to 5).
struct Constants {
    std::int64_t anySource, noProcess, anyTag;
};
constexpr Constants constantsOf(MpiLibrary library) {
    return library == MpiLibrary::OpenMpi ? Constants{-1, -2, -1} : Constants{-2, -1, -1};
}

/// MPICH's handles (mpir_objects.h): bits 26 to 29 say that it is a communicator, the uppermost two where it lies.
constexpr std::uint32_t mpichWorld = 0x44000000;
constexpr std::uint32_t mpichSelf = 0x44000001;
constexpr std::uint32_t mpichKindMask = 0x3C000000;
constexpr std::uint32_t mpichCommunicator = 0x04000000;

bool isFortranSymbol(const std::string &symbol) {
    const std::size_t name = symbol.find_first_of("_") + 1;
    return symbol.starts_with("mpi_") || symbol.starts_with("pmpi_") || symbol.ends_with('_') ||
           (name < symbol.size() && std::none_of(symbol.begin(), symbol.end(), [](char c) { return c >= 'a' && c <= 'z'; }));
}

/// The address of a data object that a module of the process defines under this name; of the program before that of libraries.
std::uint64_t addressOf(Dwfl *dwfl, std::string_view name) {
    struct Search {
        std::string_view name;
        std::uint64_t address = 0;
    } search{name, 0};
    dwfl_getmodules(
        dwfl,
        [](Dwfl_Module *module, void **, const char *, Dwarf_Addr, void *data) -> int {
            auto &wanted = *static_cast<Search *>(data);
            const int count = dwfl_module_getsymtab(module);
            for (int i = 0; i < count; ++i) {
                GElf_Sym symbol;
                GElf_Addr address = 0;
                GElf_Word section = SHN_UNDEF;
                const char *text = dwfl_module_getsym_info(module, i, &symbol, &address, &section, nullptr, nullptr);
                if (text != nullptr && section != SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                    std::string_view(text).substr(0, std::string_view(text).find('@')) == wanted.name) {
                    wanted.address = address;
                    return DWARF_CB_ABORT;
                }
            }
            return DWARF_CB_OK;
        },
        &search, 0);
    return search.address;
}

/// The library, by the names of what is mapped.
MpiLibrary libraryOf(Dwfl *dwfl) {
    MpiLibrary library = MpiLibrary::Unknown;
    dwfl_getmodules(
        dwfl,
        [](Dwfl_Module *, void **, const char *name, Dwarf_Addr, void *data) -> int {
            const std::string_view text = name == nullptr ? "" : name;
            auto &found = *static_cast<MpiLibrary *>(data);
            if (text.starts_with("libopen-pal") || text.starts_with("libmpi.so.40") || text.starts_with("libmpi.so.80"))
                found = MpiLibrary::OpenMpi;
            else if (found == MpiLibrary::Unknown && (text.starts_with("libmpich") || text.starts_with("libmpi.so.12")))
                found = MpiLibrary::Mpich; // libmpi.so.12: MPICH's ABI, of Intel, Cray and MVAPICH2 as well
            return DWARF_CB_OK;
        },
        &library, 0);
    return library;
}

} // namespace

Communicators::Communicators(const StackWalk &walk, const Memory &memory, const std::string &maps, std::uint32_t rank,
                             std::uint32_t rankCount)
    : m_rankCount(rankCount), m_library(libraryOf(walk.dwfl())) {
    if (m_library == MpiLibrary::Mpich)
        m_objects = readMpichObjects(memory, maps, rank, rankCount);
    if (m_library != MpiLibrary::OpenMpi)
        return;
    const auto place = [&](std::string_view name) { return addressOf(walk.dwfl(), name); };
    m_world = place("ompi_mpi_comm_world");
    m_self = place("ompi_mpi_comm_self");
    m_objects = readOpenMpiObjects(memory,
                                   {.world = m_world,
                                    .self = m_self,
                                    .communicators = place("ompi_mpi_communicators"),
                                    .receives = place("mca_pml_base_recv_requests"),
                                    .sends = place("mca_pml_base_send_requests"),
                                    .receive = place("mca_pml_ob1_recv_request_t_class"),
                                    .send = place("mca_pml_ob1_send_request_t_class")},
                                   rank, rankCount);
}

void Communicators::describe(std::uint64_t handle, bool isFortran, MpiArguments &arguments) const {
    const auto number = static_cast<std::uint32_t>(handle);
    bool isWorld = false;
    bool isSelf = false;
    if (m_library == MpiLibrary::Mpich) {
        if ((number & mpichKindMask) != mpichCommunicator)
            return; // no communicator: what was read is something else
        isWorld = number == mpichWorld;
        isSelf = number == mpichSelf;
        handle = number;
    } else if (m_library == MpiLibrary::OpenMpi && isFortran) {
        isWorld = number == 0; // mpif.h: MPI_COMM_WORLD is 0, MPI_COMM_SELF 1
        isSelf = number == 1;
        handle = number;
    } else if (m_library == MpiLibrary::OpenMpi) {
        isWorld = m_world != 0 && handle == m_world;
        isSelf = m_self != 0 && handle == m_self;
        if (!m_objects.communicators.empty() && m_objects.byHandle(handle) == nullptr)
            return; // it has others: what was read is something else
    } else
        return;
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(handle));
    arguments.communicator = isWorld ? "world" : isSelf ? "self" : text;
    if (isWorld || isSelf)
        arguments.communicatorSize = isWorld ? m_rankCount : 1;
    if (const CommunicatorObject *object = m_objects.byHandle(handle)) {
        arguments.communicatorSize = object->size;
        arguments.communicatorNumber = object->number;
        arguments.members = object->members;
    }
}

const CommunicatorObject *Communicators::of(const RequestObject &request) const {
    return request.communicatorHandle != 0 ? m_objects.byHandle(request.communicatorHandle)
                                           : m_objects.byNumber(request.communicator);
}

namespace {

/// The handles that a call waits for; nothing if they are not known.
std::optional<std::vector<std::uint64_t>> handlesOf(const CallSites &sites, MpiLibrary library, bool isFortran,
                                                    const std::optional<std::uint64_t> &first, std::int64_t count) {
    constexpr std::int64_t most = 4096;
    if (!first || count < 0 || count > most || (isFortran && library == MpiLibrary::OpenMpi))
        return std::nullopt;
    const std::size_t size = library == MpiLibrary::Mpich ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
    std::vector<std::uint64_t> handles;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto handle = sites.valueAt(*first + static_cast<std::uint64_t>(i) * size, size);
        if (!handle)
            return std::nullopt;
        handles.push_back(*handle);
    }
    return handles;
}

/// What one call of MPI waits for, of all that the library has begun.
class Pendings {
  public:
    Pendings(const Communicators &communicators, const MpiArguments &arguments)
        : m_communicators(communicators), m_arguments(arguments), m_all(communicators.objects().requests) {}

    /// For MPI_Wait and its like. `isOne`: the call has a single request.
    std::optional<std::vector<MpiArguments::Pending>> ofWait(const std::optional<std::vector<std::uint64_t>> &handles,
                                                             bool isOne) {
        if (!handles) {
            take([](const RequestObject &each) { return !each.isInternal; });
            return isOne && m_taken.size() != 1 ? std::nullopt : known();
        }
        for (const std::uint64_t handle : *handles) {
            const std::size_t before = m_taken.size();
            take([&](const RequestObject &each) { return each.handle == handle; });
            if (m_taken.size() == before &&
                std::ranges::find(m_communicators.objects().sends, handle) != m_communicators.objects().sends.end())
                m_taken.push_back({.isSend = true, .peer = {}, .tag = {}});
        }
        if (m_taken.empty()) // a collective's: what goes on inside it
            take([](const RequestObject &each) { return each.isInternal; });
        return known();
    }
    /// For a blocking send or receive, or both in one.
    std::optional<std::vector<MpiArguments::Pending>> ofMessage(MpiCall::Kind kind) {
        take([&](const RequestObject &each) {
            if (kind == (each.isSend ? MpiCall::Kind::Receive : MpiCall::Kind::Send))
                return false; // something else of the program, that goes on meanwhile
            const auto fits = [](const std::optional<std::int64_t> &own, const std::optional<std::int64_t> &other) {
                return !own || *own < 0 || !other || own == other;
            };
            const CommunicatorObject *communicator = m_communicators.of(each);
            return !each.isInternal &&
                   (!m_arguments.communicatorNumber || communicator == nullptr ||
                    communicator->number == m_arguments.communicatorNumber) &&
                   fits(each.isSend ? m_arguments.toTag : m_arguments.fromTag, each.tag) &&
                   fits(each.isSend ? m_arguments.to : m_arguments.from,
                        each.peer ? std::optional<std::int64_t>(*each.peer) : std::nullopt);
        });
        return known();
    }
    /// The communicator that all those belong to that were found; nullptr: there are none, or several.
    [[nodiscard]] const CommunicatorObject *communicator() const { return m_isOne ? m_communicator : nullptr; }

    std::optional<std::vector<MpiArguments::Pending>> ofCollective() {
        take([&](const RequestObject &each) {
            const bool isMpich = m_communicators.library() == MpiLibrary::Mpich;
            const std::uint32_t shift = isMpich ? partsShift : 0;
            return each.isInternal &&
                   (!m_arguments.communicatorNumber || each.communicator >> shift == *m_arguments.communicatorNumber >> shift);
        });
        return known();
    }

  private:
    template <typename Wanted> void take(const Wanted &isWanted) {
        for (const RequestObject &each : m_all) {
            if (!isWanted(each))
                continue;
            const CommunicatorObject *communicator = m_communicators.of(each);
            MpiArguments::Pending pending{each.isSend, {}, each.tag};
            if (each.isFromAny)
                pending.peer = MpiArguments::any;
            else if (each.peer && communicator != nullptr && *each.peer < communicator->peers.size())
                pending.peer = communicator->peers[*each.peer];
            m_taken.push_back(pending);
            // MPICH makes parts of a communicator (those of a node), which have its number with some more bits.
            const bool isPart = each.isInternal && each.communicatorHandle == 0;
            const CommunicatorObject *whole =
                isPart ? m_communicators.objects().byNumber(each.communicator >> partsShift << partsShift) : communicator;
            m_isOne =
                whole != nullptr && (m_communicator == nullptr || m_communicator == whole) && (m_isOne || m_taken.size() == 1);
            m_communicator = whole;
        }
    }
    [[nodiscard]] std::optional<std::vector<MpiArguments::Pending>> known() const {
        return m_taken.empty() ? std::nullopt : std::optional(m_taken);
    }

    const Communicators &m_communicators;
    const MpiArguments &m_arguments;
    const std::vector<RequestObject> &m_all;
    static constexpr std::uint32_t partsShift = 4; // MPIR_CONTEXT_PREFIX_SHIFT
    std::vector<MpiArguments::Pending> m_taken;
    const CommunicatorObject *m_communicator = nullptr;
    bool m_isOne = false;
};

} // namespace

MpiArguments readMpiArguments(const CallSites &sites, const Communicators &communicators, std::size_t callee,
                              const std::string &symbol) {
    MpiArguments arguments;
    const auto *found = std::ranges::find(signatures, mpiBaseName(symbol), &Signature::name);
    static constexpr Signature none;
    const Signature *signature = found == signatures.end() ? &none : found;
    if (communicators.library() == MpiLibrary::Unknown)
        return arguments;
    const bool isFortran = isFortranSymbol(symbol);
    const bool isHandlePointer = communicators.library() == MpiLibrary::OpenMpi && !isFortran;
    const auto at = [&](int number) -> std::optional<std::uint64_t> {
        if (number < 0)
            return std::nullopt;
        const auto value = sites.argument(callee, symbol, static_cast<unsigned>(number));
        return value && isFortran ? sites.valueAt(*value, sizeof(std::int32_t)) : value; // Fortran hands over addresses
    };
    const auto integer = [&](int number) -> std::optional<std::int64_t> {
        const auto value = at(number);
        return value ? std::optional<std::int64_t>(static_cast<std::int32_t>(*value)) : std::nullopt;
    };
    const Constants constants = constantsOf(communicators.library());
    const auto peer = [&](int number) -> std::optional<std::int64_t> {
        const auto value = integer(number);
        if (value == constants.anySource)
            return MpiArguments::any;
        if (value == constants.noProcess)
            return MpiArguments::nobody;
        return value && *value >= 0 ? value : std::nullopt;
    };
    const auto tag = [&](int number) -> std::optional<std::int64_t> {
        const auto value = integer(number);
        return value == constants.anyTag ? std::optional(MpiArguments::any) : value && *value >= 0 ? value : std::nullopt;
    };
    if (const auto handle = at(signature->communicator))
        communicators.describe(isHandlePointer ? *handle : static_cast<std::uint32_t>(*handle), isFortran, arguments);
    arguments.to = peer(signature->to);
    arguments.toTag = tag(signature->toTag);
    arguments.from = peer(signature->from);
    arguments.fromTag = tag(signature->fromTag);
    arguments.root = integer(signature->root);
    arguments.count = integer(signature->count);
    if (arguments.root && *arguments.root < 0)
        arguments.root.reset(); // the root of an intercommunicator
    if (arguments.count && *arguments.count < 0)
        arguments.count.reset();
    const MpiCall call = classifyMpiCall(symbol);
    if (!communicators.objects().hasRequests)
        return arguments;
    Pendings pendings(communicators, arguments);
    if (call.isWait()) {
        const bool isOne = signature->requests == 0;
        const auto first = sites.argument(callee, symbol, static_cast<unsigned>(std::max(signature->requests, 0)));
        const std::int64_t count = isOne ? 1 : integer(0).value_or(-1);
        arguments.pending = pendings.ofWait(handlesOf(sites, communicators.library(), isFortran, first, count), isOne);
    } else if (call.isCollective())
        arguments.pending = pendings.ofCollective();
    else if (call.isPointToPoint() && call.kind != MpiCall::Kind::Probe)
        arguments.pending = pendings.ofMessage(call.kind);
    if (const CommunicatorObject *whole = pendings.communicator(); whole != nullptr && arguments.communicator.empty())
        communicators.describe(whole->handle, false, arguments);
    return arguments;
}

} // namespace laggard::attach
