// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/BasicType.h"

#include "collect/mpi/Construction.h"

namespace laggard::collect::mpi {

namespace {

MPI_Datatype basicTypeWithin(MPI_Datatype type, int depth) {
    constexpr int deepest = 16;
    const Construction construction(type, Construction::Depth::Everything);
    if (construction.isPredefined())
        return type;
    MPI_Datatype common = MPI_DATATYPE_NULL;
    for (const MPI_Datatype base : construction.bases()) {
        const MPI_Datatype basic = depth == deepest ? MPI_DATATYPE_NULL : basicTypeWithin(base, depth + 1);
        if (basic == MPI_DATATYPE_NULL || (common != MPI_DATATYPE_NULL && basic != common))
            return MPI_DATATYPE_NULL;
        common = basic;
    }
    return common;
}

} // namespace

MPI_Datatype basicTypeOf(MPI_Datatype type) { return basicTypeWithin(type, 0); }

} // namespace laggard::collect::mpi
