// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/JobSamples.h"

#include "attach/CoreFile.h"
#include "attach/Snapshot.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <thread>

namespace laggard::attach {
namespace {

using Clock = std::chrono::steady_clock;

struct WalkedThread {
    const ThreadSnapshot *snapshot = nullptr;
    std::vector<WalkedFrame> frames;
    const PythonThread *python = nullptr; ///< nothing of Python runs in it
};

/// Looks up the samples of one process, one after the other.
class ProcessStacks {
  public:
    /// `sources` and `memory` live as long.
    ProcessStacks(const RankProcess &rank, std::uint32_t rankCount, const ModuleSources &sources, const Memory &memory,
                  const std::string &maps, std::string interpreter, recording::Symbols &symbols)
        : m_rank(rank),
          m_memory(memory),
          m_modules(sources, memory, maps),
          m_walk(rank.pid, m_modules),
          m_called(m_walk, memory),
          m_process{m_modules, symbols, std::move(interpreter), m_called},
          m_communicators(m_walk, memory, maps, rank.rank, rankCount) {}

    [[nodiscard]] const LoadedModules &modules() const { return m_modules; }

    void add(std::span<const ProcessSnapshot> snapshots, std::vector<SampledThread> &threads) {
        std::vector<std::vector<WalkedThread>> walked(snapshots.size());
        for (std::size_t i = 0; i < snapshots.size(); ++i)
            for (const ThreadSnapshot &thread : snapshots[i].threads)
                walked[i].push_back({&thread, m_walk.walk(thread), pythonOf(snapshots[i], thread)});
        completeStacks(walked);
        // The main thread may be missing in a sample: numbers are of threads, not of places in a list.
        std::map<pid_t, std::uint32_t> numbers;
        for (const std::vector<WalkedThread> &sample : walked)
            for (const WalkedThread &each : sample)
                if (each.snapshot->thread != m_rank.pid)
                    numbers[each.snapshot->thread];
        std::uint32_t number = 0;
        for (auto &[thread, own] : numbers)
            own = ++number;
        numbers[m_rank.pid] = 0;
        std::map<pid_t, const WalkedThread *> before;
        for (std::uint32_t sample = 0; sample < walked.size(); ++sample) {
            for (const WalkedThread &now : walked[sample]) {
                const WalkedThread *&earlier =
                    before[now.snapshot->thread]; // what one sample lacks is compared with an earlier one
                threads.push_back(shown(now, earlier, sample, numbers[now.snapshot->thread]));
                earlier = &now;
            }
        }
    }

  private:
    /// What could not be unwound to its end goes on as the same thread does in another sample, where the stack is alike.
    void completeStacks(std::vector<std::vector<WalkedThread>> &walked) const {
        const auto isComplete = [&](const WalkedThread &each) { return m_walk.isComplete(each.frames); };
        for (std::vector<WalkedThread> &sample : walked)
            for (WalkedThread &each : sample) {
                if (isComplete(each))
                    continue;
                for (const std::vector<WalkedThread> &other : walked)
                    for (const WalkedThread &candidate : other)
                        if (candidate.snapshot->thread == each.snapshot->thread && isComplete(candidate) && !isComplete(each))
                            continueAs(*each.snapshot, each.frames, *candidate.snapshot, candidate.frames);
            }
    }

    SampledThread shown(const WalkedThread &now, const WalkedThread *earlier, std::uint32_t sample, std::uint32_t number) {
        const ThreadSnapshot &thread = *now.snapshot;
        const std::size_t notLeft = earlier == nullptr
                                        ? 0
                                        : framesNotLeft(*earlier->snapshot, earlier->frames, thread, now.frames,
                                                        m_walk.isComplete(earlier->frames) && m_walk.isComplete(now.frames));
        SampledThread seen{.rank = m_rank.rank,
                           .sample = sample,
                           .thread = number,
                           .name = thread.name,
                           .isStopped = m_rank.isStopped,
                           .stack = shownStack(now.frames, notLeft, now.python, m_process),
                           .arguments = {}};
        if (seen.stack.mpiCall) {
            const CallSites sites(m_walk, m_memory, thread, now.frames);
            seen.arguments = readMpiArguments(sites, m_communicators, *seen.stack.mpiCall, seen.stack.mpiSymbol);
        }
        if (earlier != nullptr) {
            const ThreadSnapshot &old = *earlier->snapshot;
            seen.stack.moves = old.counter != thread.counter || old.registers != thread.registers || thread.isRunnable;
        }
        return seen;
    }

