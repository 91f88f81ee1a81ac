// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/generate/Functions.h"

#include <array>

namespace laggard::bench {
namespace {

Region user(const char *name, const char *file, std::uint32_t line) {
    return {name, name, file, line, RegionRole::Function, Paradigm::Compiler};
}

Region mpi(const char *name, RegionRole role) { return {name, name, "MPI", 0, role, Paradigm::Mpi}; }

std::vector<Region> makeFunctions() {
    std::vector<Region> all = {
        user("main", "main.c", 61),
        user("time_step", "stencil.c", 59),
        user("exchange_halo", "stencil.c", 34),
        user("pack", "stencil.c", 27),
        user("unpack", "stencil.c", 30),
        user("compute_flux", "stencil.c", 41),
        user("update_cells", "stencil.c", 51),
        user("residual", "stencil.c", 55),
        user("lower_sweep", "wavefront.c", 48),
        user("upper_sweep", "wavefront.c", 66),
        user("recv_plane", "wavefront.c", 21),
        user("relax", "wavefront.c", 34),
        user("send_plane", "wavefront.c", 27),
        user("run_batch", "master_worker.c", 80),
        user("prepare_tasks", "master_worker.c", 29),
        user("dispatch_tasks", "master_worker.c", 44),
        user("serve_tasks", "master_worker.c", 62),
        user("compute_kernel", "master_worker.c", 17),
        user("store_result", "master_worker.c", 35),
        user("solve", "solver.c", 12),
        {"!$omp parallel", "!$omp parallel", "stencil.c", 43, RegionRole::Parallel, Paradigm::OpenMp},
        mpi("MPI_Init", RegionRole::Function),
        mpi("MPI_Comm_rank", RegionRole::Function),
        mpi("MPI_Comm_size", RegionRole::Function),
        mpi("MPI_Comm_split", RegionRole::Collective),
        mpi("MPI_Isend", RegionRole::PointToPoint),
        mpi("MPI_Irecv", RegionRole::PointToPoint),
        mpi("MPI_Waitall", RegionRole::PointToPoint),
        mpi("MPI_Send", RegionRole::PointToPoint),
        mpi("MPI_Recv", RegionRole::PointToPoint),
        mpi("MPI_Allreduce", RegionRole::Collective),
        mpi("MPI_Bcast", RegionRole::Collective),
        mpi("MPI_Barrier", RegionRole::Barrier),
        mpi("MPI_Finalize", RegionRole::Function),
    };
    const std::array<const char *, 2 *nestedLevels> nested = {
        "assemble_fluid", "assemble_solid",  "block_loop", "block_loop_edge",  "element_loop", "element_loop_edge",
        "gather_dofs",    "gather_ghosts",   "quadrature", "quadrature_face",  "shape",        "shape_gradient",
        "jacobian",       "jacobian_inv",    "material",   "material_plastic", "stress",       "stress_trial",
        "tangent",        "tangent_reduced", "integrate",  "integrate_face",   "scatter_add",  "scatter_atomic",
    };
    for (std::uint32_t i = 0; i < nested.size(); ++i)
        all.push_back(user(nested[i], i < nested.size() / 2 ? "solver.c" : "element.c", 20 + 9 * i));
    return all;
}

} // namespace

Function nestedFunction(std::uint32_t level, std::uint32_t alternative) {
    return static_cast<Function>(static_cast<std::uint32_t>(Function::FirstNested) + 2 * level + alternative);
}

const std::vector<Region> &functions() {
    static const std::vector<Region> all = makeFunctions();
    return all;
}

} // namespace laggard::bench
