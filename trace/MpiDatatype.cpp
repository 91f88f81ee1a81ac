// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/MpiDatatype.h"

#include <algorithm>
#include <array>
#include <utility>

namespace laggard {
namespace {

using Kind = BasicType::Kind;

/// MPI 4.0 §3.2.2 and Annex A.1.1, sorted. Without the pairs of MPI_MINLOC, which are no numbers.
constexpr auto types = std::to_array<std::pair<std::string_view, BasicType>>({
    {"MPI_AINT", {Kind::Integer, 8}},
    {"MPI_BYTE", {Kind::Untyped, 0}},
    {"MPI_CHAR", {Kind::Integer, 1}},
    {"MPI_CHARACTER", {Kind::Integer, 1}},
    {"MPI_COMPLEX", {Kind::Real, 4}},
    {"MPI_COMPLEX16", {Kind::Real, 8}},
    {"MPI_COMPLEX32", {Kind::Real, 16}},
    {"MPI_COMPLEX8", {Kind::Real, 4}},
    {"MPI_COUNT", {Kind::Integer, 8}},
    {"MPI_CXX_BOOL", {Kind::Integer, 1}},
    {"MPI_CXX_DOUBLE_COMPLEX", {Kind::Real, 8}},
    {"MPI_CXX_FLOAT_COMPLEX", {Kind::Real, 4}},
    {"MPI_CXX_LONG_DOUBLE_COMPLEX", {Kind::Real, 16}},
    {"MPI_C_BOOL", {Kind::Integer, 1}},
    {"MPI_C_COMPLEX", {Kind::Real, 4}},
    {"MPI_C_DOUBLE_COMPLEX", {Kind::Real, 8}},
    {"MPI_C_FLOAT_COMPLEX", {Kind::Real, 4}},
    {"MPI_C_LONG_DOUBLE_COMPLEX", {Kind::Real, 16}},
    {"MPI_DOUBLE", {Kind::Real, 8}},
    {"MPI_DOUBLE_COMPLEX", {Kind::Real, 8}},
    {"MPI_DOUBLE_PRECISION", {Kind::Real, 8}},
    {"MPI_FLOAT", {Kind::Real, 4}},
    {"MPI_INT", {Kind::Integer, 4}},
    {"MPI_INT16_T", {Kind::Integer, 2}},
    {"MPI_INT32_T", {Kind::Integer, 4}},
    {"MPI_INT64_T", {Kind::Integer, 8}},
    {"MPI_INT8_T", {Kind::Integer, 1}},
    {"MPI_INTEGER", {Kind::Integer, 4}},
    {"MPI_INTEGER1", {Kind::Integer, 1}},
    {"MPI_INTEGER2", {Kind::Integer, 2}},
    {"MPI_INTEGER4", {Kind::Integer, 4}},
    {"MPI_INTEGER8", {Kind::Integer, 8}},
    {"MPI_LOGICAL", {Kind::Integer, 4}},
    {"MPI_LONG", {Kind::Integer, 8}},
    {"MPI_LONG_DOUBLE", {Kind::Real, 16}},
    {"MPI_LONG_LONG", {Kind::Integer, 8}},
    {"MPI_LONG_LONG_INT", {Kind::Integer, 8}},
    {"MPI_OFFSET", {Kind::Integer, 8}},
    {"MPI_PACKED", {Kind::Untyped, 0}},
    {"MPI_REAL", {Kind::Real, 4}},
    {"MPI_REAL16", {Kind::Real, 16}},
    {"MPI_REAL4", {Kind::Real, 4}},
    {"MPI_REAL8", {Kind::Real, 8}},
    {"MPI_SHORT", {Kind::Integer, 2}},
    {"MPI_SIGNED_CHAR", {Kind::Integer, 1}},
    {"MPI_UINT16_T", {Kind::Integer, 2}},
    {"MPI_UINT32_T", {Kind::Integer, 4}},
    {"MPI_UINT64_T", {Kind::Integer, 8}},
    {"MPI_UINT8_T", {Kind::Integer, 1}},
    {"MPI_UNSIGNED", {Kind::Integer, 4}},
    {"MPI_UNSIGNED_CHAR", {Kind::Integer, 1}},
    {"MPI_UNSIGNED_LONG", {Kind::Integer, 8}},
    {"MPI_UNSIGNED_LONG_LONG", {Kind::Integer, 8}},
    {"MPI_UNSIGNED_SHORT", {Kind::Integer, 2}},
    {"MPI_WCHAR", {Kind::Integer, 4}},
});
static_assert(std::ranges::is_sorted(types, {}, [](const auto &entry) { return entry.first; }));

} // namespace

BasicType basicTypeOf(std::string_view datatype) {
    const auto found = std::ranges::lower_bound(types, datatype, {}, [](const auto &entry) { return entry.first; });
    return found != types.end() && found->first == datatype ? found->second : BasicType();
}

bool areOtherNumbers(BasicType a, BasicType b) {
    const auto isNumber = [](BasicType type) { return type.kind == Kind::Integer || type.kind == Kind::Real; };
    // Bytes that are sent as characters are what programs did before there was MPI_BYTE.
    const auto isCharacter = [](BasicType type) { return type.kind == Kind::Integer && type.bytes == 1; };
    return isNumber(a) && isNumber(b) && !isCharacter(a) && !isCharacter(b) && a != b;
}

} // namespace laggard