    static const PythonThread *pythonOf(const ProcessSnapshot &snapshot, const ThreadSnapshot &thread) {
        const auto found = std::ranges::find_if(snapshot.python, [&](const PythonThread &each) {
            return thread.pthread != 0 ? each.pthread == thread.pthread
                                       : each.native == static_cast<std::uint64_t>(thread.thread);
        });
        return found == snapshot.python.end() ? nullptr : &*found;
    }

    const RankProcess &m_rank;
    const Memory &m_memory;
    LoadedModules m_modules;
    StackWalk m_walk;
    CalledFunctions m_called;
    ShownProcess m_process;
    Communicators m_communicators;
};

std::string ofRank(const RankProcess &rank, const std::string &sentence) {
    return "Rank " + std::to_string(rank.rank) + ": " + sentence;
}

std::int64_t nanosecondsUtc() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Sentences, each once.
class Notes {
  public:
    explicit Notes(std::vector<std::string> &notes) : m_notes(notes) {}
    void add(const RankProcess &rank, const std::string &sentence) {
        if (!sentence.empty() && m_said.insert(sentence).second)
            m_notes.push_back(ofRank(rank, sentence));
    }

  private:
    std::vector<std::string> &m_notes;
    std::set<std::string> m_said;
};

/// False for one that is gone, or of which only its status is left.
bool isThere(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    const std::string stat{std::istreambuf_iterator<char>(file), {}};
    const std::size_t close = stat.rfind(')');
    return close != std::string::npos && close + 2 < stat.size() && stat[close + 2] != 'Z' && stat[close + 2] != 'X';
}

/// The interpreter of each process, before anything is stopped.
std::vector<std::optional<PythonRuntime>> pythonsOf(const std::vector<RankProcess> &ranks, Notes &notes) {
    PythonFinder finder;
    std::vector<std::optional<PythonRuntime>> pythons;
    for (const RankProcess &rank : ranks) {
        std::ifstream file("/proc/" + std::to_string(rank.pid) + "/maps", std::ios::binary);
        const std::string maps{std::istreambuf_iterator<char>(file), {}};
        std::string complaint;
        pythons.push_back(finder.find({rank.pid, {}, {}, 0}, LiveMemory(rank.pid), maps, complaint));
        notes.add(rank, complaint);
    }
    return pythons;
}

/// One sample of all ranks. Several are stopped at a time, each for itself: on a busy machine most of the time goes by until a
/// process that is to stop gets a processor.
std::vector<ProcessSnapshot> sampleOnce(const std::vector<RankProcess> &ranks,
                                        const std::vector<std::optional<PythonRuntime>> &pythons,
                                        const std::function<bool()> &isCancelled) {
    constexpr std::size_t most = 16; // at a time; 64 ranks that poll on two processors: see bench/README.md
    std::vector<ProcessSnapshot> taken(ranks.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < ranks.size() && !isCancelled(); i = next++)
            taken[i] = takeSnapshot(ranks[i].pid, pythons[i] ? &*pythons[i] : nullptr);
    };
    std::vector<std::jthread> workers;
    for (std::size_t i = 1; i < std::min(most, ranks.size()); ++i)
        workers.emplace_back(work);
    work();
    workers.clear();
    return taken;
}

/// A signal does not end a sleep of the library, and samples may lie an hour apart.
void waitUntil(Clock::time_point time, const std::function<bool()> &isCancelled) {
    constexpr std::chrono::milliseconds step{20}; // at once, for people
    for (auto now = Clock::now(); now < time && !isCancelled(); now = Clock::now())
        std::this_thread::sleep_until(std::min<Clock::time_point>(time, now + step));
}

} // namespace

