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
    explicit Construction(MPI_Datatype type);
    /// Of how many datatypes it was made.
    [[nodiscard]] static int typesOf(MPI_Datatype type);
    ~Construction();
    Construction(const Construction &) = delete;
    Construction &operator=(const Construction &) = delete;

    [[nodiscard]] int combiner() const { return m_combiner; } ///< MPI_UNDEFINED if MPI does not say
    /// The datatype that a copy, a row or a column was made from; else MPI_DATATYPE_NULL.
    [[nodiscard]] MPI_Datatype base() const { return m_base; }
    /// The arguments that are numbers, in their order: counts, lengths, distances; 0 beyond the last.
    [[nodiscard]] std::int64_t number(std::size_t i) const { return i < m_numbers.size() ? m_numbers[i] : 0; }

  private:
    struct Sizes;
    void readContents(MPI_Datatype type, const Sizes &sizes);

    int m_combiner = MPI_UNDEFINED;
    std::vector<std::int64_t> m_numbers;
    MPI_Datatype m_base = MPI_DATATYPE_NULL;
};

} // namespace laggard::collect::mpi
