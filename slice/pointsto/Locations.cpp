// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/pointsto/Locations.h"

#include <algorithm>
#include <numeric>

namespace laggard::slice {

namespace {

/// Elements of an array that are told apart where a pointer moves by a constant: requests and neighbours are few, and a
/// pointer that walks through an array must end somewhere.
constexpr std::uint64_t elementsToldApart = 16;
/// Places in one object. No struct that a person wrote has so many; what goes beyond is one place that is everywhere.
constexpr std::size_t mostPlaces = 1024;

std::uint64_t keyOf(const Location &place) {
    std::uint64_t key = place.object;
    for (const auto part : {place.offset, place.stride, place.count})
        key = (key ^ (part + 0x9e3779b97f4a7c15ULL + (key << 6) + (key >> 2))) * 0xff51afd7ed558ccdULL;
    return key;
}

} // namespace

std::uint32_t Locations::objectOf(ObjectKind kind, Node site, std::uint32_t shape) {
    const auto key = std::uint64_t{site} << 8 | static_cast<std::uint64_t>(kind);
    const auto [entry, isNew] = objectIds.try_emplace(key, static_cast<std::uint32_t>(objects.size()));
    if (isNew)
        objects.push_back({kind, site, shape, {}});
    return entry->second;
}

std::uint32_t Locations::locationOf(Location place) {
    auto &object = objects[place.object];
    const auto size = program.shapes.size(object.shape);
    if (program.shapes.known(object.shape) && place.offset >= std::max<std::uint64_t>(size, 1))
        return none;
    if (place.count == 1)
        place.stride = place.count = 0;
    auto find = [&]() -> std::uint32_t {
        const auto known = ids.find(keyOf(place));
        if (known != ids.end())
            for (const auto id : known->second) {
                const auto &other = locations[id];
                if (other.object == place.object && other.offset == place.offset && other.stride == place.stride &&
                    other.count == place.count)
                    return id;
            }
        return none;
    };
    if (const auto id = find(); id != none)
        return id;
    const bool isConstant = object.kind == ObjectKind::Global && program.globals[program.nodes[object.site].extra].constant;
    if (object.locations.size() >= mostPlaces && !isConstant) {
        place = {place.object, 0, 1, 0};
        if (const auto id = find(); id != none)
            return id;
    }
    const auto id = static_cast<std::uint32_t>(locations.size());
    locations.push_back(place);
    object.locations.push_back(id);
    ids[keyOf(place)].push_back(id);
    return id;
}

void Locations::vary(Location &place, std::uint64_t stride, std::uint64_t count) const {
    if (stride == 0)
        return;
    if (place.stride == 0) {
        place.stride = stride;
        place.count = count;
    } else if (place.count == 0 || count == 0) {
        place.stride = std::gcd(place.stride, stride);
        place.count = 0;
    } else if (place.stride == stride) {
        place.count = std::max(place.count, count);
    } else if (stride * count == place.stride) {
        place.stride = stride;
        place.count *= count;
    } else {
        const auto common = std::gcd(place.stride, stride);
        place.count = ((place.count - 1) * place.stride + (count - 1) * stride) / common + 1;
        place.stride = common;
    }
}

void Locations::varyPointer(Location &place, std::uint64_t stride) const {
    if (stride == 0)
        return;
    const auto shape = objects[place.object].shape;
    if (!program.shapes.known(shape)) {
        vary(place, stride, 0);
        return;
    }
    const auto arrays = program.shapes.arraysAt(shape, place.offset);
    // The array of just these elements, innermost first; else one whose elements are parts of them (bytes), or the other way
    // round.
    auto chosen = std::find_if(arrays.rbegin(), arrays.rend(), [&](const ArrayPlace &array) { return array.stride == stride; });
    if (chosen == arrays.rend())
        chosen =
            std::find_if(arrays.rbegin(), arrays.rend(), [&](const ArrayPlace &array) { return stride % array.stride == 0; });
    if (chosen == arrays.rend())
        chosen =
            std::find_if(arrays.rbegin(), arrays.rend(), [&](const ArrayPlace &array) { return array.stride % stride == 0; });
    if (chosen == arrays.rend())
        return;
    place.offset = chosen->begin + (place.offset - chosen->begin) % stride;
    vary(place, stride, std::max<std::uint64_t>(chosen->count * chosen->stride / stride, 1));
}

void Locations::step(Location &place, std::int64_t bytes, std::uint64_t stride) const {
    const auto to = static_cast<std::int64_t>(place.offset) + bytes;
    const auto shape = objects[place.object].shape;
    if (!program.shapes.known(shape)) {
        if (place.stride == 0 && to >= 0 && static_cast<std::uint64_t>(to) <= elementsToldApart * stride) {
            place.offset = static_cast<std::uint64_t>(to);
            return;
        }
        if (to < 0 && place.stride == 0) // arrays that begin with 1
            place.offset %= stride;
        vary(place, stride, 0);
        return;
    }
    const auto &object = objects[place.object];
    const bool isConstant = object.kind == ObjectKind::Global && program.globals[program.nodes[object.site].extra].constant;
    const bool within = to >= 0 && static_cast<std::uint64_t>(to) < program.shapes.size(shape);
    if (place.stride == 0 && within && (isConstant || static_cast<std::uint64_t>(to) < elementsToldApart * stride)) {
        place.offset = static_cast<std::uint64_t>(to);
        return;
    }
    for (const auto &array : program.shapes.arraysAt(shape, place.offset))
        if (place.stride == 0 && within && array.stride == stride &&
            static_cast<std::uint64_t>(to) < array.begin + elementsToldApart * stride &&
            static_cast<std::uint64_t>(to) >= array.begin) {
            place.offset = static_cast<std::uint64_t>(to);
            return;
        }
    if (!moveInPart(place, bytes, stride))
        varyPointer(place, stride);
}

/// A move by bytes that is no step from one element of an array to another: to a base class, or a member.
bool Locations::moveInPart(Location &place, std::int64_t bytes, std::uint64_t step) const {
    const auto shape = objects[place.object].shape;
    const auto arrays = program.shapes.arraysAt(shape, place.offset);
    const auto begin = arrays.empty() ? 0 : arrays.back().begin;
    const auto element = arrays.empty() ? program.shapes.size(shape) : arrays.back().stride;
    const auto to = static_cast<std::int64_t>((place.offset - begin) % std::max<std::uint64_t>(element, 1)) + bytes;
    if (step >= element || to < 0 || static_cast<std::uint64_t>(to) >= element || place.stride % element != 0)
        return false;
    place.offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(place.offset) + bytes);
    return true;
}

