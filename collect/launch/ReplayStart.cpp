// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/launch/ReplayStart.h"

#include "collect/store/JobEnvironment.h"
#include "trace/recording/ReplayPlan.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace laggard::collect {

namespace {

namespace fs = std::filesystem;

/// Empty files, whose names are the answer: on a full disk a word would find no room in them.
constexpr char yesFile[] = "ready";
constexpr char noFile[] = "refused";

/// A recording of a gigabyte is read in a minute; after this time, the first process is not there any more.
constexpr std::chrono::minutes patience{10};

/// As the launcher says; empty if it does not.
std::string jobSize() {
    for (const char *name :
         {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "PMIX_SIZE", "MV2_COMM_WORLD_SIZE", "FLUX_JOB_SIZE", "SLURM_NTASKS"})
        if (const char *value = std::getenv(name); value != nullptr && *value != '\0')
            return value;
    return {};
}

/// Its exit status; 127 if it cannot be started.
int run(const std::vector<std::string> &command) {
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); // a job that is interrupted leaves nothing behind that still reads
        std::vector<char *> arguments;
        for (const std::string &argument : command)
            arguments.push_back(const_cast<char *>(argument.c_str()));
        arguments.push_back(nullptr);
        // What tools preload into the job is not meant for it.
        unsetenv("LD_PRELOAD");
        execv(arguments[0], arguments.data());
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// False, and explained, if the others cannot be told.
bool answer(const fs::path &folder, const char *word) {
    std::error_code error;
    const mode_t before = umask(077); // as recordings are: for their owner only
    fs::create_directories(folder, error);
    const bool isWritten = std::ofstream(folder / word).is_open();
    const int reason = errno;
    umask(before);
    if (!isWritten)
        say(('"' + (folder / word).string() + "\" cannot be written: " + std::strerror(reason) + '.').c_str());
    return isWritten;
}

bool waitForAnswer(const fs::path &folder) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
        std::error_code error;
        if (fs::exists(folder / yesFile, error))
            return true;
        if (fs::exists(folder / noFile, error))
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    say("the first process of the job has not made the plans of the replay: the job does not start.", true);
    return false;
}

} // namespace

bool prepareReplay(const Options &options, const std::string &folder, const std::string &planner, const std::string &program) {
    const fs::path own = fs::path(folder) / recording::replay::folder;
    if (environmentRank() > 0)
        return waitForAnswer(own);
    std::error_code error;
    if (fs::equivalent(folder, options.replay, error)) {
        say("the replay would be recorded into the recording that it follows: choose another folder (-o).");
        return false;
    }
    if (fs::exists(own, error)) {
        say(("the folder " + folder + " has a replay already: choose another one (-o).").c_str());
        return false;
    }
    std::vector<std::string> command{planner, options.replay, own.string()};
    const auto add = [&command](const char *option, const std::string &value) {
        if (!value.empty())
            command.insert(command.end(), {option, value});
    };
    add("--exchange", options.exchange);
    add("--wait", options.replayWait);
    add("--program", program);
    add("--ranks", jobSize());
    const int status = run(command);
    if (status == 127)
        say((planner + " cannot be started: nothing is replayed.").c_str());
    return answer(own, status == 0 ? yesFile : noFile) && status == 0;
}

} // namespace laggard::collect
