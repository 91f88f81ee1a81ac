// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/JobSamples.h"

#include "attach/Snapshot.h"

#include <algorithm>
#include <map>
#include <set>
#include <sys/stat.h>
#include <thread>

namespace laggard::attach {
namespace {

using Clock = std::chrono::steady_clock;

/// The executable, by the path that its module is opened with.
std::string programOf(pid_t process, const LoadedModules &modules) {
    struct stat program {};
    struct stat status {};
    if (::stat(("/proc/" + std::to_string(process) + "/exe").c_str(), &program) != 0)
        return {};
    for (const LoadedModule &each : modules.all())
        if (::stat(each.key.path.c_str(), &status) == 0 && status.st_ino == program.st_ino && status.st_dev == program.st_dev)
            return each.key.path;
    return {};
}

struct WalkedThread {
    const ThreadSnapshot *snapshot = nullptr;
    std::vector<WalkedFrame> frames;
};

/// Looks up the samples of one process, one after the other.
class ProcessStacks {
  public:
    ProcessStacks(const RankProcess &rank, const std::string &maps, recording::Symbols &symbols)
        : m_rank(rank),
          m_modules(rank.pid, maps),
          m_walk(rank.pid, m_modules),
          m_program(programOf(rank.pid, m_modules)),
          m_symbols(symbols) {}

    void add(const ProcessSnapshot &snapshot, std::uint32_t sample, std::vector<SampledThread> &threads) {
        std::uint32_t number = 0;
        for (const ThreadSnapshot &thread : snapshot.threads) {
            WalkedThread now{&thread, m_walk.walk(thread)};
            const auto before = m_before.find(thread.thread);
            const std::size_t notLeft =
                before == m_before.end() ? 0 : framesNotLeft(*before->second.snapshot, before->second.frames, thread, now.frames);
            SampledThread seen{m_rank.rank, sample,           number++,
                               thread.name, m_rank.isStopped, shownStack(now.frames, notLeft, m_modules, m_program, m_symbols)};
            if (before != m_before.end()) {
                const ThreadSnapshot &old = *before->second.snapshot;
                seen.stack.moves = old.counter != thread.counter || old.registers != thread.registers;
            }
            threads.push_back(std::move(seen));
            m_before[thread.thread] = std::move(now); // what is missing in one sample is compared with an earlier one
        }
    }

  private:
    const RankProcess &m_rank;
    LoadedModules m_modules;
    StackWalk m_walk;
    std::string m_program;
    recording::Symbols &m_symbols;
    std::map<pid_t, WalkedThread> m_before;
};

} // namespace

JobSamples sampleJob(FoundJob job, unsigned samples, std::chrono::nanoseconds interval,
                     const std::function<bool()> &isCancelled) {
    JobSamples result;
    result.job = std::move(job);
    const std::vector<RankProcess> &ranks = result.job.ranks;
    result.notes = result.job.notes;
    result.startUtc =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    std::vector<std::vector<ProcessSnapshot>> taken(ranks.size());
    std::set<std::string> said;
    const auto start = Clock::now();
    for (unsigned sample = 0; sample < samples && !isCancelled(); ++sample) {
        std::this_thread::sleep_until(start + sample * interval);
        result.times.push_back(Clock::now() - start);
        for (std::size_t i = 0; i < ranks.size() && !isCancelled(); ++i) {
            taken[i].push_back(takeSnapshot(ranks[i].pid));
            result.longestStop = std::max(result.longestStop, taken[i].back().stopped);
            if (const std::string &complaint = taken[i].back().complaint; !complaint.empty() && said.insert(complaint).second)
                result.notes.push_back("Rank " + std::to_string(ranks[i].rank) + ": " + complaint);
        }
    }
    recording::Symbols symbols;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto usable = std::ranges::find_if(taken[i], [](const ProcessSnapshot &each) { return !each.maps.empty(); });
        if (usable == taken[i].end())
            continue;
        ProcessStacks stacks(ranks[i], usable->maps, symbols);
        for (std::uint32_t sample = 0; sample < taken[i].size(); ++sample)
            stacks.add(taken[i][sample], sample, result.threads);
        taken[i].clear();
    }
    return result;
}

} // namespace laggard::attach
