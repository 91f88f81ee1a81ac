// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/MpiArguments.h"

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

/// An object of Open MPI begins with its class and a count (opal_object.h): 16 bytes; a group then has its size and the own rank.
constexpr std::uint64_t groupSizeOffset = 16;
constexpr std::uint64_t groupRankOffset = 20;

} // namespace

Communicators::Communicators(const StackWalk &walk, const Memory &memory, std::uint32_t rank, std::uint32_t rankCount)
    : m_memory(memory), m_rank(rank), m_rankCount(rankCount), m_library(libraryOf(walk.dwfl())) {
    if (m_library != MpiLibrary::OpenMpi)
        return;
    m_world = addressOf(walk.dwfl(), "ompi_mpi_comm_world");
    m_self = addressOf(walk.dwfl(), "ompi_mpi_comm_self");
    calibrate();
}

/// Layouts differ between versions: the offset at which both known communicators have groups as they must be is the right one.
void Communicators::calibrate() {
    constexpr std::uint64_t firstOffset = 64; // behind the lock
    constexpr std::uint64_t lastOffset = 512; // in 4.1 it lies at 200, in 5.0 at 312
    const auto isGroup = [&](std::uint64_t communicator, std::uint64_t offset, std::uint32_t size, std::uint32_t rank) {
        const auto group = m_memory.value<std::uint64_t>(communicator + offset);
        return group && *group != 0 && m_memory.value<std::uint32_t>(*group + groupSizeOffset) == size &&
               m_memory.value<std::uint32_t>(*group + groupRankOffset) == rank;
    };
    for (std::uint64_t offset = firstOffset; m_world != 0 && m_self != 0 && offset < lastOffset && !m_groupOffset; offset += 8)
        if (isGroup(m_world, offset, m_rankCount, m_rank) && isGroup(m_self, offset, 1, 0))
            m_groupOffset = offset;
}

std::optional<std::uint32_t> Communicators::sizeOf(std::uint64_t communicator) const {
    const auto group = m_groupOffset ? m_memory.value<std::uint64_t>(communicator + *m_groupOffset) : std::nullopt;
    const auto size = group ? m_memory.value<std::uint32_t>(*group + groupSizeOffset) : std::nullopt;
    return size && *size > 0 && *size <= m_rankCount ? size : std::nullopt;
}

void Communicators::describe(std::uint64_t handle, bool isFortran, MpiArguments &arguments) const {
    const auto number = static_cast<std::uint32_t>(handle);
    bool isWorld = false;
    bool isSelf = false;
    std::optional<std::uint32_t> size;
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
        size = sizeOf(handle);
        if (m_groupOffset && !size)
            return;
    } else
        return;
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(handle));
    arguments.communicator = isWorld ? "world" : isSelf ? "self" : text;
    arguments.communicatorSize = isWorld ? std::optional(m_rankCount) : isSelf ? std::optional(1U) : size;
}

MpiArguments readMpiArguments(const CallSites &sites, const Communicators &communicators, std::size_t callee,
                              const std::string &symbol) {
    MpiArguments arguments;
    const auto *signature = std::ranges::find(signatures, mpiBaseName(symbol), &Signature::name);
    if (signature == signatures.end() || communicators.library() == MpiLibrary::Unknown)
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
        arguments.root.reset(); // of an intercommunicator
    if (arguments.count && *arguments.count < 0)
        arguments.count.reset();
    return arguments;
}

} // namespace laggard::attach
