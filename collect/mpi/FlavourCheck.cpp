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
#include <sys/auxv.h>
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
    std::string library; ///< of the other
};

int look(dl_phdr_info *info, std::size_t, void *data) {
    const char *slash = std::strrchr(info->dlpi_name, '/');
    const MpiFlavour flavour = flavourOfLibrary(slash == nullptr ? info->dlpi_name : slash + 1);
    auto *loaded = static_cast<Loaded *>(data);
    loaded->own |= flavour == ownFlavour;
    if (flavour != ownFlavour && flavour != MpiFlavour::None) {
        loaded->other = true;
        loaded->library = info->dlpi_name;
    }
    return 0;
}

std::string fileName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

/// The libraries to be preloaded, with another one in place of this, or none. They may be named without a folder.
std::string preloadWith(const std::string &own, const std::string &instead) {
    std::string libraries;
    const char *before = std::getenv("LD_PRELOAD");
    for (std::string rest = before == nullptr ? "" : before; !rest.empty();) {
        const std::size_t end = rest.find_first_of(": ");
        const std::string each = rest.substr(0, end);
        rest.erase(0, end == std::string::npos ? end : end + 1);
        const std::string &chosen = fileName(each) == fileName(own) ? instead : each;
        libraries += (libraries.empty() || chosen.empty() ? "" : ":") + chosen;
    }
    return libraries;
}

/// The program's own file, by which it is known to others; its link where that cannot be read.
std::string ownProgram() {
    constexpr std::size_t longest = 4096;
    char path[longest];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    const bool isWhole = length > 0 && static_cast<std::size_t>(length) < sizeof path;
    std::string program = isWhole ? std::string(path, static_cast<std::size_t>(length)) : std::string();
    return !program.empty() && access(program.c_str(), X_OK) == 0 ? program : "/proc/self/exe";
}

/// The mark is of this process: exec() keeps its number, and children have others.
bool isMarked() {
    const char *marked = std::getenv(mark);
    return marked != nullptr && std::atol(marked) == getpid();
}

/// Whoever starts a launcher, or a script, does not say what that starts: a process into which the recorder for another MPI was
/// loaded starts anew with the right one, before its main() and the recorder have begun; constructors of its libraries may run
/// twice. First of the recorder's own constructors.
[[gnu::constructor(101)]] void takeTheRightRecorder(int /*count*/, char **arguments, char ** /*environment*/) {
    if (isMarked()) {
        unsetenv(mark);
        return;
    }
    Dl_info here{};
    const bool isStartedByLoader = getauxval(AT_BASE) == 0; // ld.so ./app: then its own file is the loader's
    if (arguments == nullptr || isStartedByLoader || !hasOtherFlavour() ||
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
    setenv(mark, std::to_string(getpid()).c_str(), 1);
    syscall(SYS_execve, ownProgram().c_str(), arguments, environ); // not through the recorder's own execve()
    setenv("LD_PRELOAD", kept.c_str(), 1);
    unsetenv(mark);
}

} // namespace

bool hasOtherFlavour() {
    Loaded loaded;
    dl_iterate_phdr(look, &loaded);
    if (!loaded.other || loaded.own)
        return false;
    // Numbers of libmpi.so mean different things over the years: what is in it decides.
    void *library = dlopen(loaded.library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr)
        return true;
    const bool isOpenMpi = dlsym(library, "ompi_mpi_comm_world") != nullptr;
    dlclose(library);
    return isOpenMpi != (ownFlavour == MpiFlavour::OpenMpi);
}

} // namespace laggard::collect::mpi
