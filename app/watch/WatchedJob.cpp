// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/WatchedJob.h"

#include "ingest/recording/LiveProcess.h"
#include "ingest/recording/Processes.h"
#include "trace/Work.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace laggard::watch {
namespace {

#ifdef SYS_pidfd_open
constexpr long openHandle = SYS_pidfd_open;
#else
constexpr long openHandle = 434;
#endif

std::uint64_t ticksNow() { return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()); }

} // namespace

ProcessHandle::ProcessHandle(std::int32_t pid) : m_pid(pid), m_handle(static_cast<int>(::syscall(openHandle, pid, 0U))) {}

ProcessHandle::~ProcessHandle() {
    if (m_handle >= 0)
        ::close(m_handle);
}

ProcessHandle::ProcessHandle(ProcessHandle &&other) noexcept : m_pid(other.m_pid), m_handle(std::exchange(other.m_handle, -1)) {}

ProcessHandle &ProcessHandle::operator=(ProcessHandle &&other) noexcept {
    std::swap(m_pid, other.m_pid);
    std::swap(m_handle, other.m_handle);
    return *this;
}

bool ProcessHandle::isAlive() const {
    if (m_handle < 0)
        return ::kill(m_pid, 0) == 0;
    pollfd ended{m_handle, POLLIN, 0};
    return ::poll(&ended, 1, 0) == 0;
}

void ProcessHandle::kill(int signal) const {
    if (isAlive())
        ::kill(m_pid, signal);
}

ProcessSign signOf(std::int32_t pid) {
    const std::string place = "/proc/" + std::to_string(pid) + "/";
    ProcessSign sign;
    std::ifstream status(place + "stat");
    const std::string text((std::istreambuf_iterator<char>(status)), std::istreambuf_iterator<char>());
    if (const std::size_t nameEnd = text.rfind(')'); nameEnd != std::string::npos && nameEnd + 2 < text.size()) {
        const char state = text[nameEnd + 2];
        sign.isStopped = state == 'T' || state == 't';
        sign.isInDisk = state == 'D';
    }
    std::ifstream moved(place + "io");
    std::uint64_t count = 0;
    for (std::string word; moved >> word >> count;)
        if (word == "wchar:" || word == "read_bytes:") // the recorder's own thread reads of the system, and writes nothing
            sign.moved += count;
    return sign;
}

void WatchedJob::findNew() {
    m_foundAt = ticksNow();
    for (const std::string &path : recording::recordingFilesAt(m_folder)) {
        if (m_known.contains(path))
            continue;
        try {
            Member member{.state = std::make_unique<recording::LiveState>(path), .process = nullptr, .now = {}};
            const recording::FileHeader &header = member.state->header();
            m_known.insert(path);
            if (header.jobId != m_job)
                continue;
            member.isLocal = recording::isThisHost(header);
            if (member.isLocal && recording::liveProcess(header, path).exists)
                member.process = std::make_unique<ProcessHandle>(header.pid);
            m_members.push_back(std::move(member));
        } catch (const ReadError &) {
            // It is just being made, and is looked at again; a damaged one is named by the analysis.
        }
    }
}

void WatchedJob::look(bool everyone) {
    // A folder on a network is not listed more often than needed.
    constexpr std::uint64_t whileStarting = 500'000'000;
    constexpr std::uint64_t later = 5'000'000'000;
    const std::uint64_t now = ticksNow();
    if (everyone || now - m_foundAt > (m_members.empty() || missing() > 0 ? whileStarting : later))
        findNew();
    for (Member &member : m_members) {
        if (!member.isLocal && !everyone)
            continue;
        const auto reading = member.state->read();
        if (!reading)
            continue;
        // It may have gone on several times since: what is sure is how long it had been there when it was last looked at.
        if (member.now.lastChange != 0 && reading->lastChange > member.now.lastChange && member.lookedAt > member.now.lastChange)
            member.longestStay = std::max(member.longestStay, member.lookedAt - member.now.lastChange);
        member.lookedAt = member.isLocal ? now : reading->aliveTicks;
        member.now = *reading;
        member.isOver = reading->hasEnded || reading->isFinalized || (member.isLocal && !member.isAlive());
    }
}

