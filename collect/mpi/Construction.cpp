// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Construction.h"

#include "collect/mpi/Handles.h"

// The program's MPI library may be older than the one that the recorder was built with.
#if MPI_VERSION >= 4
#pragma weak PMPI_Type_get_envelope_c
#pragma weak PMPI_Type_get_contents_c
#endif

namespace laggard::collect::mpi {

/// Numbers of arguments of each kind.
struct Construction::Sizes {
    int combiner = MPI_UNDEFINED;
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count counts = 0;
    MPI_Count types = 0;

    explicit Sizes(MPI_Datatype type) {
#if MPI_VERSION >= 4
        if (hasLargeCounts()) {
            if (PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner) != MPI_SUCCESS)
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
#if MPI_VERSION >= 4
    static bool hasLargeCounts() { return &PMPI_Type_get_envelope_c != nullptr; }
#endif
};

Construction::Construction(MPI_Datatype type) {
    const Sizes sizes(type);
    m_combiner = sizes.combiner;
    if (m_combiner != MPI_COMBINER_NAMED && m_combiner != MPI_UNDEFINED && sizes.types == 1)
        readContents(type, sizes);
}

void Construction::readContents(MPI_Datatype type, const Sizes &sizes) {
    const auto room = [](MPI_Count count) { return static_cast<std::size_t>(count) + 1; };
    std::vector<int> integers(room(sizes.integers));
    std::vector<MPI_Aint> addresses(room(sizes.addresses));
    std::vector<MPI_Count> counts(room(sizes.counts));
    int result = MPI_ERR_OTHER;
#if MPI_VERSION >= 4
    if (Sizes::hasLargeCounts())
        result = PMPI_Type_get_contents_c(type, sizes.integers, sizes.addresses, sizes.counts, 1, integers.data(),
                                          addresses.data(), counts.data(), &m_base);
    else
#endif
        result = PMPI_Type_get_contents(type, static_cast<int>(sizes.integers), static_cast<int>(sizes.addresses), 1,
                                        integers.data(), addresses.data(), &m_base);
    if (result != MPI_SUCCESS) {
        m_base = MPI_DATATYPE_NULL;
        return;
    }
    m_numbers.assign(integers.begin(), integers.end() - 1);
    m_numbers.insert(m_numbers.end(), addresses.begin(), addresses.end() - 1);
    m_numbers.insert(m_numbers.end(), counts.begin(), counts.end() - 1);
}

Construction::~Construction() {
    if (m_base != MPI_DATATYPE_NULL && Sizes(m_base).combiner != MPI_COMBINER_NAMED)
        PMPI_Type_free(&m_base);
}

} // namespace laggard::collect::mpi
