// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// Messages that the open receive of `rank` (also in MPI_Wait and the like) waits for, and which were sent and not received.
/// Empty where the rank was seen not to have got into the MPI library.
[[nodiscard]] std::vector<LostMessage> lostMessages(const JobView &job, Rank rank);

/// Messages of one sender to one receiver that do not fit.
struct Misfits {
    MisfitMessage first; ///< the one sent first, as far as that is known
    bool isOnly = true;  ///< there are no others with another tag or communicator
};

/// Messages that nobody takes, and that differ from what one of `receivers` waits for and one of `senders` has not sent (both
/// sorted) by tag or communicator; if there is none, by their sender alone. Nothing if there are such between several pairs.
/// Messages whose sender is still in the call that sends them count only if there are no others.
[[nodiscard]] std::optional<Misfits> findMisfits(const JobView &job, const RankSet &senders, const RankSet &receivers);

/// Of those who wait for each other, the only one with which two others or more disagree on the tag of a message, in both
/// directions, in the calls of an exchange that they have made before: a number of a round or step, say, which is another one on
/// this rank. A message from it. Nothing where messages of others do not fit, either.
[[nodiscard]] std::optional<MisfitMessage> commonMisfit(const JobView &job, const RankSet &members);

/// A message such as one of `receivers` waits for, which one of `senders` sent to another rank that does not ask for it; nothing
/// if there are several.
[[nodiscard]] std::optional<MisfitMessage> findMisdirected(const JobView &job, const RankSet &senders, const RankSet &receivers);

/// Of those who wait for each other, the only one that waits for a message of a stranger: of a rank that in the whole run has
/// sent it nothing, and received and asked for nothing of it, while messages to that rank lie unreceived. The first of these,
/// from the one that waits. The two do not agree on being neighbours; the others wait for ranks they have to do with. Recordings
/// whose beginning is there.
[[nodiscard]] std::optional<MisfitMessage> findStranger(const JobView &job, const std::vector<Wait> &waits,
                                                        const RankSet &members);

/// Two ranks that do not agree on being neighbours in the exchanges they are in.
struct OneSided {
    MisfitMessage message; ///< from the one that waits for the other
    RankSet ranks;         ///< both; the one that waits alone, if another one takes it for a neighbour which it does not know
};

/// Of those who wait for each other in exchanges made by the same call (MPI_Waitall), the only one that waits for a message of a
/// rank with which it has exchanged in each of its latest rounds, and which has nothing to do with it any more. Recordings whose
/// beginning is there.
[[nodiscard]] std::optional<OneSided> findOneSided(const JobView &job, const std::vector<Wait> &waits, const RankSet &members);

/// Another rank than `except` waits for this one in the same exchange, and this one has nothing to do with it there (`neverMet`:
/// nor had in the whole run): that one, too, takes other ranks for neighbours.
[[nodiscard]] bool isTakenForNeighbour(const JobView &job, const std::vector<Wait> &waits, Rank rank, Rank except, bool neverMet);

/// The rank waits for all messages of an exchange (MPI_Waitall), and has begun to send its own in it: it blocks nobody by the
/// order of its calls. Recordings whose beginning is there.
[[nodiscard]] bool hasSentInExchange(const JobView &job, Rank rank);

/// Messages of `senders` (sorted) that lie there for `rank`, and are such (tag, communicator) as it neither asks for nor has
/// taken of anybody so far; one of each sender, the first sent first.
[[nodiscard]] std::vector<MisfitMessage> unaskedMessages(const JobView &job, Rank rank, const RankSet &senders);

/// True if its sender had never sent anything to the rank that it went to.
[[nodiscard]] bool isFirstTo(const JobView &job, const MisfitMessage &message);

/// What the receiver has taken before, of the sender of a misfit and of whom it waits for.
struct TakenBefore {
    bool asAwaited = false; ///< a message such as it waits for
    bool asSent = false;    ///< … such as was sent: it may be for a later receive
    bool ofSender = false;  ///< any of the rank that sent it
    /// Such as was sent, and never such as it waits for.
    [[nodiscard]] bool isNewRequest() const { return asSent && !asAwaited; }
};
[[nodiscard]] TakenBefore takenBefore(const JobView &job, const MisfitMessage &misfit);

/// True if receives posted where that was which waits have taken messages from the call that sent the misfit, on whatever ranks:
/// then it was sent for this receive. False of model dumps. Looks at the latest receives of each rank.
[[nodiscard]] bool isOfOneExchange(const JobView &job, const MisfitMessage &misfit);

} // namespace laggard
