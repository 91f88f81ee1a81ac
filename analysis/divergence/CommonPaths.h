// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace laggard {

/// Call paths of two traces by the names of their functions, so that equal paths have equal numbers: neither addresses, nor
/// files, lines and datatypes count, which another build may change. MPI functions are the same under all their names.
class CommonPaths {
  public:
    CommonPaths(const Trace &here, const Trace &there);

    /// The number of a call path of `here` (run 0) or `there` (run 1): of the whole path, or, where paths cannot be compared, of
    /// its function alone.
    [[nodiscard]] std::uint32_t operator()(std::size_t run, CallPathId path) const {
        return m_comparesPaths ? m_whole[run][path] : m_function[run][path];
    }
    /// The number of the function that a path ends in.
    [[nodiscard]] std::uint32_t function(std::size_t run, CallPathId path) const { return m_function[run][path]; }
    /// False if less than half of the paths to MPI calls of the run that has fewer are in the other: what recorded them told
    /// other functions.
    [[nodiscard]] bool comparesPaths() const { return m_comparesPaths; }

  private:
    void number(const Trace &trace, std::size_t run);
    [[nodiscard]] double overlap(const Trace &here, const Trace &there) const;

    std::unordered_map<std::string, std::uint32_t> m_names;
    std::unordered_map<std::uint64_t, std::uint32_t> m_paths; ///< by the parent's number and the name's
    std::vector<std::uint32_t> m_whole[2];
    std::vector<std::uint32_t> m_function[2];
    bool m_comparesPaths = true;
};

} // namespace laggard
