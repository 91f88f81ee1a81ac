// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Construction.h"

#include <algorithm>
#include <dlfcn.h>
#include <iterator>

namespace laggard::collect::mpi {

namespace {

#if MPI_VERSION >= 4
// The program's MPI library may be older than the one that the recorder was built with, or be loaded late.
using GetEnvelope = decltype(&PMPI_Type_get_envelope_c);
using GetContents = decltype(&PMPI_Type_get_contents_c);

GetEnvelope largeEnvelope() {
    static const auto function = reinterpret_cast<GetEnvelope>(dlsym(RTLD_DEFAULT, "PMPI_Type_get_envelope_c"));
    return function;
}
GetContents largeContents() {
    static const auto function = reinterpret_cast<GetContents>(dlsym(RTLD_DEFAULT, "PMPI_Type_get_contents_c"));
    return function;
}
#endif

/// A copy, a row or a column of one other type.
bool isSimple(int combiner) {
    constexpr int simple[] = {MPI_COMBINER_DUP, MPI_COMBINER_RESIZED, MPI_COMBINER_CONTIGUOUS, MPI_COMBINER_VECTOR,
                              MPI_COMBINER_HVECTOR};
    return std::find(std::begin(simple), std::end(simple), combiner) != std::end(simple);
}

/// Types that MPI has made, which must not be freed.
bool isPredefined(int combiner) {
    constexpr int predefined[] = {MPI_COMBINER_NAMED, MPI_COMBINER_F90_REAL, MPI_COMBINER_F90_COMPLEX, MPI_COMBINER_F90_INTEGER,
                                  MPI_UNDEFINED};
    return std::find(std::begin(predefined), std::end(predefined), combiner) != std::end(predefined);
}

} // namespace

/// Numbers of arguments of each kind.
struct Construction::Sizes {
    int combiner = MPI_UNDEFINED;
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count counts = 0;
    MPI_Count types = 0;

    [[nodiscard]] MPI_Count sum() const { return integers + addresses + counts + types; }
    explicit Sizes(MPI_Datatype type) {
#if MPI_VERSION >= 4
        if (const GetEnvelope envelope = largeEnvelope()) {
            if (envelope(type, &integers, &addresses, &counts, &types, &combiner) != MPI_SUCCESS)
                combiner = MPI_UNDEFINED;
            return;
        }
#endif
        int some[3] = {0, 0, 0};
        if (PMPI_Type_get_envelope(type, &some[0], &some[1], &some[2], &combiner) != MPI_SUCCESS)
            combiner = MPI_UNDEFINED;
        integers = some[0];
        addresses = some[1];
        types = some[2];
    }
};

Construction::Construction(MPI_Datatype type, Depth depth) {
    constexpr MPI_Count mostArguments = 65536; // they are copied once for each datatype
    const Sizes sizes(type);
    m_combiner = sizes.combiner;
    const bool isWanted = depth == Depth::Simple ? isSimple(m_combiner) && sizes.types == 1
                                                 : !isPredefined() && sizes.types > 0 && sizes.sum() <= mostArguments;
    if (isWanted)
        readContents(type, sizes);
}

bool Construction::isPredefined() const { return collect::mpi::isPredefined(m_combiner); }

void Construction::readContents(MPI_Datatype type, const Sizes &sizes) {
    const auto room = [](MPI_Count count) { return static_cast<std::size_t>(count) + 1; };
    std::vector<int> integers(room(sizes.integers));
    std::vector<MPI_Aint> addresses(room(sizes.addresses));
    std::vector<MPI_Count> counts(room(sizes.counts));
    m_bases.assign(static_cast<std::size_t>(sizes.types), MPI_DATATYPE_NULL);
    int result = MPI_ERR_OTHER;
#if MPI_VERSION >= 4
    if (const GetContents contents = largeContents(); contents != nullptr && largeEnvelope() != nullptr)
        result = contents(type, sizes.integers, sizes.addresses, sizes.counts, sizes.types, integers.data(), addresses.data(),
                          counts.data(), m_bases.data());
    else
#endif
        result = PMPI_Type_get_contents(type, static_cast<int>(sizes.integers), static_cast<int>(sizes.addresses),
                                        static_cast<int>(sizes.types), integers.data(), addresses.data(), m_bases.data());
    if (result != MPI_SUCCESS) {
        m_bases.clear();
        return;
    }
    m_numbers.assign(integers.begin(), integers.end() - 1);
    m_numbers.insert(m_numbers.end(), addresses.begin(), addresses.end() - 1);
    m_numbers.insert(m_numbers.end(), counts.begin(), counts.end() - 1);
}

int Construction::typesOf(MPI_Datatype type) { return static_cast<int>(Sizes(type).types); }

Construction::~Construction() {
    for (MPI_Datatype &base : m_bases)
        if (base != MPI_DATATYPE_NULL && !collect::mpi::isPredefined(Sizes(base).combiner))
            PMPI_Type_free(&base);
}

} // namespace laggard::collect::mpi
