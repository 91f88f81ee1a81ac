// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/FlavourCheck.h"

#include "collect/mpi/Flavour.h"
#include "collect/store/JobEnvironment.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace laggard::collect::mpi {
namespace {

#ifdef OPEN_MPI
constexpr MpiFlavour ownFlavour = MpiFlavour::OpenMpi;
constexpr const char *otherName = "MPICH";
constexpr const char *otherLibrary = "liblaggard-record-mpich.so";
#else
constexpr MpiFlavour ownFlavour = MpiFlavour::Mpich;
constexpr const char *otherName = "Open MPI";
constexpr const char *otherLibrary = "liblaggard-record-openmpi.so";
#endif
constexpr const char *mark = "LAGGARD_RECORD_SWITCHED"; // so that it happens once

struct Loaded {
    bool own = false;
    bool other = false;
};

int look(dl_phdr_info *info, std::size_t, void *data) {
    const char *slash = std::strrchr(info->dlpi_name, '/');
    const MpiFlavour flavour = flavourOfLibrary(slash == nullptr ? info->dlpi_name : slash + 1);
    auto *loaded = static_cast<Loaded *>(data);
    loaded->own |= flavour == ownFlavour;
    loaded->other |= flavour != ownFlavour && flavour != MpiFlavour::None;
    return 0;
}

/// The libraries to be preloaded, with another one in place of this, or none.
std::string preloadWith(const std::string &own, const std::string &instead) {
    std::string libraries;
    const char *before = std::getenv("LD_PRELOAD");
    for (std::string rest = before == nullptr ? "" : before; !rest.empty();) {
        const std::size_t end = rest.find_first_of(": ");
        const std::string each = rest.substr(0, end);
        rest.erase(0, end == std::string::npos ? end : end + 1);
        const std::string &chosen = each == own ? instead : each;
        libraries += (libraries.empty() || chosen.empty() ? "" : ":") + chosen;
    }
    return libraries;
}

/// Whoever starts a launcher, or a script, does not say what that starts: a process into which the recorder for another MPI was
/// loaded starts anew with the right one, before it has begun.
[[gnu::constructor]] void takeTheRightRecorder(int /*count*/, char **arguments, char ** /*environment*/) {
    Dl_info here{};
    if (arguments == nullptr || std::getenv(mark) != nullptr || !hasOtherFlavour() ||
        dladdr(reinterpret_cast<const void *>(&hasOtherFlavour), &here) == 0 || here.dli_fname == nullptr)
        return;
    const std::string own = here.dli_fname;
    const std::string other = own.substr(0, own.rfind('/') + 1) + otherLibrary;
    const bool isThere = access(other.c_str(), R_OK) == 0;
    if (!isThere)
        say((std::string("this program uses ") + otherName + ", for which no recorder is installed: nothing is recorded.")
                .c_str());
    const char *before = std::getenv("LD_PRELOAD");
    const std::string kept = before == nullptr ? "" : before;
    setenv("LD_PRELOAD", preloadWith(own, isThere ? other : std::string()).c_str(), 1);
    setenv(mark, "1", 1);
    syscall(SYS_execve, "/proc/self/exe", arguments, environ); // not through the recorder's own execve()
    setenv("LD_PRELOAD", kept.c_str(), 1);
    unsetenv(mark);
}

} // namespace

bool hasOtherFlavour() {
    Loaded loaded;
    dl_iterate_phdr(look, &loaded);
    return loaded.other && !loaded.own;
}

} // namespace laggard::collect::mpi
