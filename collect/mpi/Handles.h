// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

// Variables of the MPI library are weak here: the recorder is also loaded into programs without MPI, such as the shell that
// starts the job, where they do not exist. (Functions are bound when they are called first.)
#pragma weak MPI_F_STATUS_IGNORE
#pragma weak MPI_F_STATUSES_IGNORE

namespace laggard::collect::mpi {

#ifdef OPEN_MPI
// Predefined handles are addresses of the library's variables. An interpreter's module brings the library along when the recorder
// has been there for long: they are looked up by name when MPI is called first.
enum class Predefined : unsigned {
    ompi_mpi_comm_world,
    ompi_mpi_comm_self,
    ompi_mpi_comm_null,
    ompi_request_null,
    ompi_message_null,
    ompi_message_no_proc,
    ompi_mpi_datatype_null,
    ompi_mpi_byte,
    ompi_mpi_packed,
    ompi_mpi_errors_return,
    ompi_mpi_group_null,
    ompi_mpi_group_empty,
    ompi_mpi_op_max,
    ompi_mpi_op_min,
    ompi_mpi_op_sum,
    ompi_mpi_op_prod,
    ompi_mpi_op_land,
    ompi_mpi_op_band,
    ompi_mpi_op_lor,
    ompi_mpi_op_bor,
    ompi_mpi_op_lxor,
    ompi_mpi_op_bxor,
    ompi_mpi_op_minloc,
    ompi_mpi_op_maxloc,
    ompi_mpi_op_replace,
    ompi_mpi_op_no_op,
};
[[nodiscard]] void *predefinedObject(Predefined which);
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) (static_cast<type>(predefinedObject(Predefined::global)))
#endif
/// Before the first of them is used. False if the library does not have them, or hides them.
[[nodiscard]] bool findPredefined();

/// MPI_IN_PLACE and MPI_BOTTOM as Fortran programs pass them.
[[nodiscard]] bool isFortranInPlace(const void *buffer);
[[nodiscard]] bool isFortranBottom(const void *buffer);
/// MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE, of mpif.h, mpi and mpi_f08.
[[nodiscard]] bool isFortranStatusIgnored(const void *status);

/// All predefined datatypes that the library has.
[[nodiscard]] std::vector<MPI_Datatype> predefinedDatatypes();

/// What the program passes by its address. Null is for MPI to report.
template <typename T> T valueAt(const T *place) { return place == nullptr ? T{} : *place; }

/// How arguments look in C, and in Fortran: what the wrappers of both languages are made of.
struct C {
    using Request = MPI_Request;
    using Status = MPI_Status;
    static constexpr std::size_t statusLength = 1;
    static MPI_Request request(MPI_Request handle) { return handle; }
    static MPI_Request nullRequest() { return MPI_REQUEST_NULL; }
    static bool isIgnored(const Status *status) { return status == MPI_STATUS_IGNORE || status == MPI_STATUSES_IGNORE; }
    static MPI_Status status(const Status *status) { return *status; }
    static constexpr int firstIndex = 0;
    static bool isInPlace(const void *buffer) { return buffer == MPI_IN_PLACE; }
    static const void *buffer(const void *buffer) { return buffer; }
};

struct Fortran {
    using Request = MPI_Fint;
    using Status = MPI_Fint;
    static constexpr std::size_t statusLength = sizeof(MPI_Status) / sizeof(MPI_Fint);
    static MPI_Request request(MPI_Fint handle) { return MPI_Request_f2c(handle); }
    static MPI_Fint nullRequest() { return MPI_Request_c2f(MPI_REQUEST_NULL); }
    static bool isIgnored(const Status *status) { return isFortranStatusIgnored(status); }
    static MPI_Status status(const Status *status) {
        MPI_Status converted{};
        PMPI_Status_f2c(status, &converted);
        return converted;
    }
    static constexpr int firstIndex = 1;
    static bool isInPlace(const void *buffer) { return isFortranInPlace(buffer); }
    static const void *buffer(const void *buffer) { return isFortranBottom(buffer) ? MPI_BOTTOM : buffer; }
};

/// An array of datatypes in C's form or Fortran's (MPI_Alltoallw).
struct TypesOfC {
    const MPI_Datatype *types;
    MPI_Datatype operator[](std::size_t i) const { return types == nullptr ? MPI_DATATYPE_NULL : types[i]; }
};
struct TypesOfFortran {
    const MPI_Fint *types;
    MPI_Datatype operator[](std::size_t i) const { return types == nullptr ? MPI_DATATYPE_NULL : MPI_Type_f2c(types[i]); }
};

/// Where MPI puts statuses: the program's, or our own where the program ignores them, as we need them.
template <typename Language> class StatusRoom {
  public:
    using Status = typename Language::Status;

    explicit StatusRoom(Status *ofProgram, int count = 1) : m_data(ofProgram) {
        if (!Language::isIgnored(ofProgram))
            return;
        if (count > 1)
            m_many.resize(static_cast<std::size_t>(count) * Language::statusLength);
        m_data = count > 1 ? m_many.data() : m_one;
    }
    StatusRoom(const StatusRoom &) = delete;
    StatusRoom &operator=(const StatusRoom &) = delete;

    [[nodiscard]] Status *data() { return m_data; }
    /// Empty where the program has no room for it, which MPI reports.
    [[nodiscard]] MPI_Status operator[](std::size_t i) const {
        return m_data == nullptr ? MPI_Status{} : Language::status(m_data + i * Language::statusLength);
    }

  private:
    Status *m_data;
    Status m_one[Language::statusLength]{};
    std::vector<Status> m_many;
};

} // namespace laggard::collect::mpi
