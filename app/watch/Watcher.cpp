// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/Watcher.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace laggard::watch {
namespace {

using namespace std::chrono_literals;

constexpr double ticksPerSecond = 1e9; // of the recorder's clock, which is this one
/// Shorter standstills are not looked at: as long as a process must be silent for its recorder to take its stacks.
constexpr double quiet = 3; // seconds (collect/store/Monitor.cpp)
/// At least so often the watcher looks whether the job is there, and whether others have said something.
constexpr auto step = 250ms;
/// After this many analyses that failed, it is not tried again.
constexpr int mostFailures = 3;

std::uint64_t ticksNow() { return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()); }
double secondsOf(std::uint64_t ticks) { return static_cast<double>(ticks) / ticksPerSecond; }
std::uint64_t ticksOf(double seconds) { return static_cast<std::uint64_t>(seconds * ticksPerSecond); }
std::uint64_t difference(std::uint64_t later, std::uint64_t earlier) { return later - std::min(later, earlier); }

std::string rounded(double seconds) { return std::to_string(static_cast<std::uint64_t>(seconds + 0.5)) + " s"; }

} // namespace

Watcher::Watcher(WatchRequest request)
    : m_request(std::move(request)),
      m_starter(m_request.starter),
      m_lock(m_request.folder, m_request.job),
      m_job(m_request.folder, m_request.job),
      m_random(static_cast<std::uint64_t>(::getpid())) {}

bool Watcher::isJobThere() const { return m_starter.isAlive() || m_job.isAnyAlive(); }

/// Every process of the job starts a watcher. The first one here watches, the second one stands by, and the others end at once.
bool Watcher::waitForTurn() {
    if (m_lock.takeNode()) {
        m_judges = m_lock.takeJob();
        if (m_judges)
            m_lock.say(FolderLock::Word::Nothing); // what an earlier job of the same name has left
        return true;
    }
    if (!m_lock.takeReserve())
        return false;
    while (!m_lock.takeNode()) {
        std::this_thread::sleep_for(step);
        m_job.look(false);
        if (!isJobThere())
            return false;
    }
    return true;
}

void Watcher::run() {
    if (!waitForTurn())
        return;
    m_job.look(false);
    m_awakeSince = ticksNow();
    while (sleepUntilNext()) {
        if (m_lock.word() == FolderLock::Word::Stop) {
            m_job.end(hangStatus);
            return;
        }
        m_judges = m_judges || m_lock.takeJob();
        if (m_judges)
            lookOnce();
    }
}

/// Until the next sample; false when the job is over.
bool Watcher::sleepUntilNext() {
    std::uniform_real_distribution<double> around(0.5, 1.5);
    const std::uint64_t begun = ticksNow();
    std::uint64_t before = begun;
    const std::uint64_t until = begun + ticksOf(m_judges ? m_alarm.interval() * around(m_random) : m_alarm.firstInterval);
    do {
        std::this_thread::sleep_for(
            std::min<std::chrono::nanoseconds>(step, std::chrono::nanoseconds(difference(until, before))));
        const std::uint64_t now = ticksNow();
        constexpr double gap = 2; // seconds: many times a step, however busy the machine is
        if (secondsOf(now - before) > gap) {
            m_awakeSince = now;
            m_alarm.interrupt();
        }
        before = now;
        if (m_judges)
            m_job.look(false); // how long processes stay where they are
        if (!isJobThere()) {
            m_job.findNew(); // processes that have just begun to record
            if (!isJobThere())
                return false;
        }
    } while (before < until && m_lock.word() != FolderLock::Word::Stop);
    return true;
}

double Watcher::stillSeconds() const { return secondsOf(difference(ticksNow(), std::max(m_job.lastChange(), m_awakeSince))); }

Stillness Watcher::stillness() const {
    return {.seconds = stillSeconds(),
            .jobSeconds = secondsOf(difference(ticksNow(), m_job.begun())),
            .longestBefore = secondsOf(m_job.longestStay()),
            .given = m_request.hangTimeout};
}

/// The share of a random sample of the processes here that is outside MPI.
double Watcher::share() {
    constexpr std::size_t sampled = 10; // ParaStack's
    std::vector<const WatchedJob::Member *> members = m_job.running();
    std::shuffle(members.begin(), members.end(), m_random);
    members.resize(std::min(members.size(), sampled));
    const auto outside = std::ranges::count_if(members, [](const auto *member) { return !member->now.isInMpi; });
    return static_cast<double>(outside) / static_cast<double>(members.size());
}

