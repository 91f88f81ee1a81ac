// SPDX-License-Identifier: GPL-3.0-or-later
// laggard-record: sets up the environment for the recorder and becomes the program. Whatever is wrong with recording is said in
// one sentence, and the program runs all the same.
#include "collect/launch/ElfProgram.h"
#include "collect/launch/MpiFlavour.h"
#include "collect/launch/Options.h"
#include "collect/launch/ReplayStart.h"
#include "collect/launch/WatcherStart.h"
#include "collect/store/JobEnvironment.h"
#include "trace/recording/ReplayPlan.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

using namespace laggard::collect;

namespace {

constexpr char replayPlanner[] = "laggard-replay-plan";
constexpr char watcher[] = "laggard-watch";

/// What to preload, in order; or why nothing can be.
struct Preload {
    std::string libraries;
    std::string problem;
    bool linksMpi = false; ///< the program itself is the one that calls MPI
};

std::string fileName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

/// Where the recorder's libraries lie: beside this program in the build folder, in lib/laggard when installed.
std::string libraryFolder(const std::string &library) {
    std::error_code error;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const auto &folder : {own / "..", own / LAGGARD_LIBRARY_FOLDER})
        if (std::filesystem::exists(folder / library, error))
            return std::filesystem::canonical(folder, error).string();
    return {};
}

/// laggard-analyze: beside this program when installed, in the folder of the programs in the build folder.
std::string analyzer() {
    std::error_code error;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const auto &path : {own / "laggard-analyze", own / "../../app/laggard-analyze"})
        if (access(path.c_str(), X_OK) == 0)
            return std::filesystem::canonical(path, error).string();
    return {};
}

void watch(const Options &options, const std::string &folder, const char *job) {
    const std::string place = libraryFolder(watcher);
    const std::string analysis = analyzer();
    if (place.empty() || analysis.empty())
        say(((place.empty() ? watcher : "laggard-analyze") +
             std::string(" is not installed: the job is recorded, and not watched for hangs."))
                .c_str());
    else
        startWatcher(options, {place + "/" + watcher, analysis, folder, job});
}

Preload withLibrary(const std::string &flavour, const std::string &name) {
    const std::string library = "liblaggard-record-" + flavour + ".so";
    const std::string folder = libraryFolder(library);
    if (folder.empty())
        return {{}, library + ", which records " + name + ", is not installed", false};
    Preload preload{folder + "/" + library, {}, false};
    if (preload.libraries.find_first_of(": ") != std::string::npos)
        return {{}, "the loader takes no libraries from a folder with a colon or a space in its name (" + folder + ")", false};
    return preload;
}

Preload choosePreload(const Options &options, const std::string &path) {
    const ElfProgram program = readProgram(path);
    if (program.kind == ProgramKind::Static)
        return {{}, path + " is linked statically", false};
    if (program.kind == ProgramKind::OtherMachine)
        return {{}, path + " is for another kind of processor", false};
    if (options.libc)
        return withLibrary("libc", "calls of the C library");
    const std::vector<LoadedLibrary> libraries =
        program.kind == ProgramKind::Dynamic ? allLibraries(path, program) : std::vector<LoadedLibrary>{};
    MpiFlavour linked = flavourOf(libraries);
    for (const std::string &needed : program.needed)
        if (linked == MpiFlavour::None)
            linked = flavourOfLibrary(needed);
    const char *bindNow = std::getenv("LD_BIND_NOW");
    const bool bindsNow = bindNow != nullptr && *bindNow != '\0';
    if (linked == MpiFlavour::None && program.isInstrumented && options.mpi == "auto")
        return withLibrary("functions", "programs without MPI");
    if (linked == MpiFlavour::None && bindsNow)
        return {{}, path + " names no MPI library, and LD_BIND_NOW is set", false};
    MpiFlavour flavour = linked != MpiFlavour::None ? linked : flavourOfLauncher(libraries);
    if (flavour == MpiFlavour::None)
        flavour = flavourOfEnvironment();
    if (options.mpi != "auto")
        flavour = options.mpi == "mpich" ? MpiFlavour::Mpich : MpiFlavour::OpenMpi;
    Preload preload = flavour == MpiFlavour::Mpich ? withLibrary("mpich", "MPICH") : withLibrary("openmpi", "Open MPI");
    preload.linksMpi = linked != MpiFlavour::None;
    return preload;
}

/// Makes the folder, for its owner only, as core dumps are; one that is there stays as it is. Returns its absolute path, or
/// nothing, with what is wrong.
std::optional<std::string> makeFolder(const std::string &wanted, std::string &problem) {
    std::error_code error;
    const auto folder = std::filesystem::absolute(wanted, error);
    // Another process of the job may make it at the same time: what counts is that it is there.
    const mode_t before = umask(077);
    std::filesystem::create_directories(folder, error);
    umask(before);
    if (std::error_code other; !std::filesystem::is_directory(folder, other)) {
        problem =
            "the folder " + folder.string() + " cannot be made (" + (error ? error.message() : std::string("it is a file")) + ")";
        return std::nullopt;
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        problem = "the folder " + folder.string() + " cannot be written to (" + std::strerror(errno) + ")";
        return std::nullopt;
    }
    if (folder.string().size() >= 3000) {
        problem = "the path of the folder is too long";
        return std::nullopt;
    }
    return folder.string();
}

