// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/Regions.h"

#include "ingest/assembly/Demangling.h"

namespace laggard::otf2 {
namespace {

RegionRole roleOf(OTF2_RegionRole role) {
    switch (role) {
    case OTF2_REGION_ROLE_FUNCTION:
        return RegionRole::Function;
    case OTF2_REGION_ROLE_WRAPPER:
        return RegionRole::Wrapper;
    case OTF2_REGION_ROLE_LOOP:
        return RegionRole::Loop;
    case OTF2_REGION_ROLE_CODE:
        return RegionRole::Code;
    case OTF2_REGION_ROLE_PARALLEL:
    case OTF2_REGION_ROLE_SECTIONS:
    case OTF2_REGION_ROLE_SECTION:
    case OTF2_REGION_ROLE_WORKSHARE:
    case OTF2_REGION_ROLE_SINGLE:
    case OTF2_REGION_ROLE_SINGLE_SBLOCK:
    case OTF2_REGION_ROLE_MASTER:
    case OTF2_REGION_ROLE_TASK:
    case OTF2_REGION_ROLE_TASK_CREATE:
    case OTF2_REGION_ROLE_TASK_UNTIED:
    case OTF2_REGION_ROLE_THREAD_CREATE:
        return RegionRole::Parallel;
    case OTF2_REGION_ROLE_CRITICAL:
    case OTF2_REGION_ROLE_CRITICAL_SBLOCK:
    case OTF2_REGION_ROLE_ATOMIC:
    case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
    case OTF2_REGION_ROLE_FLUSH:
    case OTF2_REGION_ROLE_ORDERED:
    case OTF2_REGION_ROLE_ORDERED_SBLOCK:
    case OTF2_REGION_ROLE_TASK_WAIT:
    case OTF2_REGION_ROLE_THREAD_WAIT:
        return RegionRole::Synchronisation;
    case OTF2_REGION_ROLE_BARRIER:
        return RegionRole::Barrier;
    case OTF2_REGION_ROLE_COLL_ONE2ALL:
    case OTF2_REGION_ROLE_COLL_ALL2ONE:
    case OTF2_REGION_ROLE_COLL_ALL2ALL:
    case OTF2_REGION_ROLE_COLL_OTHER:
        return RegionRole::Collective;
    case OTF2_REGION_ROLE_FILE_IO:
    case OTF2_REGION_ROLE_FILE_IO_METADATA:
        return RegionRole::FileIo;
    case OTF2_REGION_ROLE_POINT2POINT:
        return RegionRole::PointToPoint;
    case OTF2_REGION_ROLE_RMA:
        return RegionRole::Rma;
    case OTF2_REGION_ROLE_DATA_TRANSFER:
        return RegionRole::DataTransfer;
    case OTF2_REGION_ROLE_ARTIFICIAL:
        return RegionRole::Artificial;
    case OTF2_REGION_ROLE_ALLOCATE:
    case OTF2_REGION_ROLE_DEALLOCATE:
    case OTF2_REGION_ROLE_REALLOCATE:
        return RegionRole::Allocation;
    default:
        return RegionRole::Unknown;
    }
}

Paradigm paradigmOf(OTF2_Paradigm paradigm) {
    switch (paradigm) {
    case OTF2_PARADIGM_USER:
        return Paradigm::User;
    case OTF2_PARADIGM_COMPILER:
        return Paradigm::Compiler;
    case OTF2_PARADIGM_SAMPLING:
        return Paradigm::Sampling;
    case OTF2_PARADIGM_MPI:
        return Paradigm::Mpi;
    case OTF2_PARADIGM_OPENMP:
        return Paradigm::OpenMp;
    case OTF2_PARADIGM_PTHREAD:
        return Paradigm::Pthread;
    case OTF2_PARADIGM_CUDA:
    case OTF2_PARADIGM_OPENACC:
    case OTF2_PARADIGM_OPENCL:
    case OTF2_PARADIGM_HIP:
        return Paradigm::Accelerator;
    case OTF2_PARADIGM_SHMEM:
        return Paradigm::Shmem;
    case OTF2_PARADIGM_MEASUREMENT_SYSTEM:
        return Paradigm::MeasurementSystem;
    case OTF2_PARADIGM_UNKNOWN:
        return Paradigm::Unknown;
    default:
        return Paradigm::Other;
    }
}

/// The name for people: the recorded one, unless it is missing or mangled.
std::string displayName(const std::string &name, const std::string &canonicalName, std::uint32_t id) {
    const std::string &recorded = name.empty() ? canonicalName : name;
    return recorded.empty() ? "unnamed region " + std::to_string(id) : demangled(recorded);
}

} // namespace

void buildRegions(const Definitions &definitions, Trace &trace, IdMap &regionOf, IdMap &regionOfContext) {
    for (const Definitions::Region &raw : definitions.regions) {
        if (!regionOf.insert(raw.id, static_cast<std::uint32_t>(trace.regions.size())))
            continue;
        Region region;
        region.canonicalName = definitions.text(raw.canonicalName);
        region.name = displayName(definitions.text(raw.name), region.canonicalName, raw.id);
        if (region.canonicalName.empty())
            region.canonicalName = definitions.text(raw.name);
        region.role = roleOf(raw.role);
        region.paradigm = paradigmOf(raw.paradigm);
        region.line = raw.line == OTF2_UNDEFINED_UINT32 ? 0 : raw.line;
        region.file = definitions.text(raw.file);
        if (region.line == 0 && (region.file == "MPI" || region.file.find_first_of("./") == std::string::npos))
            region.file.clear(); // Score-P names the paradigm ("MPI", "OMP") where there is no source
        trace.regions.push_back(std::move(region));
    }
    for (const Definitions::CallingContext &context : definitions.callingContexts)
        regionOfContext.insert(context.id, regionOf.find(context.region));
}

} // namespace laggard::otf2
