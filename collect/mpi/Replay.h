// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/ReplayPlan.h"
#include "collect/store/ThreadLog.h"

#include <atomic>
#include <string>

namespace laggard::collect::mpi {

/// Leads the calls of this process along a recorded run (Kranzlmüller et al. 2000, §3): tells each call that takes what comes
/// first what it got there. Ends where the plan ends, and where the process leaves it, which is said; from then on the process
/// runs free. Only the thread that called MPI_Init is led.
class Replay {
  public:
    /// By the environment (LAGGARD_REPLAY_DIR); nullptr if nothing is to be replayed. The calling thread is led; `calls` of its
    /// calls have begun. Ends the process where the plan cannot be used, or is of another job: that was said.
    [[nodiscard]] static Replay *load(ProcessLog &log, std::uint32_t rank, std::uint32_t size, std::uint64_t calls);

    [[nodiscard]] bool isFree() const { return m_isFree.load(std::memory_order_relaxed); }

    /// A call that is always recorded begins.
    void begins(const ThreadLog *log, Operation operation, Ticks entered);
    void polls(const ThreadLog *log, Ticks entered);
    /// The open call has returned. `isMiss`: it asked, and found nothing.
    void ended(const ThreadLog *log, bool isPoll, bool isMiss);
    void finishes(const ThreadLog *log);

    /// What the open call got; nullptr: it is not led.
    [[nodiscard]] const ReplayPlan::Outcome *outcome(const ThreadLog *log, const Asked &asked);
    /// The open call asks and may find nothing: then `isMiss`, and no outcome.
    struct Answer {
        bool isMiss = false;
        const ReplayPlan::Outcome *outcome = nullptr;
    };
    [[nodiscard]] Answer answer(const ThreadLog *log, const Asked &asked);

  private:
    Replay(std::string folder, const ThreadLog *owner, std::uint64_t calls);
    [[nodiscard]] bool isLed(const ThreadLog *log);
    [[nodiscard]] const ReplayPlan::Outcome *next() const {
        return m_next < m_plan.outcomes.size() ? &m_plan.outcomes[m_next] : nullptr;
    }
    void leave(std::uint64_t call, const std::string &what, const std::string &recorded);
    void end(const char *word, const std::string &sentence, bool isSaid);
    void note(const char *word, const std::string &sentence) const;
    [[noreturn]] void refuse(const std::string &why) const;
    void watch();
    [[noreturn]] void giveUp();
    void startWatching();

    std::string m_place; ///< where the plan is, without its suffix
    ReplayPlan m_plan;
    const ThreadLog *m_owner;
    std::atomic<std::uint64_t> m_calls; ///< that have begun, but for polls: those that have found something
    std::size_t m_next = 0;             ///< in the outcomes of the plan
    std::size_t m_miss = 0;             ///< in its misses: those before are behind us
    std::atomic<bool> m_isFree{false};
    // What the thread that watches reads.
    std::atomic<Ticks> m_since{0};      ///< the process waits or polls since; 0: it does not
    std::atomic<Operation> m_waitsIn{}; ///< in this call
    std::atomic<const ReplayPlan::Outcome *> m_waitsFor{nullptr};
};

/// "MPI_Recv from any source with tag 5"
[[nodiscard]] std::string describe(const Asked &asked);

} // namespace laggard::collect::mpi
