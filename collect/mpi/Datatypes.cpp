// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Datatypes.h"

#include "collect/mpi/BasicType.h"
#include "collect/mpi/Construction.h"
#include "collect/mpi/Handles.h"

namespace laggard::collect::mpi {

namespace {

const char *nameOfCombiner(int combiner) {
    switch (combiner) {
    case MPI_COMBINER_DUP:
        return "dup";
    case MPI_COMBINER_CONTIGUOUS:
        return "contiguous";
    case MPI_COMBINER_VECTOR:
        return "vector";
    case MPI_COMBINER_HVECTOR:
        return "hvector";
    case MPI_COMBINER_INDEXED:
        return "indexed";
    case MPI_COMBINER_HINDEXED:
        return "hindexed";
    case MPI_COMBINER_INDEXED_BLOCK:
        return "indexed_block";
    case MPI_COMBINER_HINDEXED_BLOCK:
        return "hindexed_block";
    case MPI_COMBINER_STRUCT:
        return "struct";
    case MPI_COMBINER_SUBARRAY:
        return "subarray";
    case MPI_COMBINER_DARRAY:
        return "darray";
    case MPI_COMBINER_RESIZED:
        return "resized";
    default:
        return "derived";
    }
}

/// "MPI_DOUBLE", the program's own name, or how it was made: "vector".
std::string nameOf(MPI_Datatype handle) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (PMPI_Type_get_name(handle, name, &length) == MPI_SUCCESS && length > 0)
        return name;
    return nameOfCombiner(Construction(handle).combiner());
}

} // namespace

void Datatypes::begin() {
    Datatype predefined;
    predefined.isPredefined = true;
    for (MPI_Datatype handle : predefinedDatatypes())
        if (handle != MPI_DATATYPE_NULL)
            m_known.set(handle, predefined);
}

Datatype Datatypes::of(MPI_Datatype handle) {
    Datatype datatype = m_known.find(handle, {});
    const bool exists = datatype.isPredefined || datatype.references != 0;
    if (datatype.id != recording::nothing || !exists)
        return datatype;
    MPI_Count bytes = 0;
    if (PMPI_Type_size_x(handle, &bytes) != MPI_SUCCESS || bytes < 0)
        return {};
    datatype.bytes = static_cast<std::uint64_t>(bytes);
    datatype.layout = m_log.takesFingerprints() ? layoutOf(handle) : Layout{};
    std::string name = nameOf(handle);
    const std::uint32_t basic = basicIdOf(handle);
    const std::scoped_lock lock(m_mutex);
    auto [place, isNew] = m_defined.try_emplace({datatype.bytes, std::move(name), basic}, recording::nothing);
    if (isNew)
        place->second = m_log.defineDatatype(datatype.bytes, std::get<1>(place->first).c_str(), basic);
    datatype.id = place->second;
    datatype.references = m_known.find(handle, {}).references;
    if (datatype.isPredefined || datatype.references != 0)
        m_known.set(handle, datatype);
    return datatype;
}

/// Definition of the predefined datatype that all of an existing one is made of.
std::uint32_t Datatypes::basicIdOf(MPI_Datatype handle) {
    const MPI_Datatype basic = basicTypeOf(handle);
    if (basic == handle)
        return ProcessLog::itself;
    return basic == MPI_DATATYPE_NULL ? recording::nothing : of(basic).id;
}

void Datatypes::made(MPI_Datatype handle) {
    if (handle == MPI_DATATYPE_NULL)
        return;
    const std::scoped_lock lock(m_mutex);
    Datatype datatype = m_known.find(handle, {});
    if (datatype.isPredefined)
        return;
    ++datatype.references;
    m_known.set(handle, datatype);
}

void Datatypes::freed(MPI_Datatype handle) {
    const std::scoped_lock lock(m_mutex);
    Datatype datatype = m_known.find(handle, {});
    if (datatype.references > 1) {
        --datatype.references;
        m_known.set(handle, datatype);
    } else if (datatype.references == 1) {
        m_known.remove(handle);
    }
}

void Datatypes::named(MPI_Datatype handle) {
    const std::scoped_lock lock(m_mutex);
    Datatype datatype = m_known.find(handle, {});
    if (!datatype.isPredefined && datatype.references == 0)
        return;
    datatype.id = recording::nothing;
    m_known.set(handle, datatype);
}

} // namespace laggard::collect::mpi
