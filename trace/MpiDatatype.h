// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace laggard {

/// What one element of a predefined datatype of MPI is made of. Names of C, C++ and Fortran; sizes as on LP64 systems.
struct BasicType {
    enum class Kind : std::uint8_t {
        Unknown, ///< no predefined datatype, or a pair
        Untyped, ///< MPI_BYTE, MPI_PACKED: stands for anything
        Integer, ///< signed or not, characters and truth values
        Real,    ///< also the parts of a complex number
    };
    Kind kind = Kind::Unknown;
    std::uint8_t bytes =
        0; ///< of a number; of a complex number, of one of its parts; Fortran's without a size as compilers have it
    bool operator==(const BasicType &) const = default;
};

/// The type of an MPI constant ("MPI_DOUBLE"); Unknown of every other name.
[[nodiscard]] BasicType basicTypeOf(std::string_view datatype);

/// True of two types of which elements of one cannot be read as elements of the other: a number of another kind or size. A
/// complex number is two real ones, and a sign does not count: programs mix them and work (MPI 3.1 §3.3.1 is stricter).
[[nodiscard]] bool areOtherNumbers(BasicType a, BasicType b);

} // namespace laggard