JobSamples readCores(FoundJob job, const ModuleSources &sources, const std::function<bool()> &isCancelled) {
    JobSamples result;
    result.job = std::move(job);
    result.notes = result.job.notes;
    result.startUtc = nanosecondsUtc();
    result.times.emplace_back(0);
    result.areCores = true;
    Notes notes(result.notes);
    recording::Symbols symbols;
    PythonFinder pythons;
    for (const RankProcess &rank : result.job.ranks) {
        if (isCancelled()) {
            result.isCutShort = true;
            break;
        }
        try {
            const CoreFile core(rank.core);
            ProcessSnapshot snapshot = core.snapshot();
            notes.add(rank, snapshot.complaint);
            ModuleSources own = sources;
            own.entry = core.entry();
            std::string complaint;
            const auto python = pythons.find(own, core, snapshot.maps, complaint);
            notes.add(rank, complaint);
            if (python)
                snapshot.python = python->threads(core);
            ProcessStacks stacks(rank, result.job.rankCount, own, core, snapshot.maps, python ? python->module() : std::string(),
                                 symbols);
            for (const std::string &note : stacks.modules().notes())
                notes.add(rank, note);
            stacks.add({&snapshot, 1}, result.threads);
            if (core.fault() != 0)
                result.faults[rank.rank] = core.fault();
        } catch (const BadCore &error) {
            notes.add(rank, error.what());
        }
    }
    std::ranges::stable_sort(result.threads, {}, &SampledThread::rank);
    return result;
}

JobSamples sampleJob(FoundJob job, unsigned samples, std::chrono::nanoseconds interval,
                     const std::function<bool()> &isCancelled) {
    JobSamples result;
    result.job = std::move(job);
    const std::vector<RankProcess> &ranks = result.job.ranks;
    result.notes = result.job.notes;
    result.startUtc = nanosecondsUtc();
    std::vector<std::vector<ProcessSnapshot>> taken(ranks.size());
    Notes notes(result.notes);
    const std::vector<std::optional<PythonRuntime>> pythons = pythonsOf(ranks, notes);
    const auto start = Clock::now();
    for (unsigned sample = 0; sample < samples; ++sample) {
        waitUntil(start + sample * interval, isCancelled);
        const auto time = Clock::now() - start;
        std::vector<ProcessSnapshot> all = sampleOnce(ranks, pythons, isCancelled);
        if (isCancelled()) { // what was seen of some ranks only would tell of the others that they were gone
            result.isCutShort = true;
            break;
        }
        result.times.push_back(time);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            result.stops.push_back(all[i].stopped);
            notes.add(ranks[i], all[i].complaint);
            taken[i].push_back(std::move(all[i]));
        }
    }
    std::ranges::sort(result.stops);
    for (const RankProcess &rank : ranks)
        if (!isThere(rank.pid))
            result.ended.insert(rank.rank);
    recording::Symbols symbols;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (!result.isCutShort && isCancelled()) { // only now: nobody waits for what takes long in large programs
            result.isCutShort = true;
            result.times.clear();
            result.threads.clear();
            break;
        }
        const auto usable = std::ranges::find_if(taken[i], [](const ProcessSnapshot &each) { return !each.maps.empty(); });
        if (usable == taken[i].end())
            continue;
        const ModuleSources sources{ranks[i].pid, {}, {}, 0};
        const LiveMemory memory(ranks[i].pid);
        ProcessStacks stacks(ranks[i], result.job.rankCount, sources, memory, usable->maps,
                             pythons[i] ? pythons[i]->module() : std::string(), symbols);
        for (const std::string &note : stacks.modules().notes())
            notes.add(ranks[i], note);
        stacks.add(taken[i], result.threads);
        taken[i].clear();
    }
    return result;
}

} // namespace laggard::attach
