// SPDX-License-Identifier: GPL-3.0-or-later
// How a replay (Replay.h) changes what calls ask MPI for.
#include "collect/mpi/Call.h"
#include "collect/mpi/OwnCommunicator.h"

#include <algorithm>
#include <ctime>
#include <sched.h>

namespace laggard::collect::mpi {

namespace {

using Kind = ReplayPlan::Outcome::Kind;

/// Asks until it is so. Ranks share processors more often than not: after a while others get their turn. Who waits too long is
/// ended by Replay::watch().
template <typename Condition> void waitUntil(Condition isSo) {
    constexpr unsigned spins = 100;
    constexpr unsigned yields = 10'000;
    constexpr timespec pause{0, 50'000};
    for (unsigned i = 0; !isSo(); ++i) {
        if (i > yields)
            nanosleep(&pause, nullptr);
        else if (i > spins)
            sched_yield();
    }
}

/// MPI goes on with what it has to do: a program that polls may wait for a message of its own to get through.
void letMpiGoOn() {
    int isThere = 0;
    PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &isThere, MPI_STATUS_IGNORE);
}

/// A communicator on which nothing is ever sent.
MPI_Comm silentCommunicator() {
    static const MPI_Comm made = ownCommunicator(MPI_COMM_SELF);
    return made;
}

} // namespace

Asked Call::askedMessage() const {
    const Part &part = m_parts.back();
    return {m_operation, part.argument, static_cast<std::int32_t>(recording::low(part.words[0])), recording::high(part.words[0]),
            0};
}

/// False where the sender is not known here.
bool Call::direct(Steered &asked, const ReplayPlan::Outcome &outcome) const {
    if (outcome.source == recording::nullProcess) {
        asked.source = MPI_PROC_NULL;
        return false; // nothing is to come
    }
    if (m_communicator == nullptr)
        return false;
    const std::vector<std::uint32_t> &members = *m_communicator->members;
    const auto found = std::ranges::find(members, outcome.source);
    if (found == members.end())
        return false;
    asked.source = static_cast<int>(found - members.begin());
    asked.tag = outcome.tag;
    return true;
}

Call::Steered Call::steerReceive(Steered asked) {
    const ReplayPlan::Outcome *outcome = m_layer->replay->outcome(m_log, askedMessage());
    if (outcome != nullptr && outcome->kind == Kind::Message)
        (void)direct(asked, *outcome);
    if (outcome != nullptr && outcome->kind == Kind::Nothing)
        if (const MPI_Comm silent = silentCommunicator(); silent != MPI_COMM_NULL)
            asked = {0, 0, silent, false, true};
    return asked;
}

Call::Steered Call::steerProbe(Steered asked) {
    const auto [isMiss, outcome] = m_layer->replay->answer(m_log, askedMessage());
    asked.isMiss = isMiss;
    if (isMiss)
        letMpiGoOn();
    else if (outcome != nullptr && outcome->kind == Kind::Message && direct(asked, *outcome))
        waitUntil([&asked] {
            int isThere = 0;
            return PMPI_Iprobe(asked.source, asked.tag, asked.comm, &isThere, MPI_STATUS_IGNORE) != MPI_SUCCESS || isThere != 0;
        });
    return asked;
}

bool Call::isChosen(const Choice &choice, int index) const {
    const auto i = static_cast<std::size_t>(index);
    return i < m_found.size() && m_found[i].number != 0 && std::ranges::count(*choice.requests, m_found[i].number) != 0;
}

Call::Choice Call::chooseRequests(bool mayMiss) {
    const Asked asked{.operation = m_operation, .awaited = recording::replay::keyOf(m_awaited)};
    const auto [isMiss, outcome] =
        mayMiss ? m_layer->replay->answer(m_log, asked) : Replay::Answer{false, m_layer->replay->outcome(m_log, asked)};
    if (isMiss)
        letMpiGoOn();
    if (isMiss || outcome == nullptr || outcome->kind != Kind::Completion)
        return {isMiss, nullptr};
    const Choice choice{false, &outcome->requests};
    for (std::size_t i = 0; i < m_found.size(); ++i)
        if (isChosen(choice, static_cast<int>(i)))
            waitUntil([this, i] {
                int isComplete = 0;
                return PMPI_Request_get_status(m_handles[i], &isComplete, MPI_STATUS_IGNORE) != MPI_SUCCESS || isComplete != 0;
            });
    return choice;
}

} // namespace laggard::collect::mpi
