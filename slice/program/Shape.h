// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace laggard::slice {

/// An array that a byte of an object lies in.
struct ArrayPlace {
    std::uint64_t begin = 0;  ///< byte of the object where it begins
    std::uint64_t stride = 0; ///< bytes of an element
    std::uint64_t count = 0;  ///< elements
};

/// How objects are laid out in bytes: scalars, arrays and structs. Shape 0 is one of unknown layout and size.
class Shapes {
  public:
    struct Field {
        std::uint64_t offset = 0;
        std::uint32_t shape = 0;
    };

    Shapes() { all.emplace_back(); }
    std::uint32_t addScalar(std::uint64_t size);
    std::uint32_t addArray(std::uint32_t element, std::uint64_t stride, std::uint64_t count);
    std::uint32_t addStruct(std::uint64_t size, std::vector<Field> fields);

    [[nodiscard]] std::uint64_t size(std::uint32_t shape) const { return all[shape].size; }
    [[nodiscard]] bool known(std::uint32_t shape) const { return shape != 0; }
    /// Bytes of the largest part of an object that begins at a byte: itself, a field, what is left of an array. No limit where
    /// none begins there.
    [[nodiscard]] std::uint64_t largestAt(std::uint32_t shape, std::uint64_t offset) const;
    /// Where structs begin in an object, itself included; in order, without those in arrays.
    [[nodiscard]] std::vector<std::uint64_t> partsOf(std::uint32_t shape) const;
    /// The arrays around a byte, outermost first.
    [[nodiscard]] std::vector<ArrayPlace> arraysAt(std::uint32_t shape, std::uint64_t offset) const;

  private:
    struct Data {
        std::uint64_t size = 0, stride = 0, count = 0; ///< count: of an array's elements
        std::uint32_t element = 0;
        std::vector<Field> fields;

        /// The field that holds what lies at `offset`; nullptr before the first.
        [[nodiscard]] const Field *fieldAt(std::uint64_t offset) const;
    };
    std::vector<Data> all;
};

} // namespace laggard::slice
