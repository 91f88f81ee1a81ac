// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/launch/MpiFlavour.h"

#include <cstdlib>

namespace laggard::collect {

MpiFlavour flavourOf(const std::vector<LoadedLibrary> &libraries) {
    for (const LoadedLibrary &library : libraries)
        if (const MpiFlavour flavour = flavourOfLibrary(library.name); flavour != MpiFlavour::None)
            return flavour;
    return MpiFlavour::None;
}

MpiFlavour flavourOfLauncher(const std::vector<LoadedLibrary> &libraries) {
    for (const LoadedLibrary &library : libraries)
        if (library.name.rfind("libopen-rte", 0) == 0 || library.name.rfind("libprrte", 0) == 0)
            return MpiFlavour::OpenMpi;
    return MpiFlavour::None;
}

MpiFlavour flavourOfEnvironment() {
    for (const char *name : {"OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid"})
        if (std::getenv(name) != nullptr)
            return MpiFlavour::OpenMpi;
    return MpiFlavour::Mpich;
}

} // namespace laggard::collect
