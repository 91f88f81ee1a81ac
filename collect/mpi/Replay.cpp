// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Replay.h"

#include "collect/store/JobEnvironment.h"
#include "collect/store/OwnThread.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace laggard::collect::mpi {

namespace replay = recording::replay;

namespace {

constexpr Ticks second = 1'000'000'000;

bool isWildcard(const Asked &asked) { return asked.source == recording::anySource || asked.tag == recording::anyTag; }

std::string tagText(std::int32_t tag) { return tag == recording::anyTag ? "any tag" : "tag " + std::to_string(tag); }

std::string sourceText(std::uint32_t source) {
    return source == recording::anySource     ? "any source"
           : source == recording::nullProcess ? "MPI_PROC_NULL"
                                              : "rank " + std::to_string(source);
}

bool isCompletion(Operation operation) {
    switch (operation) {
    case Operation::Waitany:
    case Operation::Waitsome:
    case Operation::Test:
    case Operation::Testall:
    case Operation::Testany:
    case Operation::Testsome:
    case Operation::Request_get_status:
        return true;
    default:
        return false;
    }
}

} // namespace

std::string describe(const Asked &asked) {
    const std::string name = nameOf(asked.operation);
    return isCompletion(asked.operation) ? name : name + " from " + sourceText(asked.source) + " with " + tagText(asked.tag);
}

namespace {

/// What was recorded where `asked` comes now, which is another call.
std::string other(const Asked &recorded, const Asked &asked) {
    std::string text = describe(recorded);
    if (text == describe(asked))
        text = isCompletion(asked.operation) ? "one of other requests" : "one on another communicator";
    return text;
}

} // namespace

Replay::Replay(std::string folder, const ThreadLog *owner, std::uint64_t calls)
    : m_place(std::move(folder)), m_owner(owner), m_calls(calls) {}

Replay *Replay::load(ProcessLog &log, std::uint32_t rank, std::uint32_t size, std::uint64_t calls) {
    const char *folder = std::getenv("LAGGARD_REPLAY_DIR");
    if (folder == nullptr || *folder == '\0')
        return nullptr;
    // Never deleted: calls come until the process ends.
    auto *made = new Replay(std::string(folder) + "/" + std::to_string(rank), log.thread(), calls);
    std::string problem;
    if (!made->m_plan.read(made->m_place + replay::planSuffix, problem))
        made->refuse(problem);
    if (made->m_plan.size != size)
        made->refuse("the recording is of " + std::to_string(made->m_plan.size) + " ranks, and this job has " +
                     std::to_string(size));
    made->note(replay::following, "The process was on the recorded path when it ended.");
    made->startWatching();
    return made;
}

