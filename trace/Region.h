// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace laggard {

/// What a region does, as far as the analyses and views tell regions apart.
enum class RegionRole : std::uint8_t {
    Unknown,
    Function,
    Wrapper,
    Loop,
    Code, ///< a user-marked piece of code
    Phase,
    PointToPoint,
    Collective,
    Barrier,
    Synchronisation, ///< locks, critical sections, implicit barriers
    Parallel,        ///< thread fork-join and worksharing constructs
    Rma,
    FileIo,
    DataTransfer, ///< host-device copies
    Kernel,       ///< code on an accelerator
    Allocation,
    Artificial ///< made up by the measurement system
};

/// The programming model a region belongs to.
enum class Paradigm : std::uint8_t {
    Unknown,
    User,
    Compiler,
    Sampling,
    Mpi,
    OpenMp,
    Pthread,
    Accelerator,
    Shmem,
    MeasurementSystem,
    Io,
    Other
};

/// A function or a marked piece of code.
struct Region {
    std::string name;          ///< demangled, for people
    std::string canonicalName; ///< as the linker knows it
    std::string file;          ///< source file; empty where unknown
    std::uint32_t line = 0;    ///< line at which the region begins; 0 where unknown
    RegionRole role = RegionRole::Unknown;
    Paradigm paradigm = Paradigm::Unknown;

    /// True for an MPI function. Everything else is computation to the models (PDI §2.2).
    [[nodiscard]] bool isMpi() const { return paradigm == Paradigm::Mpi; }
};

} // namespace laggard
