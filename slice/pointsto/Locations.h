// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/pointsto/LocationSet.h"
#include "slice/program/Program.h"

#include <unordered_map>

namespace laggard::slice {

enum class ObjectKind : std::uint8_t { Variable, Global, Heap, Function, Request };

/// Something in memory that has an address.
struct Object {
    ObjectKind kind = ObjectKind::Variable;
    Node site = none; ///< the variable; the call that allocates it; the call that makes the request
    std::uint32_t shape = 0;
    std::vector<std::uint32_t> locations;
};

/// A place in an object: a byte, or the same byte of each element of an array.
struct Location {
    std::uint32_t object = 0;
    std::uint64_t offset = 0;
    std::uint64_t stride = 0; ///< 0: one place only
    std::uint64_t count = 0;  ///< elements; 0: not known
};

/// Bytes from a place on that an access touches.
inline constexpr std::uint64_t toArrayEnd = ~std::uint64_t{0};
/// The largest part of an object that begins there: what a function that is handed a struct may touch.
inline constexpr std::uint64_t toPartEnd = toArrayEnd - 1;

/// All objects and the places in them that the program speaks of. Locations are numbered as they are found.
class Locations {
  public:
    explicit Locations(const Program &known) : program(known) {}

    [[nodiscard]] std::uint32_t objectOf(ObjectKind kind, Node site, std::uint32_t shape);
    /// The number of a place; none where the object has no such place.
    [[nodiscard]] std::uint32_t locationOf(Location place);
    [[nodiscard]] std::uint32_t shifted(std::uint32_t location, const OffsetData &by);
    /// The place of the `part`-th part of the object, from 1 (Shapes::partsOf).
    [[nodiscard]] std::uint32_t partOf(std::uint32_t object, std::uint32_t part);
    /// All known locations that a write of some bytes changes.
    [[nodiscard]] LocationSet writtenBy(std::uint32_t location, std::uint64_t bytes) const;
    /// The locations whose writes a read of some bytes may see: those that write there change one of them.
    [[nodiscard]] LocationSet readBy(std::uint32_t location, std::uint64_t bytes) const;

    [[nodiscard]] const Location &operator[](std::uint32_t location) const { return locations[location]; }
    [[nodiscard]] const Object &object(std::uint32_t object) const { return objects[object]; }
    [[nodiscard]] const Object &objectAt(std::uint32_t location) const { return objects[locations[location].object]; }
    [[nodiscard]] std::size_t size() const { return locations.size(); }
    [[nodiscard]] std::size_t objectCount() const { return objects.size(); }
    [[nodiscard]] static bool overlap(const Location &a, const Location &b) { return touches(a, 1, b) || touches(b, 1, a); }

  private:
    /// Whether an access of some bytes at each element of a touches the first byte of an element of b.
    static bool touches(const Location &a, std::uint64_t bytes, const Location &b);
    [[nodiscard]] bool canHold(const Location &place, std::uint64_t bytes) const;
    void step(Location &place, std::int64_t bytes, std::uint64_t stride) const;
    [[nodiscard]] bool moveInPart(Location &place, std::int64_t bytes, std::uint64_t step) const;
    void vary(Location &place, std::uint64_t stride, std::uint64_t count) const;
    void varyPointer(Location &place, std::uint64_t stride) const;
    [[nodiscard]] std::uint64_t bytesBehind(const Location &place, std::uint64_t bytes) const;

    const Program &program;
    std::vector<Object> objects;
    std::vector<Location> locations;
    std::unordered_map<std::uint64_t, std::uint32_t> objectIds;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> ids; ///< by hash of the place
};

} // namespace laggard::slice
