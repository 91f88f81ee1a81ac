// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Slice.h"
#include "slice/program/Program.h"

#include <unordered_map>

namespace laggard::slice {

/// Finds the functions that stack frames name.
class Lookup {
  public:
    explicit Lookup(const Program &program);

    /// The functions (not copies) that a frame may name, nearly always one; none if the program has no code of it. The linkage
    /// name counts, or the plain name with or without parameters; if several: those whose file and lines fit best. What is a
    /// lambda, or made for one, compilers name each in their own way: there the place decides, and several may be left.
    [[nodiscard]] std::vector<std::uint32_t> find(const SourcePlace &frame) const;
    /// The function and its copies.
    [[nodiscard]] const std::vector<std::uint32_t> &instancesOf(std::uint32_t function) const { return instances[function]; }
    /// Whether two names of files mean the same one, as far as their last components tell.
    [[nodiscard]] static bool sameFile(std::string_view a, std::string_view b);
    /// Whether an instruction is at a line of a file; an empty file fits all.
    [[nodiscard]] bool isAt(Node node, std::string_view file, std::uint32_t line) const;

  private:
    const Program &program;
    std::unordered_map<std::string, std::vector<std::uint32_t>> byName, byBareName;
    std::vector<std::vector<std::uint32_t>> instances; ///< by function
};

/// "ns::Box<int>::get" of "int ns::Box<int>::get(unsigned) const"; other names stay as they are.
[[nodiscard]] std::string withoutParameters(const std::string &name);

} // namespace laggard::slice