/// Whether a struct of that size may lie there: the end of a std::map is no node of it, although they have pointers of one type.
/// Bases of classes may lack their padding.
bool Locations::canHold(const Location &place, std::uint64_t bytes) const {
    constexpr std::uint64_t mostPadding = 16; // the largest alignment that objects have by themselves
    const auto shape = objects[place.object].shape;
    if (!program.shapes.known(shape))
        return true;
    const auto most = program.shapes.largestAt(shape, place.offset);
    return most >= bytes || bytes - most < mostPadding;
}

std::uint32_t Locations::shifted(std::uint32_t location, const OffsetData &by) {
    auto place = locations[location];
    const auto kind = objects[place.object].kind;
    if (kind == ObjectKind::Function || kind == ObjectKind::Request)
        return none;
    if (by.part != 0)
        return partOf(place.object, by.part);
    if (by.record != 0 && place.stride == 0 && by.stepBytes == 0 && by.varying.empty() && !canHold(place, by.record))
        return none;
    if (by.stepBytes != 0)
        step(place, by.stepBytes, by.step);
    if (!by.varying.empty() && by.varying.front().count == 0)
        varyPointer(place, by.varying.front().stride);
    const auto to = static_cast<std::int64_t>(place.offset) + by.bytes;
    if (to < 0)
        return none;
    place.offset = static_cast<std::uint64_t>(to);
    for (std::size_t i = 0; i < by.varying.size(); ++i)
        if (by.varying[i].count != 0 || i != 0)
            vary(place, by.varying[i].stride, by.varying[i].count);
    return locationOf(place);
}

std::uint32_t Locations::partOf(std::uint32_t object, std::uint32_t part) {
    const auto shape = objects[object].shape;
    if (!program.shapes.known(shape)) // for a new object, the call does not tell the class
        return locationOf({object, 0, 1, 0});
    const auto parts = program.shapes.partsOf(shape);
    return part <= parts.size() ? locationOf({object, parts[part - 1], 0, 0}) : none;
}

bool Locations::touches(const Location &a, std::uint64_t bytes, const Location &b) {
    if (b.stride == 0 && a.stride == 0)
        return b.offset >= a.offset && b.offset - a.offset < bytes;
    const auto lastOf = [](const Location &place) {
        return place.stride == 0  ? place.offset
               : place.count == 0 ? ~std::uint64_t{0} / 2
                                  : place.offset + (place.count - 1) * place.stride;
    };
    if (lastOf(b) < a.offset || (lastOf(a) < b.offset && b.offset - lastOf(a) >= bytes))
        return false;
    const auto common = std::gcd(a.stride, b.stride); // with 0: the other one
    const auto distance =
        b.offset >= a.offset ? (b.offset - a.offset) % common : (common - (a.offset - b.offset) % common) % common;
    return distance < bytes;
}

std::uint64_t Locations::bytesBehind(const Location &place, std::uint64_t bytes) const {
    if (bytes != toArrayEnd && bytes != toPartEnd)
        return std::max<std::uint64_t>(bytes, 1);
    const auto shape = objects[place.object].shape;
    if (!program.shapes.known(shape))
        return ~std::uint64_t{0} / 4;
    if (bytes == toPartEnd)
        if (const auto most = program.shapes.largestAt(shape, place.offset); most != ~std::uint64_t{0})
            return most;
    const auto arrays = program.shapes.arraysAt(shape, place.offset);
    if (arrays.empty())
        return program.shapes.size(shape) - place.offset;
    return arrays.front().begin + arrays.front().stride * arrays.front().count - place.offset;
}

LocationSet Locations::writtenBy(std::uint32_t location, std::uint64_t bytes) const {
    const auto &place = locations[location];
    bytes = bytesBehind(place, bytes);
    LocationSet found;
    for (const auto other : objects[place.object].locations)
        if (other == location || touches(place, bytes, locations[other]))
            found.insert(other);
    return found;
}

LocationSet Locations::readBy(std::uint32_t location, std::uint64_t bytes) const {
    const auto &place = locations[location];
    bytes = bytesBehind(place, bytes);
    LocationSet found;
    for (const auto other : objects[place.object].locations)
        if (other == location || (touches(place, bytes, locations[other]) && !touches(place, 1, locations[other])))
            found.insert(other);
    return found;
}

} // namespace laggard::slice
