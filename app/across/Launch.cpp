// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/Launch.h"

#include <charconv>
#include <cstring>

namespace laggard {
namespace {

using Variable = std::function<const char *(const char *)>;

std::optional<unsigned> numberIn(const Variable &variable, const char *name) {
    const char *text = variable(name);
    unsigned value = 0;
    if (text == nullptr)
        return std::nullopt;
    const char *end = text + std::strlen(text);
    const auto [stopped, error] = std::from_chars(text, end, value);
    return error == std::errc() && stopped == end && stopped != text ? std::optional(value) : std::nullopt;
}

/// One that says both of these, and that there are several.
std::optional<Launch> by(const Variable &variable, const char *rank, const char *size, std::optional<MpiFlavour> flavour,
                         const char *launcher) {
    const std::optional<unsigned> own = numberIn(variable, rank);
    const std::optional<unsigned> all = numberIn(variable, size);
    if (!own || !all || *all < 2 || *own >= *all)
        return std::nullopt;
    return Launch{*own, *all, flavour, launcher};
}

} // namespace

const char *name(MpiFlavour flavour) { return flavour == MpiFlavour::Mpich ? "mpich" : "openmpi"; }

std::optional<Launch> launchedTogether(const Variable &variable) {
    // The innermost launcher first: srun's variables are there too in what mpiexec starts within a batch job, and say 1.
    if (auto launch = by(variable, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", MpiFlavour::OpenMpi, "mpiexec of Open MPI"))
        return launch;
    if (auto launch = by(variable, "PMI_RANK", "PMI_SIZE", MpiFlavour::Mpich, "mpiexec of MPICH"))
        return launch;
    if (auto launch = by(variable, "PMIX_RANK", "SLURM_STEP_NUM_TASKS", std::nullopt, "srun"))
        return launch;
    return by(variable, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", std::nullopt, "srun");
}

} // namespace laggard
