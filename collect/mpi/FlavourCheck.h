// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard::collect::mpi {

/// True if this process has loaded an MPI library, and none that this recorder is made for: handles are numbers in one and
/// addresses in the other, so that no call that takes one can be recorded.
[[nodiscard]] bool hasOtherFlavour();

} // namespace laggard::collect::mpi
