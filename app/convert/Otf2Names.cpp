// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/Otf2Names.h"

namespace laggard {

OTF2_RegionRole otf2Role(const Region &region) {
    switch (region.role) {
    case RegionRole::Function:
        return OTF2_REGION_ROLE_FUNCTION;
    case RegionRole::Wrapper:
        return OTF2_REGION_ROLE_WRAPPER;
    case RegionRole::Loop:
        return OTF2_REGION_ROLE_LOOP;
    case RegionRole::Code:
    case RegionRole::Phase: // OTF2 has no role for phases
        return OTF2_REGION_ROLE_CODE;
    case RegionRole::PointToPoint:
        return OTF2_REGION_ROLE_POINT2POINT;
    case RegionRole::Collective:
        return OTF2_REGION_ROLE_COLL_OTHER;
    case RegionRole::Barrier:
        return OTF2_REGION_ROLE_BARRIER;
    case RegionRole::Synchronisation:
        return OTF2_REGION_ROLE_IMPLICIT_BARRIER;
    case RegionRole::Parallel:
        return OTF2_REGION_ROLE_PARALLEL;
    case RegionRole::Rma:
        return OTF2_REGION_ROLE_RMA;
    case RegionRole::FileIo:
        return OTF2_REGION_ROLE_FILE_IO;
    case RegionRole::DataTransfer:
        return OTF2_REGION_ROLE_DATA_TRANSFER;
    case RegionRole::Kernel:
        return OTF2_REGION_ROLE_FUNCTION;
    case RegionRole::Allocation:
        return OTF2_REGION_ROLE_ALLOCATE;
    case RegionRole::Artificial:
        return OTF2_REGION_ROLE_ARTIFICIAL;
    case RegionRole::Unknown:
        break;
    }
    return OTF2_REGION_ROLE_UNKNOWN;
}

OTF2_Paradigm otf2Paradigm(Paradigm paradigm) {
    switch (paradigm) {
    case Paradigm::User:
        return OTF2_PARADIGM_USER;
    case Paradigm::Compiler:
        return OTF2_PARADIGM_COMPILER;
    case Paradigm::Sampling:
        return OTF2_PARADIGM_SAMPLING;
    case Paradigm::Mpi:
        return OTF2_PARADIGM_MPI;
    case Paradigm::OpenMp:
        return OTF2_PARADIGM_OPENMP;
    case Paradigm::Pthread:
        return OTF2_PARADIGM_PTHREAD;
    case Paradigm::Accelerator:
        return OTF2_PARADIGM_OPENCL;
    case Paradigm::Shmem:
        return OTF2_PARADIGM_SHMEM;
    case Paradigm::MeasurementSystem:
        return OTF2_PARADIGM_MEASUREMENT_SYSTEM;
    case Paradigm::Io:
    case Paradigm::Other:
        return OTF2_PARADIGM_NONE;
    case Paradigm::Unknown:
        break;
    }
    return OTF2_PARADIGM_UNKNOWN;
}

OTF2_CollectiveOp otf2Operation(CollectiveOperation operation) {
    switch (operation) {
    case CollectiveOperation::Barrier:
        return OTF2_COLLECTIVE_OP_BARRIER;
    case CollectiveOperation::Bcast:
        return OTF2_COLLECTIVE_OP_BCAST;
    case CollectiveOperation::Gather:
        return OTF2_COLLECTIVE_OP_GATHER;
    case CollectiveOperation::Gatherv:
        return OTF2_COLLECTIVE_OP_GATHERV;
    case CollectiveOperation::Scatter:
        return OTF2_COLLECTIVE_OP_SCATTER;
    case CollectiveOperation::Scatterv:
        return OTF2_COLLECTIVE_OP_SCATTERV;
    case CollectiveOperation::Allgather:
        return OTF2_COLLECTIVE_OP_ALLGATHER;
    case CollectiveOperation::Allgatherv:
        return OTF2_COLLECTIVE_OP_ALLGATHERV;
    case CollectiveOperation::Alltoall:
        return OTF2_COLLECTIVE_OP_ALLTOALL;
    case CollectiveOperation::Alltoallv:
        return OTF2_COLLECTIVE_OP_ALLTOALLV;
    case CollectiveOperation::Alltoallw:
        return OTF2_COLLECTIVE_OP_ALLTOALLW;
    case CollectiveOperation::Allreduce:
        return OTF2_COLLECTIVE_OP_ALLREDUCE;
    case CollectiveOperation::Reduce:
        return OTF2_COLLECTIVE_OP_REDUCE;
    case CollectiveOperation::ReduceScatter:
        return OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
    case CollectiveOperation::ReduceScatterBlock:
        return OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
    case CollectiveOperation::Scan:
        return OTF2_COLLECTIVE_OP_SCAN;
    case CollectiveOperation::Exscan:
        return OTF2_COLLECTIVE_OP_EXSCAN;
    case CollectiveOperation::CreateHandle:
        return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
    case CollectiveOperation::DestroyHandle:
        return OTF2_COLLECTIVE_OP_DESTROY_HANDLE;
    case CollectiveOperation::Allocate:
        return OTF2_COLLECTIVE_OP_ALLOCATE;
    case CollectiveOperation::Deallocate:
        return OTF2_COLLECTIVE_OP_DEALLOCATE;
    case CollectiveOperation::Unknown:
    case CollectiveOperation::Other:
        break;
    }
    return OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE; // what our reader calls "other"
}

OTF2_LocationType otf2LocationType(LocationKind kind) {
    switch (kind) {
    case LocationKind::Thread:
        return OTF2_LOCATION_TYPE_CPU_THREAD;
    case LocationKind::AcceleratorStream:
        return OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
    case LocationKind::Metric:
        return OTF2_LOCATION_TYPE_METRIC;
    case LocationKind::Unknown:
        break;
    }
    return OTF2_LOCATION_TYPE_UNKNOWN;
}

} // namespace laggard