void set(const char *name, const std::string &value) { setenv(name, value.c_str(), 1); }

/// Where the module lies that Python imports when it starts.
std::string pythonFolder(const std::string &library) {
    const std::filesystem::path folder = std::filesystem::path(library).parent_path();
    std::error_code error;
    // In the build folder, libraries lie one further out than when installed, in a folder that is named laggard.
    const auto built = folder / "laggard" / "python";
    return (std::filesystem::exists(built, error) ? built : folder / "python").string();
}

void setEnvironment(const Options &options, const std::string &folder, const char *job, const std::string &preload) {
    set("LAGGARD_RECORD_DIR", folder);
    set("LAGGARD_RECORD_JOB", job);
    set("LAGGARD_RECORD_BUFFER", std::to_string(options.buffer));
    set("LAGGARD_RECORD_SPILL", options.spill ? "1" : "0");
    set("LAGGARD_RECORD_POOL", options.pool ? "1" : "0");
    // The model of what MPI calls follow each other is of no use to daemons.
    set("LAGGARD_RECORD_MODE", options.libc && options.mode == "both" ? "trace" : options.mode);
    set("LAGGARD_RECORD_LIBC", options.libc ? "1" : "0");
    set("LAGGARD_RECORD_HANG_TIMEOUT", !options.hangTimeout.empty() ? options.hangTimeout : options.libc ? "0" : "auto");
    set("LAGGARD_RECORD_STACKS", options.stacks);
    set("LAGGARD_RECORD_FINGERPRINTS", options.fingerprints);
    set("LAGGARD_RECORD_CLOCK_SYNC", options.clockSync);
    set("LAGGARD_RECORD_PID", std::to_string(getpid()));
    if (options.inject.empty())
        unsetenv("LAGGARD_INJECT");
    else
        set("LAGGARD_INJECT", options.inject);
    if (options.replay.empty())
        unsetenv("LAGGARD_REPLAY_DIR");
    else
        set("LAGGARD_REPLAY_DIR", folder + "/" + laggard::recording::replay::folder);
    const auto joined = [](const std::string &own, const char *variable) {
        const char *before = std::getenv(variable);
        return before == nullptr || *before == '\0' ? own : own + ":" + before;
    };
    set("LAGGARD_RECORD_PYTHON", options.python ? "1" : "0");
    if (options.python)
        set("PYTHONPATH", joined(pythonFolder(preload), "PYTHONPATH"));
    set("LD_PRELOAD", joined(preload, "LD_PRELOAD"));
    // The address sanitizer would end a program into which something else is loaded before it.
    set("ASAN_OPTIONS", joined("verify_asan_link_order=0", "ASAN_OPTIONS"));
}

/// A profiler that is preloaded into the program is in this process as well. Its timer would outlive exec(), but not its handler:
/// the program would be killed before it has set one. Timers without a handler here come from outside, and are the program's.
void stopTimersOfHandlers() {
    constexpr struct {
        __itimer_which_t timer;
        int signal;
    } timers[] = {{ITIMER_PROF, SIGPROF}, {ITIMER_VIRTUAL, SIGVTALRM}, {ITIMER_REAL, SIGALRM}};
    for (const auto &[timer, signal] : timers) {
        struct sigaction action {};
        const bool isHandled =
            sigaction(signal, nullptr, &action) == 0 &&
            ((action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN));
        constexpr itimerval never{};
        if (isHandled)
            setitimer(timer, &never, nullptr);
    }
}

} // namespace

int main(int argc, char **argv) {
    Options options;
    if (const int status = readOptions(argc, argv, options); status >= 0)
        return status;
    const std::string path = findProgram(options.command.front());
    Preload preload = path.empty() ? Preload{} : choosePreload(options, path);
    if (!path.empty() && preload.problem.empty()) {
        char job[64];
        environmentJob(job);
        const std::string folder = options.folder.empty() ? "laggard-" + fileName(path) + "-" + job : options.folder;
        const auto made = makeFolder(folder, preload.problem);
        if (made && !options.replay.empty() &&
            !prepareReplay(options, *made, libraryFolder(replayPlanner) + "/" + replayPlanner, preload.linksMpi ? path : ""))
            return 2;
        if (made && !options.onHang.empty())
            watch(options, *made, job);
        if (made)
            setEnvironment(options, *made, job, preload.libraries);
    }
    if (!preload.problem.empty() && !options.replay.empty()) {
        say((preload.problem + ": nothing can be replayed.").c_str());
        return 2;
    }
    if (!preload.problem.empty())
        say((preload.problem + ": nothing is recorded; the job runs on.").c_str());
    std::vector<char *> arguments;
    for (std::string &argument : options.command)
        arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    stopTimersOfHandlers();
    execvp(arguments[0], arguments.data());
    const int error = errno;
    say((options.command.front() + " cannot be started (" + std::strerror(error) + ").").c_str(), true);
    return error == ENOENT ? 127 : 126;
}
