// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Shape.h"

#include <algorithm>

namespace laggard::slice {

std::uint32_t Shapes::addScalar(std::uint64_t size) {
    all.push_back({size, 0, 0, 0, {}});
    return static_cast<std::uint32_t>(all.size() - 1);
}

std::uint32_t Shapes::addArray(std::uint32_t element, std::uint64_t stride, std::uint64_t count) {
    all.push_back({stride * count, stride, count, element, {}});
    return static_cast<std::uint32_t>(all.size() - 1);
}

std::uint32_t Shapes::addStruct(std::uint64_t size, std::vector<Field> fields) {
    all.push_back({size, 0, 0, 0, std::move(fields)});
    return static_cast<std::uint32_t>(all.size() - 1);
}

const Shapes::Field *Shapes::Data::fieldAt(std::uint64_t offset) const {
    const auto after = std::upper_bound(fields.begin(), fields.end(), offset,
                                        [](std::uint64_t at, const Field &field) { return at < field.offset; });
    return after == fields.begin() ? nullptr : &*std::prev(after);
}

std::uint64_t Shapes::largestAt(std::uint32_t shape, std::uint64_t offset) const {
    for (std::uint64_t begin = 0; shape != 0;) {
        const auto &data = all[shape];
        if (begin == offset && data.size != 0)
            return data.size;
        if (data.stride != 0) {
            const auto into = (offset - begin) % data.stride;
            if (into == 0 && offset - begin < data.stride * data.count)
                return data.stride * data.count - (offset - begin);
            begin = offset - into;
            shape = data.element;
        } else if (const Field *field = data.fieldAt(offset - begin)) {
            begin += field->offset;
            shape = field->shape;
        } else {
            break;
        }
    }
    return ~std::uint64_t{0};
}

std::vector<std::uint64_t> Shapes::partsOf(std::uint32_t shape) const {
    std::vector<std::uint64_t> parts;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> open{{0, shape}};
    while (!open.empty()) {
        const auto [begin, which] = open.back();
        open.pop_back();
        if (which == 0 || all[which].fields.empty())
            continue;
        parts.push_back(begin);
        for (const auto &field : all[which].fields)
            open.emplace_back(begin + field.offset, field.shape);
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    return parts;
}

std::vector<ArrayPlace> Shapes::arraysAt(std::uint32_t shape, std::uint64_t offset) const {
    std::vector<ArrayPlace> arrays;
    for (std::uint64_t begin = 0; shape != 0;) {
        const auto &data = all[shape];
        if (data.stride != 0) {
            arrays.push_back({begin, data.stride, data.count});
            begin += (offset - begin) / data.stride * data.stride;
            shape = data.element;
        } else if (const Field *field = data.fieldAt(offset - begin)) {
            begin += field->offset;
            shape = field->shape;
        } else {
            break;
        }
    }
    return arrays;
}

} // namespace laggard::slice
