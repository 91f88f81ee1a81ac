// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Handles.h" // before any handle of MPI's is named

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace laggard::collect::mpi {

/// How a datatype that exists was made, with its arguments as far as Contents.h needs them. Asks MPI in a way that suits
/// datatypes of MPI 4's large counts as well.
class Construction {
  public:
    /// `Everything`: also of other combiners, if their arguments are not too many.
    enum class Depth { Simple, Everything };
    explicit Construction(MPI_Datatype type, Depth depth = Depth::Simple);
    /// How many datatypes it was made of.
    [[nodiscard]] static int typesOf(MPI_Datatype type);
    ~Construction();
    Construction(const Construction &) = delete;
    Construction &operator=(const Construction &) = delete;

    [[nodiscard]] int combiner() const { return m_combiner; } ///< MPI_UNDEFINED if MPI does not say
    /// The datatype that a copy, a row or a column was made from; else MPI_DATATYPE_NULL.
    [[nodiscard]] MPI_Datatype base() const { return m_bases.size() == 1 ? m_bases.front() : MPI_DATATYPE_NULL; }
    /// All datatypes that it was made from; none where they were not read. They exist as long as this.
    [[nodiscard]] const std::vector<MPI_Datatype> &bases() const { return m_bases; }
    /// MPI has made it.
    [[nodiscard]] bool isPredefined() const;
    /// The arguments that are numbers, in their order: counts, lengths, distances; 0 beyond the last.
    [[nodiscard]] std::int64_t number(std::size_t i) const { return i < m_numbers.size() ? m_numbers[i] : 0; }

  private:
    struct Sizes;
    void readContents(MPI_Datatype type, const Sizes &sizes);

    int m_combiner = MPI_UNDEFINED;
    std::vector<std::int64_t> m_numbers;
    std::vector<MPI_Datatype> m_bases;
};

} // namespace laggard::collect::mpi