void Watcher::lookOnce() {
    m_job.look(false);
    if (m_job.running().empty())
        return;
    const WatchedJob::Signs signs = m_job.signs();
    if (signs.isStopped) {
        m_awakeSince = ticksNow();
        m_alarm.interrupt();
        return;
    }
    m_alarm.add(share());
    const double still = stillSeconds();
    if (still < quiet)
        m_movesFor = 0;
    else if (signs.moves)
        m_movesFor = still;
    consider();
}

void Watcher::consider() {
    if (m_isTold || m_lock.word() == FolderLock::Word::Told) {
        m_isTold = true;
        if (m_toldOf != 0 && m_job.lastChange() > m_toldOf && !std::exchange(m_hasSaidOn, true))
            say("laggard-record: the job that was said to hang goes on.\n");
        return;
    }
    const std::uint64_t now = ticksNow();
    if (stillSeconds() < quiet || now < m_notBefore || m_failures >= mostFailures)
        return;
    const bool isAlarm =
        m_request.hangTimeout ? stillSeconds() >= *m_request.hangTimeout : m_alarm.isRaised() || m_job.allCountAsHanging(now);
    if (isAlarm)
        judge();
}

void Watcher::judge() {
    m_job.look(true);
    if (const std::int64_t missing = m_job.missing(); missing > 0) {
        m_failures = mostFailures;
        if (m_job.hasFirstRank())
            say("laggard-record: the recordings of " + std::to_string(missing) + " of the job's ranks are not in " +
                m_request.folder + " (is the folder on each node another one?): it is not judged whether the job hangs.\n");
        return;
    }
    if (stillSeconds() < quiet) // somewhere else it goes on
        return;
    const std::uint64_t last = m_job.lastChange();
    const std::uint64_t begun = ticksNow();
    LiveAnalysis analysis(m_request.analyzer, m_request.folder);
    const std::optional<Judged> judged = analysis.run([this] { return isJobThere(); });
    const double took = secondsOf(difference(ticksNow(), begun));
    // What is found of no hang costs at most a twentieth of the time.
    constexpr double share = 20;
    m_notBefore = ticksNow() + ticksOf(std::max(stillSeconds(), share * took));
    if (!judged) {
        if (!analysis.problem().empty() && ++m_failures == mostFailures)
            say("laggard-record: the job may hang, but " + analysis.problem() + "\n");
        return;
    }
    m_job.look(true);
    if (m_job.lastChange() > last || !isJobThere())
        return;
    const std::optional<double> patience = patienceFor(*judged, stillness());
    if (!patience)
        return;
    // Who reads, writes or waits for a device may come; what came before that does not count.
    const double wait = *patience > 0 && !m_request.hangTimeout ? m_movesFor + *patience : *patience;
    if (stillSeconds() < wait) {
        m_notBefore = ticksNow() + ticksOf(wait - stillSeconds());
        return;
    }
    analysis.keep();
    tell(analysis);
}

void Watcher::tell(LiveAnalysis &analysis) {
    std::ifstream file(m_request.folder + "/verdict.txt");
    const std::string verdict((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    m_isTold = true;
    m_toldOf = m_job.lastChange();
    say("laggard-record: the job hangs: nothing has moved for " + rounded(stillSeconds()) + ".\n\n" + answerOf(verdict) +
        "\nlaggard-record: " + m_request.folder + "/verdict.txt, report.html and report.json tell more.\n");
    m_lock.say(FolderLock::Word::Told);
    if (!analysis.makePage([this] { return isJobThere(); }) && !analysis.problem().empty())
        say("laggard-record: report.html was not made: " + analysis.problem() + "\n");
    act();
}

void Watcher::act() {
    if (m_request.action == "stop") {
        say("laggard-record: the job is ended with status " + std::to_string(hangStatus) + " (--on-hang stop).\n");
        m_lock.say(FolderLock::Word::Stop); // the watchers of all nodes, this one included, end their processes
        return;
    }
    if (m_request.action == "analyze")
        return;
    const pid_t child = ::fork();
    if (child == 0) {
        const int log =
            ::open((m_request.folder + "/on-hang.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (log >= 0) {
            ::dup2(log, STDOUT_FILENO);
            ::dup2(log, STDERR_FILENO);
        }
        ::setenv("LAGGARD_RECORDING", m_request.folder.c_str(), 1);
        ::setenv("LAGGARD_VERDICT", (m_request.folder + "/verdict.txt").c_str(), 1);
        ::execl("/bin/sh", "sh", "-c", m_request.action.c_str(), nullptr);
        ::_exit(127);
    }
    // It may end the job, and this watcher with it: nobody waits for it.
}

void Watcher::say(const std::string &text) {
    std::vector<std::int32_t> pids{m_request.starter};
    for (const WatchedJob::Member &member : m_job.members())
        if (member.isAlive())
            pids.push_back(member.process->pid());
    writeToJobErrors(pids, m_request.errors, text);
}

} // namespace laggard::watch