std::vector<const WatchedJob::Member *> WatchedJob::running() const {
    std::vector<const Member *> running;
    for (const Member &member : m_members)
        if (member.isLocal && !member.isOver && member.now.hasCalled)
            running.push_back(&member);
    return running;
}

bool WatchedJob::isAnyAlive() const {
    return std::ranges::any_of(m_members, [](const Member &member) { return member.isAlive(); });
}

bool WatchedJob::hasFirstRank() const {
    const auto first = std::ranges::min_element(m_members, {}, [](const Member &member) {
        return std::pair(static_cast<std::uint32_t>(member.now.rank),
                         static_cast<std::uint32_t>(member.state->header().environmentRank));
    });
    return first != m_members.end() && first->isLocal;
}

std::int64_t WatchedJob::missing() const {
    std::int64_t size = 0;
    for (const Member &member : m_members)
        size = std::max<std::int64_t>(size, member.now.worldSize);
    return std::max<std::int64_t>(0, size - static_cast<std::int64_t>(m_members.size()));
}

std::uint64_t WatchedJob::lastChange() const {
    std::uint64_t last = 0;
    for (const Member &member : m_members) {
        if (member.isOver)
            continue;
        if (member.isLocal) {
            last = std::max(last, member.now.lastChange);
            continue;
        }
        // Another machine's clock tells nothing here: how long it has been still, counted back from its last sign of life.
        const std::uint64_t now = ticksNow();
        const std::uint64_t still = member.now.aliveTicks - std::min(member.now.aliveTicks, member.now.lastChange);
        last = std::max(last, now - std::min(now, still));
    }
    return last;
}

std::uint64_t WatchedJob::longestStay() const {
    std::uint64_t longest = 0;
    for (const Member &member : m_members)
        longest = std::max(longest, member.longestStay);
    return longest;
}

std::uint64_t WatchedJob::begun() const {
    std::uint64_t first = 0;
    for (const Member &member : m_members)
        if (member.isLocal && (first == 0 || member.state->header().startTicks < first))
            first = member.state->header().startTicks;
    return first;
}

bool WatchedJob::allCountAsHanging(std::uint64_t now) const {
    const auto members = running();
    return !members.empty() && std::ranges::all_of(members, [now](const Member *member) {
        return member->now.hangThreshold != 0 && now > member->now.lastChange &&
               now - member->now.lastChange > member->now.hangThreshold;
    });
}

WatchedJob::Signs WatchedJob::signs() {
    constexpr std::uint64_t page = 4096; // bytes: less may be of what waits inside MPI
    Signs signs;
    bool any = false;
    bool allStopped = true;
    for (Member &member : m_members) {
        if (!member.isLocal || member.isOver)
            continue;
        const ProcessSign sign = signOf(member.process->pid());
        any = true;
        allStopped = allStopped && sign.isStopped;
        signs.moves = signs.moves || sign.isInDisk || sign.moved > member.moved + page;
        member.moved = sign.moved;
    }
    signs.isStopped = any && allStopped;
    return signs;
}

void WatchedJob::end(std::uint32_t status) const {
    using namespace std::chrono_literals;
    for (const Member &member : m_members)
        if (member.isAlive())
            recording::askToEnd(member.state->path(), status);
    for (const auto until = std::chrono::steady_clock::now() + 5s; isAnyAlive() && std::chrono::steady_clock::now() < until;)
        std::this_thread::sleep_for(20ms);
    for (const Member &member : m_members)
        if (member.process)
            member.process->kill(SIGKILL);
}

} // namespace laggard::watch
