// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Flavour.h"

namespace laggard::collect {

MpiFlavour flavourOfLibrary(std::string_view name) {
    const auto begins = [name](std::string_view with) { return name.substr(0, with.size()) == with; };
    if (begins("libmpich") || begins("libmpifort.so.12") || begins("libmpicxx.so.12"))
        return MpiFlavour::Mpich;
    if (begins("libmpi_mpifh") || begins("libmpi_usempi") || begins("libmpi_cxx"))
        return MpiFlavour::OpenMpi;
    if (!begins("libmpi.so."))
        return MpiFlavour::None;
    const std::string_view version = name.substr(std::string_view("libmpi.so.").size());
    return version == "12" || version.substr(0, 3) == "12." ? MpiFlavour::Mpich : MpiFlavour::OpenMpi;
}

} // namespace laggard::collect
