// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Handles.h"

#include <cstdio>
#include <dlfcn.h>

namespace laggard::collect::mpi {

#ifdef OPEN_MPI

std::vector<MPI_Datatype> predefinedDatatypes() {
    // Variables of the library; which of Fortran's exist depends on the compilers that it was built with.
    static constexpr const char *names[] = {
        "byte",
        "packed",
        "char",
        "signed_char",
        "unsigned_char",
        "wchar",
        "short",
        "unsigned_short",
        "int",
        "unsigned",
        "long",
        "unsigned_long",
        "long_long_int",
        "unsigned_long_long",
        "float",
        "double",
        "long_double",
        "float_int",
        "double_int",
        "longdbl_int",
        "long_int",
        "short_int",
        "2int",
        "character",
        "logical",
        "logical1",
        "logical2",
        "logical4",
        "logical8",
        "integer",
        "integer1",
        "integer2",
        "integer4",
        "integer8",
        "integer16",
        "real",
        "real2",
        "real4",
        "real8",
        "real16",
        "dblprec",
        "cplex",
        "complex4",
        "complex8",
        "complex16",
        "complex32",
        "dblcplex",
        "2real",
        "2dblprec",
        "2integer",
        "2cplex",
        "2dblcplex",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "aint",
        "offset",
        "count",
        "c_bool",
        "c_float_complex",
        "c_double_complex",
        "c_long_double_complex",
        "cxx_bool",
        "cxx_cplex",
        "cxx_dblcplex",
        "cxx_ldblcplex",
    };
    std::vector<MPI_Datatype> types;
    char symbol[64] = "ompi_mpi_";
    for (const char *name : names) {
        std::snprintf(symbol, sizeof symbol, "ompi_mpi_%s", name);
        if (void *object = dlsym(RTLD_DEFAULT, symbol))
            types.push_back(static_cast<MPI_Datatype>(object));
    }
    return types;
}

#else // MPICH

std::vector<MPI_Datatype> predefinedDatatypes() {
    return {MPI_CHAR,
            MPI_SIGNED_CHAR,
            MPI_UNSIGNED_CHAR,
            MPI_BYTE,
            MPI_WCHAR,
            MPI_SHORT,
            MPI_UNSIGNED_SHORT,
            MPI_INT,
            MPI_UNSIGNED,
            MPI_LONG,
            MPI_UNSIGNED_LONG,
            MPI_FLOAT,
            MPI_DOUBLE,
            MPI_LONG_DOUBLE,
            MPI_LONG_LONG_INT,
            MPI_UNSIGNED_LONG_LONG,
            MPI_PACKED,
            MPI_FLOAT_INT,
            MPI_DOUBLE_INT,
            MPI_LONG_INT,
            MPI_SHORT_INT,
            MPI_2INT,
            MPI_LONG_DOUBLE_INT,
            MPI_COMPLEX,
            MPI_DOUBLE_COMPLEX,
            MPI_LOGICAL,
            MPI_REAL,
            MPI_DOUBLE_PRECISION,
            MPI_INTEGER,
            MPI_2INTEGER,
            MPI_2REAL,
            MPI_2DOUBLE_PRECISION,
            MPI_CHARACTER,
            MPI_REAL4,
            MPI_REAL8,
            MPI_REAL16,
            MPI_COMPLEX8,
            MPI_COMPLEX16,
            MPI_COMPLEX32,
            MPI_INTEGER1,
            MPI_INTEGER2,
            MPI_INTEGER4,
            MPI_INTEGER8,
            MPI_INTEGER16,
            MPI_INT8_T,
            MPI_INT16_T,
            MPI_INT32_T,
            MPI_INT64_T,
            MPI_UINT8_T,
            MPI_UINT16_T,
            MPI_UINT32_T,
            MPI_UINT64_T,
            MPI_C_BOOL,
            MPI_C_FLOAT_COMPLEX,
            MPI_C_DOUBLE_COMPLEX,
            MPI_C_LONG_DOUBLE_COMPLEX,
            MPI_AINT,
            MPI_OFFSET,
            MPI_COUNT,
            MPI_CXX_BOOL,
            MPI_CXX_FLOAT_COMPLEX,
            MPI_CXX_DOUBLE_COMPLEX,
            MPI_CXX_LONG_DOUBLE_COMPLEX};
}

#endif

} // namespace laggard::collect::mpi
