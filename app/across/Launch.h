// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace laggard {

/// The MPI implementations that there is a library of ours for.
enum class MpiFlavour : unsigned char { Mpich, OpenMpi };

[[nodiscard]] const char *name(MpiFlavour flavour); ///< "mpich", as in file names and options

/// That this process is one of several which a launcher (mpiexec, srun) has started together.
struct Launch {
    unsigned rank = 0;
    unsigned size = 1;                 ///< at least 2
    std::optional<MpiFlavour> flavour; ///< the launcher's; nothing: it does not tell
    std::string launcher;              ///< by which of its variables it was known, for people ("mpiexec of MPICH")
};

/// What launchers say in the environment: PMI_RANK and PMI_SIZE (MPICH's Hydra, and srun with PMI), OMPI_COMM_WORLD_RANK and
/// _SIZE (Open MPI), PMIX_RANK or SLURM_PROCID with the step's size (srun). `variable(name)` gives a variable or nullptr. The
/// result is nothing if the process was started alone.
[[nodiscard]] std::optional<Launch> launchedTogether(const std::function<const char *(const char *)> &variable);

} // namespace laggard
