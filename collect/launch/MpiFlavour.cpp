// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/launch/MpiFlavour.h"

#include <cstdlib>

namespace laggard::collect {

namespace {
bool begins(const std::string &text, const char *with) { return text.rfind(with, 0) == 0; }
} // namespace

MpiFlavour flavourOfLibrary(const std::string &name) {
    if (begins(name, "libmpich") || begins(name, "libmpifort.so.12") || begins(name, "libmpicxx.so.12"))
        return MpiFlavour::Mpich;
    if (begins(name, "libmpi_mpifh") || begins(name, "libmpi_usempi") || begins(name, "libmpi_cxx"))
        return MpiFlavour::OpenMpi;
    if (begins(name, "libmpi.so."))
        return std::atoi(name.c_str() + 10) == 12 ? MpiFlavour::Mpich : MpiFlavour::OpenMpi;
    return MpiFlavour::None;
}

MpiFlavour flavourOf(const std::vector<LoadedLibrary> &libraries) {
    for (const LoadedLibrary &library : libraries)
        if (const MpiFlavour flavour = flavourOfLibrary(library.name); flavour != MpiFlavour::None)
            return flavour;
    return MpiFlavour::None;
}

MpiFlavour flavourOfEnvironment() {
    for (const char *name : {"OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid"})
        if (std::getenv(name) != nullptr)
            return MpiFlavour::OpenMpi;
    return MpiFlavour::Mpich;
}

} // namespace laggard::collect
