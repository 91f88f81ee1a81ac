// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/JobEnvironment.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <unistd.h>

namespace laggard::collect {

namespace {

struct ProcessInfo {
    char name[64] = {};
    int parent = 0;
    unsigned long long startJiffies = 0; ///< since boot
};

bool readProcess(int pid, ProcessInfo &info) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
    std::FILE *file = std::fopen(path, "re");
    if (file == nullptr)
        return false;
    char text[1024];
    const std::size_t length = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    text[length] = '\0';
    // The name is in parentheses and may itself contain some.
    const char *open = std::strchr(text, '(');
    const char *close = std::strrchr(text, ')');
    if (open == nullptr || close == nullptr || close < open)
        return false;
    std::snprintf(info.name, sizeof info.name, "%.*s", static_cast<int>(close - open - 1), open + 1);
    return std::sscanf(close + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                       &info.parent, &info.startJiffies) == 2;
}

bool isLauncher(const char *name) {
    for (const char *known : {"hydra_pmi_proxy", "mpiexec", "mpiexec.hydra", "mpirun", "orterun", "orted", "prterun", "prted",
                              "slurmstepd", "srun", "pbs_mom", "palsd", "aprun", "jsrun", "flux-shell"})
        if (std::strncmp(name, known, 15) == 0) // the system cuts names there
            return true;
    // Where several MPIs are installed: mpiexec.openmpi
    return std::strncmp(name, "mpiexec.", 8) == 0 || std::strncmp(name, "mpirun.", 7) == 0;
}

/// The start is counted from boot: a date would have to be computed from two clocks, and two processes might round it
/// differently.
void nameByProcess(int pid, const ProcessInfo &info, char (&name)[64]) {
    std::snprintf(name, sizeof name, "%d-%llx", pid, info.startJiffies);
}

/// The name may become that of a folder.
void replaceSlashes(char *name) {
    for (; *name != '\0'; ++name)
        if (*name == '/')
            *name = '-';
}

const char *firstOf(std::initializer_list<const char *> names) {
    for (const char *name : names)
        if (const char *value = std::getenv(name); value != nullptr && *value != '\0')
            return value;
    return nullptr;
}

} // namespace

std::int32_t environmentRank() {
    const char *value = firstOf({"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "PALS_RANKID",
                                 "ALPS_APP_PE", "FLUX_TASK_RANK", "JSM_NAMESPACE_RANK", "SLURM_PROCID"});
    if (value == nullptr)
        return -1;
    char *end = nullptr;
    const long rank = std::strtol(value, &end, 10);
    return *end != '\0' || rank < 0 || rank > 0x7FFFFFFF ? -1 : static_cast<std::int32_t>(rank);
}

void environmentJob(char (&name)[64]) {
    const char *job = firstOf({"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "COBALT_JOBID", "JOB_ID"});
    if (job != nullptr) {
        const char *step = std::getenv("SLURM_STEP_ID");
        std::snprintf(name, sizeof name, step == nullptr ? "%.48s" : "%.48s.%.12s", job, step);
        replaceSlashes(name);
        return;
    }
    // The same on all hosts.
    if (const char *space = std::getenv("PMIX_NAMESPACE"); space != nullptr && *space != '\0') {
        std::snprintf(name, sizeof name, "%.63s", space);
        replaceSlashes(name);
        return;
    }
    ProcessInfo info;
    int pid = getppid();
    for (int level = 0; level < 32 && pid > 1 && readProcess(pid, info); ++level, pid = info.parent)
        if (isLauncher(info.name)) {
            nameByProcess(pid, info, name);
            return;
        }
    if (readProcess(getpid(), info))
        nameByProcess(getpid(), info, name);
    else
        std::snprintf(name, sizeof name, "%d", getpid());
}

void say(const char *sentence, bool always) {
    if (!always && environmentRank() > 0)
        return;
    char text[4608];
    const int length = std::snprintf(text, sizeof text, "laggard-record: %s\n", sentence);
    if (length > 0 &&
        ::write(2, text, static_cast<std::size_t>(length) < sizeof text ? static_cast<std::size_t>(length) : sizeof text - 1) < 0)
        return;
}

} // namespace laggard::collect