void Replay::note(const char *word, const std::string &sentence) const {
    const std::string text = std::string(word) + ' ' + sentence + '\n';
    const int file = ::open((m_place + replay::outcomeSuffix).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    if (::write(file, text.data(), text.size()) < 0)
        say(("what became of the replay cannot be written beside " + m_place + ".").c_str());
    ::close(file);
}

void Replay::refuse(const std::string &why) const {
    note(replay::refused, why + '.');
    say((why + ": nothing is replayed, and the job ends.").c_str());
    ::_exit(2);
}

void Replay::end(const char *word, const std::string &sentence, bool isSaid) {
    m_isFree.store(true, std::memory_order_relaxed);
    note(word, sentence);
    if (isSaid)
        say(sentence.c_str(), true);
}

void Replay::leave(std::uint64_t call, const std::string &what, const std::string &recorded) {
    end(replay::left,
        "rank " + std::to_string(m_plan.rank) + " leaves the recorded path at its call " + std::to_string(call) + ": " + what +
            ", where " + recorded + " was recorded. From here on it runs free.",
        true);
}

bool Replay::isLed(const ThreadLog *log) {
    if (isFree())
        return false;
    if (log == m_owner)
        return true;
    end(replay::left,
        "rank " + std::to_string(m_plan.rank) +
            " receives in another thread than the one that called MPI_Init: that cannot be replayed. It runs free.",
        true);
    return false;
}

void Replay::begins(const ThreadLog *log, Operation operation, Ticks entered) {
    if (isFree() || log != m_owner)
        return;
    ++m_calls;
    if (m_calls > m_plan.calls) {
        end(replay::followed, "rank " + std::to_string(m_plan.rank) + " followed the recorded path to its end.", false);
        return;
    }
    if (const ReplayPlan::Outcome *due = next(); due != nullptr && due->call <= m_calls && due->asked.operation != operation) {
        leave(m_calls, nameOf(operation), describe(due->asked));
        return;
    }
    m_waitsIn.store(operation, std::memory_order_relaxed);
    m_waitsFor.store(nullptr, std::memory_order_relaxed);
    m_since.store(entered, std::memory_order_release);
}

void Replay::polls(const ThreadLog *log, Ticks entered) {
    // Where polls go on, the first counts.
    if (!isFree() && log == m_owner && m_since.load(std::memory_order_relaxed) == 0)
        m_since.store(entered, std::memory_order_release);
}

void Replay::ended(const ThreadLog *log, bool isPoll, bool isMiss) {
    if (log != m_owner || isMiss)
        return;
    m_since.store(0, std::memory_order_release);
    if (isPoll)
        ++m_calls;
}

void Replay::finishes(const ThreadLog *log) {
    if (isFree() || log != m_owner)
        return;
    if (const ReplayPlan::Outcome *due = next(); due != nullptr)
        leave(m_calls, "MPI_Finalize", describe(due->asked));
    else
        end(replay::followed, "rank " + std::to_string(m_plan.rank) + " followed the recorded path to its end.", false);
}

const ReplayPlan::Outcome *Replay::outcome(const ThreadLog *log, const Asked &asked) {
    const bool isChoice = isCompletion(asked.operation) || isWildcard(asked);
    if (!isFree() && !isChoice && log != m_owner)
        return nullptr; // what it gets is certain
    if (!isLed(log))
        return nullptr;
    const ReplayPlan::Outcome *due = next();
    if (due == nullptr || due->call != m_calls) {
        if (isChoice)
            leave(m_calls, describe(asked), "a call without a choice");
        return nullptr;
    }
    if (due->asked != asked) {
        leave(m_calls, describe(asked), other(due->asked, asked));
        return nullptr;
    }
    ++m_next;
    m_waitsFor.store(due, std::memory_order_release);
    return due;
}

Replay::Answer Replay::answer(const ThreadLog *log, const Asked &asked) {
    if (!isLed(log))
        return {};
    m_waitsIn.store(asked.operation, std::memory_order_relaxed);
    while (m_miss < m_plan.misses.size() && m_plan.misses[m_miss].call < m_calls)
        ++m_miss;
    bool isPollAgain = false;
    for (std::size_t i = m_miss; i < m_plan.misses.size() && m_plan.misses[i].call == m_calls; ++i) {
        ReplayPlan::Misses &misses = m_plan.misses[i];
        if (misses.asked != asked)
            continue;
        if (misses.count > 0) {
            --misses.count;
            return {true, nullptr};
        }
        isPollAgain = true;
    }
    const ReplayPlan::Outcome *due = next();
    const std::uint64_t call = m_calls + 1; // it counts if it finds something
    if (due != nullptr && due->call == call && due->asked == asked) {
        ++m_next;
        m_waitsFor.store(due, std::memory_order_release);
        return {false, due};
    }
    if (call > m_plan.calls) {
        end(replay::followed, "rank " + std::to_string(m_plan.rank) + " followed the recorded path to its end.", false);
        return {};
    }
    // Programs that poll for a certain time, and not a certain number of times, poll more often now.
    if (isPollAgain)
        return {true, nullptr};
    leave(call, describe(asked), due != nullptr && due->call == call ? other(due->asked, asked) : "another call");
    return {};
}

void Replay::giveUp() {
    const ReplayPlan::Outcome *due = m_waitsFor.load(std::memory_order_acquire);
    std::string what = "rank " + std::to_string(m_plan.rank) + " has waited " + std::to_string(m_plan.waitSeconds) + " s in its ";
    what += std::string(nameOf(m_waitsIn.load())) + " (call " + std::to_string(m_calls) + ")";
    if (due != nullptr && due->kind == ReplayPlan::Outcome::Kind::Message)
        what += " for the message of rank " + std::to_string(due->source) + " with " + tagText(due->tag) +
                (due == &m_plan.outcomes.back() && m_plan.endsWithExchange ? ", which is to come first"
                                                                           : ", which was received here when it was recorded");
    what += ": it does not come. The job is ended; laggard-analyze of the new recording says who waits for whom.";
    end(replay::waited, what, true);
    // As whoever ends a job that hangs: what was recorded stays as it is.
    ::kill(::getpid(), SIGKILL);
    for (;;)
        ::pause();
}

void Replay::watch() {
    constexpr timespec pause{0, 100'000'000};
    while (!isFree()) {
        nanosleep(&pause, nullptr);
        const Ticks since = m_since.load(std::memory_order_acquire);
        const Ticks time = now();
        const bool isLong = since != 0 && time > since && time - since > m_plan.waitSeconds * second;
        if (isLong && !isFree() && m_since.load(std::memory_order_acquire) == since) // it has not come meanwhile
            giveUp();
    }
}

void Replay::startWatching() {
    if (m_plan.waitSeconds == 0)
        return;
    if (!startOwnThread([](void *argument) { static_cast<Replay *>(argument)->watch(); }, this))
        say("no thread can be made that would notice a message that never comes: the replay then waits for ever.", true);
}

} // namespace laggard::collect::mpi
