// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/RankSearch.h"

#include "attach/CoreFile.h"
#include "trace/RankSet.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <dirent.h>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace laggard::attach {
namespace {

/// Where launchers leave a process its rank. In this order: what starts MPI's own launchers (Slurm) leaves one, too.
struct RankVariables {
    std::string_view rank, count, job; ///< `job` alone does not name a job where it is empty
};
constexpr std::array rankVariables = {
    RankVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"},
    RankVariables{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", ""},
    RankVariables{"PMI_RANK", "PMI_SIZE", ""},
    RankVariables{"PALS_RANKID", "PALS_SIZE", "PALS_APID"},
    RankVariables{"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_JOB_ID"},
    RankVariables{"PMIX_RANK", "PMIX_SIZE", "PMIX_NAMESPACE"},
    RankVariables{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID"},
    RankVariables{"RANK", "WORLD_SIZE", "MASTER_PORT"}, // torchrun; both must be there
};
constexpr std::uint32_t mostRanks = 4'194'304; ///< as a model dump may have

std::string looksFor() {
    std::string names;
    for (const RankVariables &each : rankVariables)
        names += (names.empty() ? "" : ", ") + std::string(each.rank);
    return names;
}

std::string fileText(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<std::uint32_t> numberIn(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<ProcessEntry> readProcess(pid_t pid) {
    const std::string folder = "/proc/" + std::to_string(pid);
    const std::string stat = fileText(folder + "/stat");
    const std::size_t open = stat.find('(');
    const std::size_t close = stat.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open || close + 4 > stat.size())
        return std::nullopt;
    ProcessEntry entry;
    entry.pid = pid;
    entry.command = stat.substr(open + 1, close - open - 1);
    entry.state = stat[close + 2];
    const std::string_view rest = std::string_view(stat).substr(close + 4);
    entry.parent = static_cast<pid_t>(numberIn(rest.substr(0, rest.find(' '))).value_or(0));
    struct stat status {};
    const bool isOwn = ::stat(folder.c_str(), &status) == 0 && (status.st_uid == ::geteuid() || ::geteuid() == 0);
    if (isOwn && entry.state != 'Z' && entry.state != 'X') {
        entry.isUnreadable = ::access((folder + "/environ").c_str(), R_OK) != 0;
        readEnvironment(fileText(folder + "/environ"), entry);
    }
    return entry;
}

bool isShell(const std::string &command) {
    static constexpr std::array<std::string_view, 8> shells = {"sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh", "env"};
    return std::ranges::find(shells, command) != shells.end();
}

using ByPid = std::map<pid_t, const ProcessEntry *>;

ByPid byPid(const std::vector<ProcessEntry> &processes) {
    ByPid table;
    for (const ProcessEntry &process : processes)
        table[process.pid] = &process;
    return table;
}

/// The process that started the ranks: the nearest above without a rank, or what started that, where it is a node's helper.
pid_t launcherOf(const ByPid &table, const ProcessEntry &process) {
    const ProcessEntry *at = &process;
    for (std::size_t steps = 0; at->rank && steps < table.size(); ++steps) {
        const auto parent = table.find(at->parent);
        if (parent == table.end())
            return at->parent;
        at = parent->second;
    }
    const bool isHelper =
        at->command.starts_with("hydra_") || at->command.starts_with("orted") || at->command.starts_with("prted");
    return isHelper && table.contains(at->parent) && at->parent > 1 ? at->parent : at->pid;
}

/// True if one of the processes above has the same rank and is no shell: this one is a helper that the rank has started.
bool isBelowItsRank(const ByPid &table, const ProcessEntry &process) {
    auto parent = table.find(process.parent);
    for (std::size_t steps = 0; parent != table.end() && steps < table.size();
         ++steps, parent = table.find(parent->second->parent)) {
        if (parent->second->rank != process.rank)
            return false;
        if (!isShell(parent->second->command))
            return true;
    }
    return false;
}

FoundJob jobOf(const ByPid &table, std::vector<const ProcessEntry *> members) {
    FoundJob job;
    std::erase_if(members, [&](const ProcessEntry *each) { return isShell(each->command) || isBelowItsRank(table, *each); });
    std::ranges::stable_sort(members, {}, [](const ProcessEntry *each) { return *each->rank; });
    for (const ProcessEntry *each : members) {
        if (*each->rank >= mostRanks)
            continue;
        if (!job.ranks.empty() && job.ranks.back().rank == *each->rank) {
            job.notes.push_back("Process " + std::to_string(each->pid) + " (" + each->command + ") says that it is rank " +
                                std::to_string(*each->rank) + ", as process " + std::to_string(job.ranks.back().pid) +
                                " does: it is left out.");
            continue;
        }
        job.ranks.push_back({*each->rank, each->pid, each->command, each->state == 'T', {}});
        job.rankCount = std::max({job.rankCount, std::min(each->rankCount, mostRanks), *each->rank + 1});
    }
    return job;
}

/// A process that the user has named.
struct Named {
    ProcessEntry process;
    std::string core; ///< its core file; empty: it is there
};

/// By their environments if all have a rank, and each another one; else in the order given.
void numberRanks(const std::vector<Named> &named, FoundJob &job) {
    std::set<std::uint32_t> taken;
    const bool hasRanks = std::ranges::all_of(named, [&](const Named &each) {
        return each.process.rank && *each.process.rank < mostRanks && taken.insert(*each.process.rank).second;
    });
    const bool hasSome = std::ranges::any_of(named, [](const Named &each) { return each.process.rank.has_value(); });
    if (!hasRanks && hasSome)
        job.notes.emplace_back("Not all of these processes have a rank of their own in their environment: they are numbered in "
                               "the order given.");
    std::uint32_t number = 0;
    for (const Named &each : named) {
        const std::uint32_t rank = hasRanks ? *each.process.rank : number++;
        job.ranks.push_back({rank, each.process.pid, each.process.command, each.process.state == 'T', each.core});
        job.rankCount = std::max({job.rankCount, hasRanks ? std::min(each.process.rankCount, mostRanks) : 0U, rank + 1});
    }
    if (job.ranks.empty())
        throw NothingFound(job.notes.empty() ? "No process is named." : job.notes.front());
    std::ranges::sort(job.ranks, {}, &RankProcess::rank);
}

RankSet numbersOf(const FoundJob &job) {
    RankSet ranks;
    for (const RankProcess &each : job.ranks)
        ranks.push_back(each.rank);
    return ranks;
}

/// The one job that these processes are of: ranks of a job say the same, or have one launcher. Nothing if they are of none;
/// throws NothingFound if they are of several.
std::optional<FoundJob> theJobOf(const std::vector<const ProcessEntry *> &processes, const ByPid &table) {
    std::map<std::pair<std::string, pid_t>, std::vector<const ProcessEntry *>> members;
    for (const ProcessEntry *process : processes)
        if (process->rank)
            members[{process->job, process->job.empty() ? launcherOf(table, *process) : 0}].push_back(process);
    std::vector<std::pair<pid_t, FoundJob>> jobs;
    for (auto &[key, each] : members)
        if (FoundJob job = jobOf(table, each); !job.ranks.empty())
            jobs.emplace_back(launcherOf(table, *each.front()), std::move(job));
    if (jobs.empty())
        return std::nullopt;
    if (jobs.size() == 1)
        return std::move(jobs.front().second);
    std::string several = "Several jobs run here; choose one with --launcher:";
    for (const auto &[launcher, job] : jobs)
        several += "\n  --launcher " + std::to_string(launcher) + "   " + job.ranks.front().command +
                   (job.ranks.size() == 1 ? ", rank " : ", ranks ") + formatRanges(numbersOf(job));
    throw NothingFound(several);
}

} // namespace

void readEnvironment(const std::string &environment, ProcessEntry &entry) {
    std::map<std::string_view, std::string_view> variables;
    const std::string_view text = environment;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\0', at), text.size());
        const std::string_view each = text.substr(at, end - at);
        if (const std::size_t equals = each.find('='); equals != std::string_view::npos)
            variables.emplace(each.substr(0, equals), each.substr(equals + 1));
        at = end + 1;
    }
    const auto valueOf = [&](std::string_view name) {
        const auto found = name.empty() ? variables.end() : variables.find(name);
        return found == variables.end() ? std::string_view() : found->second;
    };
    entry.slurmJob = valueOf("SLURM_JOB_ID");
    for (const RankVariables &each : rankVariables) {
        entry.rank = numberIn(valueOf(each.rank));
        if (each.rank == "RANK" && valueOf(each.count).empty()) // too common a name
            entry.rank.reset();
        if (!entry.rank)
            continue;
        entry.rankCount = numberIn(valueOf(each.count)).value_or(0);
        if (const std::string_view job = valueOf(each.job); !job.empty())
            entry.job = std::string(each.job) + '=' + std::string(job);
        if (each.rank == "SLURM_PROCID" && !entry.job.empty())
            entry.job += '.' + std::string(valueOf("SLURM_STEP_ID"));
        return;
    }
}

std::vector<ProcessEntry> listProcesses() {
    std::vector<ProcessEntry> processes;
    DIR *folder = ::opendir("/proc");
    if (folder == nullptr)
        return processes;
    while (const dirent *each = ::readdir(folder)) // one thread reads
        if (const auto pid = numberIn(each->d_name))
            if (auto entry = readProcess(static_cast<pid_t>(*pid)))
                processes.push_back(std::move(*entry));
    ::closedir(folder);
    std::ranges::sort(processes, {}, &ProcessEntry::pid);
    return processes;
}

FoundJob ranksBelow(const std::vector<ProcessEntry> &processes, pid_t launcher) {
    const ByPid table = byPid(processes);
    if (!table.contains(launcher))
        throw NothingFound("There is no process " + std::to_string(launcher) + '.');
    std::set<pid_t> below = {launcher};
    for (bool isGrowing = true; isGrowing;) {
        isGrowing = false;
        for (const ProcessEntry &each : processes)
            isGrowing |= below.contains(each.parent) && below.insert(each.pid).second;
    }
    std::vector<const ProcessEntry *> members;
    std::size_t unreadable = 0;
    for (const ProcessEntry &each : processes)
        if (below.contains(each.pid)) {
            unreadable += each.isUnreadable ? 1 : 0;
            members.push_back(&each);
        }
    std::optional<FoundJob> job = theJobOf(members, table);
    if (!job)
        throw NothingFound("Below process " + std::to_string(launcher) + " there is no rank: of its " +
                           std::to_string(below.size() - 1) + " descendants none has " + looksFor() + " in its environment" +
                           (unreadable != 0 ? ", and that of " + std::to_string(unreadable) + " cannot be read" : "") +
                           ". Name the processes with --pid.");
    return std::move(*job);
}

FoundJob ranksOf(const std::vector<ProcessEntry> &processes, const std::vector<pid_t> &pids) {
    const ByPid table = byPid(processes);
    FoundJob job;
    std::vector<Named> named;
    for (const pid_t pid : pids) {
        const auto found = table.find(pid);
        if (found == table.end())
            job.notes.push_back("There is no process " + std::to_string(pid) + '.');
        else if (found->second->state == 'Z' || found->second->state == 'X')
            job.notes.push_back("Process " + std::to_string(pid) + " has ended, and nobody has asked for its status (a zombie).");
        else
            named.push_back({*found->second, {}});
    }
    numberRanks(named, job);
    return job;
}

FoundJob ranksOfCores(const std::vector<std::string> &files) {
    FoundJob job;
    std::vector<Named> named;
    for (const std::string &file : files) {
        try {
            const CoreFile core(file);
            Named each{{}, file};
            each.process.pid = core.process();
            each.process.command = core.command();
            readEnvironment(core.environment(), each.process);
            named.push_back(std::move(each));
        } catch (const BadCore &error) {
            job.notes.emplace_back(error.what());
        }
    }
    numberRanks(named, job);
    return job;
}

FoundJob onlyJob(const std::vector<ProcessEntry> &processes, const std::string &slurmJob) {
    const ByPid table = byPid(processes);
    std::vector<const ProcessEntry *> all;
    for (const ProcessEntry &each : processes)
        if (each.command != "laggard-attach" && (slurmJob.empty() || each.slurmJob == slurmJob))
            all.push_back(&each);
    if (std::optional<FoundJob> job = theJobOf(all, table))
        return std::move(*job);
    throw NothingFound(
        "No rank was found: no process that this user may look into has " + looksFor() +
        " in its environment. Is this the machine that the job runs on? Else name the processes with --pid, or the "
        "launcher with --launcher.");
}

} // namespace laggard::attach
